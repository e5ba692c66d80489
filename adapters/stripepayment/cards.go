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
	saved, err := p.attach(ctx, in)
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	_, err = p.makeDefault(ctx, in.Key, in.CustomerID, saved.ID)
	return cardOf(saved), err
}

// attach saves the card to the customer. In test mode the id may be a stand-in for a new card, so
// what counts is the id of the answer.
func (p *Provider) attach(ctx context.Context, in payment.NewCard) (*stripe.PaymentMethod, error) {
	if err := known(in.CustomerID, "customer"); err != nil {
		return nil, err
	}
	if err := known(in.CardID, "card"); err != nil {
		return nil, err
	}
	params := &stripe.PaymentMethodAttachParams{Customer: &in.CustomerID}
	params.SetIdempotencyKey(in.Key)
	saved, err := p.stripe.V1PaymentMethods.Attach(ctx, in.CardID, params)
	switch {
	case err == nil:
		return saved, nil
	case failureOf(err).refused():
		return p.whose(ctx, in)
	}
	return nil, p.fault(ctx, "attach card", err)
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

// DeleteCard takes the card off the customer. Stripe's detach asks for no customer, so whose card
// it is has to be asked first.
func (p *Provider) DeleteCard(ctx context.Context, customerID, cardID string) error {
	if err := p.checkOwn(ctx, customerID, cardID); err != nil {
		return err
	}
	params := &stripe.PaymentMethodDetachParams{}
	params.SetIdempotencyKey(freshKey())
	_, err := p.stripe.V1PaymentMethods.Detach(ctx, cardID, params)
	if err != nil && failureOf(err).refused() {
		return noSuch("card") // somebody else has just deleted it
	}
	return p.fault(ctx, "detach card", err)
}

// checkOwn refuses a card that is not the customer's as one that is not there.
func (p *Provider) checkOwn(ctx context.Context, customerID, cardID string) error {
	if err := known(customerID, "customer"); err != nil {
		return err
	}
	if err := known(cardID, "card"); err != nil {
		return err
	}
	params := &stripe.CustomerRetrievePaymentMethodParams{Customer: &customerID}
	_, err := p.stripe.V1Customers.RetrievePaymentMethod(ctx, cardID, params)
	return p.fault(ctx, "read card of customer", err)
}

func cardOf(m *stripe.PaymentMethod) billing.PaymentMethod {
	out := billing.PaymentMethod{ID: m.ID, Card: billing.Card{Brand: string(m.Type)}}
	if m.Card != nil {
		out.Card = billing.Card{
			Brand: string(m.Card.Brand), Last4: m.Card.Last4,
			ExpMonth: int(m.Card.ExpMonth), ExpYear: int(m.Card.ExpYear),
		}
	}
	return out
}
