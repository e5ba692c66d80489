package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// Cards lists the customer's saved cards, newest first.
func (p *Provider) Cards(ctx context.Context, customerID string) (out []billing.PaymentMethod, err error) {
	err = p.act(ctx, func(t *tx) error {
		c, err := t.customer(customerID)
		out = make([]billing.PaymentMethod, 0, len(c.Cards))
		for _, id := range c.Cards {
			out = append(out, t.cards.rows[id].show())
		}
		return err
	})
	return out, err
}

// AddCard saves a card and makes it the default one, after the bank has had a look at it.
func (p *Provider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return once(ctx, p, "add card", in.Key, in, func(t *tx) (billing.PaymentMethod, error) {
		c, err := t.customer(in.CustomerID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		found, err := t.savable(c, in.CardID)
		if err != nil {
			return billing.PaymentMethod{}, err
		}
		c = t.attach(c, found)
		if !in.KeepDefault {
			t.makeDefault(c, found.ID)
		}
		return found.show(), nil
	})
}

// savable finds a card that the bank lets the customer save, or that is saved already.
func (t *tx) savable(c customer, id string) (card, error) {
	found, err := t.cardFor(c, id)
	if err != nil {
		return card{}, err
	}
	if refused := found.problemSaving(t.now); refused != nil && found.Customer == "" {
		return card{}, refused.declined()
	}
	return found, nil
}

// SetDefaultCard makes one of the customer's cards the one that gets charged.
func (p *Provider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	return once(ctx, p, "set default card", in.Key, in, func(t *tx) (billing.Customer, error) {
		c, found, err := t.ownCard(in.CustomerID, in.CardID)
		if err != nil {
			return billing.Customer{}, err
		}
		return t.showCustomer(t.makeDefault(c, found.ID)), nil
	})
}

// DeleteCard takes the card off the customer and forgets it.
func (p *Provider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	_, err := once(ctx, p, "delete card", in.Key, in, func(t *tx) (struct{}, error) {
		c, found, err := t.ownCard(in.CustomerID, in.CardID)
		if err == nil {
			t.detach(c, found)
		}
		return struct{}{}, err
	})
	return err
}

func (t *tx) detach(c customer, found card) {
	t.cards.remove(found.ID)
	t.emitChange("payment_method.detached", cardObject(card{ID: found.ID}), &previous{Customer: c.ID})
	c.Cards = without(c.Cards, found.ID)
	if c.Default == found.ID {
		c.Default = ""
	}
	t.saveCustomer(c)
}

// cardFor finds a card that is the customer's already, or nobody's yet.
func (t *tx) cardFor(c customer, id string) (card, error) {
	found, known := t.cards.get(id)
	if !known || found.Customer != "" && found.Customer != c.ID {
		return card{}, fault.New(fault.NotFound, "There is no such card.")
	}
	return found, nil
}

// ownCard finds a card that is the customer's.
func (t *tx) ownCard(customerID, cardID string) (customer, card, error) {
	c, err := t.customer(customerID)
	if err != nil {
		return customer{}, card{}, err
	}
	found, err := t.cardFor(c, cardID)
	if err == nil && found.Customer == "" {
		err = fault.New(fault.NotFound, "There is no such card.")
	}
	return c, found, err
}

// attach saves the card to the customer, if it is not saved yet.
func (t *tx) attach(c customer, found card) customer {
	if found.Customer == c.ID {
		return c
	}
	found.Customer = c.ID
	t.cards.put(found)
	t.emit("payment_method.attached", cardObject(found))
	c.Cards = inFront(c.Cards, found.ID)
	t.saveCustomer(c)
	return c
}

// makeDefault has the card charged from now on. A trial that waits for another card's
// authentication asks for this one's instead.
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

func (c card) show() billing.PaymentMethod { return billing.PaymentMethod{ID: c.ID, Card: c.Card} }
