package account

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestClean_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "text", func(input string) string {
		assert.Equal(t, clean(input), clean(clean(input)), "cleaning is idempotent")
		return clean(input)
	})
}

func TestNameKey_IgnoresCaseBlanksAndInvisibleCharacters(t *testing.T) {
	tests := []struct {
		name, a, b string
		wantEqual  bool
	}{
		{"case", "Acme Clinic", "ACME clinic", true},
		{"outer blanks", " Acme\u3000", "Acme", true},
		{"inner blanks", "Acme  Clinic", "Acme\tClinic", true},
		{"accents in another case", "ÉCOLE ÅRHUS", "école århus", true},
		{"final sigma", "ΟΔΟΣ", "οδος", true},
		{"the three sigmas", "σ", "ς", true},
		{"Kelvin sign", "\u212a", "k", true},
		{"long s", "ſ", "S", true},
		{"Deseret", "𐐀", "𐐨", true},
		{"another name", "Acme Clinic", "Acme Clinics", false},
		{"a blank is a difference", "Acme Clinic", "AcmeClinic", false},
		{"an accent is a difference", "Ecole", "École", false},
		{"sharp s is one letter", "Strauß", "STRAUSS", false},
		{"dotless i is another letter", "Isik", "Isık", false},
		{"byte order mark", "\ufeffAcme", "Acme", true},
		{"direction override", "\u202eAcme Clinic\u202c", "Acme Clinic", true},
		{"direction marks", "Acme\u200e Clinic\u200f", "Acme Clinic", true},
		{"zero-width space, in another case", "ac\u200bme", "ACME", true},
		{"invisible character between blanks", "Acme \u2066 Clinic", "Acme Clinic", true},
		{"next line is a blank", "Acme\u0085Clinic", "Acme Clinic", true},
		{"joiners", "A\u200dc\u200cme", "Acme", true},
		{"joiner between blanks", "Acme\u200c \u200d Clinic", "Acme Clinic", true},
		{"variants of a character", "Acme \u2764\ufe0f", "Acme \u2764", true},
		{"a zero-width space is no blank", "Acme\u200bClinic", "Acme Clinic", false},
		{"a Hebrew letter is visible", "Acme \u05d0", "Acme", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.wantEqual, NameKey(tt.a) == NameKey(tt.b))
		})
	}
}

func TestNameKey_IgnoresCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		keyA, keyB := NameKey(a), NameKey(b)
		require.Equal(t, keyA, NameKey(keyA))
		require.Equal(t, strings.EqualFold(keyA, keyB), keyA == keyB)
		if strings.EqualFold(a, b) {
			require.Equal(t, keyA, keyB)
		}
	})
}

func TestEmailKey_IgnoresCaseAndBlanks(t *testing.T) {
	assert.Equal(t, "ada@example.com", EmailKey(" \tADA@Example.com\u00a0"))
	assert.Equal(t, "\u212aate@example.com", EmailKey("\u212aate@example.com"), "the Kelvin sign is not changed to a k")
	assert.Empty(t, EmailKey(" \u3000"))
}

// An algorithm of quadratic time would exceed the time limit of the test.
func TestClean_IsFastOnLongTexts(t *testing.T) {
	for _, end := range []string{" ,", ", ", " .", "\t;", "tel:", "'\""} {
		text := "a" + strings.Repeat(end, 500_000) + "b"
		assert.NotEmpty(t, cleanPhone(text))
		assert.NotEmpty(t, NameKey(text))
		assert.NotEmpty(t, cleanPostalCode(strings.TrimSuffix(text, "b")))
		assert.NotEmpty(t, clean(strings.TrimSuffix(text, "b")))
		assert.NotEmpty(t, cleanPhone(strings.TrimPrefix(text, "a")))
	}
	assert.Equal(t, "a", clean("a"+strings.Repeat(" ,", 500_000)))
	assert.Equal(t, "a", cleanPostalCode("a"+strings.Repeat(" . ,", 250_000)))
}

// The keys are idempotent and ignore the characters that clean removes.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{
		"", " Ada  King ", "İstanbul", "ſtraße", "\u212a", "\u3000", "a\xff", "\xe2\u200b\x80\x8b", "a\u200c \u200d b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Equal(t, NameKey(text), NameKey(clean(text)))
		assert.Equal(t, NameKey(text), NameKey(NameKey(text)))
		assert.Equal(t, EmailKey(text), EmailKey(EmailKey(text)))
	})
}
