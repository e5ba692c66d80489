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

// metaStartKey holds the key of the request that started the subscription. A repeated request recognises its own
// subscription by this key.
const metaStartKey = "request"

// Subscribe starts a subscription that charges the customer's default payment method. It checks the customer first,
// because Stripe itself accepts a trial without a card and a second subscription. Stripe also accepts another currency
// once all subscriptions in the customer's currency have ended.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	if err := checkID(req.CustomerID, "customer"); err != nil {
		return billing.Subscription{}, err
	}
	priceID, err := p.lookUpPriceID(ctx, req.Price)
	if err != nil {
		return billing.Subscription{}, err
	}
	customer, err := p.prepareCustomer(ctx, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := p.checkPurchase(ctx, customer, req); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.createSubscription(ctx, req, priceID, customer)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.subscriptionOf(ctx, sub)
}

// createSubscription creates the subscription at Stripe and charges its first invoice. With a quote it does so only for
// the quoted amounts.
func (p *Provider) createSubscription(
	ctx context.Context, req payment.NewSubscription, priceID string, c *stripe.Customer,
) (*stripe.Subscription, error) {
	params := subscriptionParams(req, priceID, c)
	var err error
	if params.DefaultTaxRates, err = p.taxRateIDsOfCurrency(ctx, req.Price.Currency); err != nil {
		return nil, err
	}
	if err := p.checkQuotedSubscription(ctx, c, priceID, req); err != nil {
		return nil, err
	}
	sub, err := p.stripe.V1Subscriptions.Create(ctx, params)
	if err != nil {
		return nil, p.convertPurchaseRefusal(req.Price.PriceID(), err,
			p.logKeyFault(ctx, "subscribe", req.CustomerID, req.Key, err))
	}
	if chargesQuotedAmount(req) && isOpen(sub.LatestInvoice) {
		return p.payFirstInvoice(ctx, req, sub)
	}
	return sub, nil
}

// chargesQuotedAmount reports whether the request charges an amount that the customer has agreed to.
func chargesQuotedAmount(req payment.NewSubscription) bool {
	return req.Quoted != (billing.QuotedAmounts{}) && req.TrialDays == 0
}

// checkQuotedSubscription previews the first invoice immediately before the request is sent, and returns ErrQuoteOutdated
// if it would have other amounts than quoted. It checks nothing if an earlier attempt has started the subscription.
func (p *Provider) checkQuotedSubscription(
	ctx context.Context, c *stripe.Customer, priceID string, req payment.NewSubscription,
) error {
	if req.Quoted == (billing.QuotedAmounts{}) || hasSubscriptionStartedBy(c, req.Key) {
		return nil
	}
	quote, err := p.quoteSubscription(ctx, c, priceID, req)
	if err != nil {
		return err
	}
	return req.Quoted.Check(quote)
}

// payFirstInvoice charges the open invoice of a subscription that was created with default_incomplete. Stripe has applied
// the customer's credit, so the amount of the invoice is final. If the invoice has other amounts than quoted,
// payFirstInvoice cancels the subscription and returns ErrQuoteOutdated. It returns the updated subscription, also if the
// payment was declined or needs authentication.
func (p *Provider) payFirstInvoice(
	ctx context.Context, req payment.NewSubscription, sub *stripe.Subscription,
) (*stripe.Subscription, error) {
	inv := sub.LatestInvoice
	currency := currencyCode(inv.Currency)
	if err := req.Quoted.Check(billing.Quote{
		DueNow: fromStripeUnits(inv.AmountDue, currency), CreditAfter: fromStripeUnits(-endingBalance(inv), currency),
	}); err != nil {
		cancellation := payment.Cancellation{Key: stepKey(req.Key, "cancel"), SubscriptionID: sub.ID, IfUnpaid: true}
		if _, cancelErr := p.CancelSubscription(ctx, cancellation); cancelErr != nil {
			return nil, cancelErr
		}
		return nil, err
	}
	params := &stripe.InvoicePayParams{OffSession: new(false)}
	payKey := stepKey(req.Key, "pay")
	params.SetIdempotencyKey(payKey)
	if _, err := p.stripe.V1Invoices.Pay(ctx, inv.ID, params); err != nil {
		keyErr := p.logKeyFault(ctx, "pay first invoice", req.CustomerID, payKey, err)
		f := failureOf(err)
		if f.errorType != stripe.ErrorTypeCard && !f.isRefused() && !f.isMissing() {
			return nil, keyErr
		}
	}
	return p.readSubscription(ctx, sub.ID)
}

// prepareCustomer saves the request's card as the default one and returns the customer with its subscriptions. Without a
// card it only reads the customer.
func (p *Provider) prepareCustomer(ctx context.Context, req payment.NewSubscription) (*stripe.Customer, error) {
	if req.MethodID == "" {
		return p.readCustomer(ctx, req.CustomerID, expandSubscriptions)
	}
	newCard := payment.NewCard{Key: req.Key, CustomerID: req.CustomerID, MethodID: req.MethodID}
	method, err := p.attachMethod(ctx, newCard, stepKey(req.Key, "attach"))
	if err != nil {
		return nil, err
	}
	return p.setDefaultMethod(ctx, req.Key, req.CustomerID, method.ID)
}

// checkPurchase returns the error of checkPurchaseTerms. It also refuses a customer without a payment method or with a
// disputed charge.
func (p *Provider) checkPurchase(ctx context.Context, c *stripe.Customer, req payment.NewSubscription) error {
	if err := p.checkPurchaseTerms(c, req); err != nil {
		return err
	}
	if defaultMethodOf(c) == nil {
		return errNoCard()
	}
	if c.Currency == "" {
		return nil // the customer was never charged
	}
	return p.checkDisputes(ctx, c.ID)
}

// checkPurchaseTerms refuses a customer on hold and a currency other than the customer's. If Sole or First is set, it
// also refuses a further subscription.
func (p *Provider) checkPurchaseTerms(c *stripe.Customer, req payment.NewSubscription) error {
	currency := currencyCode(c.Currency)
	switch {
	case req.Sole && p.hasOtherSubscription(c, req.Key), req.First && currency != "" && !hasSubscriptionStartedBy(c, req.Key):
		return fault.New(fault.Conflict, "The customer has a subscription already.")
	case currency != "" && currency != req.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", currency, req.Price.Currency)
	case holdOfCustomer(c) != billing.NoHold:
		return billing.HoldConflict()
	}
	return nil
}

// hasOtherSubscription reports whether another request has started a subscription to one of our plans that has not
// ended. It considers the ten newest ones, which Stripe includes with the customer.
func (p *Provider) hasOtherSubscription(c *stripe.Customer, key string) bool {
	if c.Subscriptions == nil {
		return false
	}
	return slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return !hasEnded(s) && !isStartedBy(s, key) && !isIgnored(s)
	})
}

// hasSubscriptionStartedBy reports whether the request with the key started one of the customer's subscriptions.
func hasSubscriptionStartedBy(c *stripe.Customer, key string) bool {
	return c.Subscriptions != nil && slices.ContainsFunc(c.Subscriptions.Data, func(s *stripe.Subscription) bool {
		return isStartedBy(s, key)
	})
}

// isStartedBy reports whether the request with the key started the subscription. Quotes have the key "", which has
// started none.
func isStartedBy(s *stripe.Subscription, key string) bool {
	return key != "" && s.Metadata[metaStartKey] == key
}

func errNoCard() error {
	return fault.New(fault.Invalid, "The customer has no card to charge. Please add one first.")
}

// subscriptionParams returns the parameters of the subscription. With allow_incomplete Stripe charges the payment method
// immediately, and creates the subscription as incomplete if the payment fails or needs authentication. With
// default_incomplete Stripe creates it as incomplete unless nothing is due, and charges nothing, see payFirstInvoice.
func subscriptionParams(req payment.NewSubscription, priceID string, c *stripe.Customer) *stripe.SubscriptionCreateParams {
	params := &stripe.SubscriptionCreateParams{
		Customer:        &req.CustomerID,
		Items:           []*stripe.SubscriptionCreateItemParams{{Price: &priceID}},
		Currency:        stripe.String(strings.ToLower(req.Price.Currency)),
		PaymentBehavior: new("allow_incomplete"),
		PaymentSettings: &stripe.SubscriptionCreatePaymentSettingsParams{
			PaymentMethodTypes: stripe.StringSlice(allowedMethodTypes(defaultMethodOf(c))),
		},
		BillingMode: &stripe.SubscriptionCreateBillingModeParams{Type: new("classic")},
		Metadata: newMetadata(metaOrganisation, c.Metadata[metaOrganisation],
			metaProduct, req.Price.Product, metaInterval, string(req.Price.Interval), metaStartKey, req.Key),
		Expand: subscriptionExpand(""),
	}
	if chargesQuotedAmount(req) {
		params.PaymentBehavior = new("default_incomplete")
	}
	if req.TrialDays != 0 {
		params.TrialPeriodDays = new(int64(req.TrialDays))
	}
	params.SetIdempotencyKey(req.Key)
	return params
}

// convertPurchaseRefusal returns the fault for a purchase, a plan change or a preview that Stripe has refused. It
// returns generalFault if the refusal has no specific fault. If Stripe refuses the parameter of the item, the cached
// price may be outdated, and the next request reads the price again. A missing object without a parameter can only be
// the customer's payment method, because the customer was read just before.
func (p *Provider) convertPurchaseRefusal(priceID string, refusal, generalFault error) error {
	f := failureOf(refusal)
	switch {
	case f.isMissing() && f.param == "":
		return errNoCard()
	case strings.HasPrefix(strings.TrimPrefix(f.param, "subscription_details["), "items"):
		p.prices.removeKey(priceID)
		return fault.Wrap(f, fault.Conflict, "The prices have just changed. Please try again.")
	}
	return generalFault
}
