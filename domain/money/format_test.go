package money_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
)

type figure struct {
	Minor    int64 `json:"minor"`
	DivideBy int64 `json:"divideBy"`
	Currency info  `json:"currency"`
}

type info struct {
	Code         string `json:"code"`
	NativeSymbol string `json:"nativeSymbol"`
	Digits       int    `json:"digits"`
	MinorDigits  int    `json:"minorDigits"`
	Rounding     int64  `json:"rounding"`
}

type shown struct {
	Minor      int64  `json:"minor"`
	Text       string `json:"text"`
	WithSymbol string `json:"withSymbol"`
}

func TestMoneyVectors(t *testing.T) {
	domaintest.Run(t, "money", func(in figure) shown {
		c, _ := money.ByCode(in.Currency.Code)
		require.Equal(t, info{c.Code, c.NativeSymbol, c.Digits, c.MinorDigits, c.Rounding}, in.Currency)
		amount, err := money.New(in.Minor, c.Code)
		require.NoError(t, err)
		part, err := amount.Div(in.DivideBy)
		require.NoError(t, err)
		return shown{part.Minor(), part.Format(), part.FormatWithSymbol()}
	})
}

func TestFormatOfTheOutermostAmounts(t *testing.T) {
	highest, err := money.New(math.MaxInt64, "AUD")
	require.NoError(t, err)
	lowest, err := money.New(math.MinInt64, "JPY")
	require.NoError(t, err)

	assert.Equal(t, "92233720368547758.07", highest.Format())
	assert.Equal(t, "-￥9223372036854775808", lowest.FormatWithSymbol())
	assert.Equal(t, "JPY -9223372036854775808", lowest.String())
	assert.Equal(t, "0", money.Amount{}.Format())
}

func TestString(t *testing.T) {
	assert.Equal(t, "AUD 39.00", amountOf(t, "39", "AUD").String())
	assert.Equal(t, "AUD -0.05", amountOf(t, "-0.05", "AUD").String())
	assert.Equal(t, "HUF 1990.50", amountOf(t, "1990.5", "HUF").String())
	assert.Equal(t, "JPY 7", amountOf(t, "7", "JPY").String())
}

func TestFormatOfAnExactAmountIsTheAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		text := amount.Format()
		if _, decimals, found := strings.Cut(text, "."); found {
			require.Len(t, decimals, amount.Currency().Digits)
			require.NotEqual(t, strings.Repeat("0", amount.Currency().Digits), decimals)
		}
		if !amount.Exact() {
			return
		}
		again, err := money.Parse(text, amount.Currency().Code)
		require.NoError(t, err)
		require.Equal(t, amount, again)
	})
}
