package account

import (
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/password"
)

// Registration is the content of the registration form.
type Registration struct {
	FirstName string
	LastName  string
	Org       string
	Email     string
	Password  string
	Address   Address
	Phone     string
	Currency  string // "" when none was chosen
	Choice    Choice
}

// Normalise returns the stored form of the registration: without invisible characters, trimmed, with single
// spaces between words, without quotation marks around a text, phone and postal code in ASCII where possible,
// the email address as EmailKey returns it, and country and currency in upper case. It does not change the
// password. It keeps a postal code of only whitespace, which Validate reports as invalid instead of missing.
func (r Registration) Normalise() Registration {
	r.FirstName, r.LastName, r.Org = clean(r.FirstName), clean(r.LastName), clean(r.Org)
	r.Email, r.Phone = EmailKey(r.Email), cleanPhone(r.Phone)
	r.Address = r.Address.normalise()
	r.Currency = asciiUpper(trim(r.Currency))
	return r
}

func (a Address) normalise() Address {
	postalCode := a.PostalCode
	if text := cleanPostalCode(postalCode); text != "" {
		postalCode = text
	}
	return Address{
		Line1: clean(a.Line1), Line2: clean(a.Line2), City: clean(a.City), State: clean(a.State),
		PostalCode: postalCode, Country: asciiUpper(trim(a.Country)),
	}
}

// Validate returns nil for a valid registration, otherwise an Invalid fault with a message for each
// invalid field, in the form's order and under the specification's names. It validates the normalised
// registration, so the result is the same before and after normalising.
func (r Registration) Validate() error {
	r = r.Normalise()
	var f fault.Fields
	addMessage(&f, "firstName", checkName(r.FirstName), firstNameMessages)
	addMessage(&f, "lastName", checkName(r.LastName), lastNameMessages)
	addMessage(&f, "org", checkText(r.Org), organisationNameMessages)
	addMessage(&f, "email", checkEmail(r.Email), messages{missing: "email is required", invalid: "Invalid email address!"})
	checkPassword(&f, r.Password)
	r.Address.validate(&f)
	addMessage(&f, "contact", checkPhone(r.Phone), messages{missing: "Phone no. required", invalid: "Invalid contact details"})
	_, known := money.ByCode(r.Currency)
	f.Check(known || r.Currency == "", "currency", "Unknown currency")
	r.Choice.validate(&f)
	return f.Err()
}

var (
	firstNameMessages = messages{
		missing: "First name is required", invalid: "Invalid first name", tooLong: "First name is too long",
	}
	lastNameMessages = messages{
		missing: "Last name is required", invalid: "Invalid last name", tooLong: "Last name is too long",
	}
	organisationNameMessages = messages{
		missing: "Org name is required", invalid: "Org name contains invalid characters", tooLong: "Org name is too long",
	}
)

// NormaliseOrganisationName returns the stored form of an organisation's name, or an Invalid fault with a message for "org".
func NormaliseOrganisationName(name string) (string, error) {
	name = clean(name)
	var f fault.Fields
	addMessage(&f, "org", checkText(name), organisationNameMessages)
	return name, f.Err()
}

// validate adds a message for each invalid field of the address.
func (a Address) validate(f *fault.Fields) {
	addMessage(f, "country", checkCountry(a.Country), messages{missing: "Country is required", invalid: "Unknown country"})
	addMessage(f, "state", checkText(a.State), messages{
		missing: "state is required", invalid: "State contains invalid characters", tooLong: "State is too long",
	})
	addMessage(f, "line1", checkText(a.Line1), messages{
		missing: "Billing address line 1 is required",
		invalid: "Billing address line 1 contains invalid characters",
		tooLong: "Billing address line 1 is too long",
	})
	if a.Line2 != "" {
		addMessage(f, "line2", checkText(a.Line2), messages{
			invalid: "Billing address line 2 contains invalid characters", tooLong: "Billing address line 2 is too long",
		})
	}
	addMessage(f, "district", checkText(a.City), messages{
		missing: "City is required", invalid: "City contains invalid characters", tooLong: "City is too long",
	})
	addMessage(f, "pincode", checkPostalCode(a.PostalCode), messages{
		missing: "Zip/Postal code is required", invalid: "Invalid zipcode", tooLong: "Zip/Postal code is too long",
	})
}

// validate adds a message for an id or interval in a wrong format. The catalogue decides whether the plan exists.
func (c Choice) validate(f *fault.Fields) {
	if c.IsZero() {
		return
	}
	f.Check(catalogue.ValidPlanID(c.Product), "product", "Unknown plan")
	_, err := catalogue.ParseInterval(string(c.Interval))
	f.Check(err == nil, "interval", fault.MessageOf(err))
}

// checkPassword adds a message for a password that is too long or does not follow the policy.
func checkPassword(f *fault.Fields, p string) {
	if utf8.RuneCountInString(p) > password.MaxLength {
		f.Add("password", "Password is too long")
	}
	if problems := password.Check(p).Problems(); len(problems) > 0 {
		f.Add("password", "Password policy not followed: "+strings.Join(problems, ", "))
	}
}

// messages holds the message for each verdict on a field. It uses the specification's text if there is one.
type messages map[verdict]string

// addMessage adds the message for the verdict unless the field is valid.
func addMessage(f *fault.Fields, name string, v verdict, texts messages) {
	f.Check(v == valid, name, texts[v])
}
