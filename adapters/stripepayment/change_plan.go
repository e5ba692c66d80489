package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaChange is the key of the last change of plan. What is asked of Stripe depends on how the
// subscription was before the change, so that a repeat afterwards would ask for something else
// under the same key; by this it knows that the change was made.
const metaChange = "change"

// ChangePlan moves a live subscription to another price and bills the difference at once.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, in.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if made := found.Metadata[metaChange] == in.Key && p.refOf(found) == in.Price; made {
		return p.subscriptionOf(ctx, found)
	}
	if err := mayChange(found, in.Price); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.price(ctx, in.Price)
	if err != nil {
		return billing.Subscription{}, err
	}
	changed, err := p.stripe.V1Subscriptions.Update(ctx, found.ID, p.planChange(in, price, found))
	if err != nil {
		return billing.Subscription{}, p.notSold(ctx, "change plan", in.Price.PriceID(), err)
	}
	return p.subscriptionOf(ctx, changed)
}

func mayChange(s *stripe.Subscription, to catalogue.PriceRef) error {
	switch {
	case !statusOf(s).Live():
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	case code(s.Currency) != to.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.", code(s.Currency), to.Currency)
	}
	return nil
}

// planChange is what is asked for. The item is named, or Stripe would add a second one beside it.
// A trial is ended only where one runs: on a paid period it would begin a new one.
func (p *Provider) planChange(in payment.PlanChange, price string, s *stripe.Subscription) *stripe.SubscriptionUpdateParams {
	params := &stripe.SubscriptionUpdateParams{
		Items:             []*stripe.SubscriptionUpdateItemParams{{ID: p.ourItem(s), Price: &price}},
		ProrationBehavior: new("always_invoice"),
		PaymentBehavior:   new("allow_incomplete"),
		Metadata:          metadata(metaProduct, in.Price.Product, metaInterval, string(in.Price.Interval), metaChange, in.Key),
		Expand:            shown(""),
	}
	if s.Status == stripe.SubscriptionStatusTrialing {
		params.TrialEndNow = new(true)
	}
	params.SetIdempotencyKey(in.Key)
	return params
}

// ourItem is the item that carries one of our prices, or the only one there is.
func (p *Provider) ourItem(s *stripe.Subscription) *string {
	var first *string
	for _, item := range items(s) {
		if _, _, ours := p.named(item.Price); ours {
			return &item.ID
		}
		if first == nil {
			first = &item.ID
		}
	}
	return first
}
