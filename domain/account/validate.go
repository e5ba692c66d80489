package account

import (
	"strings"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/country"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/password"
)

// Validate returns nil for a registration that keeps every rule, else an Invalid fault with a
// message for each field that does not, in the form's order and under the specification's names.
// It judges the normalised registration, so it makes no odds whether the caller normalised it.
func (r Registration) Validate() error {
	r = r.Normalised()
	var f fault.Fields
	judge(&f, "firstName", judgeName(r.FirstName), firstNameMessages)
	judge(&f, "lastName", judgeName(r.LastName), lastNameMessages)
	judge(&f, "org", judgeText(r.Org), orgMessages)
	judge(&f, "email", judgeEmail(r.Email), emailMessages)
	judgePassword(&f, r.Password)
	r.Address.judge(&f)
	judge(&f, "contact", judgePhone(r.Phone), phoneMessages)
	_, known := money.ByCode(r.Currency)
	f.Check(known || r.Currency == "", "currency", "Unknown currency")
	r.Choice.judge(&f)
	return f.Err()
}

func judge(f *fault.Fields, name string, v verdict, messages map[verdict]string) {
	f.Check(v == ok, name, messages[v])
}

func judgePassword(f *fault.Fields, p string) {
	if utf8.RuneCountInString(p) > password.MaxLength {
		f.Add("password", "Password is too long")
	}
	if problems := password.Check(p).Problems(); len(problems) > 0 {
		f.Add("password", "Password policy not followed: "+strings.Join(problems, ", "))
	}
}

func (a Address) judge(f *fault.Fields) {
	judge(f, "country", judgeCountry(a.Country), countryMessages)
	judge(f, "state", judgeText(a.State), stateMessages)
	judge(f, "line1", judgeText(a.Line1), line1Messages)
	if a.Line2 != "" {
		judge(f, "line2", judgeText(a.Line2), line2Messages)
	}
	judge(f, "district", judgeText(a.City), cityMessages)
	judge(f, "pincode", judgePostalCode(a.PostalCode), postalCodeMessages)
}

func judgeCountry(code string) verdict {
	switch {
	case code == "":
		return missing
	case !country.Known(code):
		return invalid
	}
	return ok
}

// judgePostalCode differs from other texts in that nothing but blanks is invalid, not missing.
func judgePostalCode(code string) verdict {
	if code != "" && clean(code) == "" {
		return invalid
	}
	return judgeText(code)
}

// judge holds a plan's choice to both or neither. Whether the plan exists and is for sale is for
// the catalogue to say.
func (c Choice) judge(f *fault.Fields) {
	if c.None() {
		return
	}
	f.Check(catalogue.ValidPlanID(c.Product), "product", "Unknown plan")
	_, err := catalogue.ParseInterval(string(c.Interval))
	f.Check(err == nil, "interval", fault.MessageOf(err))
}
