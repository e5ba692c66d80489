package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	sydney   = timezone.Zone("Australia/Sydney")
	honolulu = timezone.Zone("Pacific/Honolulu")
)

// zonelessProvider is a provider that reports invoices without time zones, as Stripe does.
type zonelessProvider struct{ payment.Provider }

func (p zonelessProvider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	list, err := p.Provider.ListInvoices(ctx, req)
	for i := range list.Invoices {
		list.Invoices[i].TimeZone = ""
	}
	return list, err
}

// moveToHawaii changes the organisation's address from Sydney to Hawaii.
func (f *fixture) moveToHawaii(caller identity.Identity) {
	f.t.Helper()
	_, _, err := f.EditBillingDetails.Do(f.t.Context(), caller, func(d *account.BillingDetails) {
		d.Address.Country, d.Address.State = "US", "Hawaii"
	})
	require.NoError(f.t, err)
}

// refreshBilling refreshes the copies that are due.
func (f *fixture) refreshBilling() {
	f.t.Helper()
	_, err := f.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
}

// storedZones returns the zones of the stored invoices, newest first.
func (f *fixture) storedZones(caller identity.Identity) []timezone.Zone {
	f.t.Helper()
	invoices, err := f.Store.Invoices(f.t.Context(), caller.OrganisationID)
	require.NoError(f.t, err)
	return invoiceZones(invoices)
}

// listedZones returns the zones of the invoices that the customer sees, newest first.
func (f *fixture) listedZones(caller identity.Identity) []timezone.Zone {
	f.t.Helper()
	page, err := f.ListInvoices.Do(f.t.Context(), caller, 0, "")
	require.NoError(f.t, err)
	return invoiceZones(page.Invoices)
}

// invoiceZones returns the zones of the invoices.
func invoiceZones(invoices []billing.Invoice) (zones []timezone.Zone) {
	for _, inv := range invoices {
		zones = append(zones, inv.TimeZone)
	}
	return zones
}

func TestTimeZones_InvoicesKeepTheirZoneWhenTheOrganisationMoves(t *testing.T) {
	for name, provider := range map[string]func(payment.Provider) payment.Provider{
		"provider reports time zones":    func(p payment.Provider) payment.Provider { return p },
		"provider reports no time zones": func(p payment.Provider) payment.Provider { return zonelessProvider{p} },
	} {
		t.Run(name, func(t *testing.T) {
			f, caller := newSignedUpFixture(t)
			f.UseCases = f.NewApp(f.Store, provider(f.provider))
			f.subscribe(caller, visa, standardMonthly, true)
			f.Advance(2 * time.Minute)
			f.refreshBilling()
			require.Equal(t, []timezone.Zone{sydney}, f.storedZones(caller))

			f.moveToHawaii(caller)
			assert.Equal(t, []timezone.Zone{sydney}, f.listedZones(caller))
			f.Advance(32 * day)
			f.refreshBilling()
			assert.Equal(t, []timezone.Zone{honolulu, sydney}, f.storedZones(caller))
			assert.Equal(t, []timezone.Zone{honolulu, sydney}, f.listedZones(caller))
			org, err := f.ShowOrganisation.Do(t.Context(), caller, caller.OrganisationID)
			require.NoError(t, err)
			assert.Equal(t, honolulu, org.TimeZone())
		})
	}
}

// The due date of an invoice is the same in emails and instructions before and after the organisation has moved.
func TestTimeZones_AnOpenInvoiceKeepsItsDueDate(t *testing.T) {
	f := newInvoiceFixture(t, apptest.WithStart(time.Date(2026, 3, 1, 14, 30, 0, 0, time.UTC))) // 2 March in Sydney
	f.advanceInSteps(1, time.Minute)
	require.Equal(t, []string{"Invoice INV-000001: $39 AUD due on 16 March 2026"}, f.deliverAndListAllSubjects())
	f.moveToHawaii(f.caller)
	f.advanceInSteps(15, day)

	assert.Contains(t, f.deliverAndListAllSubjects(), "Invoice INV-000001 is overdue: $39 AUD was due on 16 March 2026")
	text := f.Mailbox.Emails()[0].Text
	assert.Contains(t, text, "Due: 16 March 2026\n")
	assert.Contains(t, text, "Your Standard plan ends on 23 March 2026", "the date in Hawaii, because it is not a date of the invoice")
	_, org, err := f.DescribeUser.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, sydney, org.Billing.OpenPayment().TimeZone)
	summary, err := f.ShowBilling.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, sydney, summary.Subscription.LatestInvoice.TimeZone)
}
