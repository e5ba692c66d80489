package money

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/vc-admin/diy/domain/fault"
)

// Currency describes a currency.
type Currency struct {
	Code         string // ISO 4217, upper case
	Name         string // "Australian Dollar"
	NamePlural   string // "Australian dollars"
	Symbol       string // distinguishes it from currencies of the same name: "AU$"
	NativeSymbol string // used in its own country: "$"
	Digits       int    // decimals that are shown
	MinorDigits  int    // decimals that are stored and charged: the ISO 4217 exponent
	Rounding     int64  // smallest payable step in minor units; 0 for none
}

// Currencies returns all known currencies, sorted by code. The caller may modify the slice.
func Currencies() []Currency { return slices.Clone(table()) }

// ByCode returns the currency with the code, in upper or lower case.
func ByCode(code string) (Currency, bool) {
	code = asciiUpper(code)
	i, found := slices.BinarySearchFunc(table(), code, func(c Currency, code string) int {
		return strings.Compare(c.Code, code)
	})
	if !found {
		return Currency{}, false
	}
	return table()[i], true
}

// lookup is like ByCode, but returns Invalid in the field "currency" for an unknown code.
func lookup(code string) (Currency, error) {
	if c, ok := ByCode(code); ok {
		return c, nil
	}
	var f fault.Fields
	f.Add("currency", "Unknown currency")
	return Currency{}, f.Err()
}

// asciiUpper changes a to z only: strings.ToUpper would turn "ıdr" into a currency code.
func asciiUpper(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}

//go:embed data/currencies.json
var currenciesJSON []byte

// table returns the embedded currencies, sorted by code. Invalid data is a programming error that
// the tests find, so it panics.
var table = sync.OnceValue(func() []Currency {
	currencies, err := readTable(currenciesJSON)
	if err != nil {
		panic("money: data/currencies.json: " + err.Error())
	}
	return currencies
})

// entry is a currency in data/currencies.json; its rounding is in whole units ("0.05").
type entry struct {
	Code          string      `json:"code"`
	Symbol        string      `json:"symbol"`
	SymbolNative  string      `json:"symbol_native"`
	Name          string      `json:"name"`
	NamePlural    string      `json:"name_plural"`
	DecimalDigits int         `json:"decimal_digits"`
	MinorDigits   int         `json:"minor_digits"`
	Rounding      json.Number `json:"rounding"`
}

func readTable(data []byte) ([]Currency, error) {
	var entries []entry
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, err
	}
	currencies := make([]Currency, 0, len(entries))
	for _, e := range entries {
		step, err := parseMinor(e.Rounding.String(), e.MinorDigits)
		if err != nil {
			return nil, fmt.Errorf("%s: rounding: %w", e.Code, err)
		}
		currencies = append(currencies, Currency{
			Code: e.Code, Name: e.Name, NamePlural: e.NamePlural,
			Symbol: e.Symbol, NativeSymbol: e.SymbolNative,
			Digits: e.DecimalDigits, MinorDigits: e.MinorDigits, Rounding: step,
		})
	}
	slices.SortFunc(currencies, func(a, b Currency) int { return strings.Compare(a.Code, b.Code) })
	return currencies, nil
}
