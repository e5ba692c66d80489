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
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	standard     = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
)

func newCustomer(t *testing.T, e *env) billing.Customer {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic"})
	require.NoError(t, err)
	return c
}

func (e *env) subscribe(t *testing.T, c billing.Customer, trialDays int) (billing.Subscription, error) {
	t.Helper()
	return e.Subscribe(t.Context(), payment.NewSubscription{Key: rand.Text(), CustomerID: c.ID, Price: standard, TrialDays: trialDays, Sole: true})
}

// subscribed returns a new subscription to the standard plan.
func (e *env) subscribed(t *testing.T, trialDays int) billing.Subscription {
	t.Helper()
	s, err := e.subscribe(t, newCustomer(t, e), trialDays)
	require.NoError(t, err)
	return s
}

// at moves the clock to a time after noon and returns the subscription then.
func (e *env) at(t *testing.T, id string, after time.Duration) billing.Subscription {
	t.Helper()
	e.advance(t, noon.Add(after).Sub(e.clock.Now()))
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

func (e *env) credit(t *testing.T, customerID string) string {
	t.Helper()
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	return c.Credit.Format()
}

func TestCollection_UnpaidFirstInvoiceEndsTheSubscriptionAfter21Days(t *testing.T) {
	for trialDays, first := range map[int]billing.Status{0: billing.Active, 7: billing.Trialing} {
		e := newEnv(t, openStore(t, newSQLite(t)))
		s := e.subscribed(t, trialDays)
		assert.Equal(t, first, s.Status)
		inv := e.find(t, s.LatestInvoice.ID)
		assert.Equal(t, noon.Add(14*day), inv.DueAt, "the trial included")
		assert.Equal(t, billing.Active, e.at(t, s.ID, 14*day-time.Second).Status)

		overdue := e.at(t, s.ID, 14*day)
		assert.Equal(t, billing.PastDue, overdue.Status)
		assert.Equal(t, noon.Add(21*day), overdue.PlanEndsAt)
		assert.Equal(t, inv.ID, overdue.LatestInvoice.ID, "the end of the trial issues no other invoice")
		assert.Equal(t, billing.PastDue, e.at(t, s.ID, 21*day-time.Second).Status)

		assert.Equal(t, billing.Canceled, e.at(t, s.ID, 21*day).Status)
		assert.Equal(t, billing.InvoiceOpen, e.find(t, inv.ID).Status, "it stays owed")
		assert.Equal(t, billing.Canceled, e.at(t, s.ID, 400*day).Status)
	}
}

func TestCollection_PaidInvoicesRenewTheSubscription(t *testing.T) {
	e := newEnv(t, openStore(t, newSQLite(t)))
	s := e.subscribed(t, 7)
	require.NotEmpty(t, s.Next.Instructions)
	e.payInvoice(t, s.LatestInvoice.ID)
	assert.Equal(t, billing.Trialing, e.at(t, s.ID, 6*day).Status, "paying early does not end the trial")
	active := e.at(t, s.ID, 20*day)
	assert.Equal(t, billing.Active, active.Status)
	assert.Equal(t, billing.NoAction, active.Next.Kind)

	for range 3 {
		renewed := e.at(t, s.ID, active.CurrentPeriodEnd.Sub(noon))
		assert.NotEqual(t, active.LatestInvoice.ID, renewed.LatestInvoice.ID)
		assert.Equal(t, active.CurrentPeriodEnd, renewed.PeriodStart)
		assert.Equal(t, renewed.PeriodStart.AddDate(0, 0, 14), e.find(t, renewed.LatestInvoice.ID).DueAt)
		overdue := e.at(t, s.ID, renewed.PeriodStart.Sub(noon)+15*day)
		assert.Equal(t, billing.PastDue, overdue.Status)
		e.payInvoice(t, renewed.LatestInvoice.ID)
		active = e.at(t, s.ID, renewed.PeriodStart.Sub(noon)+16*day)
		assert.Equal(t, billing.Active, active.Status)
	}
}

func TestSubscribe_NoFreeServiceByStartingAgain(t *testing.T) {
	for name, end := range map[string]func(e *env, s billing.Subscription){
		"ended unpaid": func(e *env, s billing.Subscription) { e.at(t, s.ID, 22*day) },
		"canceled while the invoice is open": func(e *env, s billing.Subscription) {
			_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: s.ID})
			require.NoError(t, err)
		},
	} {
		e := newEnv(t, openStore(t, newSQLite(t)))
		c := newCustomer(t, e)
		s, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
		end(e, s)

		_, err = e.subscribe(t, c, 0)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), name)
		assert.ErrorContains(t, err, "INV-000001", name)

		_, err = e.Void(t.Context(), "INV-000001")
		require.NoError(t, err)
		_, err = e.subscribe(t, c, 0)
		assert.NoError(t, err, name)
	}
}

func TestTrial_VoidsOrCreditsTheFirstInvoiceWhenItEnds(t *testing.T) {
	for _, paid := range []bool{false, true} {
		e := newEnv(t, openStore(t, newSQLite(t)))
		s := e.subscribed(t, 7)
		if paid {
			e.payInvoice(t, s.LatestInvoice.ID)
		}
		_, err := e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: true})
		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, e.at(t, s.ID, 7*day).Status)
		assert.Equal(t, map[bool]string{false: "0", true: "39"}[paid], e.credit(t, s.CustomerID))
		assert.NotEqual(t, billing.InvoiceOpen, e.find(t, s.LatestInvoice.ID).Status)
	}
}

func TestChangePlan_IsPendingUntilPaidOrDue(t *testing.T) {
	e := newEnv(t, openStore(t, newSQLite(t)))
	s := e.subscribed(t, 0)
	e.payInvoice(t, s.LatestInvoice.ID)
	change := payment.PlanChange{Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional}
	pending, err := e.ChangePlan(t.Context(), change)
	require.NoError(t, err)
	assert.Equal(t, standard, pending.Price)
	assert.Equal(t, noon.Add(14*day), pending.Pending.ExpiresAt)
	assert.Equal(t, pending.Pending.InvoiceID, pending.Next.InvoiceID)
	_, err = e.MarkPaid(t.Context(), Transfer{Number: e.number(e.find(t, pending.Pending.InvoiceID)), Amount: aud(t, "5"), Reference: "a part"})
	require.NoError(t, err)

	expired := e.at(t, s.ID, 14*day)
	assert.Nil(t, expired.Pending)
	assert.Equal(t, billing.Active, expired.Status)
	assert.Equal(t, "5", e.credit(t, s.CustomerID), "the part payment")

	e.at(t, s.ID, 25*day)
	change.Key = rand.Text()
	pending, err = e.ChangePlan(t.Context(), change)
	require.NoError(t, err)
	assert.Equal(t, s.CurrentPeriodEnd, pending.Pending.ExpiresAt, "the period ends earlier")
	e.payInvoice(t, pending.Pending.InvoiceID)
	changed := e.at(t, s.ID, 26*day)
	assert.Equal(t, professional, changed.Price)

	change = payment.PlanChange{Key: rand.Text(), SubscriptionID: s.ID, From: professional, To: standard}
	_, err = e.ChangePlan(t.Context(), change)
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err), "cheaper now")
}

func TestAllow_StartsTheSubscriptionThatWaits(t *testing.T) {
	e := newEnv(t, openStore(t, newSQLite(t)), "APPROVAL", "required")
	s := e.subscribed(t, 7)
	assert.Equal(t, billing.Incomplete, s.Status)
	assert.Equal(t, billing.Wait, s.Next.Kind)
	assert.Nil(t, s.LatestInvoice)
	c, err := e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)

	e.at(t, s.ID, 3*day)
	started, err := e.Allow(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, 1, started)
	after := e.at(t, s.ID, 3*day+time.Hour)
	assert.Equal(t, billing.Trialing, after.Status)
	assert.Equal(t, noon.Add(10*day), after.TrialEnd)
	again, err := e.Allow(t.Context(), c.OrganisationID)
	require.NoError(t, err)
	assert.Zero(t, again)

	waiting := e.subscribed(t, 0)
	assert.Equal(t, billing.IncompleteExpired, e.at(t, waiting.ID, 34*day).Status)
}

func TestVoid_EndsTheRunningSubscription(t *testing.T) {
	e := newEnv(t, openStore(t, newSQLite(t)))
	s := e.subscribed(t, 0)
	after, err := e.Void(t.Context(), e.number(e.find(t, s.LatestInvoice.ID)))
	require.NoError(t, err)
	assert.Equal(t, billing.InvoiceVoid, after.Status)
	assert.Equal(t, billing.Canceled, after.Subscription)
}

func TestRenewal_OneInvoiceHoweverManyServers(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s := e.subscribed(t, 0)
		e.payInvoice(t, s.LatestInvoice.ID)
		e.advance(t, 32*day)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, err := e.Tick(t.Context(), reported(nil)); assert.NoError(t, err) })
			all.Go(func() { _, err := e.Subscription(t.Context(), s.ID); assert.NoError(t, err) })
		}
		all.Wait()
		list, err := e.ListInvoices(t.Context(), payment.InvoicePage{CustomerID: s.CustomerID, Limit: 10})
		require.NoError(t, err)
		assert.Len(t, list.Invoices, 2)

		err = e.Database.Write(t.Context(), func(tx plugin.Tx) error {
			_, err := tx.Exec(t.Context(), `INSERT INTO invoice_invoices (id, number, customer_id, subscription_id, renewal_of, status, document)
				SELECT 'second', 99, customer_id, subscription_id, renewal_of, status, document FROM invoice_invoices WHERE renewal_of IS NOT NULL`)
			return err
		})
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the database refuses a second invoice for the period")
	})
}

func TestAdapter_Settings(t *testing.T) {
	for _, c := range []struct {
		production bool
		values     map[string]string
		problem    string
	}{
		{false, nil, ""},
		{true, map[string]string{"SELLER": "Vision; 1 Road"}, "ACCOUNT must be set"},
		{true, map[string]string{"ACCOUNT": "BSB: 062-000; Account number: 1234 5678"}, "SELLER must be set"},
		{true, map[string]string{"ACCOUNT": "BSB: 062-000; Account number: 1234 5678", "SELLER": "Vision; 1 Road"}, ""},
		{false, map[string]string{"SELLER": "Vision"}, "SELLER must be a name and"},
		{false, map[string]string{"ACCOUNT": "062-000 1234"}, "ACCOUNT must be lines"},
		{false, map[string]string{"DUE_DAYS": "0"}, "DUE_DAYS must be"},
		{false, map[string]string{"GRACE_DAYS": "soon"}, "GRACE_DAYS must be"},
		{false, map[string]string{"DUE_DAYS": "21", "GRACE_DAYS": "7"}, "at most 27 together"},
		{false, map[string]string{"NUMBER_PREFIX": "a b"}, "NUMBER_PREFIX must"},
		{false, map[string]string{"APPROVAL": "maybe"}, "APPROVAL must"},
	} {
		problems := Adapter{}.Check(plugin.Settings{Values: c.values, Production: c.production})
		if c.problem == "" {
			assert.Empty(t, problems)
			continue
		}
		require.Len(t, problems, 1, c.problem)
		assert.Contains(t, problems[0], c.problem)
	}
}

func TestInvoicePDF_KeepsBuyerAndTaxOfItsTime(t *testing.T) {
	e := newEnv(t, openStore(t, newSQLite(t)))
	s := e.subscribed(t, 0)
	before, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	_, err = e.UpdateCustomer(t.Context(), payment.CustomerUpdate{
		Key: rand.Text(), CustomerID: s.CustomerID, Details: account.BillingDetails{LegalName: "Southside Clinic Pty Ltd"},
	})
	require.NoError(t, err)
	after, err := e.InvoicePDF(t.Context(), s.CustomerID, s.LatestInvoice.ID)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	assert.Equal(t, "Northside Clinic", e.find(t, s.LatestInvoice.ID).Buyer.Name)
}
