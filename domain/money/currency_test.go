package money

import (
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestByCode_IgnoresCase(t *testing.T) {
	tests := []struct {
		code, want string // "" when there is no such currency
	}{
		{"AUD", "AUD"},
		{"aud", "AUD"},
		{"AuD", "AUD"},
		{"AED", "AED"},
		{"zwl", "ZWL"},
		{"", ""},
		{"AU", ""},
		{"AUDX", ""},
		{" AUD", ""},
		{"ZZZ", ""},
		{"ıdr", ""}, // dotless i; its upper case is I
		{"ſek", ""}, // long s; its upper case is S
		{"\u212aRW", ""},
		{"\xff\xfe\xfd", ""},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			currency, found := ByCode(tt.code)
			assert.Equal(t, tt.want != "", found)
			assert.Equal(t, tt.want, currency.Code)
		})
	}
}

func TestByCode_ReturnsEveryField(t *testing.T) {
	currency, found := ByCode("CHF")
	assert.True(t, found)
	assert.Equal(t, Currency{
		Code: "CHF", Name: "Swiss Franc", NamePlural: "Swiss francs", Symbol: "CHF", NativeSymbol: "CHF",
		Digits: 2, MinorDigits: 2, Rounding: 5,
	}, currency)
}

func TestCurrencies_ReturnsCopy(t *testing.T) {
	currencies := Currencies()
	assert.Len(t, currencies, 119)
	currencies[0] = Currency{Code: "ZZZ"}
	assert.Equal(t, "AED", Currencies()[0].Code)
}

// The currencies of the specification, and of the common table of currencies, that show or charge
// no decimals or three. All others have two.
var (
	shownWithoutDecimals = []string{
		"AFN", "ALL", "AMD", "BIF", "CLP", "COP", "CRC", "DJF", "GNF", "HUF", "IDR", "IQD", "IRR",
		"ISK", "JPY", "KMF", "KRW", "LBP", "MGA", "MMK", "MUR", "PKR", "PYG", "RSD", "RWF", "SOS",
		"SYP", "TZS", "UGX", "UZS", "VND", "XAF", "XOF", "YER", "ZMK", "ZWL",
	}
	shownWithThreeDecimals = []string{"BHD", "JOD", "KWD", "LYD", "OMR", "TND"}

	chargedWithoutDecimals = []string{
		"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "XAF", "XOF",
	}
	chargedWithThreeDecimals = []string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
)

func TestTable_HasDigitsOfSpecification(t *testing.T) {
	require.Len(t, table(), 119)
	for _, c := range table() {
		t.Run(c.Code, func(t *testing.T) {
			assert.Equal(t, wantDigits(c.Code, shownWithoutDecimals, shownWithThreeDecimals), c.Digits, "shown digits")
			assert.Equal(t, wantDigits(c.Code, chargedWithoutDecimals, chargedWithThreeDecimals), c.MinorDigits, "charged digits")
			assert.LessOrEqual(t, c.Digits, c.MinorDigits, "more decimals are shown than charged")
			assert.Equal(t, c.Code == "CHF", c.Rounding == 5, "rounding")
			assert.Equal(t, c.Code != "CHF", c.Rounding == 0, "rounding")
		})
	}
}

func TestTable_IsCompleteAndSorted(t *testing.T) {
	codes, names := map[string]bool{}, map[string]bool{}
	for _, c := range table() {
		assert.Regexp(t, `^[A-Z]{3}$`, c.Code)
		assert.False(t, codes[c.Code], "%s twice", c.Code)
		assert.False(t, names[c.Name], "%s twice", c.Name)
		codes[c.Code], names[c.Name] = true, true
		for _, text := range []string{c.Name, c.NamePlural, c.Symbol, c.NativeSymbol} {
			assert.NotEmpty(t, text, c.Code)
			assert.False(t, unicode.IsSpace([]rune(text)[0]), "%s: %q", c.Code, text)
		}
	}
	assert.True(t,
		slices.IsSortedFunc(table(), func(a, b Currency) int { return slices.Compare([]byte(a.Code), []byte(b.Code)) }))
}

func TestReadTable_RefusesInvalidData(t *testing.T) {
	for name, data := range map[string]string{
		"not JSON":             `[`,
		"rounding too precise": `[{"code": "XXX", "minor_digits": 2, "rounding": 0.005}]`,
		"rounding missing":     `[{"code": "XXX", "minor_digits": 2}]`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readTable([]byte(data))
			assert.Error(t, err)
		})
	}
}

// wantDigits returns the number of decimals of a currency by the lists.
func wantDigits(code string, zero, three []string) int {
	switch {
	case slices.Contains(zero, code):
		return 0
	case slices.Contains(three, code):
		return 3
	}
	return 2
}
