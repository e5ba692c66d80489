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
	domaintest.RunVectors(t, "phone", func(input string) verdict { return checkPhone(cleanPhone(input)) })
}

func TestCodes_MatchTestVectors(t *testing.T) {
	type codes struct {
		Phone      string `json:"phone"`
		PostalCode string `json:"postalCode"`
		TaxID      string `json:"taxId"`
	}
	domaintest.RunVectors(t, "codes", func(input string) codes {
		result := codes{cleanPhone(input), cleanPostalCode(input), TaxID{Type: "eu_vat", Value: input}.normalise().Value}
		assert.Equal(t, result.Phone, cleanPhone(result.Phone), "cleaning is idempotent")
		assert.Equal(t, result.PostalCode, cleanPostalCode(result.PostalCode), "cleaning is idempotent")
		return result
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

// The adapter that decodes requests converts the domain, see text_input.go in adapters/httpapi.
func TestValidEmail_RefusesDomainThatIsNotConverted(t *testing.T) {
	assert.False(t, ValidEmail("ada@münchen.de"))
	assert.True(t, ValidEmail("ada@xn--mnchen-3ya.de"))
}

func TestValidEmail_IgnoresCaseAndBlanks(t *testing.T) {
	assert.True(t, ValidEmail(" ADA@Example.com "))
	assert.False(t, ValidEmail("no address"))
	assert.False(t, ValidEmail(""))
}
