package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var creditBehaviours = []behaviour{
	{name: "credit is added up", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		assert.Equal(t, int64(300), t.addCredit(c.ID, 300).Credit.Minor())
		after := t.addCredit(c.ID, 200)
		assert.Equal(t, aud(500), after.Credit)
		assert.Equal(t, after, t.readCustomer(c.ID))
	}},
	{name: "an amount that is not positive is Invalid", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		for _, minor := range []int64{0, -100} {
			_, err := t.Provider.AddCredit(t.Context(), payment.Credit{Key: newKey(), CustomerID: c.ID, Amount: aud(minor)})
			t.assertFault(err, fault.Invalid)
		}
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "credit in another currency is Invalid", needs: payment.CustomerCredit, check: func(t *env) {
		c := t.customerWithCurrency()
		usd, err := money.New(100, "USD")
		require.NoError(t, err)
		_, err = t.Provider.AddCredit(t.Context(), payment.Credit{Key: newKey(), CustomerID: c.ID, Amount: usd})
		t.assertFault(err, fault.Invalid)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "credit pays a renewal", needs: payment.CustomerCredit, check: func(t *env) {
		s := t.subscribeMonthly()
		due := s.LatestInvoice.AmountDue.Minor()
		t.addCredit(s.CustomerID, due+100)
		after := t.renew(s)
		assert.Zero(t, after.LatestInvoice.AmountDue.Minor())
		assert.Equal(t, billing.InvoicePaid, after.LatestInvoice.Status)
		assert.Equal(t, int64(100), t.readCustomer(s.CustomerID).Credit.Minor())
		assert.Equal(t, due-100, t.renew(after).LatestInvoice.AmountDue.Minor())
	}},
}

var trialExtensionBehaviours = []behaviour{
	{name: "a trial is extended", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		until := s.TrialEnd.Add(10 * day)

		after, err := t.extendTrial(s, until)

		require.NoError(t, err)
		assert.Equal(t, billing.Trialing, after.Status)
		assert.Equal(t, until, after.TrialEnd)
		assert.Equal(t, until, after.CurrentPeriodEnd)
		assert.Equal(t, s.Price, after.Price)
		assert.Equal(t, after, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a trial is not shortened", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		for _, until := range []time.Time{s.TrialEnd, s.TrialEnd.Add(-day), t.Now().Add(-day)} {
			_, err := t.extendTrial(s, until)
			t.assertFault(err, fault.Invalid)
		}
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "an ended trial is not extended", needs: payment.Trials, check: func(t *env) {
		s := t.cancel(t.subscribe(t.payingCustomer().ID, trialDays).ID)
		_, err := t.extendTrial(s, s.TrialEnd.Add(day))
		t.assertFault(err, fault.Conflict)
	}},
	{name: "an extended trial is charged at its new end", needs: payment.Trials, check: func(t *env) {
		s := t.subscribe(t.customerWithCard(Pays).ID, trialDays)
		s, err := t.extendTrial(s, s.TrialEnd.Add(10*day))
		require.NoError(t, err)
		t.advance((trialDays + 1) * day)
		t.readSubscription(s.ID, billing.Trialing)
		t.assertPaid(t.renew(s))
	}},
}

var refundBehaviours = []behaviour{
	{name: "a refund leaves the invoice paid and the subscription on hold", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		before := t.onlyInvoice(s.CustomerID)

		refunded, err := t.refund(s, 100)

		require.NoError(t, err)
		assert.Equal(t, before.ID, refunded.ID)
		assert.Equal(t, billing.InvoicePaid, refunded.Status)
		assert.Equal(t, before.AmountPaid, refunded.AmountPaid)
		assert.Equal(t, aud(100), refunded.Refunded)
		after := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, billing.HoldRefunded, after.Hold)
		t.assertUnchanged(s, after)
		assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "refunds are added up in the list of invoices", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		other := t.subscribe(t.payingCustomer().ID, 0)
		for _, amount := range []int64{100, 250} {
			_, err := t.refund(s, amount)
			require.NoError(t, err)
		}
		inv := t.onlyInvoice(s.CustomerID)
		assert.Equal(t, aud(350), inv.Refunded)
		assert.Equal(t, inv.AmountDue, inv.AmountPaid, "what was paid includes what was refunded")
		assert.Zero(t, inv.Remaining().Minor())
		assert.Zero(t, t.onlyInvoice(other.CustomerID).Refunded.Minor(), "another customer's invoice")
	}},
	{name: "at most what was paid is refunded", needs: payment.Refunds, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		paid := s.LatestInvoice.AmountDue.Minor()
		_, err := t.refund(s, paid+1)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, billing.NoHold, t.readSubscription(s.ID, billing.Active).Hold)
		_, err = t.refund(s, paid-100)
		require.NoError(t, err)
		_, err = t.refund(s, 101)
		t.assertFault(err, fault.Conflict)
		_, err = t.refund(s, 100)
		require.NoError(t, err)
		_, err = t.refund(s, 1)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "an unpaid invoice is not refunded", needs: payment.Refunds, check: func(t *env) {
		s := t.unpaidSubscription()
		_, err := t.refund(s, 1)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "a subscription on hold is not changed now", needs: payment.Refunds, check: func(t *env) {
		t.require(payment.ChangeNow)
		s := t.subscriptionOnHold()
		_, err := t.changePlan(s, professional)
		t.assertFault(err, fault.Conflict)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a subscription on hold is not changed at renewal", needs: payment.Refunds, check: func(t *env) {
		t.require(payment.ChangeAtRenewal)
		s := t.subscriptionOnHold()
		t.assertNotScheduled(s, changeAtRenewal(s, professional), fault.Conflict)
	}},
	{name: "a subscription on hold is not quoted", needs: payment.Refunds, check: func(t *env) {
		t.require(payment.Quoting)
		s := t.subscriptionOnHold()
		for _, in := range []payment.PlanChange{planChange(s, professional), changeAtRenewal(s, professional)} {
			_, err := t.Provider.QuoteChange(t.Context(), in)
			t.assertFault(err, fault.Conflict)
		}
	}},
	{name: "the customer of a subscription on hold is not credited", needs: payment.Refunds, check: func(t *env) {
		t.require(payment.CustomerCredit)
		s := t.subscriptionOnHold()
		_, err := t.Provider.AddCredit(t.Context(), payment.Credit{Key: newKey(), CustomerID: s.CustomerID, Amount: aud(100)})
		t.assertFault(err, fault.Conflict)
		assert.Zero(t, t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "a subscription on hold can end", needs: payment.Refunds, check: func(t *env) {
		t.require(payment.EndAtPeriodEnd)
		s := t.mustEnd(t.subscriptionOnHold())
		assert.Equal(t, billing.Canceled, t.cancel(s.ID).Status)
	}},
}

// customerWithCurrency returns a customer with a subscription, which has fixed the currency.
func (t *env) customerWithCurrency() billing.Customer {
	t.Helper()
	return t.readCustomer(t.subscribe(t.payingCustomer().ID, 0).CustomerID)
}

// addCredit adds credit and returns the customer.
func (t *env) addCredit(customerID string, minor int64) billing.Customer {
	t.Helper()
	t.require(payment.CustomerCredit)
	c, err := t.Provider.AddCredit(t.Context(), payment.Credit{
		Key: newKey(), CustomerID: customerID, Amount: aud(minor), Reason: "for the test",
	})
	require.NoError(t, err)
	return c
}

func (t *env) extendTrial(s billing.Subscription, until time.Time) (billing.Subscription, error) {
	t.Helper()
	t.require(payment.Trials)
	return t.Provider.ExtendTrial(t.Context(), payment.TrialExtension{Key: newKey(), SubscriptionID: s.ID, Until: until})
}

// refund refunds a part of the subscription's latest invoice.
func (t *env) refund(s billing.Subscription, minor int64) (billing.Invoice, error) {
	t.Helper()
	t.require(payment.Refunds)
	return t.Provider.Refund(t.Context(), payment.Refund{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: aud(minor)})
}

// subscriptionOnHold returns a subscription with a refunded charge.
func (t *env) subscriptionOnHold() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.payingCustomer().ID, 0)
	_, err := t.refund(s, 100)
	require.NoError(t, err)
	s = t.readSubscription(s.ID, billing.Active)
	require.Equal(t, billing.HoldRefunded, s.Hold)
	return s
}
