package paymenttest

import (
	"errors"
	"slices"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cardBehaviours = []behaviour{
	{name: "a customer without cards has an empty list", check: func(t *env) {
		cards := t.listMethods(t.createCustomer().ID)
		assert.NotNil(t, cards)
		assert.Empty(t, cards)
	}},
	{name: "a saved card has brand, last digits and expiry", check: func(t *env) {
		t.skipWithout(cardField)
		c := t.createCustomer()
		card := t.saveMethod(c.ID, Pays)
		assert.NotEmpty(t, card.ID)
		assert.Equal(t, "visa", card.Card.Brand)
		assert.Regexp(t, `^[0-9]{4}$`, card.Card.Last4)
		assert.True(t, card.Card.ExpMonth >= 1 && card.Card.ExpMonth <= 12)
		assert.GreaterOrEqual(t, card.Card.ExpYear, t.Now().Year())
		assert.Equal(t, []billing.PaymentMethod{card}, t.listMethods(c.ID))
	}},
	{name: "the same card has the same fingerprint under every id", check: func(t *env) {
		t.skipWithout(cardField)
		c := t.createCustomer()
		card, secondCard, otherCard := t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, DeclinedWhenCharged)
		assert.NotEmpty(t, card.Card.Fingerprint)
		assert.NotEqual(t, card.ID, secondCard.ID)
		assert.Equal(t, card.Identity(), secondCard.Identity())
		assert.NotEqual(t, card.Card.Fingerprint, otherCard.Card.Fingerprint)
		assert.Equal(t, []billing.PaymentMethod{otherCard, secondCard, card}, t.listMethods(c.ID))
		assert.Equal(t, &otherCard, t.readCustomer(c.ID).Default)
	}},
	{name: "a card is saved when the customer has authenticated it", needs: SavingAuthentication, check: func(t *env) {
		c, token := t.createCustomer(), t.createCard(AuthenticatedWhenSaved)
		var secrets []string
		for range 2 {
			_, err := t.addCard(c.ID, token)
			secrets = append(secrets, t.setupSecret(err))
		}
		assert.Equal(t, secrets[0], secrets[1], "a repeat continues the authentication")
		assert.Empty(t, t.listMethods(c.ID))
		assert.Equal(t, billing.Succeeded, t.confirmSetup(secrets[0], true))

		card, err := t.addCard(c.ID, token)

		require.NoError(t, err)
		assert.Equal(t, []billing.PaymentMethod{card}, t.listMethods(c.ID))
		assert.Equal(t, &card, t.readCustomer(c.ID).Default)
	}},
	{name: "a card whose authentication fails is not saved", needs: SavingAuthentication, check: func(t *env) {
		c, token := t.createCustomer(), t.createCard(AuthenticatedWhenSaved)
		_, err := t.addCard(c.ID, token)
		assert.Equal(t, billing.RequiresPaymentMethod, t.confirmSetup(t.setupSecret(err), false))
		_, err = t.addCard(c.ID, token)
		t.assertFault(err, fault.Declined, fault.NotFound)
		assert.Empty(t, t.listMethods(c.ID))
		t.saveMethod(c.ID, Pays)
	}},
	{name: "the newest card is listed first and is the default", check: func(t *env) {
		c := t.createCustomer()
		olderCard := t.saveMethod(c.ID, Pays)
		newerCard := t.saveMethod(c.ID, Pays)
		assert.Equal(t, []billing.PaymentMethod{newerCard, olderCard}, t.listMethods(c.ID))
		assert.Equal(t, &newerCard, t.readCustomer(c.ID).Default)
	}},
	{name: "adding a saved card again makes it the default", check: func(t *env) {
		c := t.createCustomer()
		olderCard := t.saveMethod(c.ID, Pays)
		t.saveMethod(c.ID, Pays)
		repeatedCard, err := t.addCard(c.ID, olderCard.ID)
		require.NoError(t, err)
		assert.Equal(t, olderCard, repeatedCard)
		assert.Equal(t, &olderCard, t.readCustomer(c.ID).Default)
		assert.Len(t, t.listMethods(c.ID), 2)
	}},
	{name: "a card can be saved without becoming the default", check: func(t *env) {
		c := t.customerWithMethod(Pays)
		req := payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: t.createCard(Pays), KeepDefault: true}

		card, err := t.Provider.AddCard(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, c.Default, t.readCustomer(c.ID).Default)
		assert.Equal(t, []billing.PaymentMethod{card, *c.Default}, t.listMethods(c.ID))
		req.Key, req.MethodID = newKey(), card.ID
		repeatedCard, err := t.Provider.AddCard(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, card, repeatedCard)
		assert.Equal(t, c.Default, t.readCustomer(c.ID).Default)
	}},
	{name: "a deleted card cannot be used again", check: func(t *env) {
		c := t.createCustomer()
		card, otherCard := t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, Pays)
		require.NoError(t, t.deleteMethod(c.ID, card.ID))
		assert.Equal(t, []billing.PaymentMethod{otherCard}, t.listMethods(c.ID))
		assert.Equal(t, &otherCard, t.readCustomer(c.ID).Default)

		_, err := t.setDefaultMethod(c.ID, card.ID)
		t.assertFault(err, fault.NotFound)
		_, err = t.addCard(c.ID, card.ID)
		t.assertFault(err, fault.NotFound, fault.Conflict, fault.Invalid)
		t.assertFault(t.deleteMethod(c.ID, card.ID), fault.NotFound)
	}},
	{name: "deleting the default card leaves no default", check: func(t *env) {
		c := t.createCustomer()
		otherCard, defaultCard := t.saveMethod(c.ID, Pays), t.saveMethod(c.ID, Pays)
		require.NoError(t, t.deleteMethod(c.ID, defaultCard.ID))
		assert.Nil(t, t.readCustomer(c.ID).Default)
		assert.Equal(t, []billing.PaymentMethod{otherCard}, t.listMethods(c.ID))
	}},
	{name: "another customer's card is NotFound", check: func(t *env) {
		owner, otherCustomer := t.customerWithMethod(Pays), t.customerWithMethod(Pays)
		card := owner.Default.ID

		_, err := t.addCard(otherCustomer.ID, card)
		t.assertFault(err, fault.NotFound)
		_, err = t.setDefaultMethod(otherCustomer.ID, card)
		t.assertFault(err, fault.NotFound)
		t.assertFault(t.deleteMethod(otherCustomer.ID, card), fault.NotFound)

		assert.Equal(t, owner, t.readCustomer(owner.ID))
		assert.Equal(t, otherCustomer, t.readCustomer(otherCustomer.ID))
		assert.Len(t, t.listMethods(owner.ID), 1)
		assert.Len(t, t.listMethods(otherCustomer.ID), 1)
	}},
	{name: "a card that is not saved cannot become the default", check: func(t *env) {
		c := t.customerWithMethod(Pays)
		_, err := t.setDefaultMethod(c.ID, t.createCard(Pays))
		t.assertFault(err, fault.NotFound)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
}

var defaultCardBehaviours = []behaviour{
	{name: "a saved card becomes the default", check: func(t *env) {
		c := t.createCustomer()
		olderCard := t.saveMethod(c.ID, Pays)
		t.saveMethod(c.ID, Pays)

		updatedCustomer, err := t.setDefaultMethod(c.ID, olderCard.ID)

		require.NoError(t, err)
		assert.Equal(t, &olderCard, updatedCustomer.Default)
		assert.Equal(t, updatedCustomer, t.readCustomer(c.ID))
	}},
	{name: "setting the default card again changes nothing", check: func(t *env) {
		c := t.customerWithMethod(Pays)
		updatedCustomer, err := t.setDefaultMethod(c.ID, c.Default.ID)
		require.NoError(t, err)
		assert.Equal(t, c, updatedCustomer)
	}},
	{name: "an existing subscription charges the new default card", needs: payment.ChangeNow, check: func(t *env) {
		c := t.customerWithMethod(Pays)
		s := t.subscribe(c.ID, 0)
		t.saveMethod(c.ID, DeclinedWhenCharged)

		s, err := t.changePlan(s, professional)

		require.NoError(t, err)
		require.NotNil(t, s.Pending)
		t.assertNeedsPayment(s)
	}},
	{name: "a new subscription charges the default card", check: func(t *env) {
		c := t.createCustomer()
		card := t.saveMethod(c.ID, Pays)
		t.saveMethod(c.ID, DeclinedWhenCharged)
		_, err := t.setDefaultMethod(c.ID, card.ID)
		require.NoError(t, err)
		assert.Equal(t, billing.Active, t.subscribe(c.ID, 0).Status)
	}},
}

var refusedCardBehaviours = []behaviour{
	{name: "a card that is declined when saved is not saved", check: func(t *env) {
		t.assertCardRefused(DeclinedWhenSaved, "Your card was declined.")
	}},
	{name: "an expired card is not saved", check: func(t *env) {
		t.assertCardRefused(ExpiredCard, "Your card has expired.")
	}},
	{name: "a card with insufficient funds is declined", check: func(t *env) {
		c := t.createCustomer()
		err := t.trySaveMethod(c.ID, InsufficientFunds)
		if err != nil {
			assert.Equal(t, fault.Declined, fault.CodeOf(err))
			assert.Equal(t, "Your card has insufficient funds.", fault.MessageOf(err))
			return
		}
		t.assertNeedsPayment(t.subscribe(c.ID, 0))
	}},
	{name: "charging a lost card is a hard decline", check: func(t *env) {
		c := t.createCustomer()
		if err := t.trySaveMethod(c.ID, LostCard); err != nil {
			assert.Equal(t, fault.Declined, fault.CodeOf(err), "refused before it is charged")
			return
		}
		assert.True(t, t.assertPayment(t.subscribe(c.ID, 0), billing.RequiresPaymentMethod).HardDecline)
	}},
	{name: "another decline is not a hard decline", check: func(t *env) {
		c := t.createCustomer()
		t.saveMethod(c.ID, DeclinedWhenCharged)
		assert.False(t, t.assertPayment(t.subscribe(c.ID, 0), billing.RequiresPaymentMethod).HardDecline)
	}},
	{name: "a repeated key returns the stored decline", check: func(t *env) {
		c := t.createCustomer()
		id, err := t.tryCreateCard(DeclinedWhenSaved)
		if err != nil {
			assert.Equal(t, fault.Declined, fault.CodeOf(err), "refused in the browser")
			return
		}
		req := payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: id}
		_, firstErr := t.Provider.AddCard(t.Context(), req)
		_, secondErr := t.Provider.AddCard(t.Context(), req)
		t.assertFault(firstErr, fault.Declined)
		t.assertFault(secondErr, fault.Declined)
		assert.Equal(t, fault.MessageOf(firstErr), fault.MessageOf(secondErr))
	}},
}

// assertCardRefused asserts that saving the card is declined with the message and changes nothing.
func (t *env) assertCardRefused(scenario Scenario, message string) {
	t.Helper()
	c := t.customerWithMethod(Pays)
	cards := t.listMethods(c.ID)

	err := t.trySaveMethod(c.ID, scenario)

	require.Error(t, err)
	assert.Equal(t, fault.Declined, fault.CodeOf(err))
	assert.Equal(t, message, fault.MessageOf(err))
	assert.Equal(t, cards, t.listMethods(c.ID))
	assert.Equal(t, c, t.readCustomer(c.ID))
}

// trySaveMethod creates a card and saves it. The browser may refuse the first step and the provider
// the second one.
func (t *env) trySaveMethod(customerID string, scenario Scenario) error {
	t.Helper()
	id, err := t.tryCreateCard(scenario)
	if err == nil {
		_, err = t.addCard(customerID, id)
	}
	return err
}

// customerWithMethod creates a customer with a default card.
func (t *env) customerWithMethod(scenario Scenario) billing.Customer {
	t.Helper()
	c := t.createCustomer()
	t.saveMethod(c.ID, scenario)
	return t.readCustomer(c.ID)
}

// createCard creates a card in the browser and fails the test if the browser refuses the card.
func (t *env) createCard(scenario Scenario) string {
	t.Helper()
	id, err := t.tryCreateCard(scenario)
	require.NoError(t, err)
	require.NotEmpty(t, id)
	return id
}

// tryCreateCard creates a card in the browser. It returns the error if the browser refuses the
// card.
func (t *env) tryCreateCard(scenario Scenario) (string, error) {
	t.Helper()
	t.skipWithout(payment.SavedMethods, cardField)
	if scenario == NeedsAuthentication {
		t.skipWithout(Authentication)
	}
	return t.CreateCard(t.T, scenario)
}

// saveMethod saves a new default method: a card from the browser, or another method on the provider's
// page.
func (t *env) saveMethod(customerID string, scenario Scenario) billing.PaymentMethod {
	t.Helper()
	if t.Provider.Capabilities().Redirects() {
		if !slices.Contains([]Scenario{Pays, DeclinedWhenCharged, Settles, FailsLate, ReturnsLate}, scenario) {
			t.skipWithout(cardField)
		}
		return t.saveMethodOnPage(customerID, scenario)
	}
	card, err := t.addCard(customerID, t.createCard(scenario))
	require.NoError(t, err, "AddCard with the result of Harness.CreateCard in the scenario %q", scenario)
	return card
}

// addCard passes a card to AddCard. The card was created in the browser or is already saved.
func (t *env) addCard(customerID, cardID string) (billing.PaymentMethod, error) {
	t.Helper()
	t.skipWithout(payment.SavedMethods)
	return t.Provider.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: customerID, MethodID: cardID})
}

// setupSecret returns the secret of the AuthenticationError, with which the browser authenticates a card.
func (t *env) setupSecret(err error) string {
	t.Helper()
	t.assertFault(err, fault.Declined)
	authentication, isNeeded := errors.AsType[*payment.AuthenticationError](err)
	require.True(t, isNeeded, "%v", err)
	require.Equal(t, billing.ConfirmSetup, authentication.Next.Kind)
	require.NotEmpty(t, authentication.Next.Secret)
	return authentication.Next.Secret
}

func (t *env) setDefaultMethod(customerID, cardID string) (billing.Customer, error) {
	t.Helper()
	t.skipWithout(payment.SavedMethods)
	return t.Provider.SetDefaultCard(t.Context(), payment.SavedCardRequest{
		Key: newKey(), CustomerID: customerID, MethodID: cardID,
	})
}

func (t *env) deleteMethod(customerID, cardID string) error {
	t.Helper()
	t.skipWithout(payment.SavedMethods)
	return t.Provider.DeleteCard(t.Context(), payment.SavedCardRequest{Key: newKey(), CustomerID: customerID, MethodID: cardID})
}

func (t *env) listMethods(customerID string) []billing.PaymentMethod {
	t.Helper()
	t.skipWithout(payment.SavedMethods)
	cards, err := t.Provider.Cards(t.Context(), customerID)
	require.NoError(t, err)
	return cards
}
