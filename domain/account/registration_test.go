package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
)

// form is a registration under the form's names.
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

type complaint struct {
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

func TestRegistrationVectors(t *testing.T) {
	domaintest.Run(t, "registration", func(in form) []complaint {
		err := in.registration().Validate()
		assert.Equal(t, err, in.registration().Normalised().Validate(), "normalising first makes no odds")
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		}
		complaints := []complaint{}
		for _, f := range fault.FieldsOf(err) {
			assert.NotEmpty(t, f.Message, f.Name)
			complaints = append(complaints, complaint{f.Name, f.Message})
		}
		return complaints
	})
}

func TestNormalised(t *testing.T) {
	typed := account.Registration{
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
	}, typed.Normalised())
}

func TestNormalisedTwiceIsNormalisedOnceAndAsValid(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "\u3000", "\u0085", "\ufeff", "Ada", " ada \u00a0 l ", "AU", "au", "ada@Example.com", "123456", "Passw0rd", "yearly",
	}))
	rapid.Check(t, func(t *rapid.T) {
		next := func(name string) string { return text.Draw(t, name) }
		typed := form{
			next("firstName"), next("lastName"), next("org"), next("email"), next("password"), next("country"),
			next("state"), next("line1"), next("line2"), next("district"), next("pincode"), next("contact"),
			next("currency"), next("product"), catalogue.Interval(next("interval")),
		}.registration()
		once := typed.Normalised()
		require.Equal(t, once, once.Normalised())
		require.Equal(t, typed.Validate(), once.Validate())
	})
}
