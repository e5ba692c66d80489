package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// SetDefaultCard makes one of the customer's cards the one that gets charged.
func (p *Provider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Customer{}, err
	}
	if err := p.checkOwn(ctx, in.CustomerID, in.CardID); err != nil {
		return billing.Customer{}, err
	}
	changed, err := p.makeDefault(ctx, in.Key, in.CustomerID, in.CardID)
	if err != nil {
		return billing.Customer{}, err
	}
	return customerOf(changed), nil
}

// makeDefault has the card charged from now on, for running subscriptions too.
func (p *Provider) makeDefault(ctx context.Context, key, customerID, cardID string) (*stripe.Customer, error) {
	params := &stripe.CustomerUpdateParams{
		InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{DefaultPaymentMethod: &cardID},
	}
	params.AddExpand(defaultCard)
	params.AddExpand(unfinishedOfTheir)
	params.IdempotencyKey = keyFor(key, "default")
	changed, err := p.stripe.V1Customers.Update(ctx, customerID, params)
	if err != nil {
		return nil, p.keyFault(ctx, "set default card", customerID, *params.IdempotencyKey, err)
	}
	if changed.Deleted {
		return nil, errDeleted()
	}
	return changed, p.unpin(ctx, key, changed)
}

// unpin lets go of the cards that subscriptions have of their own, because those go before the
// customer's. We pin none; the dashboard and Stripe's portal do. An organisation has one live
// subscription, so the ten that come with the customer are all there are.
func (p *Provider) unpin(ctx context.Context, key string, c *stripe.Customer) error {
	if c.Subscriptions == nil {
		return nil
	}
	for _, s := range c.Subscriptions.Data {
		if s.DefaultPaymentMethod == nil && s.DefaultSource == nil {
			continue
		}
		params := &stripe.SubscriptionUpdateParams{DefaultPaymentMethod: new("")}
		if s.DefaultSource != nil {
			params.DefaultSource = new("")
		}
		params.IdempotencyKey = keyFor(key, "unpin-"+s.ID)
		if _, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params); err != nil {
			return p.fault(ctx, "let go of a subscription's own card", err)
		}
	}
	return nil
}
