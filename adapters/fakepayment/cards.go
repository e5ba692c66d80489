package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Cards returns the customer's saved cards, newest first.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return run(ctx, p, func(t *tx) ([]billing.PaymentMethod, error) {
		c, err := t.customer(customerID)
		methods := make([]billing.PaymentMethod, 0, len(c.CardIDs))
		for _, id := range c.CardIDs {
			methods = append(methods, t.cards.rows[id].paymentMethod())
		}
		return methods, err
	})
}

// AddCard saves a card and, unless KeepDefault is set, makes it the default. It returns
// Declined if the card can't be saved.
func (p *Provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	return runOnce(ctx, p, "add card", req.Key, req, func(t *tx) (billing.PaymentMethod, error) {
		c, err := t.customer(req.CustomerID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		newCard, err := t.findSavableCard(c, req.MethodID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		c = t.attach(c, newCard)
		if !req.KeepDefault {
			t.setDefaultCard(c, newCard.ID)
		}
		return newCard.paymentMethod(), nil
	})
}

// SetDefaultCard makes a saved card the default card, which is charged.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	return runOnce(ctx, p, "set default card", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, saved, err := t.customerAndSavedCard(req)
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.setDefaultCard(c, saved.ID)), nil
	})
}

// DeleteCard detaches and deletes a saved card.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCardRequest) error {
	_, err := runOnce(ctx, p, "delete card", req.Key, req, func(t *tx) (struct{}, error) {
		c, saved, err := t.customerAndSavedCard(req)
		if err == nil {
			t.detach(c, saved)
		}
		return struct{}{}, err
	})
	return err
}

// findCard returns a card of the customer, or one that is not saved yet. Otherwise it returns NotFound.
func (t *tx) findCard(c customer, id string) (card, error) {
	found, ok := t.cards.get(id)
	if !ok || found.CustomerID != "" && found.CustomerID != c.ID {
		return card{}, errNoSuchCard()
	}
	return found, nil
}

// findSavableCard returns what findCard returns, or Declined for a new card that can't be saved.
func (t *tx) findSavableCard(c customer, id string) (card, error) {
	found, err := t.findCard(c, id)
	if err != nil {
		return card{}, err
	}
	if cardErr := found.checkSave(t.now); cardErr != nil && found.CustomerID == "" {
		return card{}, asFault(cardErr)
	}
	return found, nil
}

// findSavedCard returns a card that the customer has saved. Otherwise it returns NotFound.
func (t *tx) findSavedCard(c customer, id string) (card, error) {
	found, err := t.findCard(c, id)
	if err == nil && found.CustomerID == "" {
		err = errNoSuchCard()
	}
	return found, err
}

// customerAndSavedCard returns the customer and the saved card of a request. It returns NotFound if there is no such customer
// or no such card.
func (t *tx) customerAndSavedCard(req payment.SavedCardRequest) (customer, card, error) {
	c, err := t.customer(req.CustomerID)
	if err != nil {
		return customer{}, card{}, err
	}
	saved, err := t.findSavedCard(c, req.MethodID)
	return c, saved, err
}

func errNoSuchCard() error { return fault.New(fault.NotFound, "There is no such card.") }

// attach saves the card to the customer, unless it is saved already.
func (t *tx) attach(c customer, newCard card) customer {
	if newCard.CustomerID == c.ID {
		return c
	}
	newCard.CustomerID = c.ID
	t.cards.put(newCard)
	t.emit("payment_method.attached", cardObject(newCard))
	c.CardIDs = prependID(c.CardIDs, newCard.ID)
	t.saveCustomer(c)
	return c
}

func (t *tx) detach(c customer, saved card) {
	t.cards.remove(saved.ID)
	t.emitWithPreviousAttributes("payment_method.detached", cardObject(card{ID: saved.ID, Created: saved.Created}), &previousAttributes{Customer: c.ID})
	c.CardIDs = removeID(c.CardIDs, saved.ID)
	if c.DefaultCardID == saved.ID {
		c.DefaultCardID = ""
	}
	t.saveCustomer(c)
}

// setDefaultCard sets the customer's default card. A trial that waits for the authentication of its card waits for that of
// the new card instead.
func (t *tx) setDefaultCard(c customer, cardID string) customer {
	c.DefaultCardID = cardID
	t.saveCustomer(c)
	for _, id := range c.SubscriptionIDs {
		if s := t.subscriptions.rows[id]; s.SetupID != "" {
			t.authenticateTrial(s, c)
		}
	}
	return c
}

// CreatePaymentMethod creates a payment method as the browser does; AddCard saves it to a customer.
// It returns Declined with a CardError for an invalid entry.
func (p *Provider) CreatePaymentMethod(ctx context.Context, entry CardEntry) (billing.PaymentMethod, error) {
	return run(ctx, p, func(t *tx) (billing.PaymentMethod, error) {
		m, cardErr := entry.Parse(t.now)
		if cardErr != nil {
			return billing.PaymentMethod{}, asFault(cardErr)
		}
		newCard := card{ID: newID(cardPrefix), Card: m.Card, AccountLast4: m.AccountLast4, Behaviour: m.Behaviour, Created: t.now}
		t.cards.put(newCard)
		return newCard.paymentMethod(), nil
	})
}

func (cd card) paymentMethod() billing.PaymentMethod {
	method := testcards.Method{Card: cd.Card, AccountLast4: cd.AccountLast4}.PaymentMethod()
	method.ID = cd.ID
	return method
}
