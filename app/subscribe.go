package app

import (
	"cmp"
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// PriceChoice selects a price of the catalogue. The interval and the currency repeat what the caller
// has displayed: the choice is Invalid unless they agree with the price.
type PriceChoice struct {
	PriceID  string // such as "professional_yearly"
	Interval string // "monthly" or "yearly"
	Currency string // an ISO 4217 code in upper or lower case
}

// resolve returns the price; Invalid when it is not for sale.
func (c PriceChoice) resolve(prices *catalogue.Catalogue) (catalogue.PriceRef, error) {
	return prices.Resolve(c.PriceID, c.Interval, c.Currency)
}

// Subscribe starts the organisation's subscription, or pays the first invoice of one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     storage.Operations
	provider  interface {
		subscriptionReader
		customerReader
	}
	ops    operations
	sync   *billingSync
	cards  savedCards
	quotes quotes
}

// SubscribeRequest contains the parameters of Subscribe.
type SubscribeRequest struct {
	CustomerID string // optional; Forbidden unless it is the organisation's own customer
	MethodID   string // the payment method to save and charge; "" for the default one
	Price      PriceChoice
	NoTrial    bool   // skips the trial, if one is available
	Quote      string // the token of a SignedQuote; "" to accept any amount
}

// Do returns the subscription as the provider reports it, with the payment or authentication that the browser has to
// complete, if any, or the page on which the customer of a trial saves a payment method. A repeat of the request
// that created or paid the live subscription returns that subscription; while one is live, any other request is
// Conflict. Declined when the card can't be saved. With a quote, exactly the quoted amount is charged: otherwise
// nothing is done and the error is a *QuoteError.
func (u *Subscribe) Do(ctx context.Context, caller identity.Identity, req SubscribeRequest) (billing.Subscription, error) {
	price, err := req.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	plan, _ := u.catalogue.Plan(price.Product)
	p := &purchase{
		Subscribe: u, organisationID: caller.OrganisationID, customerID: req.CustomerID, quote: req.Quote,
		request: billing.Purchase{Plan: plan, Price: price, MethodID: req.MethodID, NoTrial: req.NoTrial},
	}
	sub, err := run(ctx, u.ops, request[billing.Subscription]{
		organisationID: p.organisationID, kind: billing.SubscriptionOperation, fingerprint: p.fingerprint(), decide: p.decide,
		decideAgain: p.decideAgain, result: p.result, resultID: subscriptionID,
	})
	if err == nil {
		u.cards.deleteRecordAfterPayment(ctx, p.organisationID, p.card, sub)
	}
	return sub, err
}

// purchase executes one call of Subscribe.
type purchase struct {
	*Subscribe
	organisationID string
	customerID     string // of the request; "" accepts any
	request        billing.Purchase
	quote          string
	card           paymentCard // set by decide; zero if the request has joined an operation
}

// fingerprint contains the quote, because two quotes can be for different amounts. Without a quote it is that of earlier
// versions.
func (p *purchase) fingerprint() string {
	r := p.request
	parts := []string{"subscribe", r.MethodID, r.Price.PriceID(), r.Price.Currency, strconv.FormatBool(r.NoTrial)}
	if p.quote != "" {
		parts = append(parts, p.quote)
	}
	return fingerprint(parts...)
}

// decide returns the actions for the provider's current report. It records a new card, so that the card is detached if
// the payment fails.
func (p *purchase) decide(ctx context.Context, _ bool) (subscriptionDecision, error) {
	org, err := p.sync.refreshForPurchase(ctx, p.organisationID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	if p.customerID != "" && p.customerID != org.Billing.CustomerID {
		return subscriptionDecision{}, fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	actions, err := billing.DecidePurchase(&org.Billing, p.request)
	if err != nil {
		return p.decideRepeat(ctx, cmp.Or(org.Billing.Live(), org.Billing.StartingSubscription()), err)
	}
	actions, err = p.quotes.confirm(ctx,
		decidedRequest{org: org, price: p.request.Price, when: billing.ChangeNow, actions: actions}, p.quote)
	if err != nil {
		return subscriptionDecision{}, err
	}
	card, cleanup, err := p.cards.preparePurchase(ctx, org, p.request.MethodID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	p.card = card
	actions, err = p.withMethodPage(ctx, org.Billing.CustomerID, actions)
	return subscriptionDecision{actions: append(cleanup, actions...), org: &org}, err
}

// withMethodPage returns the actions, followed by the page that saves a payment method if they start a trial, the provider
// has such a page and the customer has no method yet.
func (p *purchase) withMethodPage(ctx context.Context, customerID string, actions []billing.Action) ([]billing.Action, error) {
	startsTrial := actions[len(actions)-1].TrialDays > 0
	if !startsTrial || p.request.MethodID != "" || !p.ops.capabilities.Has(payment.MethodPage) {
		return actions, nil
	}
	customer, err := p.provider.Customer(ctx, customerID)
	if err != nil || customer.Default != nil {
		return actions, err
	}
	return append(actions, billing.SetUpMethod(customerID)), nil
}

// decideAgain returns the error of deciding the purchase for the organisation.
func (p *purchase) decideAgain(_ context.Context, org account.Organisation) error {
	_, err := billing.DecidePurchase(&org.Billing, p.request)
	return err
}

// decideRepeat returns a decision without actions if an earlier execution of the same request created the live
// subscription, or the one whose first payment is on its way. It returns ErrRevisionChanged while that execution is
// pending, and the refusal otherwise.
func (p *purchase) decideRepeat(
	ctx context.Context, live *billing.Subscription, refusal error,
) (subscriptionDecision, error) {
	if live == nil || live.Price != p.request.Price {
		return subscriptionDecision{}, refusal
	}
	if err := p.ops.checkNotPending(ctx, p.organisationID, p.fingerprint()); err != nil {
		return subscriptionDecision{}, err
	}
	isRepeat, err := p.store.OperationSucceeded(ctx, storage.OperationQuery{
		OrganisationID: p.organisationID, Kind: billing.SubscriptionOperation, Fingerprint: p.fingerprint(), Result: live.ID,
	})
	if err != nil {
		return subscriptionDecision{}, err
	}
	if !isRepeat {
		return subscriptionDecision{}, refusal
	}
	d, err := decideNothing(ctx, p.provider, live.ID) // our copy contains no client secret
	d.result.QuoteDifference = p.quotes.difference(p.quote, d.result)
	return d, err
}

// result returns the new or paid subscription.
func (p *purchase) result(ctx context.Context, out outcome, err error) (billing.Subscription, error) {
	if err != nil {
		return billing.Subscription{}, err
	}
	sub := out.subscription
	if out.methodPage.URL != "" {
		sub.Next = out.methodPage
	}
	sub.QuoteDifference = p.quotes.reportDifference(ctx, out.execution, p.quote, sub)
	return sub, nil
}
