package catalogue_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestLoad_EmbeddedFileEqualsDefault(t *testing.T) {
	c, err := catalogue.Load(strings.NewReader(catalogueFile(t)))
	require.NoError(t, err)
	assert.Equal(t, catalogue.Default(), c)
}

func TestLoad_ReturnsReadErrors(t *testing.T) {
	errDisk := errors.New("disk failure")
	_, err := catalogue.Load(iotest.ErrReader(errDisk))
	assert.ErrorIs(t, err, errDisk)
}

func TestParse_ReportsProblem(t *testing.T) {
	tests := []struct {
		name, oldText, newText string
		path, message          string
	}{
		{"unknown key", `"defaults"`, `"extra": 1, "defaults"`,
			"extra", "unknown key; known are defaults, currencies, taxes, rows, plans, prices"},
		{"unknown key of a plan", `"trialPeriodDays": 7`, `"trialPeriodDays": 7, "trialDays": 7`,
			"plans[0].trialDays",
			"unknown key; known are id, name, displayName, description, disabled, mostChosen, trialPeriodDays, capabilities"},
		{"duplicate key", `"trialPeriodDays": 7`, `"trialPeriodDays": 7, "trialPeriodDays": 14`,
			"plans[0].trialPeriodDays", "duplicate key"},
		{"currency unknown", `["USD"`, `["XXX", "USD"`, "currencies[0]", `"XXX" is not the upper-case code of a known currency`},
		{"currency in lower case", `["USD"`, `["jpy", "USD"`,
			"currencies[0]", `"jpy" is not the upper-case code of a known currency`},
		{"duplicate currency", `["USD"`, `["USD", "USD"`, "currencies[1]", "USD is listed twice"},
		{"default currency not listed", `"currency": "AUD"`, `"currency": "JPY"`,
			"defaults.currency", `"JPY" is not among the currencies`},
		{"default currency in lower case", `"currency": "AUD"`, `"currency": "aud"`,
			"defaults.currency", `"aud" is not among the currencies`},
		{"default interval unknown", `"interval": "yearly"`, `"interval": "weekly"`,
			"defaults.interval", `"weekly" is neither monthly nor yearly`},
		{"default country unknown", `"country": "AU"`, `"country": "au"`,
			"defaults.country", `"au" is not the upper-case alpha-2 code of a country`},
		{"default missing", `, "country": "AU"`, ``, "defaults.country", "is missing"},
		{"tax in an unsupported currency", `"NZD": {"name": "GST"`, `"JPY": {"name": "GST"`,
			"taxes.JPY", `"JPY" is not among the currencies`},
		{"tax without a name", `"name": "GST", "percentage": 15`, `"percentage": 15`, "taxes.NZD.name", "is missing"},
		{"name of a tax too long", `"GST", "percentage": 15`, `"Goods and services tax", "percentage": 15`,
			"taxes.NZD.name", "must have at most 20 characters"},
		{"percentage is a string", `"percentage": 15`, `"percentage": "15"`, "taxes.NZD.percentage", "must be a number"},
		{"percentage zero", `"percentage": 15`, `"percentage": 0`,
			"taxes.NZD.percentage", "0 is not a percentage above 0 and up to 100 with at most 4 decimals"},
		{"percentage negative", `"percentage": 15`, `"percentage": -15`,
			"taxes.NZD.percentage", "-15 is not a percentage above 0 and up to 100 with at most 4 decimals"},
		{"percentage too high", `"percentage": 15`, `"percentage": 100.0001`,
			"taxes.NZD.percentage", "100.0001 is not a percentage above 0 and up to 100 with at most 4 decimals"},
		{"percentage too precise", `"percentage": 15`, `"percentage": 15.00001`,
			"taxes.NZD.percentage", "15.00001 is not a percentage above 0 and up to 100 with at most 4 decimals"},
		{"row of an unknown capability", `{"name": "seats"`, `{"name": "chairs"`, "rows[1].name", `"chairs" is not a capability`},
		{"duplicate row", `{"name": "seats"`, `{"name": "maxAttendees"`, "rows[1]", "duplicate row for maxAttendees"},
		{"row without a label", `"label": "User licenses"`, `"label": ""`,
			"rows[1].label", "must be a non-empty string without surrounding whitespace"},
		{"condition is not a bool", `"condition": true`, `"condition": "yes"`, "rows[9].condition", "must be true or false"},
		{"invalid plan id", `"id": "standard"`, `"id": "Standard"`,
			"plans[0].id", `"Standard" must be up to 64 lower-case letters, digits and hyphens`},
		{"duplicate plan id", `"id": "professional"`, `"id": "standard"`, "plans[1]", `duplicate plan id "standard"`},
		{"two most chosen plans", `"id": "standard"`, `"mostChosen": true, "id": "standard"`,
			"plans[1]", "only one plan can be the most chosen one"},
		{"trial too long", `"trialPeriodDays": 7`, `"trialPeriodDays": 366`,
			"plans[0].trialPeriodDays", "must be an integer from 0 to 365"},
		{"trial negative", `"trialPeriodDays": 7`, `"trialPeriodDays": -1`,
			"plans[0].trialPeriodDays", "must be an integer from 0 to 365"},
		{"capability missing", `"pms": false,`, ``, "plans[0].capabilities.pms", "is missing"},
		{"capability is a number", `"maxAttendees": "2"`, `"maxAttendees": 2`,
			"plans[0].capabilities.maxAttendees", "must be true, false or a string"},
		{"capability is null", `"maxAttendees": "2"`, `"maxAttendees": null`,
			"plans[0].capabilities.maxAttendees", "must be true, false or a string"},
		{"capability is an empty string", `"maxAttendees": "2"`, `"maxAttendees": ""`,
			"plans[0].capabilities.maxAttendees", "must be a non-empty string without surrounding whitespace"},
		{"price of an enabled plan null", `"monthly": 28`, `"monthly": null`,
			"prices", `the enabled plan "standard" has no monthly price in USD`},
		{"price missing", `"monthly": 28, `, ``, "prices.standard.USD.monthly", "is missing"},
		{"price of an unknown plan", `"prices": {`, `"prices": {"basic": {},`, "prices.basic", "there is no plan with this id"},
		{"price in an unsupported currency", `"standard": {`, `"standard": {"JPY": {"monthly": 1, "yearly": 1},`,
			"prices.standard.JPY", `"JPY" is not among the currencies`},
		{"price negative", `"monthly": 28`, `"monthly": -28`, "prices.standard.USD.monthly", "-28 is negative"},
		{"price too precise", `"monthly": 28`, `"monthly": 28.005`,
			"prices.standard.USD.monthly", "28.005 has more than 2 decimals"},
		{"price with an exponent", `"monthly": 28`, `"monthly": 28e1`,
			"prices.standard.USD.monthly", `"28e1" is not an amount such as 39 or 39.50`},
		{"price is a string", `"monthly": 28`, `"monthly": "28"`, "prices.standard.USD.monthly", "must be a number"},
		{"price too large", `"monthly": 28`, `"monthly": 7505999378950.83`,
			"prices.standard.USD.monthly", "7505999378950.83 is too large an amount"},
		{"duplicate price", `"monthly": 28`, `"monthly": 28, "monthly": 29`, "prices.standard.USD.monthly", "duplicate key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := catalogue.Parse([]byte(editFile(t, tt.oldText, tt.newText)))
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Contains(t, fault.FieldsOf(err), fault.Field{Name: tt.path, Message: tt.message})
			assert.ErrorContains(t, err, tt.path+": "+tt.message)
		})
	}
}

func TestParse_ReportsAllProblemsTogether(t *testing.T) {
	data := editFile(t, `"country": "AU"`, `"country": "Oz"`,
		`"trialPeriodDays": 7`, `"trialPeriodDays": 700`,
		`{"monthly": 28, "yearly": 300}`, `{"monthly": -28, "yearly": 300.123}`)
	_, err := catalogue.Parse([]byte(data))
	assert.EqualError(t, err, `invalid: the catalogue has 4 problems:
  defaults.country: "Oz" is not the upper-case alpha-2 code of a country
  plans[0].trialPeriodDays: must be an integer from 0 to 365
  prices.standard.USD.monthly: -28 is negative
  prices.standard.USD.yearly: 300.123 has more than 2 decimals`)
}

func TestParse_RefusesFilesWithoutCatalogue(t *testing.T) {
	for _, data := range []string{"", "null", "[]", "{}", `"text"`, "{", catalogueFile(t) + "{}",
		`{"defaults": [], "currencies": {}, "rows": {}, "plans": {}, "prices": []}`,
		`{"defaults": null, "currencies": null, "rows": null, "plans": null, "prices": null}`,
		`{"defaults": {}, "currencies": [], "rows": [], "plans": [], "prices": {}}`,
		`{"defaults": {}, "currencies": [1], "rows": [1], "plans": [1], "prices": {"a": 1}}`} {
		c, err := catalogue.Parse([]byte(data))
		assert.Nil(t, c)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), data)
	}
}

func TestParse_AcceptsEditedFile(t *testing.T) {
	c, err := catalogue.Parse([]byte(editFile(t,
		`"trialPeriodDays": 7`, `"trialPeriodDays": 0`,
		`"monthly": 28`, `"monthly": 28.50`,
		`{"name": "seats", "label": "User licenses", "include": true}`, `{"name": "seats", "label": "Seats", "include": false}`)))
	require.NoError(t, err)

	plan, _ := c.Plan("standard")
	assert.Zero(t, plan.TrialPeriodDays)
	assert.Equal(t, catalogue.ComparisonRow{Name: "seats", Label: "Seats"}, c.ComparisonRows()[1])
	price, err := c.Price(catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "USD"})
	require.NoError(t, err)
	assert.Equal(t, "USD 28.50", price.String())
}

func TestParse_DamagedFileIsParsedOrInvalid(t *testing.T) {
	original := []byte(catalogueFile(t))
	junk := []string{"", "null", "[]", "{}", `"`, "0", "-", "true", ",", "}", "\x00", "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(original)-1).Draw(t, "from")
		to := rapid.IntRange(from, min(from+40, len(original))).Draw(t, "to")
		data := string(original[:from]) + rapid.SampledFrom(junk).Draw(t, "junk") + string(original[to:])

		c, err := catalogue.Parse([]byte(data))
		require.Equal(t, c == nil, err != nil)
		if err != nil {
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			require.NotEmpty(t, fault.FieldsOf(err))
		}
	})
}

// Parse returns either a catalogue or an Invalid fault with at least one field.
func FuzzParse(f *testing.F) {
	f.Add([]byte(catalogueFile(f)))
	for _, seed := range []string{"", "{}", "[]", `{"plans": null}`, `{"plans": [{}], "prices": {"a": 1e99}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := catalogue.Parse(data)
		if err == nil {
			assert.NotEmpty(t, c.Plans())
			return
		}
		assert.Nil(t, c)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		assert.NotEmpty(t, fault.FieldsOf(err))
	})
}

// catalogueFile returns the text of the embedded catalogue.
func catalogueFile(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("data/catalogue.json")
	require.NoError(t, err)
	return string(data)
}

// editFile returns the embedded catalogue with the first occurrence of each old text replaced.
func editFile(t *testing.T, oldNew ...string) string {
	t.Helper()
	text := catalogueFile(t)
	for i := 0; i < len(oldNew); i += 2 {
		require.Contains(t, text, oldNew[i])
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return text
}
