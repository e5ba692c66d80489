package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// processingBehaviours are about payments that take days. They run without newSettlingHarness, so that payments settle
// only when a behaviour calls settle.
var processingBehaviours = []behaviour{
	{name: "a first payment that takes days is reported as processing", needs: slowPayments, check: func(t *env) {
		s := t.processingSubscription()
		assert.Contains(t, []billing.Status{billing.Incomplete, billing.Active}, s.Status)
		t.assertPaymentProcessing(s)
		assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
		subs, err := t.Provider.ListSubscriptions(t.Context(), s.CustomerID)
		require.NoError(t, err)
		assert.Equal(t, []billing.Subscription{s}, subs)
	}},
	{name: "a subscription is active when its first payment has arrived", needs: slowPayments, check: func(t *env) {
		s := t.processingSubscription()
		t.settle()
		paidSub := t.readSubscription(s.ID, billing.Active)
		t.assertPaid(paidSub)
		assert.Equal(t, billing.NoAction, paidSub.Next.Kind)
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "an invoice with a processing payment is not charged again", needs: slowPayments, check: func(t *env) {
		s := t.processingSubscription()
		otherCard := t.saveMethod(s.CustomerID, Pays)
		for _, method := range []string{"", otherCard.ID} {
			_, err := t.payInvoice(s, method)
			t.assertFault(err, fault.Conflict)
		}
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a processing payment continues after its method was deleted", needs: slowPayments, check: func(t *env) {
		s := t.processingSubscription()
		method := t.readCustomer(s.CustomerID).Default
		t.saveMethod(s.CustomerID, Pays)
		require.NoError(t, t.deleteMethod(s.CustomerID, method.ID))
		processingSub := t.readSubscription(s.ID, s.Status)
		assert.Equal(t, s.Next, processingSub.Next)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		for _, paid := range t.listInvoices(s.CustomerID)[0].ReceivedPayments {
			assert.NotNil(t, paid.Method)
		}
	}},
	{name: "a repeated request does not charge again", needs: slowPayments, check: func(t *env) {
		c := t.customerWithMethod(Settles)
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, MethodID: t.methodIDForRequest(c.ID), Price: standard}
		processingSub, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		repeatedSub, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, processingSub, repeatedSub)
		t.settle()
		t.assertChargedSum(req.CustomerID, processingSub.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a processing first payment does not expire", needs: slowPayments, check: func(t *env) {
		s := t.processingSubscription()
		t.assertKeptUntilExpected(s)
	}},
	{name: "a subscription can't be canceled while its first payment is processing", needs: slowPayments, check: func(t *env) {
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
	{name: "Subscribe with Sole returns Conflict while a first payment is processing", needs: slowPayments,
		check: func(t *env) {
			s := t.processingSubscription()
			t.assertSoleConflict(s.CustomerID, "")
			t.assertSoleConflict(s.CustomerID, t.createCard(Pays))
		}},
	{name: "a first payment that fails late can be made with another method", needs: slowPayments, check: func(t *env) {
		s := t.startSubscriptionWithMethod(FailsLate)
		t.assertPaymentProcessing(s)
		t.settle()
		failedSub := t.refresh(s)
		want := billing.Incomplete
		if s.Status == billing.Active {
			want = billing.PastDue
		}
		assert.Equal(t, want, failedSub.Status)
		t.assertNeedsPayment(failedSub)
		assert.NotEmpty(t, failedSub.Next.Reason)

		t.advance(22 * time.Hour)
		t.payAndSettle(failedSub)

		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a first payment that failed late expires", needs: slowPayments, check: func(t *env) {
		s := t.startSubscriptionWithMethod(FailsLate)
		if s.Status == billing.Active {
			t.Skip("the provider starts a plan before its payment has arrived")
		}
		t.settle()
		t.advance(25 * time.Hour)
		t.readSubscription(s.ID, billing.IncompleteExpired)
	}},
	{name: "a processing renewal keeps the plan active", needs: slowPayments, check: func(t *env) {
		s := t.renewWithMethod(Settles)
		assert.Equal(t, billing.Active, s.Status)
		t.assertPaymentProcessing(s)
		t.assertChangesConflict(s)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
		t.assertChargedSum(s.CustomerID, 2*s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a renewal that fails late is past due and retried", needs: slowPayments, check: func(t *env) {
		s := t.renewWithMethod(FailsLate)
		t.settle()
		failedSub := t.readSubscription(s.ID, billing.PastDue)
		t.assertNeedsPayment(failedSub)
		assert.NotEmpty(t, failedSub.Next.Reason)
		assert.True(t, failedSub.LatestInvoice.NextAttemptAt.After(t.Now()))
		t.saveMethod(s.CustomerID, Pays)
		t.advanceTo(failedSub.LatestInvoice.NextAttemptAt.Add(2 * time.Hour))
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a plan ends when all retries fail late", needs: slowPayments, check: func(t *env) {
		s := t.renewWithMethod(FailsLate)
		t.advance(90 * day)
		endedSub := t.refresh(s)
		assert.True(t, endedSub.Status.Ended(),
			"the status is %s after 90 days; Advance must stop at each time at which a payment fails or is retried", endedSub.Status)
	}},
	{name: "the invoice of a canceled subscription stays owed while its payment is processing", needs: slowPayments,
		check: func(t *env) {
			s := t.renewWithMethod(Settles)
			endedSub := t.cancel(s.ID)
			assert.Equal(t, billing.Canceled, endedSub.Status)
			assert.Equal(t, billing.InvoiceOpen, endedSub.LatestInvoice.Status)
			t.assertPaymentProcessing(endedSub)
			_, err := t.payOwedInvoice(endedSub)
			t.assertFault(err, fault.Conflict)
			t.settle()
			t.assertPaid(t.readSubscription(s.ID, billing.Canceled))
		}},
	{name: "an overdue invoice with a processing payment is not voided", needs: slowPayments, check: func(t *env) {
		s := t.overdueSubscription()
		processingSub, err := t.payInvoice(s, t.saveMethod(s.CustomerID, Settles).ID)
		require.NoError(t, err)
		assert.Equal(t, billing.PastDue, processingSub.Status)
		t.assertPaymentProcessing(processingSub)
		assert.Zero(t, processingSub.UnpaidEndsAt, "no end is planned while the payment is processing")
		_, err = t.cancelAndVoid(s)
		t.assertFault(err, fault.Conflict)
		t.settle()
		t.assertPaid(t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a plan change is pending while its payment is processing", needs: slowPayments, check: func(t *env) {
		s := t.subscriptionWithProcessingChange(Settles)
		assert.Equal(t, standard, s.Price)
		t.assertPaymentProcessing(s)
		assert.Zero(t, s.Pending.ExpiresAt)
		_, err := t.cancelPendingChange(s)
		t.assertFault(err, fault.Conflict)
		_, err = t.Provider.CancelSubscription(t.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: s.ID})
		t.assertFault(err, fault.Conflict)
		t.assertChangesConflict(s)
		t.assertKeptUntilExpected(s)

		t.settle()

		t.assertChangeTookEffect(s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a plan change deducts a refund when its payment arrives", needs: slowPayments, check: func(t *env) {
		t.skipWithout(payment.Refunds, payment.ChangeNow)
		s := t.startSubscription(t.customerWithMethod(Pays).ID, standard, 0)
		t.settle()
		t.mustRefund(s, 500)
		pendingSub := t.changeWithSlowPayment(t.readSubscription(s.ID, billing.Active), Settles)
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{Amount: aud(500), Withdrawn: aud(0), Spent: aud(0)})

		t.settle()

		inv := t.invoice(s.CustomerID, pendingSub.LatestInvoice.ID)
		t.assertDeducted(inv, 500, t.priceOf(standard))
		t.assertReturnedPayment(s.CustomerID, billing.ReturnedPayment{
			Amount: aud(500), Withdrawn: aud(returnedLineSum(inv)), Spent: aud(0),
		})
	}},
	{name: "a plan change can be paid or canceled after its payment failed late", needs: slowPayments, check: func(t *env) {
		for _, pay := range []bool{true, false} {
			s := t.subscriptionWithProcessingChange(FailsLate)
			t.settle()
			failedSub := t.readSubscription(s.ID, billing.Active)
			require.NotNil(t, failedSub.Pending)
			assert.WithinDuration(t, t.Now().Add(23*time.Hour), failedSub.Pending.ExpiresAt, time.Hour)
			assert.NotEmpty(t, failedSub.Next.Reason)
			if pay {
				t.payAndSettle(failedSub)
				t.assertChangeTookEffect(failedSub, t.readSubscription(s.ID, billing.Active))
				continue
			}
			_, err := t.cancelPendingChange(failedSub)
			require.NoError(t, err)
			t.assertChangeDiscarded(failedSub)
		}
	}},
	{name: "the same bank account has the same identity under every id", needs: slowPayments, check: func(t *env) {
		c := t.createCustomer()
		firstAccount, secondAccount := t.saveMethod(c.ID, Settles), t.saveMethod(c.ID, Settles)
		assert.NotEqual(t, firstAccount.ID, secondAccount.ID)
		assert.Equal(t, firstAccount.Identity(), secondAccount.Identity())
	}},
}

// settle lets the processing payments arrive or fail.
func (t *env) settle() {
	t.Helper()
	t.skipWithout(slowPayments)
	t.Settle(t.T)
}

// payAndSettle pays the latest invoice of the subscription with a new card and lets the payment arrive.
func (t *env) payAndSettle(s billing.Subscription) {
	t.Helper()
	_, err := t.payInvoice(s, t.saveMethod(s.CustomerID, Pays).ID)
	require.NoError(t, err)
	t.settle()
}

// startSubscriptionWithMethod starts a subscription whose first payment is charged to a method of the scenario.
func (t *env) startSubscriptionWithMethod(scenario Scenario) billing.Subscription {
	t.Helper()
	return t.startSubscription(t.customerWithMethod(scenario).ID, standard, 0)
}

// processingSubscription returns a subscription with a processing first payment.
func (t *env) processingSubscription() billing.Subscription {
	t.Helper()
	s := t.startSubscriptionWithMethod(Settles)
	t.assertPaymentProcessing(s)
	return s
}

// renewWithMethod returns a monthly subscription after its renewal was charged to a method of the scenario.
func (t *env) renewWithMethod(scenario Scenario) billing.Subscription {
	t.Helper()
	s := t.startSubscription(t.customerWithMethod(Pays).ID, standardMonthly, 0)
	t.settle()
	t.saveMethod(s.CustomerID, scenario)
	t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
	renewedSub := t.refresh(s)
	require.NotEqual(t, s.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
	return renewedSub
}

// subscriptionWithProcessingChange returns a subscription with a pending change to the professional plan. The change is
// charged to a method of the scenario, and its payment is processing.
func (t *env) subscriptionWithProcessingChange(scenario Scenario) billing.Subscription {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	s := t.startSubscription(t.customerWithMethod(Pays).ID, standard, 0)
	t.settle()
	return t.changeWithSlowPayment(t.readSubscription(s.ID, billing.Active), scenario)
}

// changeWithSlowPayment changes the subscription to the professional plan. The change is charged to a method of the scenario,
// and is pending while its payment is processing.
func (t *env) changeWithSlowPayment(s billing.Subscription, scenario Scenario) billing.Subscription {
	t.Helper()
	t.saveMethod(s.CustomerID, scenario)
	pendingSub, err := t.Provider.ChangePlan(t.Context(), planChange(s, professional))
	require.NoError(t, err)
	require.NotNil(t, pendingSub.Pending)
	return pendingSub
}

// assertPaymentProcessing asserts that the payment of the latest invoice is processing.
func (t *env) assertPaymentProcessing(s billing.Subscription) {
	t.Helper()
	require.True(t, isPaymentProcessing(s), "next = %+v", s.Next)
	assert.Equal(t, s.LatestInvoice.ID, s.Next.InvoiceID)
	assert.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
	assert.Zero(t, s.LatestInvoice.NextAttemptAt)
	assert.True(t, s.Next.Until.After(t.Now()), "the payment is expected later")
	require.NotNil(t, s.Next.Method)
	if s.Next.Method.Kind != billing.CardMethod {
		assert.NotEmpty(t, s.Next.Method.Label)
	}
	if p := s.LatestInvoice.Payment; p != nil {
		assert.Equal(t, billing.Processing, p.Status)
	}
}

// assertKeptUntilExpected asserts that the subscription does not change until shortly before the money of its processing
// payment is expected, unless the money arrives earlier.
func (t *env) assertKeptUntilExpected(s billing.Subscription) {
	t.Helper()
	t.advanceTo(s.Next.Until.Add(-time.Hour))
	if currentSub := t.refresh(s); isPaymentProcessing(currentSub) {
		assert.Equal(t, s, currentSub)
	} else {
		t.assertPaid(currentSub)
	}
}

// assertChangesConflict asserts that plan changes and their quotes return Conflict.
func (t *env) assertChangesConflict(s billing.Subscription) {
	t.Helper()
	for _, req := range []payment.PriceChange{planChange(s, professional), changeAtRenewal(s, professional)} {
		if req.When == billing.ChangeNow {
			t.skipWithout(payment.ChangeNow)
		} else {
			t.skipWithout(payment.AtPeriodEnd)
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
