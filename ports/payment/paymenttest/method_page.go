package paymenttest

import (
	"net/url"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// methodPageBehaviours are about the page of SetUpMethod.
var methodPageBehaviours = []behaviour{
	{name: "a completed page saves a method as the default and charges nothing", needs: methodPage,
		check: func(t *env) {
			c := t.createCustomer()
			method := t.saveMethodOnPage(c.ID, Pays)
			if method.Kind != billing.CardMethod {
				assert.NotEmpty(t, method.Label, "screens show the label")
				assert.Zero(t, method.Card)
			}
			assert.Empty(t, t.listInvoices(c.ID))
			t.assertChargedSum(c.ID, 0)
		}},
	{name: "a page that is left changes nothing and can be completed", needs: methodPage, check: func(t *env) {
		c := t.createCustomer()
		page := t.setUpMethod(c.ID)
		t.checkout(page, Leaves)
		assert.Empty(t, t.listMethods(c.ID))
		t.checkout(page, Pays)
		assert.Len(t, t.listMethods(c.ID), 1)
	}},
	{name: "a page that refuses the method changes nothing", needs: methodPage, check: func(t *env) {
		c := t.createCustomer()
		t.checkout(t.setUpMethod(c.ID), DeclinedWhenSaved)
		assert.Empty(t, t.listMethods(c.ID))
		assert.Equal(t, c, t.readCustomer(c.ID))
		t.saveMethodOnPage(c.ID, Pays)
	}},
	{name: "a page that was completed saves no second method", needs: methodPage, check: func(t *env) {
		c := t.createCustomer()
		page := t.setUpMethod(c.ID)
		t.checkout(page, Pays)
		methods := t.listMethods(c.ID)
		t.checkout(page, Pays)
		assert.Equal(t, methods, t.listMethods(c.ID))
	}},
	{name: "another request returns a page that can be completed", needs: methodPage, check: func(t *env) {
		c := t.createCustomer()
		page := t.setUpMethod(c.ID)
		firstMethod := t.saveMethodOnPage(c.ID, Pays)
		secondMethod := t.saveMethodOnPage(c.ID, Pays)
		assert.Equal(t, []billing.PaymentMethod{secondMethod, firstMethod}, t.listMethods(c.ID))
		t.checkout(page, Pays)
		assert.Len(t, t.listMethods(c.ID), 3)
	}},
	{name: "the same method has the same identity under every id", needs: methodPage, check: func(t *env) {
		c := t.createCustomer()
		firstMethod, secondMethod := t.saveMethodOnPage(c.ID, Pays), t.saveMethodOnPage(c.ID, Pays)
		otherMethod := t.saveMethodOnPage(c.ID, DeclinedWhenCharged)
		assert.NotEqual(t, firstMethod.ID, secondMethod.ID)
		assert.Equal(t, firstMethod.Identity(), secondMethod.Identity())
		assert.NotEqual(t, firstMethod.Identity(), otherMethod.Identity())
	}},
	{name: "a saved method does not pay an open invoice", needs: methodPage, check: func(t *env) {
		s := t.subscriptionToCheckOut()
		t.saveMethodOnPage(s.CustomerID, Pays)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
		t.assertChargedSum(s.CustomerID, 0)
	}},
	{name: "a completed page causes an event", needs: methodPage, check: func(t *env) {
		t.skipWithout(pushedEvents)
		c := t.createCustomer()
		t.saveMethodOnPage(c.ID, Pays)
		t.waitForEvent(payment.CustomerChanged, c.ID, "")
	}},
}

// mandateTrialBehaviours are about trials of customers who save their payment method on the provider's page.
var mandateTrialBehaviours = []behaviour{
	{name: "a trial starts without a saved method", needs: payment.Trials, check: func(t *env) {
		s := t.trialWithoutMandate()
		assert.Equal(t, billing.Trialing, s.Status)
		assert.Zero(t, s.Next)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a method that is saved during the trial is charged at its end", needs: methodPage, check: func(t *env) {
		s := t.trialWithoutMandate()
		t.saveMethodOnPage(s.CustomerID, Pays)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
		t.assertChargedSum(s.CustomerID, 0)

		t.advance((trialDays + 1) * day)

		paidSub := t.readSubscription(s.ID, billing.Active)
		t.assertPaid(paidSub)
		t.assertChargedSum(s.CustomerID, t.priceOf(standard).Minor())
	}},
	{name: "a page that is left or refuses the method keeps the trial", needs: methodPage, check: func(t *env) {
		s := t.trialWithoutMandate()
		page := t.setUpMethod(s.CustomerID)
		for _, scenario := range []Scenario{Leaves, DeclinedWhenSaved} {
			t.checkout(page, scenario)
			got := t.readSubscription(s.ID, billing.Trialing)
			if scenario == DeclinedWhenSaved {
				got.Next.Reason = "" // optional
			}
			assert.Equal(t, s, got, scenario)
		}
	}},
	{name: "the first invoice after a trial without a saved method is paid on the provider's page", needs: payment.Trials,
		check: func(t *env) {
			s := t.trialWithoutMandate()
			t.advance((trialDays + 1) * day)
			overdueSub := t.openPage(t.readSubscription(s.ID, billing.PastDue))
			t.assertRedirect(overdueSub)
			assert.Equal(t, billing.InvoiceOpen, overdueSub.LatestInvoice.Status)
			t.checkout(overdueSub.Next.URL, Pays)
			t.assertPaid(t.readSubscription(s.ID, billing.Active))
			t.assertChargedSum(s.CustomerID, t.priceOf(standard).Minor())
		}},
	{name: "a method that is saved after the trial is charged by the next attempt", needs: methodPage,
		check: func(t *env) {
			s := t.trialWithoutMandate()
			t.advance((trialDays + 1) * day)
			t.saveMethodOnPage(s.CustomerID, Pays)
			nextAttempt := t.readSubscription(s.ID, billing.PastDue).LatestInvoice.NextAttemptAt
			if nextAttempt.IsZero() {
				t.Skip("the provider does not charge an overdue invoice again by itself")
			}
			t.advanceTo(nextAttempt.Add(time.Hour))
			t.assertPaid(t.readSubscription(s.ID, billing.Active))
		}},
}

// trialWithoutMandate returns a subscription in its trial. Its customer has saved no payment method.
func (t *env) trialWithoutMandate() billing.Subscription {
	t.Helper()
	t.skipWithout(hostedCheckout, payment.Trials)
	return t.startSubscription(t.createCustomer().ID, standard, trialDays)
}

// setUpMethod returns the URL of a page on which the customer saves a payment method.
func (t *env) setUpMethod(customerID string) string {
	t.Helper()
	t.skipWithout(methodPage, hostedCheckout)
	req := payment.MethodSetup{Key: newKey(), CustomerID: customerID, ReturnTo: returnTo}
	next, err := t.Provider.SetUpMethod(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, billing.Redirect, next.Kind)
	assert.Empty(t, next.InvoiceID)
	u, err := url.Parse(next.URL)
	require.NoError(t, err)
	assert.True(t, u.IsAbs() && u.Host != "", "the URL is absolute")
	return next.URL
}

// saveMethodOnPage saves a method on the provider's page and returns it. It requires the method to be the newest and
// the default one.
func (t *env) saveMethodOnPage(customerID string, scenario Scenario) billing.PaymentMethod {
	t.Helper()
	earlierCards := t.listMethods(customerID)
	t.checkout(t.setUpMethod(customerID), scenario)
	cards := t.listMethods(customerID)
	require.Len(t, cards, len(earlierCards)+1)
	assert.Equal(t, earlierCards, cards[1:])
	require.Equal(t, &cards[0], t.readCustomer(customerID).Default)
	return cards[0]
}
