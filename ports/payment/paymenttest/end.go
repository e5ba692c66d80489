package paymenttest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var endBehaviours = []behaviour{
	{name: "an ending subscription stays active and unchanged until its end", needs: payment.AtPeriodEnd,
		check: func(t *env) {
			s := t.subscribe(t.payingCustomer().ID, 0)

			endingSub := t.mustScheduleEnd(s)

			t.assertUnchanged(s, endingSub)
			assert.Equal(t, s.CurrentPeriodEnd, endingSub.EndsAt)
			assert.Equal(t, s.LatestInvoice, endingSub.LatestInvoice)
			assert.Equal(t, endingSub, t.readSubscription(s.ID, billing.Active))
			assert.Equal(t, endingSub, t.mustScheduleEnd(endingSub), "a repeated request changes nothing")
		}},
	{name: "EndsAt of an ending trial is the end of the trial", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribe(t.payingCustomer().ID, trialDays)
		endingSub := t.mustScheduleEnd(s)
		t.assertUnchanged(s, endingSub)
		assert.Equal(t, s.TrialEnd, endingSub.EndsAt)
	}},
	{name: "a resumed subscription is the same as before the end was set", needs: payment.AtPeriodEnd, check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			resumedSub, err := t.setEnd(t.mustScheduleEnd(s), false)
			require.NoError(t, err)
			assert.Equal(t, s, resumedSub)
			assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
			repeatedSub, err := t.setEnd(resumedSub, false)
			require.NoError(t, err)
			assert.Equal(t, s, repeatedSub, "a repeated request changes nothing")
		}
	}},
	{name: "an ending subscription can be canceled now", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.mustScheduleEnd(t.subscribe(t.payingCustomer().ID, 0))
		assert.Equal(t, billing.Canceled, t.cancel(s.ID).Status)
	}},
	{name: "an ending subscription ends and is not charged again", needs: payment.AtPeriodEnd, check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			invoices := t.listInvoices(s.CustomerID)
			t.mustScheduleEnd(s)
			t.advanceTo(s.CurrentPeriodEnd.Add(-time.Hour))
			t.readSubscription(s.ID, s.Status)

			t.advance(3 * time.Hour)

			if endedSub := t.readSubscription(s.ID, billing.Canceled); !endedSub.EndsAt.IsZero() {
				assert.Equal(t, s.CurrentPeriodEnd, endedSub.EndsAt)
			}
			invoicesAfterEnd := t.listInvoices(s.CustomerID)
			for i := range invoicesAfterEnd {
				// If the period after the trial was paid during the trial, the end turns this
				// payment into credit.
				invoicesAfterEnd[i].Credited, invoicesAfterEnd[i].Returns = invoices[0].Credited, invoices[0].Returns
			}
			assert.Equal(t, invoices, invoicesAfterEnd)
			_, err := t.setEnd(s, false)
			t.assertFault(err, fault.Conflict)
		}
	}},
	{name: "a resumed subscription renews", needs: payment.AtPeriodEnd, check: func(t *env) {
		s := t.subscribeMonthly()
		_, err := t.setEnd(t.mustScheduleEnd(s), false)
		require.NoError(t, err)
		renewedSub := t.renew(s)
		assert.True(t, renewedSub.EndsAt.IsZero())
		t.assertPaid(renewedSub)
	}},
}

var voidingBehaviours = []behaviour{
	{name: "the invoice of an overdue subscription stays owed after the cancellation", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		assert.Equal(t, billing.Canceled, t.cancel(s.ID).Status)
		inv := t.invoice(s.CustomerID, s.LatestInvoice.ID)
		assert.Contains(t, []billing.InvoiceStatus{billing.InvoiceOpen, billing.InvoiceUncollectible}, inv.Status)
	}},
	{name: "canceling with VoidInvoices voids the open invoices", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		endedSub, err := t.cancelAndVoid(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Canceled, endedSub.Status)
		for _, inv := range t.listInvoices(s.CustomerID) {
			assert.False(t, inv.Status.IsCollectible(), inv.Status)
		}
		assert.Equal(t, billing.InvoiceVoid, t.invoice(s.CustomerID, s.LatestInvoice.ID).Status)
		repeatedSub, err := t.cancelAndVoid(s)
		require.NoError(t, err)
		assert.Equal(t, endedSub, repeatedSub)
	}},
	{name: "canceling with IfOverdue or VoidInvoices keeps an active or trialing subscription", check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			for _, voidInvoices := range []bool{true, false} {
				keptSub, err := t.Provider.CancelSubscription(t.Context(), payment.Cancellation{
					Key: newKey(), SubscriptionID: s.ID, IfOverdue: true, VoidInvoices: voidInvoices,
				})
				require.NoError(t, err)
				assert.Equal(t, s, keptSub)
				assert.Equal(t, s, t.readSubscription(s.ID, s.Status))
			}
		}
	}},
	{name: "a voided invoice cannot be paid", needs: ClockControl, check: func(t *env) {
		s := t.overdueSubscription()
		t.saveMethod(s.CustomerID, Pays)
		_, err := t.cancelAndVoid(s)
		require.NoError(t, err)
		_, err = t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
	{name: "canceling with VoidInvoices during a payment ends the subscription or keeps it paid", needs: ClockControl,
		check: func(t *env) {
			for range 4 {
				s := t.overdueSubscription()
				t.saveMethod(s.CustomerID, Pays)
				var wg sync.WaitGroup
				wg.Go(func() { _, _ = t.payInvoice(s) }) // the provider refuses the payment if the cancellation comes first
				_, err := t.cancelAndVoid(s)
				wg.Wait()
				if err != nil {
					t.assertFault(err, fault.Conflict)
				}
				updatedSub := t.refresh(s)
				isPaid := updatedSub.LatestInvoice.Status == billing.InvoicePaid
				assert.Equal(t, isPaid, updatedSub.Status.Live(), "%s with an invoice that is %s", updatedSub.Status,
					updatedSub.LatestInvoice.Status)
			}
		}},
}

// mustScheduleEnd ends the subscription at the end of its period or trial and returns it.
func (t *env) mustScheduleEnd(s billing.Subscription) billing.Subscription {
	t.Helper()
	endingSub, err := t.setEnd(s, true)
	require.NoError(t, err)
	require.False(t, endingSub.EndsAt.IsZero())
	return endingSub
}

func (t *env) setEnd(s billing.Subscription, end bool) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.AtPeriodEnd)
	return t.Provider.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: newKey(), SubscriptionID: s.ID, End: end})
}

func (t *env) cancelAndVoid(s billing.Subscription) (billing.Subscription, error) {
	t.Helper()
	return t.Provider.CancelSubscription(t.Context(), payment.Cancellation{
		Key: newKey(), SubscriptionID: s.ID, VoidInvoices: true,
	})
}
