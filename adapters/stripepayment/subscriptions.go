package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// Subscription returns one subscription as it is now.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	found, err := p.subscription(ctx, id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, found)
}

func (p *Provider) subscription(ctx context.Context, id string) (*stripe.Subscription, error) {
	if err := known(id, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionRetrieveParams{Expand: shown("")}
	found, err := p.stripe.V1Subscriptions.Retrieve(ctx, id, params)
	if err != nil {
		return nil, p.fault(ctx, "read subscription", err)
	}
	return found, nil
}

// ListSubscriptions lists the customer's subscriptions, newest first, which is Stripe's own order.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	if err := known(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionListParams{Customer: &customerID, Status: new("all"), Expand: shown("data.")}
	params.Limit = new(int64(page))
	out := []billing.Subscription{}
	for found, err := range p.stripe.V1Subscriptions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list subscriptions", err)
		}
		if len(statuses) > 0 && !slices.Contains(statuses, statusOf(found)) {
			continue
		}
		s, err := p.subscriptionOf(ctx, found)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
