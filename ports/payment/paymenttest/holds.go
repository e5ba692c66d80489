package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var holdBehaviours = []behaviour{
	{name: "a dispute puts all subscriptions of the customer on hold until the hold is lifted", needs: Disputes,
		check: func(t *env) {
			disputedSub := t.subscribe(t.payingCustomer().ID, 0)
			t.cancel(disputedSub.ID)
			s := t.subscribe(disputedSub.CustomerID, 0)

			t.dispute(disputedSub)

			t.assertHold(s.CustomerID, billing.HoldDisputed, 2)
			t.liftHold(s.CustomerID)
			t.assertHold(s.CustomerID, billing.NoHold, 2)
		}},
	{name: "a lifted hold is not set again by the same dispute", needs: Disputes, check: func(t *env) {
		s := t.subscriptionOnHold()
		t.liftHold(s.CustomerID)
		t.Dispute(t.T, s.LatestInvoice.ID)
		t.CloseDispute(t.T, s.LatestInvoice.ID, false)
		t.assertHold(s.CustomerID, billing.NoHold, 1)
	}},
	{name: "a dispute of another payment puts the customer on hold again", needs: Disputes, check: func(t *env) {
		s := t.subscribeMonthly()
		renewedSub := t.renew(s)
		t.dispute(s)
		t.liftHold(s.CustomerID)
		t.dispute(renewedSub)
		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
	}},
	{name: "another dispute of the same payment puts the customer on hold again", needs: Disputes, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, 0)
		t.addCredit(s.CustomerID, 300)
		t.dispute(s)
		t.CloseDispute(t.T, s.LatestInvoice.ID, true)
		t.assertHold(s.CustomerID, billing.NoHold, 1)
		t.advance(day)

		t.dispute(s)

		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Dispute: billing.DisputeOpen, Amount: s.LatestInvoice.AmountDue, Withdrawn: aud(300), Spent: aud(0),
		})
		t.CloseDispute(t.T, s.LatestInvoice.ID, true)
		assert.Equal(t, int64(300), t.readCustomer(s.CustomerID).Credit.Minor())
	}},
	{name: "a hold lasts until all its disputes are won", needs: Disputes, check: func(t *env) {
		s := t.subscribeMonthly()
		renewedSub := t.renew(s)
		t.dispute(s)
		t.dispute(renewedSub)
		t.CloseDispute(t.T, renewedSub.LatestInvoice.ID, true)
		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
		t.CloseDispute(t.T, s.LatestInvoice.ID, true)
		t.assertHold(s.CustomerID, billing.NoHold, 1)
	}},
	{name: "a hold after a lost dispute lasts until it is lifted", needs: Disputes, check: func(t *env) {
		s := t.subscribeMonthly()
		renewedSub := t.renew(s)
		t.dispute(s)
		t.CloseDispute(t.T, s.LatestInvoice.ID, false)
		t.dispute(renewedSub)
		t.CloseDispute(t.T, renewedSub.LatestInvoice.ID, true)
		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
		t.liftHold(s.CustomerID)
		t.assertHold(s.CustomerID, billing.NoHold, 1)
	}},
	{name: "a dispute from before the hold was lifted does not prolong a later hold", needs: Disputes, check: func(t *env) {
		s := t.subscribeMonthly()
		renewedSub := t.renew(s)
		t.dispute(s)
		t.advance(day)
		t.liftHold(s.CustomerID)
		t.advance(day)
		t.dispute(renewedSub)
		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
		t.CloseDispute(t.T, renewedSub.LatestInvoice.ID, true)
		t.assertHold(s.CustomerID, billing.NoHold, 1)
	}},
	{name: "a repeated key lifts the hold once", needs: Disputes, check: func(t *env) {
		s := t.subscribeMonthly()
		renewedSub := t.renew(s)
		t.dispute(s)
		req := payment.HoldLift{Key: newKey(), CustomerID: s.CustomerID}
		updatedCustomer, err := t.Provider.LiftHold(t.Context(), req)
		require.NoError(t, err)
		t.dispute(renewedSub)
		repeatedCustomer, err := t.Provider.LiftHold(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, updatedCustomer.Hold, repeatedCustomer.Hold)
		t.assertHold(s.CustomerID, billing.HoldDisputed, 1)
	}},
	{name: "lifting the hold of a customer who is not on hold changes nothing", needs: Disputes, check: func(t *env) {
		c := t.customerWithCurrency()
		assert.Equal(t, c, t.liftHold(c.ID))
	}},
	{name: "Subscribe returns Conflict while the customer is on hold", needs: Disputes, check: func(t *env) {
		s := t.subscriptionOnHold()
		t.cancel(s.ID)
		_, err := t.trySubscribe(s.CustomerID, professional)
		t.assertFault(err, fault.Conflict)
		assert.ErrorIs(t, err, billing.ErrOnHold)
		if t.Provider.Capabilities().Has(payment.Quoting) {
			_, err = t.Provider.QuoteSubscription(t.Context(), payment.NewSubscription{CustomerID: s.CustomerID, Price: professional})
			t.assertFault(err, fault.Conflict)
		}
		assert.Len(t, t.subscriptionIDs(s.CustomerID), 1)
	}},
	{name: "an immediate change returns Conflict while the customer is on hold", needs: Disputes, check: func(t *env) {
		t.skipWithout(payment.ChangeNow)
		s := t.subscriptionOnHold()
		_, err := t.changePlan(s, professional)
		t.assertFault(err, fault.Conflict)
		assert.ErrorIs(t, err, billing.ErrOnHold)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "AddCredit returns Conflict while the customer is on hold", needs: Disputes, check: func(t *env) {
		t.skipWithout(payment.CustomerCredit)
		s := t.subscriptionOnHold()
		_, err := t.Provider.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: s.CustomerID, Amount: aud(100)})
		t.assertFault(err, fault.Conflict)
		c := t.readCustomer(s.CustomerID)
		assert.Zero(t, c.Credit.Minor()+c.HeldCredit.Minor())
	}},
	{name: "a plan is changed after the hold is lifted", needs: Disputes, check: func(t *env) {
		t.skipWithout(payment.ChangeNow)
		s := t.subscriptionOnHold()
		t.liftHold(s.CustomerID)
		t.mustChangePlan(t.readSubscription(s.ID, billing.Active), professional)
	}},
	{name: "a dispute discards a pending change", needs: Disputes, check: func(t *env) {
		t.skipWithout(payment.ChangeNow)
		s := t.subscribe(t.payingCustomer().ID, 0)
		pendingSub := t.startPendingChange(s)
		t.Dispute(t.T, s.LatestInvoice.ID)
		updatedSub := t.readSubscription(s.ID, billing.Active)
		assert.Nil(t, updatedSub.Pending)
		assert.Equal(t, s.Price, updatedSub.Price)
		assert.Equal(t, billing.InvoiceVoid, t.invoice(s.CustomerID, pendingSub.Pending.InvoiceID).Status)
	}},
	{name: "a dispute discards a scheduled change", needs: Disputes, check: func(t *env) {
		t.skipWithout(payment.AtPeriodEnd)
		s := t.mustScheduleChange(t.subscribeMonthly(), professional)

		t.dispute(s)

		assert.Nil(t, t.readSubscription(s.ID, billing.Active).Scheduled)
		t.liftHold(s.CustomerID)
		assert.Equal(t, s.Price, t.renew(s).Price, "the change is not made after the hold either")
	}},
	{name: "a dispute discards a pending change and the scheduled change that it replaces", needs: Disputes,
		check: func(t *env) {
			t.skipWithout(payment.AtPeriodEnd, payment.ChangeNow)
			s := t.scheduleMonthlyChange(t.subscribe(t.payingCustomer().ID, 0))
			t.startPendingChange(s)

			t.Dispute(t.T, s.LatestInvoice.ID)

			updatedSub := t.readSubscription(s.ID, billing.Active)
			assert.Nil(t, updatedSub.Pending)
			assert.Nil(t, updatedSub.Scheduled)
			t.liftHold(s.CustomerID)
			assert.Nil(t, t.readSubscription(s.ID, billing.Active).Scheduled)
		}},
	{name: "a dispute expires a subscription with an open first payment", needs: Disputes, check: func(t *env) {
		disputedSub := t.subscribe(t.payingCustomer().ID, 0)
		t.cancel(disputedSub.ID)
		if t.readCustomer(disputedSub.CustomerID).Default != nil {
			t.saveMethod(disputedSub.CustomerID, DeclinedWhenCharged)
		}
		openSub := t.startSubscription(disputedSub.CustomerID, standard, 0)
		require.Equal(t, billing.Incomplete, openSub.Status)
		t.Dispute(t.T, disputedSub.LatestInvoice.ID)
		t.readSubscription(openSub.ID, billing.IncompleteExpired)
	}},
}

// subscriptionOnHold returns a subscription after a dispute of its payment.
func (t *env) subscriptionOnHold() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.payingCustomer().ID, 0)
	t.dispute(s)
	s = t.readSubscription(s.ID, billing.Active)
	require.Equal(t, billing.HoldDisputed, s.Hold)
	return s
}

func (t *env) liftHold(customerID string) billing.Customer {
	t.Helper()
	c, err := t.Provider.LiftHold(t.Context(), payment.HoldLift{Key: newKey(), CustomerID: customerID})
	require.NoError(t, err)
	return c
}

// assertHold asserts the hold of the customer and of all its subscriptions, and the number of
// subscriptions.
func (t *env) assertHold(customerID string, want billing.Hold, wantCount int) {
	t.Helper()
	assert.Equal(t, want, t.readCustomer(customerID).Hold)
	subs, err := t.Provider.ListSubscriptions(t.Context(), customerID)
	require.NoError(t, err)
	require.Len(t, subs, wantCount)
	for _, s := range subs {
		assert.Equal(t, want, s.Hold, s.Status)
		assert.Equal(t, want, t.readSubscription(s.ID, s.Status).Hold)
	}
}
