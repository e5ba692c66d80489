package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// mandateBehaviours are about methods that the provider saves when the customer pays on its page.
var mandateBehaviours = []behaviour{
	{name: "a completed checkout saves the payment method as the default", check: func(t *env) {
		s := t.subscriptionWithMandate()
		c := t.readCustomer(s.CustomerID)
		require.NotNil(t, c.Default)
		assert.Equal(t, []billing.PaymentMethod{*c.Default}, t.listMethods(c.ID))
		if c.Default.Kind != billing.CardMethod {
			assert.NotEmpty(t, c.Default.Label, "screens show the label")
			assert.Zero(t, c.Default.Card)
		}
	}},
	{name: "a failed checkout saves no payment method", check: func(t *env) {
		t.skipWithout(hostedCheckout, payment.SavedMethods)
		s := t.subscriptionToCheckOut()
		t.checkout(s.Next.URL, DeclinedWhenCharged)
		assert.Nil(t, t.readCustomer(s.CustomerID).Default)
		assert.Empty(t, t.listMethods(s.CustomerID))
	}},
	{name: "a renewal charges the saved method without the customer", check: func(t *env) {
		s := t.subscriptionWithMandate()
		t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
		renewedSub := t.readSubscription(s.ID, billing.Active)
		assert.NotEqual(t, s.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
		t.assertPaid(renewedSub)
	}},
	{name: "a plan change charges the saved method without the customer", check: func(t *env) {
		s := t.subscriptionWithMandate()
		t.skipWithout(payment.ChangeNow)
		changedSub, err := t.Provider.ChangePlan(t.Context(), planChange(s, professional))
		require.NoError(t, err)
		assert.Nil(t, changedSub.Pending)
		assert.Equal(t, professional, changedSub.Price)
		t.assertPaid(changedSub)
	}},
	{name: "a new subscription charges the saved method that the request names", check: func(t *env) {
		s := t.subscriptionWithMandate()
		t.cancel(s.ID)
		req := payment.NewSubscription{
			Key: newKey(), CustomerID: s.CustomerID, Price: standard, ReturnTo: returnTo,
			MethodID: t.readCustomer(s.CustomerID).Default.ID,
		}
		nextSub, err := t.Provider.Subscribe(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, nextSub.Status)
		t.assertPaid(nextSub)
	}},
	{name: "the customer pays on the provider's page when the request names no method", check: func(t *env) {
		s := t.subscriptionWithMandate()
		t.cancel(s.ID)
		nextSub, err := t.trySubscribe(s.CustomerID, standard)
		require.NoError(t, err)
		assert.Equal(t, billing.Incomplete, nextSub.Status)
		t.assertRedirect(nextSub)
		redirectedSub, err := t.Provider.PayInvoice(t.Context(), invoicePayment(nextSub))
		require.NoError(t, err)
		t.assertRedirect(redirectedSub)
		paidSub, err := t.payInvoice(nextSub, t.readCustomer(s.CustomerID).Default.ID)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
	}},
	{name: "a change without a saved method is paid on the provider's page, which saves a method", check: func(t *env) {
		t.skipWithout(payment.SavedMethods)
		s := t.subscriptionWithChangeToCheckOut()
		t.checkout(s.Next.URL, Pays)
		assert.Equal(t, professional, t.readSubscription(s.ID, billing.Active).Price)
		assert.NotNil(t, t.readCustomer(s.CustomerID).Default)
	}},
	{name: "an overdue renewal is paid on the provider's page, which saves a method", check: func(t *env) {
		t.skipWithout(hostedCheckout, payment.SavedMethods)
		overdueSub := t.overdueSubscription()
		redirectedSub, err := t.payInvoice(overdueSub)
		require.NoError(t, err)
		t.assertRedirect(redirectedSub)
		t.checkout(redirectedSub.Next.URL, Pays)
		t.assertPaid(t.readSubscription(overdueSub.ID, billing.Active))
		assert.NotNil(t, t.readCustomer(overdueSub.CustomerID).Default)
	}},
	{name: "a saved method can be added again, and an unknown one is NotFound", check: func(t *env) {
		s := t.subscriptionWithMandate()
		method := *t.readCustomer(s.CustomerID).Default
		repeatedMethod, err := t.addCard(s.CustomerID, method.ID)
		require.NoError(t, err)
		assert.Equal(t, method, repeatedMethod)
		_, err = t.addCard(s.CustomerID, "method_unknown")
		t.assertFault(err, fault.NotFound)
	}},
	{name: "another customer's saved method is NotFound", check: func(t *env) {
		otherSub := t.subscriptionWithMandate()
		s := t.subscriptionToCheckOut()
		_, err := t.payInvoice(s, t.readCustomer(otherSub.CustomerID).Default.ID)
		t.assertFault(err, fault.NotFound)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
	}},
}

// subscriptionWithMandate returns a subscription after its first payment, during which the provider
// saved the payment method.
func (t *env) subscriptionWithMandate() billing.Subscription {
	t.Helper()
	t.skipWithout(hostedCheckout, payment.SavedMethods)
	s := t.subscriptionToCheckOut()
	t.checkout(s.Next.URL, Pays)
	if t.Settle != nil {
		t.Settle(t.T)
	}
	return t.readSubscription(s.ID, billing.Active)
}

// subscriptionWithoutMandate returns a paid subscription whose customer has deleted the payment method.
func (t *env) subscriptionWithoutMandate() billing.Subscription {
	t.Helper()
	s := t.subscriptionWithMandate()
	require.NoError(t, t.deleteMethod(s.CustomerID, t.readCustomer(s.CustomerID).Default.ID))
	return s
}
