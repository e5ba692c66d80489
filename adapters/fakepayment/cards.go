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
		pm, err := t.checkedCard(c, req.MethodID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		c = t.attach(c, pm)
		if !req.KeepDefault {
			t.setDefaultCard(c, pm.ID)
		}
		return pm.paymentMethod(), nil
	})
}

// SetDefaultCard makes a saved card the default card, which is charged.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	return runOnce(ctx, p, "set default card", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, pm, err := t.savedCard(req.CustomerID, req.MethodID)
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.setDefaultCard(c, pm.ID)), nil
	})
}

// DeleteCard detaches and deletes a saved card.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCardRequest) error {
	_, err := runOnce(ctx, p, "delete card", req.Key, req, func(t *tx) (struct{}, error) {
		c, pm, err := t.savedCard(req.CustomerID, req.MethodID)
		if err == nil {
			t.detach(c, pm)
		}
		return struct{}{}, err
	})
	return err
}

// findCard returns the card unless it belongs to another customer.
func (t *tx) findCard(c customer, id string) (card, error) {
	pm, ok := t.cards.get(id)
	if !ok || pm.CustomerID != "" && pm.CustomerID != c.ID {
		return card{}, errNoSuchCard()
	}
	return pm, nil
}

// checkedCard returns a card as findCard does, and Declined if the card is new and can't be saved.
func (t *tx) checkedCard(c customer, id string) (card, error) {
	pm, err := t.findCard(c, id)
	if err != nil {
		return card{}, err
	}
	if cardErr := pm.checkSave(t.now); cardErr != nil && pm.CustomerID == "" {
		return card{}, asFault(cardErr)
	}
	return pm, nil
}

// savedCard returns the customer and one of its saved cards.
func (t *tx) savedCard(customerID, cardID string) (customer, card, error) {
	c, err := t.customer(customerID)
	if err != nil {
		return customer{}, card{}, err
	}
	pm, err := t.findCard(c, cardID)
	if err == nil && pm.CustomerID == "" {
		err = errNoSuchCard()
	}
	return c, pm, err
}

func errNoSuchCard() error { return fault.New(fault.NotFound, "There is no such card.") }

// attach saves the card to the customer, unless it is saved already.
func (t *tx) attach(c customer, pm card) customer {
	if pm.CustomerID == c.ID {
		return c
	}
	pm.CustomerID = c.ID
	t.cards.put(pm)
	t.emit("payment_method.attached", cardObject(pm))
	c.CardIDs = prependID(c.CardIDs, pm.ID)
	t.saveCustomer(c)
	return c
}

func (t *tx) detach(c customer, pm card) {
	t.cards.remove(pm.ID)
	t.emitWithPreviousAttributes("payment_method.detached", cardObject(card{ID: pm.ID, Created: pm.Created}), &previousAttributes{Customer: c.ID})
	c.CardIDs = removeID(c.CardIDs, pm.ID)
	if c.DefaultCardID == pm.ID {
		c.DefaultCardID = ""
	}
	t.saveCustomer(c)
}

// setDefaultCard sets the customer's default card. A trial with an open authentication continues with
// the new card.
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
		pm := card{ID: newID(cardPrefix), Card: m.Card, AccountLast4: m.AccountLast4, Behaviour: m.Behaviour, Created: t.now}
		t.cards.put(pm)
		return pm.paymentMethod(), nil
	})
}

func (c card) paymentMethod() billing.PaymentMethod {
	method := testcards.Method{Card: c.Card, AccountLast4: c.AccountLast4}.PaymentMethod()
	method.ID = c.ID
	return method
}
