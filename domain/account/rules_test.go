package account

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/domaintest"
)

func TestCheckName_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "names", func(input string) verdict { return checkName(clean(input)) })
}

func TestCheckPhone_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "phone", func(input string) verdict { return checkPhone(trim(removeInvisible(input))) })
}

func TestCheckEmail_MatchesTestVectors(t *testing.T) {
	type address struct {
		Verdict    verdict `json:"verdict"`
		Normalised string  `json:"normalised"`
	}
	domaintest.RunVectors(t, "email", func(input string) address {
		// The verdict is the same for the typed and the stored form of the address.
		assert.Equal(t, checkEmail(trim(input)), checkEmail(EmailKey(input)))
		return address{checkEmail(trim(input)), EmailKey(input)}
	})
}

func TestRules_InvalidUTF8IsInvalid(t *testing.T) {
	const invalidUTF8 = "Ada\xff"
	assert.Equal(t, invalid, checkText(invalidUTF8))
	assert.Equal(t, invalid, checkName(invalidUTF8))
	assert.Equal(t, invalid, checkEmail(EmailKey("ada\xff@example.com")))
	assert.Equal(t, invalid, checkPhone("1234567\xff"))
	assert.Equal(t, invalid, checkCountry("A\xff"))
}

func TestValidEmail_IgnoresCaseAndBlanks(t *testing.T) {
	assert.True(t, ValidEmail(" ADA@Example.com "))
	assert.False(t, ValidEmail("no address"))
	assert.False(t, ValidEmail(""))
}
