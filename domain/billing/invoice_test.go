package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/timezone"
)

func TestChangedInvoices_ReturnsNewAndChangedInvoicesWithoutDetails(t *testing.T) {
	reported := billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, Total: aud(300), AmountDue: aud(300), HasPDF: true,
		Payment: &billing.Intent{ClientSecret: "secret"},
		Lines:   []billing.Line{{Description: "Unused time", Amount: aud(-100)}, {Description: "Professional", Amount: aud(400)}},
	}
	changed := billing.ChangedInvoices(nil, []billing.Invoice{reported})
	want := reported
	want.Payment, want.HasPDF, want.Tax, want.AmountPaid = nil, false, aud(0), aud(0)
	want.CreditUsed, want.Refunded, want.Credited = aud(0), aud(0), aud(0)
	want.Lines = []billing.Line{{Description: "Professional", Amount: aud(300)}}
	assert.Equal(t, []billing.Invoice{want}, changed)
	assert.Empty(t, billing.ChangedInvoices(changed, []billing.Invoice{reported}))

	reported.Status = billing.InvoicePaid
	assert.Len(t, billing.ChangedInvoices(changed, []billing.Invoice{reported}), 1)
	assert.Equal(t, []billing.Invoice{{ID: "in_0"}}, billing.ChangedInvoices(changed, []billing.Invoice{{ID: "in_0"}}))
}

func TestChangedInvoices_ReturnsInvoiceStoredWithoutAllAmounts(t *testing.T) {
	reported := billing.Invoice{
		ID: "in_1", Status: billing.InvoicePaid, Total: aud(300), AmountDue: aud(300), AmountPaid: aud(300),
	}
	stored := billing.Invoice{
		ID: "in_1", Status: billing.InvoicePaid, Total: aud(300), Tax: aud(0), AmountDue: aud(300), AmountPaid: aud(300),
	}
	assert.Len(t, billing.ChangedInvoices([]billing.Invoice{stored}, []billing.Invoice{reported}), 1)
}

func TestWithTimeZones_PrefersReportedThenStoredThenCurrentZone(t *testing.T) {
	reported := []billing.Invoice{
		{ID: "in_reported", TimeZone: "Europe/London"}, {ID: "in_stored"}, {ID: "in_without_zone"}, {ID: "in_new"},
	}
	stored := []billing.Invoice{
		{ID: "in_reported", TimeZone: "Europe/Paris"}, {ID: "in_stored", TimeZone: "Australia/Perth"}, {ID: "in_without_zone"},
	}

	var zones []timezone.Zone
	for _, inv := range billing.WithTimeZones(reported, stored, "Pacific/Honolulu") {
		zones = append(zones, inv.TimeZone)
	}

	assert.Equal(t, []timezone.Zone{"Europe/London", "Australia/Perth", "Pacific/Honolulu", "Pacific/Honolulu"}, zones)
	assert.Empty(t, reported[1].TimeZone, "the argument is unchanged")
}

func TestInvoicesSince_IncludesOpenInvoicesAndInvoicesWithoutAllAmounts(t *testing.T) {
	newInvoice := func(days int, status billing.InvoiceStatus) billing.Invoice {
		return billing.Invoice{CreatedAt: day0.AddDate(0, 0, days), Status: status}
	}
	for want, stored := range map[time.Time][]billing.Invoice{
		{}:                     nil,
		day0.AddDate(0, 0, 28): {newInvoice(30, billing.InvoicePaid), newInvoice(0, billing.InvoiceVoid)},
		day0.AddDate(0, 0, 13): {newInvoice(15, billing.InvoiceOpen), newInvoice(14, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -30): {newInvoice(30, billing.InvoicePaid), newInvoice(-30, billing.InvoiceOpen),
			newInvoice(-20, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -2): {newInvoice(0, billing.InvoiceUncollectible)},
	} {
		assert.Equal(t, want, billing.InvoicesSince(stored))
	}

	lacksAmounts, complete := newInvoice(-400, billing.InvoicePaid), newInvoice(-500, billing.InvoicePaid)
	lacksAmounts.Total = aud(3900)
	complete.Total, complete.CreditUsed, complete.Refunded, complete.Credited = aud(3900), aud(0), aud(0), aud(0)
	stored := []billing.Invoice{newInvoice(30, billing.InvoicePaid), lacksAmounts, complete}
	assert.Equal(t, day0.AddDate(0, 0, -400), billing.InvoicesSince(stored), "the oldest invoice that lacks amounts")
}
