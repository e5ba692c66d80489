package invoicepdf

import (
	"strings"

	"github.com/vc-admin/diy/domain/money"
)

// currencyFormat formats the amounts of a document.
type currencyFormat struct {
	prefix string // a symbol such as "$", or a code such as "AED " if the symbol can't be printed
	code   string // "" if the prefix contains it
}

// newCurrencyFormat returns the format of the currency with symbols that the typefaces can print.
func (t typefaces) newCurrencyFormat(c money.Currency) currencyFormat {
	if c.NativeSymbol == c.Code || !t.isPrintable(c.NativeSymbol) {
		return currencyFormat{prefix: c.Code + " "}
	}
	return currencyFormat{prefix: c.NativeSymbol, code: c.Code}
}

// format returns the exact amount, such as "−$1,068.00".
func (f currencyFormat) format(a money.Amount) string {
	text := strings.TrimPrefix(a.FormatWithCode(), a.Currency().Code+" ")
	if digits, isNegative := strings.CutPrefix(text, "-"); isNegative {
		return "−" + f.prefix + digits
	}
	return f.prefix + text
}

// codeSuffix returns the code that is printed after the most important amounts, such as " AUD". If the prefix contains
// the code, it returns "".
func (f currencyFormat) codeSuffix() string {
	if f.code == "" {
		return ""
	}
	return " " + f.code
}
