package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
)

// form contains a registration under the names of the form's fields.
type form struct {
	FirstName string             `json:"firstName"`
	LastName  string             `json:"lastName"`
	Org       string             `json:"org"`
	Email     string             `json:"email"`
	Password  string             `json:"password"`
	Country   string             `json:"country"`
	State     string             `json:"state"`
	Line1     string             `json:"line1"`
	Line2     string             `json:"line2"`
	District  string             `json:"district"`
	Pincode   string             `json:"pincode"`
	Contact   string             `json:"contact"`
	Currency  string             `json:"currency"`
	Product   string             `json:"product"`
	Interval  catalogue.Interval `json:"interval"`
}

type fieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (f form) registration() account.Registration {
	return account.Registration{
		FirstName: f.FirstName, LastName: f.LastName, Org: f.Org, Email: f.Email, Password: f.Password,
		Address: account.Address{
			Line1: f.Line1, Line2: f.Line2, City: f.District, State: f.State,
			PostalCode: f.Pincode, Country: f.Country,
		},
		Phone: f.Contact, Currency: f.Currency,
		Choice: account.Choice{Product: f.Product, Interval: f.Interval},
	}
}

func TestRegistrationValidate_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "registration", func(input form) []fieldError {
		err := input.registration().Validate()
		assert.Equal(t, err, input.registration().Normalise().Validate(), "the result is the same after normalising")
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		}
		fieldErrors := []fieldError{}
		for _, f := range fault.FieldsOf(err) {
			assert.NotEmpty(t, f.Message, f.Name)
			fieldErrors = append(fieldErrors, fieldError{f.Name, f.Message})
		}
		return fieldErrors
	})
}

func TestRegistration_NormaliseRemovesOuterAndRepeatedBlanks(t *testing.T) {
	input := account.Registration{
		FirstName: " Mary\u3000\tJane ", LastName: "\u00a0Smith\r\n", Org: "\u2028St.  Mary's\nClinic ",
		Email: " ADA@Example.COM ", Password: " Passw0rd ",
		Address: account.Address{
			Line1: " 1  High\tStreet ", Line2: " ", City: " Sydney ", State: " New  South Wales ",
			PostalCode: " 20  00 ", Country: " au ",
		},
		Phone: " +61 2  1234 ", Currency: " aud ",
		Choice: account.Choice{Product: "standard", Interval: catalogue.Monthly},
	}
	assert.Equal(t, account.Registration{
		FirstName: "Mary Jane", LastName: "Smith", Org: "St. Mary's Clinic",
		Email: "ada@example.com", Password: " Passw0rd ",
		Address: account.Address{
			Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "20 00", Country: "AU",
		},
		Phone: "+61 2  1234", Currency: "AUD",
		Choice: account.Choice{Product: "standard", Interval: catalogue.Monthly},
	}, input.Normalise())
}

func TestRegistration_NormaliseRemovesInvisibleCharacters(t *testing.T) {
	controls := []string{
		"\x00", "\x07", "\x1b", "\x7f", "\u009b", "\u00ad", "\u061c", "\u200b", "\u200e", "\u200f",
		"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff",
	}
	visible := account.Registration{
		FirstName: "Ada", LastName: "کینگ\u200cنژاد", Org: "מרפאה Clinic", Password: "Passw0rd", Email: "ada@example.com",
		Address: account.Address{
			Line1: "1 High Street", Line2: "Level 3", City: "Sydney", State: "Victoria", PostalCode: "3000", Country: "AU",
		},
		Phone: "+61 2 1234",
	}
	require.NoError(t, visible.Validate())
	require.Equal(t, visible, visible.Normalise(), "letters of any direction and joiners are kept")
	for _, control := range controls {
		input := visible
		for _, text := range []*string{
			&input.FirstName, &input.LastName, &input.Org, &input.Phone, &input.Address.Line1, &input.Address.Line2,
			&input.Address.City, &input.Address.State, &input.Address.PostalCode,
		} {
			*text = control + strings.Replace(*text, " ", control+" "+control, 1) + control
		}
		assert.Equal(t, visible, input.Normalise(), "%q", control)
		assert.NoError(t, input.Validate(), "%q", control)
	}
}

func TestRegistration_NormaliseKeepsPassword(t *testing.T) {
	input := account.Registration{Password: " \"\u202ePass\u200bw0rd\ufeff\x00\", "}
	assert.Equal(t, input, input.Normalise())
}

func TestRegistration_NormaliseKeepsInvalidUTF8AndValidateRefusesIt(t *testing.T) {
	input := account.Registration{Org: "Acme \xe2\u202e\x80\xae"}
	assert.Equal(t, input, input.Normalise())
	assert.Contains(t, fault.FieldsOf(input.Validate()),
		fault.Field{Name: "org", Message: "Org name contains invalid characters"})
}

// Any input is either valid or has messages for its fields, and the normalised input has the same result.
func FuzzRegistration(f *testing.F) {
	for _, file := range []string{"text", "names", "email", "phone"} {
		for _, c := range domaintest.LoadVectors[domaintest.Case[string, any]](f, file) {
			f.Add(c.In, c.In, c.In, "Secret-pass-1", c.In, "AU", c.In, "yearly")
		}
	}
	f.Add("Ada", "Analytical Engines", "ada@example.test", "Secret-pass-1", "+61 2 9000 0000", "AU", "AUD", "monthly")
	f.Fuzz(func(t *testing.T, name, org, email, password, phone, country, currency, interval string) {
		registration := account.Registration{
			FirstName: name, LastName: name, Org: org, Email: email, Password: password, Phone: phone, Currency: currency,
			Address: account.Address{Line1: org, Line2: name, City: org, State: name, PostalCode: phone, Country: country},
			Choice:  account.Choice{Product: org, Interval: catalogue.Interval(interval)},
		}
		err, normalisedErr := registration.Validate(), registration.Normalise().Validate()
		assert.Equal(t, fault.FieldsOf(err), fault.FieldsOf(normalisedErr))
		assert.Equal(t, registration.Normalise(), registration.Normalise().Normalise())
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.NotEmpty(t, fault.FieldsOf(err))
		}
	})
}
