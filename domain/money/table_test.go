package money

import (
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zeroShown, threeShown: the specification's currencies that show no decimals or three, with the
// rest of the usual table's zero-decimal currencies.
var (
	zeroShown = []string{
		"AFN", "ALL", "AMD", "BIF", "CLP", "COP", "CRC", "DJF", "GNF", "HUF", "IDR", "IQD", "IRR",
		"ISK", "JPY", "KMF", "KRW", "LBP", "MGA", "MMK", "MUR", "PKR", "PYG", "RSD", "RWF", "SOS",
		"SYP", "TZS", "UGX", "UZS", "VND", "XAF", "XOF", "YER", "ZMK", "ZWL",
	}
	threeShown = []string{"BHD", "JOD", "KWD", "LYD", "OMR", "TND"}

	zeroCounted = []string{
		"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "XAF", "XOF",
	}
	threeCounted = []string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
)

func TestTableKeepsTheSpecification(t *testing.T) {
	require.Len(t, table(), 119)
	for _, c := range table() {
		t.Run(c.Code, func(t *testing.T) {
			assert.Equal(t, digits(c.Code, zeroShown, threeShown), c.Digits, "digits that are shown")
			assert.Equal(t, digits(c.Code, zeroCounted, threeCounted), c.MinorDigits, "digits that are counted")
			assert.LessOrEqual(t, c.Digits, c.MinorDigits, "more decimals would be shown than exist")
			assert.Equal(t, c.Code == "CHF", c.Rounding == 5, "rounding")
			assert.Equal(t, c.Code != "CHF", c.Rounding == 0, "rounding")
		})
	}
}

func TestTableIsWholeAndTidy(t *testing.T) {
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
	assert.True(t, slices.IsSortedFunc(table(), func(a, b Currency) int { return slices.Compare([]byte(a.Code), []byte(b.Code)) }))
}

func TestReadTableRefusesWhatItCannotCount(t *testing.T) {
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

func digits(code string, zero, three []string) int {
	switch {
	case slices.Contains(zero, code):
		return 0
	case slices.Contains(three, code):
		return 3
	}
	return 2
}
