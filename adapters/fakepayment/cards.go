package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Cards returns the customer's saved cards, newest first.
func (p *Provider) Cards(ctx context.Context, customerID string) (out []billing.PaymentMethod, err error) {
	err = p.transact(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		out = make([]billing.PaymentMethod, 0, len(c.Cards))
		for _, id := range c.Cards {
			out = append(out, t.cards.rows[id].paymentMethod())
		}
		return err
	})
	return out, err
}

// AddCard saves a card and, unless KeepDefault is set, makes it the default. Declined when the card
// can't be saved.
func (p *Provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	return runOnce(ctx, p, "add card", req.Key, req, func(t *tx) (billing.PaymentMethod, error) {
		c, err := t.customer(req.CustomerID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		found, err := t.savableCard(c, req.MethodID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		c = t.attach(c, found)
		if !req.KeepDefault {
			t.makeDefault(c, found.ID)
		}
		return found.paymentMethod(), nil
	})
}

// SetDefaultCard makes a saved card the one that is charged.
func (p *Provider) SetDefaultCard(ctx context.Context, req payment.SavedCard) (billing.Customer, error) {
	return runOnce(ctx, p, "set default card", req.Key, req, func(t *tx) (billing.Customer, error) {
		c, found, err := t.ownCard(req.CustomerID, req.MethodID)
		if err != nil {
			return billing.Customer{}, err
		}
		return t.billingCustomer(t.makeDefault(c, found.ID)), nil
	})
}

// DeleteCard detaches and deletes a saved card.
func (p *Provider) DeleteCard(ctx context.Context, req payment.SavedCard) error {
	_, err := runOnce(ctx, p, "delete card", req.Key, req, func(t *tx) (struct{}, error) {
		c, found, err := t.ownCard(req.CustomerID, req.MethodID)
		if err == nil {
			t.detach(c, found)
		}
		return struct{}{}, err
	})
	return err
}

// cardFor returns a card that is the customer's, or not saved yet.
func (t *tx) cardFor(c customer, id string) (card, error) {
	found, known := t.cards.get(id)
	if !known || found.Customer != "" && found.Customer != c.ID {
		return card{}, errNoSuchCard()
	}
	return found, nil
}

// savableCard is like cardFor, but also declines an unsaved card that can't be saved.
func (t *tx) savableCard(c customer, id string) (card, error) {
	found, err := t.cardFor(c, id)
	if err != nil {
		return card{}, err
	}
	if refused := found.checkSave(t.now); refused != nil && found.Customer == "" {
		return card{}, refused.asFault()
	}
	return found, nil
}

// ownCard returns the customer and one of its saved cards.
func (t *tx) ownCard(customerID, cardID string) (customer, card, error) {
	c, err := t.customer(customerID)
	if err != nil {
		return customer{}, card{}, err
	}
	found, err := t.cardFor(c, cardID)
	if err == nil && found.Customer == "" {
		err = errNoSuchCard()
	}
	return c, found, err
}

func errNoSuchCard() error { return fault.New(fault.NotFound, "There is no such card.") }

// attach saves the card to the customer, unless it is saved already.
func (t *tx) attach(c customer, found card) customer {
	if found.Customer == c.ID {
		return c
	}
	found.Customer = c.ID
	t.cards.put(found)
	t.emit("payment_method.attached", cardObject(found))
	c.Cards = prependID(c.Cards, found.ID)
	t.saveCustomer(c)
	return c
}

func (t *tx) detach(c customer, found card) {
	t.cards.remove(found.ID)
	t.emitWithPrevious("payment_method.detached", cardObject(card{ID: found.ID}), &previous{Customer: c.ID})
	c.Cards = removeID(c.Cards, found.ID)
	if c.Default == found.ID {
		c.Default = ""
	}
	t.saveCustomer(c)
}

// makeDefault sets the customer's default card. A trial with an open authentication continues with
// the new card.
func (t *tx) makeDefault(c customer, cardID string) customer {
	c.Default = cardID
	t.saveCustomer(c)
	for _, id := range c.Subscriptions {
		if s := t.subscriptions.rows[id]; s.Setup != "" {
			t.authenticateTrial(s, c)
		}
	}
	return c
}

func (c card) paymentMethod() billing.PaymentMethod {
	if c.Account != "" {
		return billing.PaymentMethod{
			ID: c.ID, Kind: billing.BankDebitMethod, Label: "Bank account •••• " + c.Account, Fingerprint: cardFingerprint(c.Account),
		}
	}
	return billing.PaymentMethod{ID: c.ID, Card: c.Card}
}
