package stripepayment

import (
	"context"
	"slices"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaRequest is the key under which a subscription was started. A repeat finds the subscription
// of the first time at the customer, which must not stand in its way.
const metaRequest = "request"

// Subscribe starts a subscription that charges the customer's default card. The customer is
// looked at first, because Stripe would start a trial without a card, would take another currency
// once everything in the first one has ended, and would sell one subscription beside another. Where
// a card comes with it, making that the default one shows the customer already.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	if err := known(in.CustomerID, "customer"); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.price(ctx, in.Price)
	if err != nil {
		return billing.Subscription{}, err
	}
	customer, err := p.payer(ctx, in)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.maySubscribe(customer, in); err != nil {
		return billing.Subscription{}, err
	}
	made, err := p.stripe.V1Subscriptions.Create(ctx, newSubscription(in, price, customer))
	if err != nil {
		return billing.Subscription{}, p.notSold(in.Price.PriceID(), err, p.keyFault(ctx, "subscribe", in.CustomerID, in.Key, err))
	}
	return p.subscriptionOf(ctx, made)
}

// payer is the customer with the card that is to be charged as its default one.
func (p *Provider) payer(ctx context.Context, in payment.NewSubscription) (*stripe.Customer, error) {
	if in.CardID == "" {
		return p.customer(ctx, in.CustomerID, unfinishedOfTheir)
	}
	card := payment.NewCard{Key: in.Key, CustomerID: in.CustomerID, CardID: in.CardID}
	_, customer, err := p.save(ctx, card, *keyFor(in.Key, "attach"))
	return customer, err
}

func (p *Provider) maySubscribe(c *stripe.Customer, in payment.NewSubscription) error {
	charged := code(c.Currency)
	switch {
	case in.Sole && p.hasAnother(c, in.Key), in.First && charged != "" && !hasMade(c, in.Key):
		return fault.New(fault.Conflict, "The customer has a subscription already.")
	case charged != "" && charged != in.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", charged, in.Price.Currency)
	case defaultOf(c) == nil:
		return errNoCard()
	}
	return nil
}

// hasAnother reports whether the customer has a subscription to a plan of ours that is not over and
// that this request did not start. Stripe shows the ten newest of those; nobody has as many.
func (p *Provider) hasAnother(c *stripe.Customer, key string) bool {
	if c.Subscriptions == nil {
		return false
	}
	return slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return !over(s) && s.Metadata[metaRequest] != key && p.refOf(s).Product != ""
	})
}

// hasMade reports whether this very request has started a subscription before.
func hasMade(c *stripe.Customer, key string) bool {
	return c.Subscriptions != nil && slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return s.Metadata[metaRequest] == key
	})
}

func errNoCard() error {
	return fault.New(fault.Invalid, "The customer has no card to charge. Please add one first.")
}

// newSubscription is what is asked for. allow_incomplete has Stripe try the card at once and keep
// the subscription, incomplete, when the payment needs somebody to finish it or was declined.
func newSubscription(in payment.NewSubscription, price string, c *stripe.Customer) *stripe.SubscriptionCreateParams {
	params := &stripe.SubscriptionCreateParams{
		Customer:        &in.CustomerID,
		Items:           []*stripe.SubscriptionCreateItemParams{{Price: &price}},
		Currency:        stripe.String(strings.ToLower(in.Price.Currency)),
		PaymentBehavior: new("allow_incomplete"),
		PaymentSettings: &stripe.SubscriptionCreatePaymentSettingsParams{PaymentMethodTypes: stripe.StringSlice([]string{"card"})},
		BillingMode:     &stripe.SubscriptionCreateBillingModeParams{Type: new("classic")},
		Metadata: metadata(metaOrganisation, c.Metadata[metaOrganisation],
			metaProduct, in.Price.Product, metaInterval, string(in.Price.Interval), metaRequest, in.Key),
		Expand: shown(""),
	}
	if in.TrialDays != 0 {
		params.TrialPeriodDays = new(int64(in.TrialDays))
	}
	params.SetIdempotencyKey(in.Key)
	return params
}

// notSold returns the fault of a sale that Stripe refused: out, or one that says more. What is known of the price may be why: it is
// asked for anew the next time. When something is missing that was there a moment ago it is the
// price or the card, and never the customer.
func (p *Provider) notSold(priceID string, err, out error) error {
	why := failureOf(err)
	switch {
	case why.missing() && why.param == "":
		return errNoCard()
	case strings.HasPrefix(why.param, "items"):
		p.prices.forget(priceID)
		return fault.Wrap(why, fault.Conflict, "The prices have just changed. Please try again.")
	}
	return out
}
