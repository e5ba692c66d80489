package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
)

func TestDefault_HasPlansOfSpecification(t *testing.T) {
	tests := []struct {
		id, displayName        string
		disabled               bool
		attendees, seats, time string
		flags                  string // see flagText
	}{
		{"standard", "Standard", false, "2", "1", "60 minutes", "yyyyyyyy-------"},
		{"professional", "Professional", false, "4", "1", "untimed", "yyyyyyyyyy-----"},
		{"multi-user", "Multi-User", true, "8", "5/10/15", "untimed", "yyyyyyyyyyyyy--"},
		{"enterprise", "Enterprise", true, "20", "unlimited", "untimed", "yyyyyyyyyyyyyyy"},
	}
	plans := catalogue.Default().Plans()
	require.Len(t, plans, len(tests))
	for i, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			plan := plans[i]
			assert.Equal(t, tt.id, plan.ID)
			assert.Equal(t, tt.id, plan.Name)
			assert.Equal(t, tt.displayName, plan.DisplayName)
			assert.Regexp(t, `^[A-Z].*\.$`, plan.Description)
			assert.Equal(t, tt.disabled, plan.Disabled)
			assert.Equal(t, 7, plan.TrialPeriodDays)
			assert.Equal(t, catalogue.Text(tt.attendees), plan.Capabilities["maxAttendees"])
			assert.Equal(t, catalogue.Text(tt.seats), plan.Capabilities["seats"])
			assert.Equal(t, catalogue.Text(tt.time), plan.Capabilities["maxDuration"])
			assert.Equal(t, tt.flags, flagText(plan.Capabilities))
			assert.Len(t, plan.Capabilities, 18)
		})
	}
}

func TestDefault_HasRowsOfSpecification(t *testing.T) {
	want := []catalogue.ComparisonRow{
		{Name: "maxAttendees", Label: "Max number of callers in call"},
		{Name: "seats", Label: "User licenses"},
		{Name: "lobbyGuest", Label: "Virtual waiting room"},
		{Name: "lobbyHost", Label: "Patient admit function"},
		{Name: "multivu", Label: "MultiVu video function"},
		{Name: "telestrations", Label: "Telestrations function"},
		{Name: "snapshot", Label: "SnapShot function"},
		{Name: "screenshare", Label: "Screen share"},
		{Name: "email", Label: "Email invitations"},
		{Name: "encryption", Label: "Data encryption", Condition: true, Secondary: "Conditions and data limits apply"},
		{Name: "truesteth", Label: "TrueSteth function"},
		{Name: "roomvuLite", Label: "RoomVu Lite"},
		{Name: "examVu", Label: "ExamVu function"},
		{Name: "branding", Label: "Custom branding"},
		{Name: "vmr", Label: "Custom meeting rooms"},
		{Name: "pms", Label: "PMS calendar integration"},
		{Name: "roomvuPro", Label: "RoomVu Professional"},
		{Name: "maxDuration", Label: "Max duration of calls"},
	}
	for i := range want {
		want[i].Include = true
	}
	assert.Equal(t, want, catalogue.Default().ComparisonRows())
}

func TestDefault_HasDefaultsOfSpecification(t *testing.T) {
	c := catalogue.Default()
	var codes []string
	for _, currency := range c.Currencies() {
		codes = append(codes, currency.Code)
	}
	assert.Equal(t, []string{"USD", "NZD", "AUD", "EUR", "GBP"}, codes)
	assert.Equal(t, "AUD", c.DefaultCurrency())
	assert.Equal(t, catalogue.Yearly, c.DefaultInterval())
	assert.Equal(t, "AU", c.DefaultCountry())
}

func TestCatalogue_ReturnsCopies(t *testing.T) {
	c := catalogue.Default()
	plan, _ := c.Plan("standard")
	plan.Capabilities["pms"] = catalogue.Flag(true)
	c.Plans()[0].Capabilities["pms"] = catalogue.Flag(true)
	c.Plans()[0].ID, c.ComparisonRows()[0].Name, c.Currencies()[0].Code = "x", "x", "x"
	catalogue.Intervals()[0] = "x"

	plan, found := c.Plan("standard")
	require.True(t, found)
	assert.Equal(t, catalogue.Flag(false), plan.Capabilities["pms"])
	assert.Equal(t, "standard", c.Plans()[0].ID)
	assert.Equal(t, "maxAttendees", c.ComparisonRows()[0].Name)
	assert.Equal(t, "USD", c.Currencies()[0].Code)
	assert.Equal(t, catalogue.Monthly, catalogue.Intervals()[0])
}

func TestPlan_UnknownIDIsNotFound(t *testing.T) {
	for _, id := range []string{"", "Standard", "standard ", "basic"} {
		_, found := catalogue.Default().Plan(id)
		assert.False(t, found, id)
	}
}

// flagText returns the yes/no capabilities in the order of the rows: y for yes and - for no.
func flagText(c catalogue.Capabilities) string {
	text := ""
	for _, row := range catalogue.Default().ComparisonRows() {
		switch value := c[row.Name].Any(); value {
		case true:
			text += "y"
		case false:
			text += "-"
		}
	}
	return text
}
