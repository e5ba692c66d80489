package account

import (
	"cmp"
	_ "embed" // the codes of states
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

//go:embed data/state-codes.json
var stateCodesJSON []byte

// stateCodes returns the postal codes of states by country and name.
var stateCodes = sync.OnceValue(func() (codes map[string]map[string]string) {
	if err := json.Unmarshal(stateCodesJSON, &codes); err != nil {
		panic(err) // the file is a part of the program
	}
	return codes
})

// codeFirstCountries write the postal code before the town and no state.
var codeFirstCountries = strings.Fields("AT BE BG CH CZ DE DK EE ES FI FR GR HR HU IS IT LI LT LU NL NO PL PT RO SE SI SK")

// TownLines returns the lines of the town, the state and the postal code, as the country writes them; none if all are
// empty.
func (a Address) TownLines() []string {
	town := join(a.City, cmp.Or(stateCodes()[a.Country][a.State], a.State), a.PostalCode)
	switch {
	case slices.Contains(codeFirstCountries, a.Country):
		town = join(a.PostalCode, a.City)
	case a.Country == "NZ":
		town = join(a.City, a.PostalCode)
	case a.Country == "GB":
		return nonEmpty(a.City, a.PostalCode)
	}
	return nonEmpty(town)
}

func join(parts ...string) string { return strings.Join(nonEmpty(parts...), " ") }

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}
