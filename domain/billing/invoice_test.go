package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/timezone"
)

func TestChangedInvoices_ReturnsNewAndChangedInvoicesWithoutDetails(t *testing.T) {
	reportedInvoice := billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, Total: aud(300), AmountDue: aud(300), HasPDF: true,
		Payment: &billing.Intent{ClientSecret: "secret"},
		Lines:   []billing.Line{{Description: "Unused time", Amount: aud(-100)}, {Description: "Professional", Amount: aud(400)}},
	}
	changedInvoices := billing.ChangedInvoices(nil, []billing.Invoice{reportedInvoice})
	want := reportedInvoice
	want.Payment, want.HasPDF, want.Tax, want.AmountPaid = nil, false, aud(0), aud(0)
	want.CreditUsed, want.CarriedForward, want.Refunded, want.Credited = aud(0), aud(0), aud(0), aud(0)
	want.Returned, want.FailedRefunds = aud(0), aud(0)
	want.Lines = []billing.Line{{Description: "Professional", Amount: aud(300)}}
	assert.Equal(t, []billing.Invoice{want}, changedInvoices)
	assert.Empty(t, billing.ChangedInvoices(changedInvoices, []billing.Invoice{reportedInvoice}))

	reportedInvoice.Status = billing.InvoicePaid
	assert.Len(t, billing.ChangedInvoices(changedInvoices, []billing.Invoice{reportedInvoice}), 1)
	assert.Equal(t, []billing.Invoice{{ID: "in_0"}}, billing.ChangedInvoices(changedInvoices, []billing.Invoice{{ID: "in_0"}}))
}

func TestSetTimeZones_PrefersReportedThenStoredThenCurrentZone(t *testing.T) {
	reportedInvoices := []billing.Invoice{
		{ID: "in_reported", TimeZone: "Europe/London"}, {ID: "in_stored"}, {ID: "in_without_zone"}, {ID: "in_new"},
	}
	storedInvoices := []billing.Invoice{
		{ID: "in_reported", TimeZone: "Europe/Paris"}, {ID: "in_stored", TimeZone: "Australia/Perth"}, {ID: "in_without_zone"},
	}

	var zones []timezone.Zone
	for _, inv := range billing.SetTimeZones(reportedInvoices, storedInvoices, "Pacific/Honolulu") {
		zones = append(zones, inv.TimeZone)
	}

	assert.Equal(t, []timezone.Zone{"Europe/London", "Australia/Perth", "Pacific/Honolulu", "Pacific/Honolulu"}, zones)
	assert.Empty(t, reportedInvoices[1].TimeZone, "the argument is unchanged")
}

func TestInvoiceRefreshStart_IncludesOpenInvoices(t *testing.T) {
	newInvoice := func(days int, status billing.InvoiceStatus) billing.Invoice {
		return billing.Invoice{CreatedAt: day0.AddDate(0, 0, days), Status: status}
	}
	for want, storedInvoices := range map[time.Time][]billing.Invoice{
		{}:                     nil,
		day0.AddDate(0, 0, 28): {newInvoice(30, billing.InvoicePaid), newInvoice(0, billing.InvoiceVoid)},
		day0.AddDate(0, 0, 13): {newInvoice(15, billing.InvoiceOpen), newInvoice(14, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -30): {newInvoice(30, billing.InvoicePaid), newInvoice(-30, billing.InvoiceOpen),
			newInvoice(-20, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -2): {newInvoice(0, billing.InvoiceUncollectible)},
	} {
		assert.Equal(t, want, billing.InvoiceRefreshStart(storedInvoices))
	}
}

func TestDescription_NamesTheIntervalIfOnlyTheIntervalChanges(t *testing.T) {
	line := func(description string, ref catalogue.PriceRef, amount int64) billing.Line {
		return billing.Line{Description: description, Price: ref, Amount: aud(amount)}
	}
	unusedYear := line("Unused time on Professional", price("professional", catalogue.Yearly, "AUD"), -81000)
	monthly := line("Professional", price("professional", catalogue.Monthly, "AUD"), 7600)
	stripeMonthly := line("1 × Professional (at $76.00 / month)", monthly.Price, 7600)
	standard := line("Standard", price("standard", catalogue.Monthly, "AUD"), 3900)
	for want, lines := range map[string][]billing.Line{
		"":                      nil,
		"Professional":          {monthly},
		"Professional, monthly": {unusedYear, monthly},
		"Standard":              {unusedYear, standard},

		"1 × Professional (at $76.00 / month)": {unusedYear, stripeMonthly},
	} {
		assert.Equal(t, want, billing.Invoice{Lines: lines}.Description())
	}
}
