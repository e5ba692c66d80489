package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

const offered = "Currency must be one of USD, NZD, AUD, EUR, GBP"

func TestPrice(t *testing.T) {
	price, err := catalogue.Default().Price(ref("professional", "yearly", "aud"))
	require.NoError(t, err)
	assert.Equal(t, "AUD 816.00", price.String())

	for _, none := range []catalogue.PriceRef{
		ref("enterprise", "yearly", "AUD"), ref("basic", "yearly", "AUD"),
		ref("standard", "weekly", "AUD"), ref("standard", "yearly", "JPY"), ref("standard", "yearly", ""), {},
	} {
		_, err := catalogue.Default().Price(none)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%+v", none)
	}
}

func TestEnabled(t *testing.T) {
	tests := []struct {
		name string
		ref  catalogue.PriceRef
		want []fault.Field
	}{
		{"for sale", ref("standard", "monthly", "GBP"), nil},
		{"for sale, code in lower case", ref("standard", "monthly", "gbp"), nil},
		{"unknown plan", ref("basic", "monthly", "GBP"), fields("priceId", "Unknown plan")},
		{"disabled plan", ref("multi-user", "monthly", "GBP"), fields("priceId", "Multi-User is not sold here, please contact us")},
		{"unknown interval", ref("standard", "Monthly", "GBP"), fields("interval", "Interval must be monthly or yearly")},
		{"currency not offered", ref("standard", "monthly", "JPY"), fields("currency", offered)},
		{"unknown currency", ref("standard", "monthly", "bitcoin"), fields("currency", offered)},
		{"nothing right", catalogue.PriceRef{}, fields("priceId", "Unknown plan",
			"interval", "Interval must be monthly or yearly", "currency", offered)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.FieldsOf(catalogue.Default().Enabled(tt.ref)))
		})
	}
}

func TestResolve(t *testing.T) {
	got, err := catalogue.Default().Resolve("professional_yearly", "yearly", "aud")
	require.NoError(t, err)
	assert.Equal(t, ref("professional", "yearly", "AUD"), got)

	tests := []struct {
		name, priceID, interval, currency string
		want                              []fault.Field
	}{
		{"no price", "", "yearly", "AUD", fields("priceId", "Unknown price")},
		{"unknown plan", "basic_yearly", "yearly", "AUD", fields("priceId", "Unknown plan")},
		{"another interval", "standard_monthly", "yearly", "AUD", fields("interval", "Interval does not belong to the price")},
		{"no interval", "standard_monthly", "", "AUD", fields("interval", "Interval must be monthly or yearly")},
		{"no currency", "standard_monthly", "monthly", "", fields("currency", offered)},
		{"disabled", "enterprise_yearly", "yearly", "AUD", fields("priceId", "Enterprise is not sold here, please contact us")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := catalogue.Default().Resolve(tt.priceID, tt.interval, tt.currency)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, tt.want, fault.FieldsOf(err))
			assert.Zero(t, got)
		})
	}
}

func TestParsePriceIDTakesApartWhatPriceIDMakes(t *testing.T) {
	for _, plan := range catalogue.Default().Plans() {
		for _, interval := range catalogue.Intervals() {
			product, parsed, err := catalogue.ParsePriceID(ref(plan.ID, interval, "AUD").PriceID())
			require.NoError(t, err)
			assert.Equal(t, plan.ID, product)
			assert.Equal(t, interval, parsed)
		}
	}
}

func TestParsePriceIDRefuses(t *testing.T) {
	for _, id := range []string{"", "_", "standard", "standard_", "_yearly", "standard_weekly", "Standard_yearly",
		"standard_yearly_", "standard__yearly", "a_b_yearly", "standard_yearly ", "standard yearly", "é_yearly"} {
		product, interval, err := catalogue.ParsePriceID(id)
		assert.Equal(t, fields("priceId", "Unknown price"), fault.FieldsOf(err), id)
		assert.Empty(t, product)
		assert.Empty(t, interval)
	}
}

func TestParseInterval(t *testing.T) {
	for _, interval := range []catalogue.Interval{catalogue.Monthly, catalogue.Yearly} {
		parsed, err := catalogue.ParseInterval(string(interval))
		require.NoError(t, err)
		assert.Equal(t, interval, parsed)
	}
	assert.Equal(t, []catalogue.Interval{"monthly", "yearly"}, catalogue.Intervals())
	for _, text := range []string{"", "Yearly", "yearly ", "weekly"} {
		_, err := catalogue.ParseInterval(text)
		assert.Equal(t, fields("interval", "Interval must be monthly or yearly"), fault.FieldsOf(err), text)
	}
}

func ref(product string, interval catalogue.Interval, currency string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}
}

// fields makes broken fields of names and messages in turn.
func fields(nameMessage ...string) []fault.Field {
	var list []fault.Field
	for i := 0; i < len(nameMessage); i += 2 {
		list = append(list, fault.Field{Name: nameMessage[i], Message: nameMessage[i+1]})
	}
	return list
}
