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

var subscribeBehaviours = []behaviour{
	{name: "a subscription without a trial is paid immediately", check: func(t *env) {
		c := t.payingCustomer()
		start := t.Now()
		s := t.subscribe(c.ID, 0)

		assert.NotEmpty(t, s.ID)
		assert.Equal(t, c.ID, s.CustomerID)
		assert.Equal(t, billing.Active, s.Status)
		assert.Equal(t, standard, s.Price)
		assert.WithinDuration(t, start, s.CreatedAt, time.Minute)
		assert.True(t, s.TrialEnd.IsZero())
		assert.Nil(t, s.PendingSetup)
		t.assertPaid(s)
		assert.NotEmpty(t, s.LatestInvoice.ID)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Active))
	}},
	{name: "a period is as long as its interval", check: func(t *env) {
		for interval, months := range map[catalogue.Interval]int{catalogue.Monthly: 1, catalogue.Yearly: 12} {
			s, err := t.trySubscribe(t.payingCustomer().ID, price("professional", interval))
			require.NoError(t, err)
			assert.Equal(t, interval, s.Price.Interval)
			assert.WithinDuration(t, s.CreatedAt.AddDate(0, months, 0), s.CurrentPeriodEnd, 4*day)
		}
	}},
	{name: "the first subscription fixes the currency", check: func(t *env) {
		c := t.payingCustomer()
		s := t.subscribe(c.ID, 0)
		assert.Equal(t, "AUD", t.readCustomer(c.ID).Currency)
		t.cancel(s.ID)

		_, err := t.trySubscribe(c.ID, standardUSD)
		t.assertFault(err, fault.Invalid)
		assert.Len(t, t.subscriptionIDs(c.ID), 1)
	}},
	{name: "the currency may differ from the preferred one", check: func(t *env) {
		c := t.payingCustomer()
		s, err := t.trySubscribe(c.ID, standardUSD)
		require.NoError(t, err)
		assert.Equal(t, "USD", s.Price.Currency)
		assert.Equal(t, "USD", t.readCustomer(c.ID).Currency)
		assert.Equal(t, "AUD", t.readCustomer(c.ID).PreferredCurrency)
	}},
	{name: "a customer without a card cannot subscribe", needs: payment.SavedMethods, check: func(t *env) {
		t.skipWithout(cardField)
		c := t.createCustomer()
		_, err := t.trySubscribe(c.ID, standard)
		t.assertFault(err, fault.Invalid)
		assert.Empty(t, t.subscriptionIDs(c.ID))
	}},
	{name: "a customer cannot subscribe after the only card was deleted", check: func(t *env) {
		t.skipWithout(cardField)
		c := t.customerWithMethod(Pays)
		require.NoError(t, t.deleteMethod(c.ID, c.Default.ID))
		_, err := t.trySubscribe(c.ID, standard)
		t.assertFault(err, fault.Invalid)
	}},
	{name: "a subscription to an unknown price is refused", check: func(t *env) {
		c := t.payingCustomer()
		_, err := t.trySubscribe(c.ID, price("no-such-plan", catalogue.Yearly))
		t.assertFault(err, fault.Invalid, fault.NotFound)
		assert.Empty(t, t.subscriptionIDs(c.ID))
	}},
	{name: "a declined card leaves the subscription incomplete", check: func(t *env) {
		c := t.customerWithMethod(DeclinedWhenCharged)
		s := t.subscribe(c.ID, 0)
		assert.Equal(t, billing.Incomplete, s.Status)
		t.assertNeedsPayment(s)
		t.assertReadsAs(s, t.readSubscription(s.ID, billing.Incomplete))
	}},
}

// subscribeWithCard starts a sole subscription with a trial and a card.
func (t *env) subscribeWithCard(customerID, cardID string) (billing.Subscription, error) {
	t.Helper()
	t.skipWithout(payment.SavedMethods, payment.Trials)
	return t.Provider.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, MethodID: cardID, Price: standard, TrialDays: trialDays, Sole: true,
	})
}

var subscribeCardBehaviours = []behaviour{
	{name: "a card in the request becomes the default and is charged", needs: payment.ChangeNow, check: func(t *env) {
		c := t.customerWithMethod(DeclinedWhenCharged)
		card := t.createCard(Pays)
		s, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, MethodID: card, Price: standard,
		})
		require.NoError(t, err)
		assert.Equal(t, billing.Active, s.Status)
		require.NotNil(t, t.readCustomer(c.ID).Default)
		assert.Equal(t, t.listMethods(c.ID)[0], *t.readCustomer(c.ID).Default)
		assert.Len(t, t.listMethods(c.ID), 2)

		t.saveMethod(c.ID, DeclinedWhenCharged)
		s, err = t.changePlan(s, professional)
		require.NoError(t, err)
		assert.NotNil(t, s.Pending, "the change charges the default card, not the one that paid the first invoice")
	}},
	{name: "a saved card in the request becomes the default and is charged", check: func(t *env) {
		c := t.createCustomer()
		card := t.saveMethod(c.ID, Pays)
		t.saveMethod(c.ID, DeclinedWhenCharged)
		s, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
			Key: newKey(), CustomerID: c.ID, MethodID: card.ID, Price: standard,
		})
		require.NoError(t, err)
		assert.Equal(t, billing.Active, s.Status)
		assert.Equal(t, &card, t.readCustomer(c.ID).Default)
	}},
	{name: "a card that is declined when saved starts no subscription", check: func(t *env) {
		c := t.createCustomer()
		id, err := t.tryCreateCard(DeclinedWhenSaved)
		if err == nil {
			_, err = t.subscribeWithCard(c.ID, id)
		}
		t.assertFault(err, fault.Declined)
		assert.Empty(t, t.subscriptionIDs(c.ID))
		assert.Nil(t, t.readCustomer(c.ID).Default)
	}},
	{name: "another customer's card is NotFound", check: func(t *env) {
		owner, otherCustomer := t.customerWithMethod(Pays), t.customerWithMethod(Pays)
		_, err := t.subscribeWithCard(otherCustomer.ID, owner.Default.ID)
		t.assertFault(err, fault.NotFound)
		assert.Empty(t, t.subscriptionIDs(otherCustomer.ID))
		assert.Equal(t, owner, t.readCustomer(owner.ID))
	}},
	{name: "a trial reports that the card in the request needs authentication", check: func(t *env) {
		s, err := t.subscribeWithCard(t.createCustomer().ID, t.createCard(NeedsAuthentication))
		require.NoError(t, err)
		assert.Equal(t, billing.Trialing, s.Status)
		require.NotNil(t, s.PendingSetup)
		assert.NotEmpty(t, s.PendingSetup.ClientSecret)
	}},
}

var soleBehaviours = []behaviour{
	{name: "Subscribe with Sole returns Conflict while another subscription has not ended", check: func(t *env) {
		c := t.payingCustomer()
		t.subscribe(c.ID, 0)
		t.assertSoleConflict(c.ID, "")
	}},
	{name: "Subscribe with Sole and a card returns Conflict while another subscription has not ended", check: func(t *env) {
		activeSub := t.subscribe(t.customerWithMethod(Pays).ID, 0)
		trialingSub := t.subscribe(t.customerWithMethod(Pays).ID, trialDays)
		incompleteSub := t.subscribe(t.customerWithMethod(DeclinedWhenCharged).ID, 0)
		for _, s := range []billing.Subscription{activeSub, trialingSub, incompleteSub} {
			t.assertSoleConflict(s.CustomerID, "")
			t.assertSoleConflict(s.CustomerID, t.createCard(Pays))
		}
	}},
	{name: "Subscribe with First returns Conflict after another subscription has ended", needs: payment.Trials,
		check: func(t *env) {
			c := t.customerWithMethod(Pays)
			t.cancel(t.subscribe(c.ID, trialDays).ID)
			for _, card := range []string{"", t.createCard(Pays)} {
				_, err := t.Provider.Subscribe(t.Context(), payment.NewSubscription{
					Key: newKey(), CustomerID: c.ID, MethodID: card, Price: standard, TrialDays: trialDays, First: true,
				})
				t.assertFault(err, fault.Conflict)
			}
			assert.Len(t, t.subscriptionIDs(c.ID), 1)
		}},
	{name: "Subscribe with Sole succeeds after another subscription has ended", check: func(t *env) {
		c := t.payingCustomer()
		t.cancel(t.subscribe(c.ID, 0).ID)
		s, err := t.subscribeSole(c.ID, "")
		require.NoError(t, err)
		assert.Equal(t, billing.Active, t.completePayment(s).Status)
	}},
}

// assertSoleConflict asserts that Subscribe with Sole returns Conflict.
func (t *env) assertSoleConflict(customerID, cardID string) {
	t.Helper()
	_, err := t.subscribeSole(customerID, cardID)
	t.assertFault(err, fault.Conflict)
	assert.Len(t, t.subscriptionIDs(customerID), 1)
}

func (t *env) subscribeSole(customerID, cardID string) (billing.Subscription, error) {
	t.Helper()
	return t.Provider.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, MethodID: cardID, Price: standard, Sole: true,
	})
}

var trialBehaviours = []behaviour{
	{name: "a trial starts immediately without a payment", check: func(t *env) {
		c := t.payingCustomer()
		s := t.subscribe(c.ID, trialDays)

		assert.Equal(t, billing.Trialing, s.Status)
		assert.WithinDuration(t, s.CreatedAt.AddDate(0, 0, trialDays), s.TrialEnd, time.Minute)
		assert.Equal(t, s.TrialEnd, s.CurrentPeriodEnd)
		require.NotNil(t, s.LatestInvoice)
		assert.NotEmpty(t, s.LatestInvoice.ID)
		assert.Nil(t, s.LatestInvoice.Payment)
		assert.Nil(t, s.PendingSetup)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a trial fixes the currency", check: func(t *env) {
		c := t.payingCustomer()
		t.subscribe(c.ID, trialDays)
		assert.Equal(t, "AUD", t.readCustomer(c.ID).Currency)
	}},
	{name: "a trial does not charge the card", check: func(t *env) {
		c := t.customerWithMethod(DeclinedWhenCharged)
		assert.Equal(t, billing.Trialing, t.subscribe(c.ID, trialDays).Status)
	}},
	{name: "a trial reports that the card needs authentication", check: func(t *env) {
		s := t.trialToAuthenticate()

		assert.Equal(t, billing.Trialing, s.Status)
		assert.NotEmpty(t, s.PendingSetup.ID)
		assert.Equal(t, billing.RequiresAction, s.PendingSetup.Status)
		assert.NotEmpty(t, s.PendingSetup.ClientSecret)
		assert.Equal(t, s, t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a trial needs no further action after its card was authenticated", check: func(t *env) {
		s := t.trialToAuthenticate()

		assert.Equal(t, billing.Succeeded, t.confirmSetup(s.PendingSetup.ClientSecret, true))

		t.assertNoActionNeeded(t.readSubscription(s.ID, billing.Trialing))
	}},
	{name: "a trial continues when the authentication fails", check: func(t *env) {
		s := t.trialToAuthenticate()

		assert.Equal(t, billing.RequiresPaymentMethod, t.confirmSetup(s.PendingSetup.ClientSecret, false))

		t.assertNoActionNeeded(t.readSubscription(s.ID, billing.Trialing))
	}},
}

// trialToAuthenticate starts a trial with a saved card that the customer has to authenticate.
func (t *env) trialToAuthenticate() billing.Subscription {
	t.Helper()
	s := t.subscribe(t.customerWithMethod(NeedsAuthentication).ID, trialDays)
	require.NotNil(t, s.PendingSetup, "Subscribe returns PendingSetup for a card that needs authentication")
	return s
}

// assertNoActionNeeded asserts that the customer need not confirm or pay anything.
func (t *env) assertNoActionNeeded(s billing.Subscription) {
	t.Helper()
	assert.Equal(t, billing.OutcomeSucceeded, billing.DecideOutcome(s, false))
}
