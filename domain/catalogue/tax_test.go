package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

func TestTaxIncluded_RoundsToMinorUnit(t *testing.T) {
	tests := []struct {
		currency    string
		amount, tax int64
	}{
		{"AUD", 11000, 1000},
		{"AUD", 81600, 7418}, // 7418.18…
		{"AUD", 3900, 355},   // 354.54…
		{"AUD", 0, 0},
		{"AUD", -32280, -2935},
		{"NZD", 87600, 11426}, // 11426.08…
		{"GBP", 46800, 7800},
		{"EUR", 52800, 9164}, // 9163.6…
		{"USD", 58800, 0},
	}
	for _, tt := range tests {
		amount, err := money.New(tt.amount, tt.currency)
		require.NoError(t, err)
		want, err := money.New(tt.tax, tt.currency)
		require.NoError(t, err)
		assert.Equal(t, want, catalogue.Default().TaxIncluded(amount), amount.String())
	}
}

func TestTax_IsNotFoundForCurrencyWithoutTax(t *testing.T) {
	tax, found := catalogue.Default().Tax("aud")
	assert.True(t, found)
	assert.Equal(t, catalogue.Tax{Name: "GST", Rate: 100_000}, tax)
	_, found = catalogue.Default().Tax("USD")
	assert.False(t, found)
	_, found = catalogue.Default().Tax("")
	assert.False(t, found)
}

func TestParse_AcceptsTaxWithDecimals(t *testing.T) {
	for text, want := range map[string]string{
		"15": "15", "8.1": "8.1", "9.9750": "9.975", "0.05": "0.05", "100": "100", "0.0001": "0.0001",
	} {
		c, err := catalogue.Parse([]byte(editFile(t, `"percentage": 15`, `"percentage": `+text)))
		require.NoError(t, err)
		tax, _ := c.Tax("NZD")
		assert.Equal(t, want, tax.Percentage())
		assert.Equal(t, tax.Name+" "+want+" %", tax.Label())
	}
}
