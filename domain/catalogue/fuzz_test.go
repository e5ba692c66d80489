package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// A file is a catalogue or told what is wrong with it.
func FuzzParse(f *testing.F) {
	f.Add([]byte(file(f)))
	for _, seed := range []string{"", "{}", "[]", `{"plans": null}`, `{"plans": [{}], "prices": {"a": 1e99}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := catalogue.Parse(data)
		if err == nil {
			assert.NotEmpty(t, read.Plans())
			return
		}
		assert.Nil(t, read)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		assert.NotEmpty(t, fault.FieldsOf(err))
	})
}

// What is for sale has an amount in the currency that was asked for, and its id leads back to it.
func FuzzResolve(f *testing.F) {
	f.Add("professional_yearly", "yearly", "aud")
	f.Add("professional_yearly", "monthly", "AUD")
	f.Add("enterprise_monthly", "monthly", "USD")
	f.Add("_", "", "\xff")
	f.Fuzz(func(t *testing.T, priceID, interval, currency string) {
		ref, err := catalogue.Default().Resolve(priceID, interval, currency)
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.Equal(t, priceID, ref.PriceID())
		amount, err := catalogue.Default().Price(ref)
		assert.NoError(t, err)
		assert.Positive(t, amount.Minor())
		assert.Equal(t, ref.Currency, amount.Currency().Code)
	})
}
