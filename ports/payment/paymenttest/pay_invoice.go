package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var payInvoiceBehaviours = []behaviour{
	{name: "a new card pays the same invoice", check: func(t *env) {
		s := t.declinedSubscription()
		t.saveMethod(s.CustomerID, Pays)

		paidSub, err := t.payInvoice(s)

		require.NoError(t, err)
		assert.Equal(t, s.ID, paidSub.ID)
		assert.Equal(t, billing.Active, paidSub.Status)
		assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID)
		t.assertPayment(paidSub, billing.Succeeded)
		assert.Equal(t, paidSub, t.readSubscription(s.ID, billing.Active))
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(s.CustomerID))
	}},
	{name: "another declined card leaves the invoice open", check: func(t *env) {
		s := t.declinedSubscription()
		t.saveMethod(s.CustomerID, DeclinedWhenCharged)
		declinedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Incomplete, declinedSub.Status)
		t.assertNeedsPayment(declinedSub)
	}},
	{name: "a new card pays when its authentication succeeds", check: func(t *env) {
		s := t.declinedSubscription()
		t.saveMethod(s.CustomerID, NeedsAuthentication)
		unauthenticatedSub, err := t.payInvoice(s)
		require.NoError(t, err)
		p := t.assertPayment(unauthenticatedSub, billing.RequiresAction)
		assert.Equal(t, billing.Succeeded, t.confirmPayment(p.ClientSecret, true))
		t.readSubscription(s.ID, billing.Active)
	}},
	{name: "a renewal that needs authentication waits for the customer", needs: ClockControl, check: func(t *env) {
		t.skipWithout(cardField)
		s := t.subscribeMonthly()
		t.saveMethod(s.CustomerID, NeedsAuthentication)
		t.advanceTo(s.CurrentPeriodEnd.Add(2 * time.Hour))
		overdueSub := t.readSubscription(s.ID, billing.PastDue)
		assert.Equal(t, billing.ConfirmPayment, overdueSub.Next.Kind)
		assert.Empty(t, overdueSub.Next.Reason, "nothing has failed")
		assert.Equal(t, billing.RequiresAction, overdueSub.LatestInvoice.Payment.Status)
		for _, complete := range []bool{false, true} {
			unauthenticatedSub, err := t.payInvoice(overdueSub)
			require.NoError(t, err)
			p := t.assertPayment(unauthenticatedSub, billing.RequiresAction)
			assert.Equal(t, p.ClientSecret, unauthenticatedSub.Next.Secret)
			t.confirmPayment(p.ClientSecret, complete)
			overdueSub = t.readSubscription(s.ID, map[bool]billing.Status{false: billing.PastDue, true: billing.Active}[complete])
		}
	}},
	{name: "a saved card pays without becoming the default", check: func(t *env) {
		s := t.declinedSubscription()
		card := t.saveMethod(s.CustomerID, Pays)
		defaultCard := t.saveMethod(s.CustomerID, DeclinedWhenCharged)

		paidSub, err := t.payInvoice(s, card.ID)

		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
		assert.Equal(t, defaultCard.ID, t.readCustomer(s.CustomerID).Default.ID, "the default card is unchanged")
	}},
	{name: "the next action has the reason of the decline", check: func(t *env) {
		t.skipWithout(cardField)
		s := t.declinedSubscription()
		assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
		assert.Equal(t, s.LatestInvoice.ID, s.Next.InvoiceID)
		assert.Equal(t, "Your card was declined.", s.Next.Reason)
		assert.Equal(t, t.readCustomer(s.CustomerID).Default.ID, s.Next.Failed.MethodID)
		assert.Equal(t, s.LatestInvoice.Payment.ClientSecret, s.Next.Secret)
	}},
	{name: "a payment with an amount other than the amount due returns Conflict", needs: onlinePayment,
		check: func(t *env) {
			s := t.unpaidSubscription()
			t.saveMethodIfSupported(s.CustomerID)
			req := invoicePayment(s)
			req.Amount = aud(s.LatestInvoice.AmountDue.Minor() - 1)
			_, err := t.Provider.PayInvoice(t.Context(), req)
			t.assertFault(err, fault.Conflict)
			t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
		}},
	{name: "another customer's card is NotFound", check: func(t *env) {
		s, otherCustomer := t.declinedSubscription(), t.customerWithMethod(Pays)
		_, err := t.payInvoice(s, otherCustomer.Default.ID)
		t.assertFault(err, fault.NotFound)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "a payment without any card is Invalid", check: func(t *env) {
		t.skipWithout(cardField)
		s := t.declinedSubscription()
		require.NoError(t, t.deleteMethod(s.CustomerID, t.readCustomer(s.CustomerID).Default.ID))
		_, err := t.payInvoice(s)
		t.assertFault(err, fault.Invalid)
	}},
	{name: "a paid invoice is not charged again", check: func(t *env) {
		for _, days := range t.trialLengths() {
			s := t.subscribe(t.payingCustomer().ID, days)
			paidSub, err := t.payInvoice(s)
			require.NoError(t, err)
			assert.Equal(t, s, paidSub)
		}
	}},
	{name: "a new card pays and becomes the default one", needs: newMethods, check: func(t *env) {
		s := t.declinedSubscription()
		token := t.createCard(Pays)
		req := invoicePayment(s, token)

		paidSub, err := t.Provider.PayInvoice(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
		cards := t.listMethods(s.CustomerID)
		require.Len(t, cards, 2)
		assert.Equal(t, cards[0], *t.readCustomer(s.CustomerID).Default)
		repeatedSub, err := t.Provider.PayInvoice(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, paidSub, repeatedSub)
		sameCard, err := t.addCard(s.CustomerID, token)
		require.NoError(t, err)
		assert.Equal(t, cards[0], sameCard, "the token names the saved card")
		t.assertChargedSum(s.CustomerID, paidSub.LatestInvoice.AmountDue.Minor())
	}},
	{name: "a new card pays without becoming the default one", needs: newMethods, check: func(t *env) {
		s := t.declinedSubscription()
		defaultCard := t.readCustomer(s.CustomerID).Default
		req := invoicePayment(s, t.createCard(Pays))
		req.KeepDefault = true
		paidSub, err := t.Provider.PayInvoice(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
		assert.Equal(t, defaultCard, t.readCustomer(s.CustomerID).Default)
		assert.Len(t, t.listMethods(s.CustomerID), 2)
	}},
	{name: "a new card that is declined is not saved", needs: newMethods, check: func(t *env) {
		s := t.declinedSubscription()
		for _, scenario := range []Scenario{DeclinedWhenSaved, DeclinedWhenCharged, LostCard} {
			token, err := t.tryCreateCard(scenario)
			if err != nil {
				t.assertFault(err, fault.Declined)
				continue
			}
			declinedSub, err := t.payInvoice(s, token)
			require.NoError(t, err)
			t.assertNeedsPayment(declinedSub)
			assert.NotEmpty(t, declinedSub.Next.Reason)
		}
		assert.Len(t, t.listMethods(s.CustomerID), 1)
	}},
	{name: "a new card pays and is saved when its authentication succeeds", needs: newMethods, check: func(t *env) {
		s := t.declinedSubscription()
		unauthenticatedSub, err := t.payInvoice(s, t.createCard(NeedsAuthentication))
		require.NoError(t, err)
		p := t.assertPayment(unauthenticatedSub, billing.RequiresAction)
		assert.Len(t, t.listMethods(s.CustomerID), 1)
		assert.Equal(t, billing.Succeeded, t.confirmPayment(p.ClientSecret, true))
		t.readSubscription(s.ID, billing.Active)
		assert.Len(t, t.listMethods(s.CustomerID), 2)
	}},
	{name: "a new card that is always authenticated pays", needs: SavingAuthentication, check: func(t *env) {
		s := t.declinedSubscription()
		unauthenticatedSub, err := t.payInvoice(s, t.createCard(AuthenticatedWhenSaved))
		require.NoError(t, err)
		p := t.assertPayment(unauthenticatedSub, billing.RequiresAction)
		assert.Equal(t, billing.Succeeded, t.confirmPayment(p.ClientSecret, true))
		t.readSubscription(s.ID, billing.Active)
	}},
	{name: "paying an invoice of an ended subscription returns Conflict", check: func(t *env) {
		s := t.unpaidSubscription()
		t.saveMethodIfSupported(s.CustomerID)
		t.cancel(s.ID)
		_, err := t.payInvoice(s)
		t.assertFault(err, fault.Conflict)
	}},
}

var authenticationBehaviours = []behaviour{
	{name: "a payment that needs authentication leaves the subscription incomplete", check: func(t *env) {
		s := t.subscriptionToConfirm()
		assert.Equal(t, billing.Incomplete, s.Status)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "an authenticated payment succeeds", check: func(t *env) {
		s := t.subscriptionToConfirm()
		assert.Equal(t, billing.Succeeded, t.confirmPayment(s.LatestInvoice.Payment.ClientSecret, true))
		paidSub := t.readSubscription(s.ID, billing.Active)
		t.assertPayment(paidSub, billing.Succeeded)
		assert.Equal(t, s.LatestInvoice.ID, paidSub.LatestInvoice.ID)
	}},
	{name: "a subscription needs another payment method after a failed authentication", check: func(t *env) {
		s := t.subscriptionToConfirm()
		assert.Equal(t, billing.RequiresPaymentMethod, t.confirmPayment(s.LatestInvoice.Payment.ClientSecret, false))
		t.assertNeedsPayment(t.readSubscription(s.ID, billing.Incomplete))
	}},
	{name: "another card pays after a failed authentication", check: func(t *env) {
		s := t.subscriptionToConfirm()
		t.confirmPayment(s.LatestInvoice.Payment.ClientSecret, false)
		t.saveMethod(s.CustomerID, Pays)
		paidSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
	}},
	{name: "another card pays instead of the authentication", check: func(t *env) {
		s := t.subscriptionToConfirm()
		t.saveMethod(s.CustomerID, Pays)
		paidSub, err := t.payInvoice(s)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, paidSub.Status)
		t.assertPayment(paidSub, billing.Succeeded)
	}},
}

// subscriptionToConfirm returns a subscription with a first payment that needs authentication.
func (t *env) subscriptionToConfirm() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.customerWithMethod(NeedsAuthentication).ID, 0)
	t.assertPayment(s, billing.RequiresAction)
	return s
}

// invoicePayment returns a request to pay the subscription's latest invoice. The request names the card if one is given.
func invoicePayment(s billing.Subscription, cardID ...string) payment.InvoicePayment {
	req := payment.InvoicePayment{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining()}
	if len(cardID) > 0 {
		req.MethodID = cardID[0]
	}
	return req
}

// payInvoice pays the subscription's latest invoice with the card or, if none is given, with the default one.
func (t *env) payInvoice(s billing.Subscription, cardID ...string) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(onlinePayment)
	req := invoicePayment(s, cardID...)
	if len(cardID) == 0 {
		req.MethodID = t.methodIDForRequest(s.CustomerID)
	}
	return t.Provider.PayInvoice(t.Context(), req)
}

// assertNeedsPayment asserts that the latest invoice is unpaid, and that the customer can pay it with another method or
// on the provider's page.
func (t *env) assertNeedsPayment(s billing.Subscription) {
	t.Helper()
	if t.Provider.Capabilities().Redirects() {
		t.assertRedirect(t.openPage(s))
		return
	}
	t.assertPayment(s, billing.RequiresPaymentMethod)
	assert.Equal(t, billing.NewPaymentMethod, s.Next.Kind)
}

// assertPayment asserts that the payment of the latest invoice has the status, and returns the payment. It skips the
// test if the provider lacks cardField, because such a provider has no payments that the browser confirms.
func (t *env) assertPayment(s billing.Subscription, want billing.IntentStatus) billing.Intent {
	t.Helper()
	t.skipWithout(cardField)
	require.NotNil(t, s.LatestInvoice)
	require.NotNil(t, s.LatestInvoice.Payment)
	p := *s.LatestInvoice.Payment
	assert.Equal(t, want, p.Status)
	assert.NotEmpty(t, p.ID)
	if want == billing.RequiresAction || want == billing.RequiresConfirmation {
		assert.NotEmpty(t, p.ClientSecret, "the browser needs the client secret")
	}
	return p
}
