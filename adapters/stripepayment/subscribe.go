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

// metaRequest holds the key of the request that started the subscription. A repeated request
// recognises its own subscription by it.
const metaRequest = "request"

// Subscribe starts a subscription that charges the customer's default card. It reads the customer
// first, because Stripe would start a trial without a card, accept another currency once everything
// in the first one has ended, and start a second subscription. If the request brings a card, making
// that the default returns the customer already.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	if err := checkID(in.CustomerID, "customer"); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.price(ctx, in.Price)
	if err != nil {
		return billing.Subscription{}, err
	}
	customer, err := p.customerToCharge(ctx, in)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.checkSubscribe(ctx, customer, in); err != nil {
		return billing.Subscription{}, err
	}
	params := subscriptionParams(in, price, customer)
	if params.DefaultTaxRates, err = p.taxRatesFor(ctx, in.Price.Currency); err != nil {
		return billing.Subscription{}, err
	}
	created, err := p.stripe.V1Subscriptions.Create(ctx, params)
	if err != nil {
		return billing.Subscription{}, p.saleError(in.Price.PriceID(), err, p.keyFault(ctx, "subscribe", in.CustomerID, in.Key, err))
	}
	return p.subscriptionOf(ctx, created)
}

// customerToCharge returns the customer, after saving the request's card as its default.
func (p *Provider) customerToCharge(ctx context.Context, in payment.NewSubscription) (*stripe.Customer, error) {
	if in.MethodID == "" {
		return p.customer(ctx, in.CustomerID, expandSubscriptions)
	}
	card := payment.NewCard{Key: in.Key, CustomerID: in.CustomerID, MethodID: in.MethodID}
	saved, err := p.attach(ctx, card, *keyFor(in.Key, "attach"))
	if err != nil {
		return nil, err
	}
	return p.setDefault(ctx, in.Key, in.CustomerID, saved.ID)
}

func (p *Provider) checkSubscribe(ctx context.Context, c *stripe.Customer, in payment.NewSubscription) error {
	if err := p.checkSale(c, in); err != nil {
		return err
	}
	if defaultCardOf(c) == nil {
		return errNoCard()
	}
	if c.Currency == "" {
		return nil // nothing was charged yet
	}
	return p.checkDisputes(ctx, c.ID)
}

// checkSale refuses another currency, a customer on hold, and a second subscription if the request says so.
func (p *Provider) checkSale(c *stripe.Customer, in payment.NewSubscription) error {
	charged := currencyCode(c.Currency)
	switch {
	case in.Sole && p.hasOtherSubscription(c, in.Key), in.First && charged != "" && !hasSubscriptionMadeBy(c, in.Key):
		return fault.New(fault.Conflict, "The customer has a subscription already.")
	case charged != "" && charged != in.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", charged, in.Price.Currency)
	case holdOfCustomer(c) != billing.NoHold:
		return billing.ErrHold()
	}
	return nil
}

// hasOtherSubscription reports whether the customer has a subscription to a plan of ours that has not ended and
// was not started by the key. Stripe includes the ten newest, which is enough.
func (p *Provider) hasOtherSubscription(c *stripe.Customer, key string) bool {
	if c.Subscriptions == nil {
		return false
	}
	return slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return !hasEnded(s) && !isMadeBy(s, key) && p.priceRefOf(s).Product != ""
	})
}

// hasSubscriptionMadeBy reports whether the key has started one of the customer's subscriptions.
func hasSubscriptionMadeBy(c *stripe.Customer, key string) bool {
	return c.Subscriptions != nil && slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return isMadeBy(s, key)
	})
}

// isMadeBy reports whether the request with the key started the subscription. A quote has no key.
func isMadeBy(s *stripe.Subscription, key string) bool {
	return key != "" && s.Metadata[metaRequest] == key
}

func errNoCard() error {
	return fault.New(fault.Invalid, "The customer has no card to charge. Please add one first.")
}

// subscriptionParams returns the parameters of the subscription. With allow_incomplete Stripe
// charges the card at once and keeps the subscription as incomplete if the payment fails or needs
// the customer.
func subscriptionParams(in payment.NewSubscription, price string, c *stripe.Customer) *stripe.SubscriptionCreateParams {
	params := &stripe.SubscriptionCreateParams{
		Customer:        &in.CustomerID,
		Items:           []*stripe.SubscriptionCreateItemParams{{Price: &price}},
		Currency:        stripe.String(strings.ToLower(in.Price.Currency)),
		PaymentBehavior: new("allow_incomplete"),
		PaymentSettings: &stripe.SubscriptionCreatePaymentSettingsParams{PaymentMethodTypes: stripe.StringSlice([]string{"card"})},
		BillingMode:     &stripe.SubscriptionCreateBillingModeParams{Type: new("classic")},
		Metadata: metadata(metaOrganisation, c.Metadata[metaOrganisation],
			metaProduct, in.Price.Product, metaInterval, string(in.Price.Interval), metaRequest, in.Key),
		Expand: subscriptionExpand(""),
	}
	if in.TrialDays != 0 {
		params.TrialPeriodDays = new(int64(in.TrialDays))
	}
	params.SetIdempotencyKey(in.Key)
	return params
}

// saleError returns the fault for a refused sale or its preview: out, or a more specific one. If Stripe complains about the
// item, a parameter that previews have in subscription_details, the cached price may be outdated and is read again next
// time. A missing object without a parameter is the card, because the customer was just read.
func (p *Provider) saleError(priceID string, err, out error) error {
	f := failureOf(err)
	switch {
	case f.isMissing() && f.param == "":
		return errNoCard()
	case strings.HasPrefix(strings.TrimPrefix(f.param, "subscription_details["), "items"):
		p.prices.forget(priceID)
		return fault.Wrap(f, fault.Conflict, "The prices have just changed. Please try again.")
	}
	return out
}
