package timezone_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones do not depend on the machine

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/country"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/timezone"
)

// countriesWithoutZone lists the countries that IANA's zone.tab lacks: two islands without inhabitants, and Kosovo.
var countriesWithoutZone = []string{"BV", "HM", "XK"}

func TestForAddress_EveryCountryHasIANAZone(t *testing.T) {
	iana := readZoneTab(t)
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			if !country.IsKnown(code) {
				continue
			}
			zone := timezone.ForAddress(code, "")
			_, err := time.LoadLocation(string(zone))
			assert.NoError(t, err, code)
			assert.NotEmpty(t, zone, code)
			if !slices.Contains(countriesWithoutZone, code) {
				assert.Contains(t, iana[code], zone, code)
			}
			assert.Equal(t, zone, timezone.ForAddress(code, "an unknown state"), code)
		}
	}
}

func TestForAddress_MatchesVectors(t *testing.T) {
	type address struct {
		Country string `json:"country"`
		State   string `json:"state"`
	}
	domaintest.RunVectors(t, "time-zones", func(in address) timezone.Zone { return timezone.ForAddress(in.Country, in.State) })
}

func TestForAddress_EveryListedStateHasIANAZone(t *testing.T) {
	iana := readZoneTab(t)
	var ianaZones []timezone.Zone
	for _, zones := range iana {
		ianaZones = append(ianaZones, zones...)
	}
	states := map[string]int{}
	for _, row := range readStateZones(t) {
		code, state, zone := row[0], row[1], timezone.Zone(row[2])
		if state == "" {
			continue
		}
		states[code]++
		assert.Equal(t, zone, timezone.ForAddress(code, state))
		assert.Contains(t, ianaZones, zone, state)
		assert.Greater(t, len(iana[code]), 1, "%s has one zone and needs no states", code)
		_, err := time.LoadLocation(string(zone))
		assert.NoError(t, err, state)
	}
	assert.Subset(t, states, map[string]int{"AU": 8, "BR": 27, "CA": 13, "MX": 32, "US": 62})
}

func TestForAddress_StateSelectsZone(t *testing.T) {
	for _, c := range []struct {
		country, state string
		want           timezone.Zone
	}{
		{"AU", "New South Wales", "Australia/Sydney"},
		{"AU", "Western Australia", "Australia/Perth"},
		{"AU", "western australia", "Australia/Perth"},
		{"AU", "W.A.", "Australia/Sydney"},
		{"US", "California", "America/Los_Angeles"},
		{"US", "Guam", "Pacific/Guam"},
		{"CA", "Newfoundland and Labrador", "America/St_Johns"},
		{"BR", "Amazonas", "America/Manaus"},
		{"PT", "Açores", "Atlantic/Azores"},
		{"GB", "California", "Europe/London"},
		{"ES", "Santa Cruz de Tenerife", "Europe/Madrid"},
		{"", "", ""},
		{"??", "California", ""},
	} {
		assert.Equal(t, c.want, timezone.ForAddress(c.country, c.state), "%s, %s", c.state, c.country)
	}
}

type dateInput struct {
	Time time.Time     `json:"time"`
	Zone timezone.Zone `json:"zone"`
}

func TestDate_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "dates", func(input dateInput) string { return input.Zone.Date(input.Time) })
}

func TestDateTime_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "times", func(input dateInput) string { return input.Zone.DateTime(input.Time) })
}

func TestDateTime_ContainsZone(t *testing.T) {
	at := time.Date(2027, 4, 17, 13, 5, 0, 0, time.UTC)
	for zone, want := range map[timezone.Zone]string{
		"Australia/Sydney":    "17 April 2027 at 11:05 pm AEST",
		"Europe/London":       "17 April 2027 at 2:05 pm BST",
		"America/Los_Angeles": "17 April 2027 at 6:05 am PDT",
		"America/Sao_Paulo":   "17 April 2027 at 10:05 am GMT-3",
		"Asia/Kathmandu":      "17 April 2027 at 6:50 pm GMT+5:45",
		"Pacific/Kiritimati":  "18 April 2027 at 3:05 am GMT+14",
		"":                    "17 April 2027 at 1:05 pm UTC",
		"Mars/Olympus":        "17 April 2027 at 1:05 pm UTC",
	} {
		assert.Equal(t, want, zone.DateTime(at), zone)
	}
	assert.Equal(t, "5 December 2027 at 12:00 am AEDT",
		timezone.Zone("Australia/Sydney").DateTime(time.Date(2027, 12, 4, 13, 0, 0, 0, time.UTC)))
}

func TestEndOfDay_IsLastSecondOfTheLocalDay(t *testing.T) {
	noon := time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		zone timezone.Zone
		at   time.Time
		days int
		want time.Time
	}{
		{"", noon, 0, time.Date(2027, 1, 1, 23, 59, 59, 0, time.UTC)},
		{"Mars/Olympus", noon, 0, time.Date(2027, 1, 1, 23, 59, 59, 0, time.UTC)},
		{"Australia/Sydney", noon, 0, time.Date(2027, 1, 1, 12, 59, 59, 0, time.UTC)},
		{"Australia/Sydney", noon.Add(time.Hour), 0, time.Date(2027, 1, 2, 12, 59, 59, 0, time.UTC)},
		{"America/Los_Angeles", noon, -1, time.Date(2027, 1, 1, 7, 59, 59, 0, time.UTC)},
		{"Pacific/Kiritimati", noon, 60, time.Date(2027, 3, 3, 9, 59, 59, 0, time.UTC)},
		// days with 23 and 25 hours
		{"Europe/London", time.Date(2027, 3, 28, 0, 0, 0, 0, time.UTC), 0, time.Date(2027, 3, 28, 22, 59, 59, 0, time.UTC)},
		{"Europe/London", time.Date(2027, 10, 30, 23, 0, 0, 0, time.UTC), 0, time.Date(2027, 10, 31, 23, 59, 59, 0, time.UTC)},
		// the clocks go back at midnight in Chile and Lebanon, and skip midnight
		{"America/Santiago", time.Date(2027, 4, 3, 12, 0, 0, 0, time.UTC), 0, time.Date(2027, 4, 4, 3, 59, 59, 0, time.UTC)},
		{"America/Santiago", time.Date(2027, 9, 4, 12, 0, 0, 0, time.UTC), 0, time.Date(2027, 9, 5, 3, 59, 59, 0, time.UTC)},
		{"Asia/Beirut", time.Date(2027, 10, 30, 12, 0, 0, 0, time.UTC), 0, time.Date(2027, 10, 30, 21, 59, 59, 0, time.UTC)},
	} {
		assert.Equal(t, tt.want, tt.zone.EndOfDay(tt.at, tt.days), "%s %s", tt.zone, tt.at)
	}
}

func TestDateAndDateTime_ZeroTimeIsEmpty(t *testing.T) {
	assert.Empty(t, timezone.Zone("Australia/Sydney").Date(time.Time{}))
	assert.Empty(t, timezone.Zone("Australia/Sydney").DateTime(time.Time{}))
}

// readStateZones returns the country, the state and the zone of each line of the package's table.
func readStateZones(t *testing.T) [][]string { return readRows(t, "data/zones.tsv") }

// readZoneTab returns the zones of each country in IANA's zone.tab.
func readZoneTab(t *testing.T) map[string][]timezone.Zone {
	t.Helper()
	zones := map[string][]timezone.Zone{}
	for _, row := range readRows(t, "testdata/zone.tab") {
		zones[row[0]] = append(zones[row[0]], timezone.Zone(row[2]))
	}
	return zones
}

// readRows returns the tab-separated columns of each line that is not a comment. It requires at least three columns.
func readRows(t *testing.T, file string) [][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			row := strings.Split(strings.TrimSpace(line), "\t")
			require.GreaterOrEqual(t, len(row), 3, line)
			rows = append(rows, row)
		}
	}
	return rows
}
