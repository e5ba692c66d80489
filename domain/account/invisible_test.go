package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestNormalisedLeavesOutWhatCannotBeSeen(t *testing.T) {
	hidden := []string{
		"\x00", "\x07", "\x1b", "\x7f", "\u009b", "\u00ad", "\u061c", "\u200b", "\u200e", "\u200f",
		"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff",
	}
	seen := account.Registration{
		FirstName: "Ada", LastName: "کینگ\u200cنژاد", Org: "מרפאה Clinic", Password: "Passw0rd", Email: "ada@example.com",
		Address: account.Address{
			Line1: "1 High Street", Line2: "Level 3", City: "Sydney", State: "Victoria", PostalCode: "3000", Country: "AU",
		},
		Phone: "+61 2 1234",
	}
	require.NoError(t, seen.Validate())
	require.Equal(t, seen, seen.Normalised(), "letters of any direction and joiners stay")
	for _, h := range hidden {
		typed := seen
		for _, text := range []*string{
			&typed.FirstName, &typed.LastName, &typed.Org, &typed.Phone, &typed.Address.Line1, &typed.Address.Line2,
			&typed.Address.City, &typed.Address.State, &typed.Address.PostalCode,
		} {
			*text = h + strings.Replace(*text, " ", h+" "+h, 1) + h
		}
		assert.Equal(t, seen, typed.Normalised(), "%q", h)
		assert.NoError(t, typed.Validate(), "%q", h)
	}
}

func TestNormalisedTakesNothingOutOfPasswordAndEmail(t *testing.T) {
	typed := account.Registration{Password: "\u202ePass\u200bw0rd\ufeff\x00", Email: "a\u200bda@example.com\u202c"}
	assert.Equal(t, typed, typed.Normalised())
	assert.Contains(t, fault.FieldsOf(typed.Validate()), fault.Field{Name: "email", Message: "Invalid email address!"})
}

// What is left of broken text could run together into a new character, and that one be invisible.
func TestNormalisedLeavesBrokenTextToBeRefused(t *testing.T) {
	typed := account.Registration{Org: "Acme \xe2\u202e\x80\xae"}
	assert.Equal(t, typed, typed.Normalised())
	assert.Contains(t, fault.FieldsOf(typed.Validate()),
		fault.Field{Name: "org", Message: "Org name contains invalid characters"})
}
