package stripepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestToStripeUnits_UsesStripesDecimals(t *testing.T) {
	for _, c := range []struct {
		amount, currency string
		want             int64
	}{
		{"0", "AUD", 0}, {"39", "AUD", 3900}, {"39.50", "AUD", 3950}, {"0.01", "USD", 1},
		{"500", "JPY", 500}, {"500", "KRW", 500}, {"500", "VND", 500}, {"500", "CLP", 500},
		{"500", "BIF", 500}, {"500", "DJF", 500}, {"500", "GNF", 500}, {"500", "KMF", 500},
		{"500", "PYG", 500}, {"500", "RWF", 500}, {"500", "XAF", 500}, {"500", "XOF", 500},
		{"5", "ISK", 500}, {"5", "UGX", 500}, // Stripe uses two decimals, ISO 4217 none
		{"500", "MGA", 500},                       // Stripe uses no decimals, ISO 4217 two
		{"10.45", "HUF", 1045}, {"5", "TWD", 500}, // Stripe differs from ISO 4217 for payouts only
		{"5.12", "KWD", 5120}, {"5.1", "BHD", 5100}, {"5", "TND", 5000}, {"5", "OMR", 5000}, {"5", "JOD", 5000},
	} {
		t.Run(c.amount+" "+c.currency, func(t *testing.T) {
			amount, err := money.Parse(c.amount, c.currency)
			require.NoError(t, err)
			units, err := toStripeUnits(amount)
			require.NoError(t, err)
			assert.Equal(t, c.want, units)
		})
	}
}

func TestToStripeUnits_RefusesInexactAndTooLargeAmounts(t *testing.T) {
	for _, c := range []struct{ amount, currency string }{
		{"5.124", "KWD"}, {"500.20", "MGA"}, {"92233720368547759", "ISK"},
	} {
		t.Run(c.amount+" "+c.currency, func(t *testing.T) {
			amount, err := money.Parse(c.amount, c.currency)
			require.NoError(t, err)
			_, err = toStripeUnits(amount)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		})
	}
}
