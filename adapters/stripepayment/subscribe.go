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
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return billing.Subscription{}, err
	}
	price, err := p.price(ctx, req.Price)
	if err != nil {
		return billing.Subscription{}, err
	}
	customer, err := p.customerToCharge(ctx, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.checkSubscribe(ctx, customer, req); err != nil {
		return billing.Subscription{}, err
	}
	params := subscriptionParams(req, price, customer)
	if params.DefaultTaxRates, err = p.taxRatesFor(ctx, req.Price.Currency); err != nil {
		return billing.Subscription{}, err
	}
	created, err := p.stripe.V1Subscriptions.Create(ctx, params)
	if err != nil {
		return billing.Subscription{}, p.saleError(req.Price.PriceID(), err,
			p.keyFault(ctx, "subscribe", req.CustomerID, req.Key, err))
	}
	return p.subscriptionOf(ctx, created)
}

// customerToCharge returns the customer, after saving the request's card as its default.
func (p *Provider) customerToCharge(ctx context.Context, req payment.NewSubscription) (*stripe.Customer, error) {
	if req.MethodID == "" {
		return p.customer(ctx, req.CustomerID, expandSubscriptions)
	}
	card := payment.NewCard{Key: req.Key, CustomerID: req.CustomerID, MethodID: req.MethodID}
	saved, err := p.attachCard(ctx, card, *keyFor(req.Key, "attach"))
	if err != nil {
		return nil, err
	}
	return p.setDefault(ctx, req.Key, req.CustomerID, saved.ID)
}

func (p *Provider) checkSubscribe(ctx context.Context, c *stripe.Customer, req payment.NewSubscription) error {
	if err := p.checkSale(c, req); err != nil {
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
func (p *Provider) checkSale(c *stripe.Customer, req payment.NewSubscription) error {
	charged := currencyCode(c.Currency)
	switch {
	case req.Sole && p.hasOtherSubscription(c, req.Key), req.First && charged != "" && !hasSubscriptionMadeBy(c, req.Key):
		return fault.New(fault.Conflict, "The customer has a subscription already.")
	case charged != "" && charged != req.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", charged, req.Price.Currency)
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
func subscriptionParams(req payment.NewSubscription, price string, c *stripe.Customer) *stripe.SubscriptionCreateParams {
	params := &stripe.SubscriptionCreateParams{
		Customer:        &req.CustomerID,
		Items:           []*stripe.SubscriptionCreateItemParams{{Price: &price}},
		Currency:        stripe.String(strings.ToLower(req.Price.Currency)),
		PaymentBehavior: new("allow_incomplete"),
		PaymentSettings: &stripe.SubscriptionCreatePaymentSettingsParams{PaymentMethodTypes: stripe.StringSlice(methodTypes(defaultCardOf(c)))},
		BillingMode:     &stripe.SubscriptionCreateBillingModeParams{Type: new("classic")},
		Metadata: metadata(metaOrganisation, c.Metadata[metaOrganisation],
			metaProduct, req.Price.Product, metaInterval, string(req.Price.Interval), metaRequest, req.Key),
		Expand: subscriptionExpand(""),
	}
	if req.TrialDays != 0 {
		params.TrialPeriodDays = new(int64(req.TrialDays))
	}
	params.SetIdempotencyKey(req.Key)
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
