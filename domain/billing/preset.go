package billing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vc-admin/diy/domain/catalogue"
)

// Preset is what the plans page's toggle and currency selector show before anyone touches them.
type Preset struct {
	Interval catalogue.Interval
	Currency string
	Locked   bool // the currency can't be chosen any more
}

// PresetOf decides the preset. The interval is the license's, else the fallback's. The currency is
// the one the organisation is charged in, and then it is locked; else the one chosen at
// registration, when it is sold; else the fallback's.
func PresetOf(in ModeInput, sold []string, fallback Preset) Preset {
	preset := Preset{Interval: fallback.Interval, Currency: fallback.Currency}
	if in.License != nil {
		if licensed, err := catalogue.ParseInterval(string(in.License.Price.Interval)); err == nil {
			preset.Interval = licensed
		}
	}
	if charged := chargedIn(in); charged != "" {
		preset.Currency, preset.Locked = charged, true
	} else if wish := wishedFor(in); slices.Contains(sold, wish) {
		preset.Currency = wish
	}
	return preset
}

// chargedIn is the currency of everything the organisation has bought, or "". A developer license
// was never bought and fixes nothing.
func chargedIn(in ModeInput) string {
	license, past := "", ""
	if in.License != nil && !in.License.IsDev {
		license = in.License.Price.Currency
	}
	if in.PastLicense != nil {
		past = in.PastLicense.Price.Currency
	}
	return upper(cmp.Or(in.Currency, license, past))
}

// wishedFor is a currency that fixes nothing: a developer license's, else the registration's.
func wishedFor(in ModeInput) string {
	if in.License != nil && in.License.Price.Currency != "" {
		return upper(in.License.Price.Currency)
	}
	return upper(in.Preferred)
}

// upper is for currency codes, which the provider writes in lower case. It changes a to z only:
// the full mapping would make a currency of a long s.
func upper(code string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r + 'A' - 'a'
		}
		return r
	}, code)
}
