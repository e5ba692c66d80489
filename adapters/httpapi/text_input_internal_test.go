package httpapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/domaintest"
)

func TestNormaliseEmail_MatchesTestVectors(t *testing.T) {
	type address struct {
		Verdict    string `json:"verdict"`
		Normalised string `json:"normalised"`
	}
	domaintest.RunVectors(t, "email", func(input string) address {
		email := normaliseEmail(input)
		assert.Equal(t, email, normaliseEmail(email), "normalising is idempotent")
		switch {
		case email == "":
			return address{"missing", email}
		case !account.ValidEmail(email):
			return address{"invalid", email}
		}
		return address{"ok", email}
	})
}

// Without the limit each conversion takes several seconds, which would exceed the time limit of the test.
func TestNormaliseEmail_IsFastOnLongDomains(t *testing.T) {
	var domain strings.Builder
	for r := rune(0x4e00); r < 0x4e00+20_000; r++ {
		domain.WriteRune(r)
	}
	email := "ada@" + domain.String() + ".com"
	for range 1000 {
		assert.Equal(t, email, normaliseEmail(email))
	}
}

func TestCleanToken_RemovesPunctuationAndLineBreaks(t *testing.T) {
	const token = "payment_failed.org_1.Ab-_9"
	for _, input := range []string{
		token, " " + token + ".\n", "<" + token + ">,", "\"" + token + "\"", "payment_failed.org_1\r\n.Ab-\u200b_9\ufeff",
	} {
		assert.Equal(t, token, cleanToken(input), "%q", input)
	}
}
