package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// processingBehaviours are about payments that take days. They use the harness as it is: nothing settles before the
// behaviour calls settle.
var processingBehaviours = []behaviour{
	{name: "a first payment on its way is reported", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		assert.Contains(t, []billing.Status{billing.Incomplete, billing.Active}, s.Status)
		t.assertProcessing(s)
		assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
		listed, err := t.Provider.ListSubscriptions(t.Context(), s.CustomerID)
		require.NoError(t, err)
		assert.Equal(t, []billing.Subscription{s}, listed)
	}},
	{name: "a first payment arrives", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		t.settle()
		after := t.readSubscription(s.ID, billing.Active)
		t.assertPaid(after)
		assert.Equal(t, billing.NoAction, after.Next.Kind)
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "an invoice whose payment is on its way is not charged again", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		other := t.saveCard(s.CustomerID, Pays)
		for _, method := range []string{"", other.ID} {
			_, err := t.payInvoice(s, method)
			t.assertFault(err, fault.Conflict)
		}
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a repeated request does not charge again", needs: SlowPayments, check: func(t *env) {
		c := t.customerWithCard(Settles)
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, MethodID: t.methodToName(c.ID), Price: standard}
		first, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		second, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, first, second)
		t.settle()
		t.assertChargedSum(req.CustomerID, first.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a first payment on its way does not expire", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		t.advance(s.Next.Until.Sub(t.Now()) - time.Hour)
		assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
	}},
	{name: "a first payment on its way can't be stopped", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		if s.Status == billing.Active {
			t.Skip("the provider starts a plan before its payment has arrived")
		}
		for _, req := range []payment.Cancellation{{}, {IfUnpaid: true}, {VoidInvoices: true}} {
			req.Key, req.SubscriptionID = newKey(), s.ID
			_, err := t.Provider.CancelSubscription(t.Context(), req)
			t.assertFault(err, fault.Conflict)
		}
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "another sole subscription is Conflict while a first payment is on its way", needs: SlowPayments, check: func(t *env) {
		s := t.processingSubscription()
		t.assertSoleConflict(s.CustomerID, "")
		t.assertSoleConflict(s.CustomerID, t.createCard(Pays))
	}},
	{name: "a first payment that fails late can be made with another method", needs: SlowPayments, check: func(t *env) {
		s := t.startWith(FailsLate)
		t.assertProcessing(s)
		t.settle()
		failed, err := t.Provider.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		want := billing.Incomplete
		if s.Status == billing.Active {
			want = billing.PastDue
		}
		assert.Equal(t, want, failed.Status)
		t.assertToPay(failed)
		assert.NotEmpty(t, failed.Next.Reason)

		t.advance(22 * time.Hour)
		t.payAndSettle(failed)

		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a first payment that failed late expires", needs: SlowPayments, check: func(t *env) {
		s := t.startWith(FailsLate)
		if s.Status == billing.Active {
			t.Skip("the provider starts a plan before its payment has arrived")
		}
		t.settle()
		t.advance(25 * time.Hour)
		t.readSubscription(s.ID, billing.IncompleteExpired)
	}},
	{name: "a renewal on its way keeps the plan active", needs: SlowPayments, check: func(t *env) {
		s := t.renewalWith(Settles)
		assert.Equal(t, billing.Active, s.Status)
		t.assertProcessing(s)
		t.assertRequestsWait(s)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, 2*s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a renewal that fails late is past due and retried", needs: SlowPayments, check: func(t *env) {
		s := t.renewalWith(FailsLate)
		t.settle()
		failed := t.readSubscription(s.ID, billing.PastDue)
		t.assertToPay(failed)
		assert.NotEmpty(t, failed.Next.Reason)
		assert.True(t, failed.LatestInvoice.NextAttemptAt.After(t.Now()))
		t.saveCard(s.CustomerID, Pays)
		t.advance(failed.LatestInvoice.NextAttemptAt.Sub(t.Now()) + 2*time.Hour)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "retries that fail late end the plan", needs: SlowPayments, check: func(t *env) {
		s := t.renewalWith(FailsLate)
		t.advance(60 * day)
		after, err := t.Provider.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.True(t, after.Status.Ended(), after.Status)
	}},
	{name: "a subscription ends while its payment is on its way, and its invoice stays owed", needs: SlowPayments, check: func(t *env) {
		s := t.renewalWith(Settles)
		ended := t.cancel(s.ID)
		assert.Equal(t, billing.Canceled, ended.Status)
		assert.Equal(t, billing.InvoiceOpen, ended.LatestInvoice.Status)
		t.assertProcessing(ended)
		_, err := t.payOwed(ended)
		t.assertFault(err, fault.Conflict)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Canceled))
	}},
	{name: "an overdue invoice whose payment is on its way is not voided", needs: SlowPayments, check: func(t *env) {
		s := t.overdueSubscription()
		processing, err := t.payInvoice(s, t.saveCard(s.CustomerID, Settles).ID)
		require.NoError(t, err)
		assert.Equal(t, billing.PastDue, processing.Status)
		t.assertProcessing(processing)
		assert.Zero(t, processing.PlanEndsAt, "it does not end meanwhile")
		_, err = t.cancelAndVoid(s)
		t.assertFault(err, fault.Conflict)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a plan change waits for a payment on its way", needs: SlowPayments, check: func(t *env) {
		s := t.processingChange(Settles)
		assert.Equal(t, standard, s.Price)
		t.assertProcessing(s)
		assert.Zero(t, s.Pending.ExpiresAt)
		_, err := t.cancelPendingChange(s)
		t.assertFault(err, fault.Conflict)
		_, err = t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: s.ID})
		t.assertFault(err, fault.Conflict)
		t.assertRequestsWait(s)
		t.advance(s.Next.Until.Sub(t.Now()) - time.Hour)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active), "it does not expire")

		t.settle()

		t.assertChangeMade(s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a plan change whose payment fails late can be paid or dropped", needs: SlowPayments, check: func(t *env) {
		for _, pays := range []bool{true, false} {
			s := t.processingChange(FailsLate)
			t.settle()
			failed := t.readSubscription(s.ID, billing.Active)
			require.NotNil(t, failed.Pending)
			assert.WithinDuration(t, t.Now().Add(23*time.Hour), failed.Pending.ExpiresAt, time.Hour)
			assert.NotEmpty(t, failed.Next.Reason)
			if pays {
				t.payAndSettle(failed)
				t.assertChangeMade(failed, t.readSubscription(s.ID, billing.Active))
				continue
			}
			_, err := t.cancelPendingChange(failed)
			require.NoError(t, err)
			t.assertChangeDiscarded(failed)
		}
	}},
	{name: "a returned payment is owed again and not charged by itself", needs: OwedAgain, check: func(t *env) {
		s := t.returnedSubscription()
		assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
		assert.Equal(t, s.LatestInvoice.AmountDue, s.LatestInvoice.Remaining())
		assert.Zero(t, s.LatestInvoice.NextAttemptAt)
		t.assertToPay(s)
		assert.NotEmpty(t, s.Next.Reason)
		inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		assert.Equal(t, inv.AmountDue, inv.Returned)
		assert.Zero(t, inv.AmountPaid.Minor())
		t.saveCard(s.CustomerID, Pays)
		t.advance(7 * day)
		assert.Equal(t, s.LatestInvoice, t.readSubscription(s.ID, billing.PastDue).LatestInvoice, "it is not retried")
	}},
	{name: "a returned payment is paid by the customer", needs: OwedAgain, check: func(t *env) {
		s := t.returnedSubscription()
		t.payAndSettle(s)
		after := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, s.CurrentPeriodEnd, after.CurrentPeriodEnd)
		t.assertPaid(after)
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a plan whose returned payment is not made again ends", needs: OwedAgain, check: func(t *env) {
		s := t.returnedSubscription()
		require.False(t, s.PlanEndsAt.IsZero())
		t.advance(s.PlanEndsAt.Sub(t.Now()) + 2*time.Hour)
		after, err := t.Provider.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.True(t, after.Status.Ended(), after.Status)
		t.assertChargedSum(s.CustomerID, 0)
	}},
	{name: "a returned payment that is not owed again is a lost dispute", needs: SlowPayments, check: func(t *env) {
		if _, missing := t.missingReason(OwedAgain); !missing {
			t.Skip("the payment is owed again")
		}
		t.require(payment.Disputes)
		s := t.startWith(ReturnsLate)
		t.settle()
		due := s.LatestInvoice.AmountDue
		t.addCredit(s.CustomerID, due.Minor()+500)

		t.advanceUntil(func() bool { return t.readCustomer(s.CustomerID).Hold == billing.HoldDisputed })

		after := t.readSubscription(s.ID, billing.Active)
		assert.Equal(t, billing.HoldDisputed, after.Hold)
		assert.Equal(t, billing.InvoicePaid, after.LatestInvoice.Status)
		t.assertReturned(s.CustomerID, billing.ReturnedPayment{Dispute: billing.DisputeLost, Amount: due, Withdrawn: due, Spent: aud(0)})
		assert.Equal(t, int64(500), t.liftHold(s.CustomerID).Credit.Minor())
	}},
	{name: "the same bank account has the same identity", needs: SlowPayments, check: func(t *env) {
		c := t.createCustomer()
		first, second := t.saveCard(c.ID, Settles), t.saveCard(c.ID, Settles)
		assert.NotEqual(t, first.ID, second.ID)
		assert.Equal(t, first.Identity(), second.Identity())
	}},
}

// settle lets the payments on their way arrive or fail.
func (t *env) settle() {
	t.Helper()
	t.require(SlowPayments)
	t.Settle(t.T)
}

// payAndSettle pays the latest invoice of the subscription with a new card and lets the payment arrive.
func (t *env) payAndSettle(s billing.Subscription) {
	t.Helper()
	_, err := t.payInvoice(s, t.saveCard(s.CustomerID, Pays).ID)
	require.NoError(t, err)
	t.settle()
}

// startWith starts a subscription that is paid with a method of the scenario.
func (t *env) startWith(s Scenario) billing.Subscription {
	t.Helper()
	return t.start(t.customerWithCard(s).ID, standard, 0)
}

// processingSubscription returns a subscription whose first payment is on its way.
func (t *env) processingSubscription() billing.Subscription {
	t.Helper()
	s := t.startWith(Settles)
	t.assertProcessing(s)
	return s
}

// renewalWith returns a monthly subscription whose renewal is on its way.
func (t *env) renewalWith(scenario Scenario) billing.Subscription {
	t.Helper()
	s := t.start(t.customerWithCard(Pays).ID, price("standard", catalogue.Monthly), 0)
	t.settle()
	t.saveCard(s.CustomerID, scenario)
	t.advance(s.CurrentPeriodEnd.Sub(t.Now()) + 2*time.Hour)
	renewed, err := t.Provider.Subscription(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotEqual(t, s.LatestInvoice.ID, renewed.LatestInvoice.ID)
	return renewed
}

// processingChange returns a subscription with a change to the professional plan whose payment is on its way.
func (t *env) processingChange(scenario Scenario) billing.Subscription {
	t.Helper()
	t.require(payment.ChangeNow, payment.PendingChanges)
	s := t.start(t.customerWithCard(Pays).ID, standard, 0)
	t.settle()
	t.saveCard(s.CustomerID, scenario)
	after, err := t.Provider.ChangePlan(t.Context(), planChange(t.readSubscription(s.ID, billing.Active), professional))
	require.NoError(t, err)
	require.NotNil(t, after.Pending)
	return after
}

// returnedSubscription returns a subscription whose first payment was returned after it had arrived.
func (t *env) returnedSubscription() billing.Subscription {
	t.Helper()
	s := t.startWith(ReturnsLate)
	t.settle()
	t.readSubscription(s.ID, billing.Active)
	t.advanceUntil(func() bool {
		after, err := t.Provider.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		s = after
		return s.Status == billing.PastDue
	})
	return s
}

// advanceUntil lets days pass until the condition holds.
func (t *env) advanceUntil(condition func() bool) {
	t.Helper()
	for range 60 {
		t.advance(day)
		if condition() {
			return
		}
	}
	t.Fatal("the bank has not returned the payment within 60 days")
}

// assertProcessing asserts that the payment of the latest invoice is on its way.
func (t *env) assertProcessing(s billing.Subscription) {
	t.Helper()
	require.True(t, isProcessing(s), "next = %+v", s.Next)
	assert.Equal(t, s.LatestInvoice.ID, s.Next.InvoiceID)
	assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
	assert.Zero(t, s.LatestInvoice.NextAttemptAt)
	assert.True(t, s.Next.Until.After(t.Now()), "it is expected at a later time")
	require.NotNil(t, s.Next.Method)
	if s.Next.Method.Kind != billing.CardMethod {
		assert.NotEmpty(t, s.Next.Method.Label)
	}
	if p := s.LatestInvoice.Payment; p != nil {
		assert.Equal(t, billing.Processing, p.Status)
	}
}

// assertRequestsWait asserts that plan changes and their quotes are Conflict.
func (t *env) assertRequestsWait(s billing.Subscription) {
	t.Helper()
	for _, req := range []payment.PriceChange{planChange(s, professional), changeAtRenewal(s, professional)} {
		if req.When == payment.Now {
			t.require(payment.ChangeNow)
		} else {
			t.require(payment.ChangeAtRenewal)
		}
		_, err := t.Provider.ChangePlan(t.Context(), req)
		t.assertFault(err, fault.Conflict)
		if _, missing := t.missingReason(payment.Quoting); !missing {
			_, err = t.Provider.QuoteChange(t.Context(), req)
			t.assertFault(err, fault.Conflict)
		}
	}
	assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
}
