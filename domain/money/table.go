package money

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed data/currencies.json
var currenciesJSON []byte

// table is the embedded data, read once. A table that can't be read is a defect of this binary,
// which its tests find, so it stops the program.
var table = sync.OnceValue(func() []Currency {
	currencies, err := readTable(currenciesJSON)
	if err != nil {
		panic("money: data/currencies.json: " + err.Error())
	}
	return currencies
})

// entry is one currency as the data writes it; rounding is in whole units there ("0.05").
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
