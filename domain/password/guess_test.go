package password_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/password"
)

func TestGuessMessage_MatchesTestVectors(t *testing.T) {
	type input struct{ Password, Organisation, FirstName, LastName, Email, Product string }
	domaintest.RunVectors(t, "password-guess", func(in input) string {
		return password.Context{
			Organisation: in.Organisation, FirstName: in.FirstName, LastName: in.LastName, Email: in.Email, Product: in.Product,
		}.GuessMessage(in.Password)
	})
}

func TestGuessMessage_AcceptsPasswordsWithFourOtherLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.StringMatching(`[0-9]{0,8}`).Draw(t, "digits")
		c := password.Context{Organisation: rapid.StringMatching(`[a-p]{3,9}( [a-p]{1,9})?`).Draw(t, "organisation")}
		assert.NotEmpty(t, c.GuessMessage(c.Organisation+digits))
		assert.Empty(t, c.GuessMessage(c.Organisation+digits+"-QUVW-"))
	})
}
