package invoicepayment

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// restOfDay is the time from noon to the end of the day, at which an invoice is due.
const restOfDay = 12*time.Hour - time.Second

func TestCollection_UnpaidFirstInvoiceEndsTheSubscriptionAfter21Days(t *testing.T) {
	for trialDays, firstStatus := range map[int]billing.Status{0: billing.Active, 7: billing.Trialing} {
		e := newEnv(t, newSQLite(t))
		s := e.mustSubscribe(t, trialDays)
		assert.Equal(t, firstStatus, s.Status)
		inv := e.readInvoice(t, s.LatestInvoice.ID)
		assert.Equal(t, noon.Add(14*day+restOfDay), inv.DueAt, "the 14 days begin with the subscription, also in a trial")
		assert.Equal(t, billing.Active, e.advanceAndReadSubscription(t, s.ID, 14*day+restOfDay-time.Second).Status)

		overdueSub := e.advanceAndReadSubscription(t, s.ID, 14*day+restOfDay)
		assert.Equal(t, billing.PastDue, overdueSub.Status)
		assert.Equal(t, noon.Add(21*day+restOfDay), overdueSub.UnpaidEndsAt)
		assert.Equal(t, inv.ID, overdueSub.LatestInvoice.ID, "no other invoice is issued when the trial ends")
		assert.Equal(t, billing.PastDue, e.advanceAndReadSubscription(t, s.ID, 21*day+restOfDay-time.Second).Status)

		assert.Equal(t, billing.Canceled, e.advanceAndReadSubscription(t, s.ID, 21*day+restOfDay).Status)
		assert.Equal(t, billing.InvoiceOpen, e.readInvoice(t, inv.ID).Status, "the invoice stays owed")
		assert.Equal(t, billing.Canceled, e.advanceAndReadSubscription(t, s.ID, 400*day).Status)
	}
}

func TestCollection_PaymentOnTheEveningOfTheDueDayIsInTime(t *testing.T) {
	for _, address := range []account.Address{{Country: "AU", State: "New South Wales"}, {Country: "US", State: "Hawaii"}} {
		zone := address.TimeZone()
		e := newEnv(t, newSQLite(t))
		c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{
			Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic", Address: address,
		})
		require.NoError(t, err)
		s, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
		e.payInvoice(t, s.LatestInvoice.ID)
		s, err = e.ChangePlan(t.Context(), payment.PriceChange{
			Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional,
		})
		require.NoError(t, err)
		assert.Contains(t, s.Next.Instructions, billing.Instruction{Label: "Due", Value: "16 March 2026"})

		year, month, day := zone.In(noon).Date()
		evening := time.Date(year, month, day+14, 23, 30, 0, 0, zone.In(noon).Location())
		assert.NotNil(t, e.advanceAndReadSubscription(t, s.ID, evening.Sub(noon)).Pending, zone)
		e.payInvoice(t, s.Pending.InvoiceID)
		assert.Equal(t, professional, e.advanceAndReadSubscription(t, s.ID, evening.Sub(noon)+time.Minute).Price, zone)

		renewal := s.CurrentPeriodEnd
		s = e.advanceAndReadSubscription(t, s.ID, renewal.Sub(noon))
		year, month, day = zone.In(renewal).Date()
		evening = time.Date(year, month, day+14, 23, 30, 0, 0, zone.In(noon).Location())
		assert.Equal(t, billing.Active, e.advanceAndReadSubscription(t, s.ID, evening.Sub(noon)).Status, zone)
		assert.Equal(t, zone.Date(evening), zone.Date(e.readInvoice(t, s.LatestInvoice.ID).DueAt))
		e.payInvoice(t, s.LatestInvoice.ID)
		assert.Equal(t, billing.Active, e.advanceAndReadSubscription(t, s.ID, evening.Sub(noon)+24*time.Hour).Status, zone)
	}
}

func TestCollection_PaidInvoicesRenewTheSubscription(t *testing.T) {
	e := newEnv(t, newSQLite(t))
	s := e.mustSubscribe(t, 7)
	require.NotEmpty(t, s.Next.Instructions)
	e.payInvoice(t, s.LatestInvoice.ID)
	assert.Equal(t, billing.Trialing, e.advanceAndReadSubscription(t, s.ID, 6*day).Status, "paying early does not end the trial")
	activeSub := e.advanceAndReadSubscription(t, s.ID, 20*day)
	assert.Equal(t, billing.Active, activeSub.Status)
	assert.Equal(t, billing.NoAction, activeSub.Next.Kind)

	for range 3 {
		renewedSub := e.advanceAndReadSubscription(t, s.ID, activeSub.CurrentPeriodEnd.Sub(noon))
		assert.NotEqual(t, activeSub.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
		assert.Equal(t, activeSub.CurrentPeriodEnd, renewedSub.PeriodStart)
		assert.Equal(t, renewedSub.PeriodStart.AddDate(0, 0, 14).Add(restOfDay), e.readInvoice(t, renewedSub.LatestInvoice.ID).DueAt)
		overdueSub := e.advanceAndReadSubscription(t, s.ID, renewedSub.PeriodStart.Sub(noon)+15*day)
		assert.Equal(t, billing.PastDue, overdueSub.Status)
		e.payInvoice(t, renewedSub.LatestInvoice.ID)
		activeSub = e.advanceAndReadSubscription(t, s.ID, renewedSub.PeriodStart.Sub(noon)+16*day)
		assert.Equal(t, billing.Active, activeSub.Status)
	}
}

func TestSetEndAtPeriodEnd_VoidsOrCreditsTheFirstInvoiceOfATrial(t *testing.T) {
	for _, tt := range []struct {
		isPaid     bool
		wantCredit string
	}{{false, "0"}, {true, "39"}} {
		e := newEnv(t, newSQLite(t))
		s := e.mustSubscribe(t, 7)
		if tt.isPaid {
			e.payInvoice(t, s.LatestInvoice.ID)
		}
		_, err := e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: true})
		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, e.advanceAndReadSubscription(t, s.ID, 7*day).Status)
		assert.Equal(t, tt.wantCredit, e.readCredit(t, s.CustomerID))
		assert.NotEqual(t, billing.InvoiceOpen, e.readInvoice(t, s.LatestInvoice.ID).Status)
	}
}

func TestRenewal_SeveralServersIssueOneInvoice(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s := e.mustSubscribe(t, 0)
		e.payInvoice(t, s.LatestInvoice.ID)
		e.advance(t, 32*day)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { _, err := e.Tick(t.Context(), ignoreEvent); assert.NoError(t, err) })
			wg.Go(func() { _, err := e.Subscription(t.Context(), s.ID); assert.NoError(t, err) })
		}
		wg.Wait()
		list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: s.CustomerID, Limit: 10})
		require.NoError(t, err)
		assert.Len(t, list.Invoices, 2)

		err = e.Database.Write(t.Context(), func(tx plugin.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO invoice_invoices
				(id, number, customer_id, subscription_id, renewal_of, status, document)
				SELECT 'second', 99, customer_id, subscription_id, renewal_of, status, document
				FROM invoice_invoices WHERE renewal_of IS NOT NULL`)
			return err
		})
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the database refuses a second invoice for the period")
	})
}
