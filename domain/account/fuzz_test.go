package account

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
)

// input is one of the rulebook's cases, whatever it wants.
type input struct {
	Name string `json:"name"`
	In   string `json:"in"`
	Want any    `json:"want"`
}

// Whatever somebody types, a registration is accepted or told what is wrong with it, and is
// judged alike before and after it was normalised.
func FuzzRegistration(f *testing.F) {
	for _, rulebook := range []string{"text", "names", "email", "phone"} {
		for _, c := range domaintest.Load[input](f, rulebook) {
			f.Add(c.In, c.In, c.In, "Secret-pass-1", c.In, "AU", c.In, "yearly")
		}
	}
	f.Add("Ada", "Analytical Engines", "ada@example.test", "Secret-pass-1", "+61 2 9000 0000", "AU", "AUD", "monthly")
	f.Fuzz(func(t *testing.T, name, org, email, password, phone, country, currency, interval string) {
		in := Registration{
			FirstName: name, LastName: name, Org: org, Email: email, Password: password, Phone: phone, Currency: currency,
			Address: Address{Line1: org, Line2: name, City: org, State: name, PostalCode: phone, Country: country},
			Choice:  Choice{Product: org, Interval: catalogue.Interval(interval)},
		}
		err, again := in.Validate(), in.Normalised().Validate()
		assert.Equal(t, fault.FieldsOf(err), fault.FieldsOf(again))
		assert.Equal(t, in.Normalised(), in.Normalised().Normalised())
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.NotEmpty(t, fault.FieldsOf(err))
		}
	})
}

// Two names that are compared are compared by what stays the same when they are cleaned.
func FuzzKeys(f *testing.F) {
	for _, seed := range []string{"", " Ada  King ", "İstanbul", "ſtraße", "\u212a", "\u3000", "a\xff", "\xe2\u200b\x80\x8b", "a\u200c \u200d b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Equal(t, NameKey(text), NameKey(clean(text)))
		assert.Equal(t, NameKey(text), NameKey(NameKey(text)))
		assert.Equal(t, EmailKey(text), EmailKey(EmailKey(text)))
	})
}
