package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// page is how many things Stripe lists at a time, at most.
const page = 100

// Cards lists the customer's saved cards, newest first, which is Stripe's own order.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	if err := known(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.CustomerListPaymentMethodsParams{Customer: &customerID, Type: new("card")}
	params.Limit = new(int64(page))
	cards := []billing.PaymentMethod{}
	for card, err := range p.stripe.V1Customers.ListPaymentMethods(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list cards", err)
		}
		cards = append(cards, cardOf(card))
	}
	return cards, nil
}

// AddCard saves a card and makes it the default one. Stripe has the bank look at it on the way.
func (p *Provider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.PaymentMethod{}, err
	}
	save := p.save
	if in.KeepDefault {
		save = p.saveBeside
	}
	saved, _, err := save(ctx, in, in.Key)
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return cardOf(saved), nil
}

// save attaches the card, under a key of its own, and makes it the default one of the customer.
func (p *Provider) save(ctx context.Context, in payment.NewCard, attachKey string) (*stripe.PaymentMethod, *stripe.Customer, error) {
	saved, err := p.attach(ctx, in, attachKey)
	if err != nil {
		return nil, nil, err
	}
	of, err := p.makeDefault(ctx, in.Key, in.CustomerID, saved.ID)
	return saved, of, err
}

// saveBeside attaches the card and leaves the default one as it is.
func (p *Provider) saveBeside(ctx context.Context, in payment.NewCard, attachKey string) (*stripe.PaymentMethod, *stripe.Customer, error) {
	saved, err := p.attach(ctx, in, attachKey)
	return saved, nil, err
}

// attach saves the card to the customer. In test mode the id may be a stand-in for a new card, so
// what counts is the id of the answer.
func (p *Provider) attach(ctx context.Context, in payment.NewCard, key string) (*stripe.PaymentMethod, error) {
	if err := knownBoth(in.CustomerID, in.CardID); err != nil {
		return nil, err
	}
	params := &stripe.PaymentMethodAttachParams{Customer: &in.CustomerID}
	params.SetIdempotencyKey(key)
	saved, err := p.stripe.V1PaymentMethods.Attach(ctx, in.CardID, params)
	switch {
	case err == nil:
		return saved, nil
	case failureOf(err).refused():
		return p.whose(ctx, in)
	}
	return nil, p.keyFault(ctx, "attach card", in.CustomerID, key, err)
}

// whose finds out why a card could not be attached: it is the customer's own already, it is
// somebody else's and so not there, or it was used up or detached and can't be saved any more.
func (p *Provider) whose(ctx context.Context, in payment.NewCard) (*stripe.PaymentMethod, error) {
	card, err := p.stripe.V1PaymentMethods.Retrieve(ctx, in.CardID, nil)
	switch {
	case err != nil:
		return nil, p.fault(ctx, "read card", err)
	case card.Customer == nil:
		return nil, fault.New(fault.Conflict, "This card can't be saved any more. Please enter it again.")
	case card.Customer.ID != in.CustomerID:
		return nil, noSuch("card")
	}
	return card, nil
}

func cardOf(m *stripe.PaymentMethod) billing.PaymentMethod {
	out := billing.PaymentMethod{ID: m.ID, Card: billing.Card{Brand: string(m.Type)}}
	if m.Card != nil {
		out.Card = billing.Card{
			Brand: string(m.Card.Brand), Last4: m.Card.Last4,
			ExpMonth: int(m.Card.ExpMonth), ExpYear: int(m.Card.ExpYear), Fingerprint: m.Card.Fingerprint,
		}
	}
	return out
}
