package money_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestNew(t *testing.T) {
	amount, err := money.New(3950, "aud")
	require.NoError(t, err)
	assert.Equal(t, int64(3950), amount.Minor())
	assert.Equal(t, "AUD", amount.Currency().Code)

	same, err := money.Parse("39.5", "AUD")
	require.NoError(t, err)
	assert.True(t, amount == same) //nolint:testifylint // what is promised is ==
}

func TestUnknownCurrencyIsAProblemOfItsField(t *testing.T) {
	_, made := money.New(1, "ZZZ")
	_, parsed := money.Parse("1", "")
	for _, err := range []error{made, parsed} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		assert.Equal(t, []fault.Field{{Name: "currency", Message: "Unknown currency"}}, fault.FieldsOf(err))
	}
}

func TestExact(t *testing.T) {
	tests := []struct {
		amount, currency string
		want             bool
	}{
		{"39.50", "AUD", true},
		{"39.99", "AUD", true},
		{"100", "HUF", true},
		{"100.50", "HUF", false}, // counted, but not shown
		{"1.05", "CHF", true},
		{"1.02", "CHF", false}, // no coin for it
		{"-1.02", "CHF", false},
		{"0", "CHF", true},
		{"1.005", "BHD", true},
		{"1.005", "IQD", false},
		{"7", "JPY", true},
	}
	for _, tt := range tests {
		t.Run(tt.amount+" "+tt.currency, func(t *testing.T) {
			assert.Equal(t, tt.want, amountOf(t, tt.amount, tt.currency).Exact())
		})
	}
}

func amountOf(t *testing.T, text, code string) money.Amount {
	t.Helper()
	amount, err := money.Parse(text, code)
	require.NoError(t, err)
	return amount
}
