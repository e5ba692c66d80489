package money_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestNew_AcceptsCodesInAnyCase(t *testing.T) {
	amount, err := money.New(3950, "aud")
	require.NoError(t, err)
	assert.Equal(t, int64(3950), amount.Minor())
	assert.Equal(t, "AUD", amount.Currency().Code)

	parsedAmount, err := money.Parse("39.5", "AUD")
	require.NoError(t, err)
	assert.True(t, amount == parsedAmount) //nolint:testifylint // amounts are comparable with ==
}

func TestNewAndParse_UnknownCurrencyIsInvalid(t *testing.T) {
	_, errNew := money.New(1, "ZZZ")
	_, errParse := money.Parse("1", "")
	for _, err := range []error{errNew, errParse} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		assert.Equal(t, []fault.Field{{Name: "currency", Message: "Unknown currency"}}, fault.FieldsOf(err))
	}
}

func TestIsExact_IsFalseForAmountsThatAreRoundedOnScreen(t *testing.T) {
	tests := []struct {
		amount, currency string
		want             bool
	}{
		{"39.50", "AUD", true},
		{"39.99", "AUD", true},
		{"100", "HUF", true},
		{"100.50", "HUF", false}, // charged, but not shown
		{"1.05", "CHF", true},
		{"1.02", "CHF", false}, // no such coin
		{"-1.02", "CHF", false},
		{"0", "CHF", true},
		{"1.005", "BHD", true},
		{"1.005", "IQD", false},
		{"7", "JPY", true},
	}
	for _, tt := range tests {
		t.Run(tt.amount+" "+tt.currency, func(t *testing.T) {
			assert.Equal(t, tt.want, parse(t, tt.amount, tt.currency).IsExact())
		})
	}
}

func TestParse_ReadsDecimalAmounts(t *testing.T) {
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
			amount, err := money.Parse(tt.text, tt.currency)
			require.NoError(t, err)
			assert.Equal(t, tt.want, amount.Minor())
		})
	}
}

func TestParse_RefusesInvalidInput(t *testing.T) {
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

func TestParse_ReadsOutputOfString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := drawAmount(t)
		text := amount.String()
		require.Equal(t, amount.Currency().Code+" ", text[:4])
		parsedAmount, err := money.Parse(text[4:], text[:3])
		require.NoError(t, err)
		require.Equal(t, amount, parsedAmount)
	})
}

type moneyInput struct {
	Minor    int64        `json:"minor"`
	DivideBy int64        `json:"divideBy"`
	Currency currencyInfo `json:"currency"`
}

type currencyInfo struct {
	Code         string `json:"code"`
	NativeSymbol string `json:"nativeSymbol"`
	Digits       int    `json:"digits"`
	MinorDigits  int    `json:"minorDigits"`
	Rounding     int64  `json:"rounding"`
}

type moneyOutput struct {
	Minor      int64  `json:"minor"`
	Text       string `json:"text"`
	WithSymbol string `json:"withSymbol"`
}

func TestFormatter_MatchesTestVectors(t *testing.T) {
	type blockInput struct {
		Minors   []int64      `json:"minors"`
		Currency currencyInfo `json:"currency"`
	}
	domaintest.RunVectors(t, "amount-block", func(input blockInput) []string {
		var amounts []money.Amount
		for _, minor := range input.Minors {
			amount, err := money.New(minor, input.Currency.Code)
			require.NoError(t, err)
			amounts = append(amounts, amount)
		}
		var texts []string
		format := money.Formatter(amounts...)
		for _, amount := range amounts {
			texts = append(texts, format(amount))
		}
		return texts
	})
}

func TestDivAndFormat_MatchTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "money", func(input moneyInput) moneyOutput {
		c, _ := money.ByCode(input.Currency.Code)
		require.Equal(t, currencyInfo{c.Code, c.NativeSymbol, c.Digits, c.MinorDigits, c.Rounding}, input.Currency)
		amount, err := money.New(input.Minor, c.Code)
		require.NoError(t, err)
		part, err := amount.Div(input.DivideBy)
		require.NoError(t, err)
		return moneyOutput{part.Minor(), part.Format(), part.FormatWithSymbol()}
	})
}

func TestFormat_WritesExtremeAmountsExactly(t *testing.T) {
	highest, err := money.New(math.MaxInt64, "AUD")
	require.NoError(t, err)
	lowest, err := money.New(math.MinInt64, "JPY")
	require.NoError(t, err)

	assert.Equal(t, "92,233,720,368,547,758.07", highest.Format())
	assert.Equal(t, "−￥9,223,372,036,854,775,808", lowest.FormatWithSymbol())
	assert.Equal(t, "JPY -9223372036854775808", lowest.String())
	assert.Equal(t, "0", money.Amount{}.Format())
}

func TestString_HasMinorDigitsOfCurrency(t *testing.T) {
	assert.Equal(t, "AUD 39.00", parse(t, "39", "AUD").String())
	assert.Equal(t, "AUD -0.05", parse(t, "-0.05", "AUD").String())
	assert.Equal(t, "HUF 1990.50", parse(t, "1990.5", "HUF").String())
	assert.Equal(t, "JPY 7", parse(t, "7", "JPY").String())
}

func TestFormatWithCode_GroupsThousands(t *testing.T) {
	assert.Equal(t, "AUD 1,068.00", parse(t, "1068", "AUD").FormatWithCode())
	assert.Equal(t, "AUD -123,456.78", parse(t, "-123456.78", "AUD").FormatWithCode())
	assert.Equal(t, "JPY 81,600", parse(t, "81600", "JPY").FormatWithCode())
}

func TestFormat_ExactAmountParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := drawAmount(t)
		text := amount.Format()
		if _, decimals, found := strings.Cut(text, "."); found {
			require.Len(t, decimals, amount.Currency().Digits)
			require.NotEqual(t, strings.Repeat("0", amount.Currency().Digits), decimals)
		}
		if !amount.IsExact() {
			return
		}
		parsedAmount, err := money.Parse(strings.ReplaceAll(text, ",", ""), amount.Currency().Code)
		require.NoError(t, err)
		require.Equal(t, amount, parsedAmount)
	})
}

func TestAmount_JSONRoundTripKeepsAmount(t *testing.T) {
	negativeAmount, err := money.New(-42000, "AUD")
	require.NoError(t, err)
	for _, want := range []money.Amount{{}, negativeAmount} {
		text, err := json.Marshal(want)
		require.NoError(t, err)
		var amount money.Amount
		require.NoError(t, json.Unmarshal(text, &amount))
		assert.Equal(t, want, amount)
	}
}

func TestUnmarshalJSON_RejectsUnknownCurrency(t *testing.T) {
	for _, text := range []string{`{"minor":1,"currency":"ZZZ"}`, `{"minor":1}`, `[]`} {
		var amount money.Amount
		assert.Error(t, json.Unmarshal([]byte(text), &amount), text)
		assert.Zero(t, amount)
	}
}

// A parsed amount is exact: formatting and parsing it again returns the same amount.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0", "39", "39.50", "-0.01", "39.", ".5", "1e3", "9223372036854775807", "92233720368547758.08", "٣",
	} {
		for _, code := range []string{"AUD", "JPY", "KWD", "HUF", "aud", "", "XXX"} {
			f.Add(seed, code)
		}
	}
	f.Fuzz(func(t *testing.T, text, code string) {
		amount, err := money.Parse(text, code)
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		formattedAmount := strings.TrimPrefix(amount.String(), amount.Currency().Code+" ")
		parsedAmount, err := money.Parse(formattedAmount, code)
		assert.NoError(t, err)
		assert.Equal(t, amount, parsedAmount)
		assert.NotEmpty(t, amount.FormatWithSymbol())
	})
}

func parse(t *testing.T, text, code string) money.Amount {
	t.Helper()
	amount, err := money.Parse(text, code)
	require.NoError(t, err)
	return amount
}

func drawAmount(t *rapid.T) money.Amount {
	currency := rapid.SampledFrom(money.Currencies()).Draw(t, "currency")
	amount, err := money.New(rapid.Int64().Draw(t, "minor"), currency.Code)
	require.NoError(t, err)
	return amount
}
