package paymenttest

import (
	"sync"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var owedBehaviours = []behaviour{
	{name: "an owed invoice is paid without reviving the subscription", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethod(s.CustomerID, Pays)

		paidSub, err := t.payOwedInvoice(s)

		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, paidSub.Status)
		assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID)
		t.assertPaid(paidSub)
		assert.Equal(t, billing.NoAction, paidSub.Next.Kind)
		assert.Zero(t, paidSub.LatestInvoice.AmountRemaining().Minor())
		assert.Equal(t, paidSub, t.readSubscription(s.ID, billing.Canceled))
		t.advance(40 * day)
		assert.Equal(t, paidSub, t.readSubscription(s.ID, billing.Canceled), "the payment does not revive the subscription later")
	}},
	{name: "an owed invoice is paid by transfer without reviving the subscription", needs: ClockControl, check: func(t *env) {
		if t.Provider.Capabilities().Entry != payment.EntryInvoice {
			t.Skip("the provider does not collect by invoice")
		}
		s := t.owingSubscription()
		assert.Equal(t, billing.Wait, s.Next.Kind)
		assert.Equal(t, s.LatestInvoice.ID, s.Next.InvoiceID)
		assert.NotEmpty(t, s.Next.Instructions)
		_, err := t.trySubscribe(s.CustomerID, standard)
		t.assertFault(err, fault.Conflict)

		paidSub := t.completePayment(s)

		assert.Equal(t, billing.Canceled, paidSub.Status)
		t.assertPaid(paidSub)
		assert.Equal(t, billing.NoAction, paidSub.Next.Kind)
	}},
	{name: "the customer can subscribe again after paying the owed invoice", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethodIfSupported(s.CustomerID)
		paidSub := t.completePayment(s)
		if t.Provider.Capabilities().Entry != payment.EntryInvoice {
			var err error
			paidSub, err = t.payOwedInvoice(s)
			require.NoError(t, err)
		}
		t.assertPaid(paidSub)
		nextSub := t.subscribe(s.CustomerID, 0)
		assert.Equal(t, billing.Active, nextSub.Status)
		assert.Equal(t, []string{nextSub.ID, s.ID}, t.subscriptionIDs(s.CustomerID))
	}},
	{name: "a declined card leaves the invoice owed", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethod(s.CustomerID, DeclinedWhenCharged)
		declinedSub, err := t.payOwedInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, declinedSub.Status)
		t.assertNeedsPayment(declinedSub)
		assert.NotEmpty(t, declinedSub.Next.Reason)
		assert.Equal(t, s.LatestInvoice.AmountRemaining(), declinedSub.LatestInvoice.AmountRemaining())
	}},
	{name: "an owed invoice is paid when its authentication succeeds", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethod(s.CustomerID, NeedsAuthentication)
		for _, complete := range []bool{false, true} {
			unauthenticatedSub, err := t.payOwedInvoice(s)
			require.NoError(t, err)
			p := t.assertPayment(unauthenticatedSub, billing.RequiresAction)
			assert.Equal(t, billing.ConfirmPayment, unauthenticatedSub.Next.Kind)
			t.confirmPayment(p.ClientSecret, complete)
			status := t.readSubscription(s.ID, billing.Canceled).LatestInvoice.Status
			assert.Equal(t, complete, status == billing.InvoicePaid, status)
		}
	}},
	{name: "a repeated key charges an owed invoice once", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethod(s.CustomerID, Pays)
		t.skipWithout(onlinePayment)
		earlierSum := t.chargedSum(s.CustomerID)
		req := owedInvoicePayment(s, t.methodIDForRequest(s.CustomerID))
		paidSub, err := t.Provider.PayInvoice(t.Context(), req)
		require.NoError(t, err)
		repeatedSub, err := t.Provider.PayInvoice(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, paidSub, repeatedSub)
		t.assertChargedSum(s.CustomerID, earlierSum+s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "two concurrent payments of an owed invoice charge once", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethod(s.CustomerID, Pays)
		t.skipWithout(onlinePayment)
		earlierSum := t.chargedSum(s.CustomerID)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				_, err := t.Provider.PayInvoice(t.Context(), owedInvoicePayment(s, t.methodIDForRequest(s.CustomerID)))
				assert.Contains(t, []fault.Code{"", fault.Conflict}, fault.CodeOf(err), "%v", err)
			})
		}
		wg.Wait()
		t.assertPaid(t.readSubscription(s.ID, billing.Canceled))
		t.assertChargedSum(s.CustomerID, earlierSum+s.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a payment with an amount other than the owed amount returns Conflict", needs: ClockControl, check: func(t *env) {
		s := t.owingSubscription()
		t.saveMethodIfSupported(s.CustomerID)
		t.skipWithout(onlinePayment)
		req := owedInvoicePayment(s, t.methodIDForRequest(s.CustomerID))
		req.Amount = aud(req.Amount.Minor() + 1)
		_, err := t.Provider.PayInvoice(t.Context(), req)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "PayInvoice returns Conflict unless the request's Ended matches the state of the subscription", needs: ClockControl,
		check: func(t *env) {
			t.skipWithout(onlinePayment)
			overdueSub := t.overdueSubscription()
			t.saveMethod(overdueSub.CustomerID, Pays)
			_, err := t.payOwedInvoice(overdueSub)
			t.assertFault(err, fault.Conflict)
			t.cancel(overdueSub.ID)
			_, err = t.payInvoice(overdueSub)
			t.assertFault(err, fault.Conflict)
			assert.Equal(t, billing.InvoiceOpen, t.readSubscription(overdueSub.ID, billing.Canceled).LatestInvoice.Status)
		}},
	{name: "a void invoice is not owed", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.saveMethod(s.CustomerID, Pays)
		endedSub, err := t.cancelAndVoid(s)
		require.NoError(t, err)
		assert.Equal(t, billing.NoAction, endedSub.Next.Kind)
		_, err = t.payOwedInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "the invoice of a subscription that was never paid is not owed", needs: onlinePayment, check: func(t *env) {
		s := t.unpaidSubscription()
		t.saveMethodIfSupported(s.CustomerID)
		t.cancel(s.ID)
		_, err := t.payOwedInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
}

// owingSubscription returns a canceled subscription with an open latest invoice.
func (t *env) owingSubscription() billing.Subscription {
	t.Helper()
	s := t.cancel(t.overdueSubscription().ID)
	require.Equal(t, billing.Canceled, s.Status)
	require.Equal(t, billing.InvoiceOpen, s.LatestInvoice.Status)
	return s
}

// owedInvoicePayment returns a request to pay the latest invoice of a canceled subscription.
func owedInvoicePayment(s billing.Subscription, cardID ...string) payment.InvoicePayment {
	req := invoicePayment(s, cardID...)
	req.Ended = true
	return req
}

func (t *env) payOwedInvoice(s billing.Subscription) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(onlinePayment)
	return t.Provider.PayInvoice(t.Context(), owedInvoicePayment(s, t.methodIDForRequest(s.CustomerID)))
}

// chargedSum returns the sum of the customer's successful payments, or 0 if the harness has no ChargedSum.
func (t *env) chargedSum(customerID string) int64 {
	t.Helper()
	if t.ChargedSum == nil {
		return 0
	}
	return t.ChargedSum(t.T, customerID)
}

// assertChargedSum asserts the sum of the customer's successful payments. It checks nothing if the harness has
// no ChargedSum.
func (t *env) assertChargedSum(customerID string, want int64) {
	t.Helper()
	if t.ChargedSum != nil {
		assert.Equal(t, want, t.ChargedSum(t.T, customerID))
	}
}
