package money

import (
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// Currency is what there is to know about one currency.
type Currency struct {
	Code         string // ISO 4217, upper case
	Name         string // "Australian Dollar"
	NamePlural   string // "Australian dollars"
	Symbol       string // tells it apart from its namesakes: "AU$"
	NativeSymbol string // as written where it is used: "$"
	Digits       int    // decimals that are shown
	MinorDigits  int    // decimals that are counted and charged: the exponent of ISO 4217
	Rounding     int64  // the smallest step that can be paid, in minor units; 0 when there is none
}

// Currencies returns every currency known, sorted by code. The slice is the caller's own.
func Currencies() []Currency { return slices.Clone(table()) }

// ByCode finds a currency by its code, in upper or lower case.
func ByCode(code string) (Currency, bool) {
	code = upperASCII(code)
	i, found := slices.BinarySearchFunc(table(), code, func(c Currency, code string) int {
		return strings.Compare(c.Code, code)
	})
	if !found {
		return Currency{}, false
	}
	return table()[i], true
}

// lookup is ByCode with an Invalid fault on the field "currency" for an unknown code.
func lookup(code string) (Currency, error) {
	if c, ok := ByCode(code); ok {
		return c, nil
	}
	var f fault.Fields
	f.Add("currency", "Unknown currency")
	return Currency{}, f.Err()
}

// upperASCII leaves everything but a to z alone: strings.ToUpper would make "ıdr" a currency.
func upperASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}
