// Package country lists the country codes that a registration accepts, with the names of the countries.
package country

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
)

// namesTSV has a line for each ISO 3166 alpha-2 code, and for XK, a user-assigned code that is commonly used for
// Kosovo. A line contains the code and the English name in CLDR 48. The web app's list of countries has the same
// names.
//
//go:embed data/names.tsv
var namesTSV string

var names = sync.OnceValue(func() map[string]string {
	byCode := map[string]string{}
	for line := range strings.Lines(namesTSV) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		byCode[code] = name
	}
	return byCode
})

// IsKnown reports whether the code is the upper-case alpha-2 code of a country.
func IsKnown(code string) bool { return Name(code) != "" }

// Name returns the English name of a country, or "" for an unknown code.
func Name(code string) string { return names()[code] }

// IsName reports whether the text is a name that Name returns.
func IsName(text string) bool {
	return text != "" && slices.Contains(slices.Collect(maps.Values(names())), text)
}
