package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var pendingChangeBehaviours = []behaviour{
	{name: "a declined change is pending and keeps the subscription unchanged", needs: payment.ChangeNow,
		check: func(t *env) {
			t.skipWithout(cardField)
			s := t.subscriptionWithFailingCard()

			pendingSub, err := t.changePlan(s, professional)

			require.NoError(t, err)
			t.assertUnchanged(s, pendingSub)
			require.NotNil(t, pendingSub.Pending)
			assert.Equal(t, professional, pendingSub.Pending.To)
			assert.Equal(t, pendingSub.LatestInvoice.ID, pendingSub.Pending.InvoiceID)
			assert.NotEqual(t, s.LatestInvoice.ID, pendingSub.Pending.InvoiceID)
			assert.Equal(t, pendingSub.LatestInvoice.AmountDue, pendingSub.Pending.Amount)
			assert.Positive(t, pendingSub.Pending.Amount.Minor())
			assert.WithinDuration(t, t.Now().Add(23*time.Hour), pendingSub.Pending.ExpiresAt, time.Minute)
			t.assertNeedsPayment(pendingSub)
			assert.Equal(t, pendingSub.Pending.InvoiceID, pendingSub.Next.InvoiceID)
			assert.Equal(t, pendingSub, t.readSubscription(s.ID, billing.Active))
			subs, err := t.Provider.ListSubscriptions(t.Context(), s.CustomerID)
			require.NoError(t, err)
			assert.Equal(t, []billing.Subscription{pendingSub}, subs)
		}},
	{name: "a declined change keeps the trial", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, trialDays)
		pendingSub, err := t.changePlan(s, professional)
		require.NoError(t, err)
		t.assertUnchanged(s, pendingSub)
		require.NotNil(t, pendingSub.Pending)
		t.assertReadsAs(pendingSub, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "another card pays for the pending change", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		card := t.saveMethod(s.CustomerID, Pays)

		changedSub, err := t.payInvoice(s, card.ID)

		require.NoError(t, err)
		t.assertChangeTookEffect(s, changedSub)
		assert.Equal(t, s.CurrentPeriodEnd, changedSub.CurrentPeriodEnd, "the same interval keeps its period")
		assert.Equal(t, changedSub, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "another card pays for the pending change and ends the trial", needs: payment.ChangeNow, check: func(t *env) {
		s, err := t.changePlan(t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, trialDays), professional)
		require.NoError(t, err)
		t.saveMethod(s.CustomerID, Pays)
		start := t.Now()

		changedSub, err := t.payInvoice(s)

		require.NoError(t, err)
		t.assertChangeTookEffect(s, changedSub)
		assert.WithinDuration(t, start, changedSub.TrialEnd, time.Minute)
		assert.WithinDuration(t, t.Now().AddDate(1, 0, 0), changedSub.CurrentPeriodEnd, maxPeriodDelay)
	}},
	{name: "a change to another interval starts its period with the payment", needs: payment.ChangeNow,
		check: func(t *env) {
			s := t.subscribeMonthly()
			t.saveMethod(s.CustomerID, DeclinedWhenCharged)
			s, err := t.changePlan(s, professional)
			require.NoError(t, err)
			require.NotNil(t, s.Pending)
			t.saveMethod(s.CustomerID, Pays)

			changedSub, err := t.payInvoice(s)

			require.NoError(t, err)
			t.assertChangeTookEffect(s, changedSub)
			assert.WithinDuration(t, t.Now().AddDate(1, 0, 0), changedSub.CurrentPeriodEnd, maxPeriodDelay)
		}},
	{name: "a card that is declined again changes nothing", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		declinedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		t.assertUnchanged(s, declinedSub)
		assert.Equal(t, s.Pending, declinedSub.Pending)
	}},
	{name: "saving a card or setting the default one does not pay a pending change", needs: payment.ChangeNow,
		check: func(t *env) {
			s := t.subscriptionWithPendingChange()
			card := t.saveMethod(s.CustomerID, Pays)
			otherCard := t.saveMethod(s.CustomerID, Pays)
			_, err := t.setDefaultMethod(s.CustomerID, card.ID)
			require.NoError(t, err)
			require.NoError(t, t.deleteMethod(s.CustomerID, otherCard.ID))
			updatedSub := t.readSubscription(s.ID, billing.Active)
			assert.Equal(t, s.Pending, updatedSub.Pending)
			t.assertNeedsPayment(updatedSub)
		}},
	{name: "a pending change can be authenticated in the browser", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithUnauthenticatedChange()
		p := t.assertPayment(s, billing.RequiresAction)
		assert.Equal(t, billing.ConfirmPayment, s.Next.Kind)
		assert.Equal(t, p.ClientSecret, s.Next.Secret)

		assert.Equal(t, billing.Succeeded, t.confirmPayment(p.ClientSecret, true))

		t.assertChangeTookEffect(s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a failed authentication keeps the change pending", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithUnauthenticatedChange()
		t.confirmPayment(s.Next.Secret, false)
		failedSub := t.readSubscription(s.ID, billing.Active)
		t.assertUnchanged(s, failedSub)
		assert.Equal(t, s.Pending, failedSub.Pending)
		assert.Equal(t, billing.NewPaymentMethod, failedSub.Next.Kind)
		assert.NotEmpty(t, failedSub.Next.Reason)
		assert.Empty(t, failedSub.Next.Failed.MethodID, "the card was not declined")
	}},
	{name: "a pending change is paid once", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		t.saveMethod(s.CustomerID, Pays)
		paidSub, err := t.payInvoice(s)
		require.NoError(t, err)
		repeatedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, paidSub, repeatedSub)
	}},
	{name: "a canceled change is discarded", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()

		unchangedSub, err := t.cancelPendingChange(s)

		require.NoError(t, err)
		t.assertUnchanged(s, unchangedSub)
		assert.Nil(t, unchangedSub.Pending)
		assert.Equal(t, billing.NoAction, unchangedSub.Next.Kind)
		assert.Equal(t, unchangedSub, t.readSubscription(s.ID, billing.Active))
		t.saveMethodIfSupported(s.CustomerID)
		_, err = t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
		repeatedSub, err := t.cancelPendingChange(s)
		require.NoError(t, err, "canceling it again changes nothing")
		assert.Equal(t, unchangedSub, repeatedSub)
		t.mustChangePlan(unchangedSub, professional)
	}},
	{name: "canceling a change that was paid returns the changed subscription", needs: payment.ChangeNow,
		check: func(t *env) {
			s := t.subscriptionWithPendingChange()
			t.saveMethod(s.CustomerID, Pays)
			paidSub, err := t.payInvoice(s)
			require.NoError(t, err)
			changedSub, err := t.cancelPendingChange(s)
			require.NoError(t, err)
			t.assertChangeTookEffect(s, changedSub)
			assert.Equal(t, paidSub, changedSub)
		}},
	{name: "canceling a change with the id of another invoice returns Conflict", needs: payment.ChangeNow,
		check: func(t *env) {
			s := t.subscriptionWithPendingChange()
			_, err := t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
				Key: newKey(), SubscriptionID: s.ID, InvoiceID: "in_another",
			})
			t.assertFault(err, fault.Conflict)
			t.assertReadsAs(s, t.readSubscription(s.ID, billing.Active))
		}},
	{name: "a pending change expires after 23 hours", needs: payment.ChangeNow, check: func(t *env) {
		s := t.subscriptionWithPendingChange()
		t.advance(22 * time.Hour)
		assert.Equal(t, s.Pending, t.readSubscription(s.ID, billing.Active).Pending)
		t.advance(2 * time.Hour)
		t.assertChangeDiscarded(s)
	}},
	{name: "a pending change expires with the trial, and the first period is charged at the old price",
		needs: payment.ChangeNow, check: func(t *env) {
			t.skipWithout(cardField)
			s := t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, trialDays)
			t.advanceTo(s.TrialEnd.Add(-2 * time.Hour))
			pendingSub, isPending := t.changeShortlyBeforeEnd(s)
			if !isPending {
				return
			}
			assert.Equal(t, s.TrialEnd, pendingSub.Pending.ExpiresAt)
			t.saveMethod(s.CustomerID, Pays)

			t.advance(26 * time.Hour)

			t.assertChangeDiscarded(s)
			t.assertPayment(t.readSubscription(s.ID, billing.Active), billing.Succeeded)
		}},
	{name: "a pending change expires with the period, and the next period is charged at the old price",
		needs: payment.ChangeNow, check: func(t *env) {
			t.skipWithout(cardField)
			s := t.subscribeMonthly()
			t.advanceTo(s.CurrentPeriodEnd.Add(-2 * time.Hour))
			t.saveMethod(s.CustomerID, DeclinedWhenCharged)
			pendingSub, isPending := t.changeShortlyBeforeEnd(t.refresh(s))
			if !isPending {
				return
			}
			assert.Equal(t, s.CurrentPeriodEnd, pendingSub.Pending.ExpiresAt)
			t.saveMethod(s.CustomerID, Pays)

			t.advance(26 * time.Hour)

			t.assertChangeDiscarded(s)
			assert.True(t, t.readSubscription(s.ID, billing.Active).CurrentPeriodEnd.After(s.CurrentPeriodEnd))
		}},
	{name: "canceling a change returns the credit that its invoice used", needs: payment.ChangeNow, check: func(t *env) {
		t.skipWithout(cardField)
		s := t.startSubscription(t.customerWithMethod(Pays).ID, professionalMonthly, 0)
		s = t.mustChangePlan(s, standardMonthly) // leaves credit
		t.saveMethod(s.CustomerID, DeclinedWhenCharged)
		firstPendingSub, err := t.changePlan(s, professional)
		require.NoError(t, err)
		require.NotNil(t, firstPendingSub.Pending)
		unchangedSub, err := t.cancelPendingChange(firstPendingSub)
		require.NoError(t, err)

		secondPendingSub, err := t.changePlan(unchangedSub, professional)

		require.NoError(t, err)
		assert.Equal(t, firstPendingSub.Pending.Amount, secondPendingSub.Pending.Amount)
	}},
}

// changeShortlyBeforeEnd requests a change of the plan whose charge is declined, shortly before the period or the trial ends.
// isPending is false if the payments of the provider take days and the provider has refused the change.
func (t *env) changeShortlyBeforeEnd(s billing.Subscription) (pendingSub billing.Subscription, isPending bool) {
	t.Helper()
	pendingSub, err := t.changePlan(s, professional)
	if t.Settle != nil && fault.Is(err, fault.Conflict) {
		assert.Equal(t, s, t.refresh(s), "a refused change changes nothing")
		return pendingSub, false
	}
	require.NoError(t, err)
	require.NotNil(t, pendingSub.Pending)
	return pendingSub, true
}

// subscriptionWithFailingCard returns a paid yearly subscription with a default card that will be declined.
func (t *env) subscriptionWithFailingCard() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.customerWithMethod(Pays).ID, 0)
	t.saveMethod(s.CustomerID, DeclinedWhenCharged)
	return s
}

// subscriptionWithPendingChange returns a subscription with a pending change to the professional plan. The payment of
// the change was declined, or is open on the provider's page.
func (t *env) subscriptionWithPendingChange() billing.Subscription {
	t.Helper()
	if t.Provider.Capabilities().Entry == payment.EntryRedirect {
		return t.subscriptionWithChangeToCheckOut()
	}
	s, err := t.changePlan(t.subscriptionWithFailingCard(), professional)
	require.NoError(t, err)
	require.NotNil(t, s.Pending)
	return s
}

// subscriptionWithUnauthenticatedChange returns a subscription with a pending change that needs authentication.
func (t *env) subscriptionWithUnauthenticatedChange() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.customerWithMethod(Pays).ID, 0)
	t.saveMethod(s.CustomerID, NeedsAuthentication)
	s, err := t.changePlan(s, professional)
	require.NoError(t, err)
	require.NotNil(t, s.Pending)
	return s
}

// assertUnchanged asserts that the updated subscription has the status, price, period and trial of the original one.
func (t *env) assertUnchanged(originalSub, updatedSub billing.Subscription) {
	t.Helper()
	assert.Equal(t, originalSub.ID, updatedSub.ID)
	assert.Equal(t, originalSub.Status, updatedSub.Status)
	assert.Equal(t, originalSub.Price, updatedSub.Price)
	assert.Equal(t, originalSub.CurrentPeriodEnd, updatedSub.CurrentPeriodEnd)
	assert.Equal(t, originalSub.TrialEnd, updatedSub.TrialEnd)
	assert.Equal(t, originalSub.PendingSetup, updatedSub.PendingSetup)
}

// assertChangeTookEffect asserts that the pending change has taken effect and its invoice is paid.
func (t *env) assertChangeTookEffect(pendingSub, changedSub billing.Subscription) {
	t.Helper()
	assert.Nil(t, changedSub.Pending)
	assert.Equal(t, pendingSub.Pending.To, changedSub.Price)
	assert.Equal(t, billing.Active, changedSub.Status)
	assert.Equal(t, pendingSub.Pending.InvoiceID, changedSub.LatestInvoice.ID)
	assert.Equal(t, billing.InvoicePaid, changedSub.LatestInvoice.Status)
	assert.Equal(t, billing.NoAction, changedSub.Next.Kind)
	t.assertPayment(changedSub, billing.Succeeded)
}

// assertChangeDiscarded asserts that the pending change of the subscription was discarded.
func (t *env) assertChangeDiscarded(s billing.Subscription) {
	t.Helper()
	updatedSub := t.readSubscription(s.ID, billing.Active)
	assert.Nil(t, updatedSub.Pending)
	assert.Equal(t, s.Price.Product, updatedSub.Price.Product)
	if s.Pending == nil {
		return
	}
	t.saveMethodIfSupported(s.CustomerID)
	_, err := t.payInvoice(s)
	t.assertFault(err, fault.Conflict)
}

// cancelPendingChange cancels the pending change of the subscription.
func (t *env) cancelPendingChange(s billing.Subscription) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.ChangeNow)
	return t.Provider.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
	})
}
