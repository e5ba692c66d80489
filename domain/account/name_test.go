package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/account"
)

func TestNameKey(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
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
		{"blanks are not nothing", "Acme Clinic", "AcmeClinic", false},
		{"an accent is a difference", "Ecole", "École", false},
		{"sharp s is one letter", "Strauß", "STRAUSS", false},
		{"dotless i is another letter", "Isik", "Isık", false},
		{"byte order mark", "\ufeffAcme", "Acme", true},
		{"override of direction", "\u202eAcme Clinic\u202c", "Acme Clinic", true},
		{"marks of direction", "Acme\u200e Clinic\u200f", "Acme Clinic", true},
		{"no width, in another case", "ac\u200bme", "ACME", true},
		{"nothing but what can't be seen between blanks", "Acme \u2066 Clinic", "Acme Clinic", true},
		{"next line is a blank", "Acme\u0085Clinic", "Acme Clinic", true},
		{"joiners, which texts keep", "A\u200dc\u200cme", "Acme", true},
		{"joiner between blanks", "Acme\u200c \u200d Clinic", "Acme Clinic", true},
		{"variants of a character", "Acme \u2764\ufe0f", "Acme \u2764", true},
		{"no width is no blank", "Acme\u200bClinic", "Acme Clinic", false},
		{"a Hebrew letter is seen", "Acme \u05d0", "Acme", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.same, account.NameKey(tt.a) == account.NameKey(tt.b))
		})
	}
}

func TestNameKeyIsTheSameInEveryCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		keyA, keyB := account.NameKey(a), account.NameKey(b)
		require.Equal(t, keyA, account.NameKey(keyA))
		require.Equal(t, strings.EqualFold(keyA, keyB), keyA == keyB)
		if strings.EqualFold(a, b) {
			require.Equal(t, keyA, keyB)
		}
	})
}

func TestEmailKey(t *testing.T) {
	assert.Equal(t, "ada@example.com", account.EmailKey(" \tADA@Example.com\u00a0"))
	assert.Equal(t, "\u212aate@example.com", account.EmailKey("\u212aate@example.com"), "not another person's kate@")
	assert.Empty(t, account.EmailKey(" \u3000"))
}
