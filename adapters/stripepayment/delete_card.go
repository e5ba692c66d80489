package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/ports/payment"
)

// DeleteCard takes the card off the customer. Stripe's detach asks for no customer, so whose card
// it is has to be asked first. One that is nobody's may have been the customer's until this very
// request came for the first time: Stripe knows by the key, and refuses it otherwise.
func (p *Provider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	if err := checkKey(in.Key); err != nil {
		return err
	}
	if err := p.checkNobodyElses(ctx, in); err != nil {
		return err
	}
	params := &stripe.PaymentMethodDetachParams{}
	params.SetIdempotencyKey(in.Key)
	_, err := p.stripe.V1PaymentMethods.Detach(ctx, in.CardID, params)
	if err != nil && failureOf(err).refused() {
		return noSuch("card") // it was nobody's, or somebody else has just deleted it
	}
	return p.keyFault(ctx, "detach card", in.CustomerID, in.Key, err)
}

// checkNobodyElses refuses a card of another customer as one that is not there.
func (p *Provider) checkNobodyElses(ctx context.Context, in payment.SavedCard) error {
	if err := knownBoth(in.CustomerID, in.CardID); err != nil {
		return err
	}
	card, err := p.stripe.V1PaymentMethods.Retrieve(ctx, in.CardID, nil)
	switch {
	case err != nil:
		return p.fault(ctx, "read card", err)
	case card.Customer != nil && card.Customer.ID != in.CustomerID:
		return noSuch("card")
	}
	return nil
}

// checkOwn refuses a card that is not the customer's as one that is not there.
func (p *Provider) checkOwn(ctx context.Context, customerID, cardID string) error {
	if err := knownBoth(customerID, cardID); err != nil {
		return err
	}
	params := &stripe.CustomerRetrievePaymentMethodParams{Customer: &customerID}
	_, err := p.stripe.V1Customers.RetrievePaymentMethod(ctx, cardID, params)
	return p.fault(ctx, "read card of customer", err)
}

func knownBoth(customerID, cardID string) error {
	if err := known(customerID, "customer"); err != nil {
		return err
	}
	return known(cardID, "card")
}
