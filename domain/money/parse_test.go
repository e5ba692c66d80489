package money_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text, currency string
		want           int64
	}{
		{"39", "AUD", 3900},
		{"39.5", "AUD", 3950},
		{"39.50", "AUD", 3950},
		{"39.5000", "AUD", 3950},
		{"0.01", "AUD", 1},
		{"-0.01", "AUD", -1},
		{"-0", "AUD", 0},
		{"0.29", "USD", 29}, // as a float it would be 28.999…
		{"1.005", "KWD", 1005},
		{"100", "JPY", 100},
		{"100.0", "JPY", 100},
		{"100", "HUF", 10000},
		{"92233720368547758.07", "AUD", math.MaxInt64},
		{"-92233720368547758.08", "AUD", math.MinInt64},
	}
	for _, tt := range tests {
		t.Run(tt.text+" "+tt.currency, func(t *testing.T) {
			got, err := money.Parse(tt.text, tt.currency)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.Minor())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ text, currency, message string }{
		{"0.001", "AUD", "0.001 has more than 2 decimals"},
		{"0.5", "JPY", "0.5 has more than 0 decimals"},
		{"0.0001", "BHD", "0.0001 has more than 3 decimals"},
		{"92233720368547758.08", "AUD", "92233720368547758.08 is too large an amount"},
		{"", "AUD", `"" is not an amount such as 39 or 39.50`},
		{" 39", "AUD", `" 39" is not an amount such as 39 or 39.50`},
		{"+39", "AUD", `"+39" is not an amount such as 39 or 39.50`},
		{"1e2", "AUD", `"1e2" is not an amount such as 39 or 39.50`},
		{"039", "AUD", `"039" is not an amount such as 39 or 39.50`},
		{".5", "AUD", `".5" is not an amount such as 39 or 39.50`},
		{"39.", "AUD", `"39." is not an amount such as 39 or 39.50`},
		{"1,000", "AUD", `"1,000" is not an amount such as 39 or 39.50`},
		{"٣٩", "AUD", `"٣٩" is not an amount such as 39 or 39.50`},
		{"39\n", "AUD", `"39\n" is not an amount such as 39 or 39.50`},
		{"NaN", "AUD", `"NaN" is not an amount such as 39 or 39.50`},
	}
	for _, tt := range tests {
		t.Run(tt.text+" "+tt.currency, func(t *testing.T) {
			_, err := money.Parse(tt.text, tt.currency)
			require.Error(t, err)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.ErrorContains(t, err, tt.message)
		})
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		text := amount.String()
		require.Equal(t, amount.Currency().Code+" ", text[:4])
		again, err := money.Parse(text[4:], text[:3])
		require.NoError(t, err)
		require.Equal(t, amount, again)
	})
}

func anyAmount(t *rapid.T) money.Amount {
	currency := rapid.SampledFrom(money.Currencies()).Draw(t, "currency")
	amount, err := money.New(rapid.Int64().Draw(t, "minor"), currency.Code)
	require.NoError(t, err)
	return amount
}
