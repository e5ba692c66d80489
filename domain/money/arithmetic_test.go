package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestMul_MultipliesAmount(t *testing.T) {
	product, err := parse(t, "39", "AUD").Mul(12)
	require.NoError(t, err)
	assert.Equal(t, parse(t, "468", "AUD"), product)
}

func TestDiv_RoundsToMinorUnitOrStep(t *testing.T) {
	tests := []struct {
		amount, currency string
		by               int64
		want             string
	}{
		{"816", "AUD", 12, "68"},
		{"100", "AUD", 12, "8.33"},
		{"101", "AUD", 12, "8.42"}, // 8.4166…
		{"0.01", "AUD", 2, "0.01"}, // half away from zero
		{"-0.01", "AUD", 2, "-0.01"},
		{"1", "AUD", -3, "-0.33"},
		{"100", "JPY", 12, "8"},
		{"102", "JPY", 12, "9"}, // 8.5
		{"1", "BHD", 12, "0.083"},
		{"100", "CHF", 12, "8.35"}, // 8.333… to the step of 0.05
		{"0.15", "CHF", 2, "0.10"}, // 0.075
		{"0.29", "CHF", 4, "0.05"}, // 0.0725
		{"100", "HUF", 12, "8.33"}, // rounded to cents although none are shown
	}
	for _, tt := range tests {
		t.Run(tt.amount+" "+tt.currency, func(t *testing.T) {
			quotient, err := parse(t, tt.amount, tt.currency).Div(tt.by)
			require.NoError(t, err)
			assert.Equal(t, parse(t, tt.want, tt.currency), quotient)
		})
	}
}

func TestScale_RoundsHalfAwayFromZero(t *testing.T) {
	tests := []struct {
		minor, numerator, denominator int64
		want                          int64
	}{
		{81600, 10, 110, 7418}, // 7418.18…
		{45600, 15, 115, 5948}, // 5947.8…
		{1, 1, 2, 1},           // half away from zero
		{-1, 1, 2, -1},
		{3, 1, 7, 0},
		{-32280, 10, 110, -2935}, // -2934.5…
		{7, 0, 1, 0},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{math.MinInt64, 1, 1, math.MinInt64},
	}
	for _, tt := range tests {
		amount, err := money.New(tt.minor, "AUD")
		require.NoError(t, err)
		scaledAmount, err := amount.Scale(tt.numerator, tt.denominator)
		require.NoError(t, err)
		assert.Equal(t, tt.want, scaledAmount.Minor(), "%+v", tt)
		assert.Equal(t, "AUD", scaledAmount.Currency().Code)
	}
}

func TestArithmetic_OverflowAndInvalidOperandsAreInvalid(t *testing.T) {
	highest, err := money.New(math.MaxInt64, "CHF")
	require.NoError(t, err)
	lowest, err := money.New(math.MinInt64, "AUD")
	require.NoError(t, err)
	lowestInSteps, err := money.New(math.MinInt64, "CHF")
	require.NoError(t, err)

	tests := map[string]func() (money.Amount, error){
		"by zero":           func() (money.Amount, error) { return highest.Div(0) },
		"twice the highest": func() (money.Amount, error) { return highest.Mul(2) },
		"minus the lowest":  func() (money.Amount, error) { return lowest.Mul(-1) },
		"lowest by minus 1": func() (money.Amount, error) { return lowest.Div(-1) },
		"scaled by zero":    func() (money.Amount, error) { return highest.Scale(1, 0) },
		"scaled too large":  func() (money.Amount, error) { return highest.Scale(2, 1) },
		"scaled far beyond": func() (money.Amount, error) { return highest.Scale(math.MaxInt64, 1) },
		"scaled negatively": func() (money.Amount, error) { return highest.Scale(-1, 1) },
		"divisor too large": func() (money.Amount, error) { return highest.Div(math.MaxInt64) },
		// …808 rounds to …810, which overflows
		"rounded past the lowest": func() (money.Amount, error) { return lowestInSteps.Div(1) },
	}
	for name, calculate := range tests {
		t.Run(name, func(t *testing.T) {
			result, err := calculate()
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, money.Amount{}, result)
		})
	}
}

func TestMul_IsExactOrInvalid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount, n := drawAmount(t), rapid.Int64().Draw(t, "n")
		want := new(big.Int).Mul(big.NewInt(amount.Minor()), big.NewInt(n))
		product, err := amount.Mul(n)
		require.Equal(t, want.IsInt64(), err == nil)
		if err == nil {
			require.Equal(t, want.Int64(), product.Minor())
			require.Equal(t, amount.Currency(), product.Currency())
		}
	})
}

func TestDiv_RoundsToNearestStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount, n := drawAmount(t), rapid.Int64Range(2, 1<<40).Draw(t, "n")
		quotient, err := amount.Div(n)
		require.NoError(t, err)
		step := max(amount.Currency().Rounding, 1)
		require.Zero(t, quotient.Minor()%step)

		// |quotient·n - amount|·2 ≤ step·n, and at equality the quotient is the one farther from zero.
		rest := new(big.Int).Mul(big.NewInt(quotient.Minor()), big.NewInt(n))
		rest.Sub(rest, big.NewInt(amount.Minor())).Mul(rest, big.NewInt(2))
		half := new(big.Int).Mul(big.NewInt(step), big.NewInt(n))
		require.LessOrEqual(t, rest.CmpAbs(half), 0)
		if rest.CmpAbs(half) == 0 {
			require.Equal(t, amount.Minor() > 0, rest.Sign() > 0)
		}
	})
}
