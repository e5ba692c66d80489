// Package timezone finds the IANA time zone of a postal address and writes times in it.
//
// The date of an event must be the same on screens, in documents and in emails. All of them therefore use the zone of
// the organisation or the invoice. The web app uses the zone of the browser only if the server reports none.
package timezone

import (
	_ "embed"
	"strings"
	"sync"
	"time"
)

// Zone is the name of an IANA time zone, such as "Australia/Sydney". The zero value stands for UTC.
type Zone string

// ForAddress returns the time zone of an address. The country is an ISO 3166 alpha-2 code. In a country with several
// zones, ForAddress returns the zone of most of the state's population if the state is in the registration form's list,
// otherwise the main zone of the country. It returns the zero Zone for an unknown country.
func ForAddress(country, state string) Zone {
	zones := table()
	if zone, ok := zones[place{country, strings.ToLower(state)}]; ok {
		return zone
	}
	return zones[place{country: country}]
}

// In returns the time in the zone. It uses UTC if this program's time zone data lacks the zone.
func (z Zone) In(t time.Time) time.Time {
	location, err := time.LoadLocation(string(z))
	if err != nil {
		return t.UTC()
	}
	return t.In(location)
}

// EndOfDay returns the last second of the day that follows the day of t by a number of days. The days are those of the
// zone. They can be an hour shorter or longer than 24 hours.
func (z Zone) EndOfDay(t time.Time, days int) time.Time {
	local := z.In(t)
	year, month, day := local.Date()
	end := time.Date(year, month, day+days, 23, 59, 59, 0, local.Location())
	if later := end.Add(time.Hour); later.Day() == end.Day() {
		end = later // the clocks go back at midnight, and the last hour of the day is repeated
	}
	return end.UTC()
}

// Date returns the day in the zone, "18 April 2027", or "" for the zero time.
func (z Zone) Date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return z.In(t).Format("2 January 2006")
}

// DateTime returns the day and the time of day with the zone, "18 April 2027 at 9:05 am AEST", or "" for the zero time.
func (z Zone) DateTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	local := z.In(t)
	return local.Format("2 January 2006 at 3:04 pm ") + abbreviation(local)
}

// abbreviation returns the abbreviation of the time's zone, such as "AEST". If the zone has none, it returns the offset,
// such as "GMT-3" or "GMT+5:45".
func abbreviation(t time.Time) string {
	name, _ := t.Zone()
	sign := name[:1]
	if sign != "+" && sign != "-" {
		return name
	}
	hours, minutes := strings.TrimPrefix(name[1:3], "0"), name[3:]
	if minutes != "" {
		minutes = ":" + minutes
	}
	return "GMT" + sign + hours + minutes
}

// place is a country with a state in lower case, or with "" for its main zone.
type place struct{ country, state string }

//go:embed data/zones.tsv
var zonesTSV string

// table reads the embedded table. Each line contains a country, a state or nothing, and a zone. The tests compare the
// zones with IANA's zone.tab.
var table = sync.OnceValue(func() map[place]Zone {
	zones := map[place]Zone{}
	for line := range strings.Lines(zonesTSV) {
		country, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		state, zone, _ := strings.Cut(rest, "\t")
		zones[place{country, strings.ToLower(state)}] = Zone(zone)
	}
	return zones
})
