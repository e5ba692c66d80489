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

// PriceChoice selects a price of the catalogue. Interval and Currency contain what the caller has displayed. If they are
// not those of the price, the request is Invalid.
type PriceChoice struct {
	PriceID  string // such as "professional_yearly"
	Interval string // "monthly" or "yearly"
	Currency string // an ISO 4217 code in upper or lower case
}

// resolve returns the price. It returns Invalid when the price is not for sale.
func (c PriceChoice) resolve(prices *catalogue.Catalogue) (catalogue.PriceRef, error) {
	return prices.ResolvePrice(c.PriceID, c.Interval, c.Currency)
}

// Subscribe starts the organisation's subscription, or pays the first invoice of one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     storage.Operations
	provider  interface {
		subscriptionReader
		customerReader
		cardReader
	}
	ops    operations
	sync   *billingSync
	quoter quoter
}

// SubscribeRequest contains the parameters of Subscribe.
type SubscribeRequest struct {
	CustomerID string // optional; Forbidden if it is not the organisation's customer
	MethodID   string // the payment method to save and charge; "" for the default one
	Price      PriceChoice
	NoTrial    bool   // skips the trial, if one is available
	Quote      string // the token of a SignedQuote; "" to accept any amount
}

// Do returns the subscription as the provider reports it, with the payment or authentication that the browser has to
// complete, if any, or the page on which the customer of a trial saves a payment method. A repeat of the request that
// created or paid the live subscription returns that subscription. Do returns Conflict for any other request while a
// subscription is live, and Declined when the card can't be saved. With a quote, Do charges exactly the quoted amount, or
// does nothing and returns a *QuoteError.
func (u *Subscribe) Do(ctx context.Context, caller identity.Identity, req SubscribeRequest) (billing.Subscription, error) {
	price, err := req.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	plan, _ := u.catalogue.Plan(price.Product)
	c := subscribeCall{
		Subscribe: u, organisationID: caller.OrganisationID, customerID: req.CustomerID, quote: req.Quote,
		purchase: billing.Purchase{Plan: plan, Price: price, MethodID: req.MethodID, NoTrial: req.NoTrial},
	}
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: c.organisationID, kind: billing.SubscriptionOperation, fingerprint: c.fingerprint(), decide: c.decide,
		decideAgain: c.decideAgain, result: c.result, resultID: subscriptionResultID,
	})
}

// subscribeCall executes one call of Subscribe.Do.
type subscribeCall struct {
	*Subscribe
	organisationID string
	customerID     string // SubscribeRequest.CustomerID
	purchase       billing.Purchase
	quote          string
}

// fingerprint identifies the request together with its quote, because two quotes can be for different amounts.
func (c subscribeCall) fingerprint() string {
	p := c.purchase
	parts := []string{"subscribe", p.MethodID, p.Price.PriceID(), p.Price.Currency, strconv.FormatBool(p.NoTrial)}
	if c.quote != "" {
		parts = append(parts, c.quote)
	}
	return newFingerprint(parts...)
}

// decide returns the actions for the provider's current report.
func (c subscribeCall) decide(ctx context.Context, _ bool) (subscriptionDecision, error) {
	org, err := c.sync.refreshForPurchase(ctx, c.organisationID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	if c.customerID != "" && c.customerID != org.Billing.CustomerID {
		return subscriptionDecision{}, fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	actions, err := billing.DecidePurchase(&org.Billing, c.purchase)
	if err != nil {
		// The first payment of the StartingSubscription is in progress.
		return c.decideRepeat(ctx, cmp.Or(org.Billing.LiveSubscription(), org.Billing.StartingSubscription()), err)
	}
	isDeclinedRepeat, err := c.isDeclinedRepeat(ctx, &org.Billing)
	if err != nil {
		return subscriptionDecision{}, err
	}
	if isDeclinedRepeat {
		return decideNoActions(ctx, c.provider, org.Billing.OpenSubscription().ID)
	}
	actions, err = c.quoter.confirm(ctx,
		requestWithActions{org: org, price: c.purchase.Price, when: billing.ChangeNow, actions: actions}, c.quote)
	if err != nil {
		return subscriptionDecision{}, err
	}
	actions, err = c.withMethodPage(ctx, org.Billing.CustomerID, actions)
	if err != nil {
		return subscriptionDecision{}, err
	}
	actions, err = c.withDetachment(ctx, org.Billing.CustomerID, actions)
	return subscriptionDecision{actions: actions, org: &org}, err
}

// isDeclinedRepeat reports whether an earlier execution of the same request started the open subscription and detached the
// card of the request after the decline. The card can't be charged again. It returns ErrRevisionChanged while that
// execution is pending.
func (c subscribeCall) isDeclinedRepeat(ctx context.Context, a *billing.Account) (bool, error) {
	openSub := a.OpenSubscription()
	if openSub == nil || c.purchase.MethodID == "" || openSub.Price != c.purchase.Price {
		return false, nil
	}
	isRepeat, err := c.isRepeat(ctx, openSub.ID)
	if err != nil || !isRepeat {
		return false, err
	}
	cards, err := c.provider.Cards(ctx, a.CustomerID)
	return !containsCard(cards, c.purchase.MethodID), err
}

// withDetachment appends the actions that detach a new card whose first charge is declined. It returns the actions
// unchanged if the purchase charges nothing now, or pays an open invoice: after a decline of that payment the browser
// confirms it with the card, as the specification says.
func (c subscribeCall) withDetachment(
	ctx context.Context, customerID string, actions []billing.Action,
) ([]billing.Action, error) {
	start := actions[len(actions)-1]
	if start.Kind != billing.StartSubscriptionAction || start.MethodID == "" || start.TrialDays > 0 {
		return actions, nil
	}
	cards, err := c.provider.Cards(ctx, customerID)
	if err != nil || containsCard(cards, start.MethodID) {
		return actions, err
	}
	var customer billing.Customer
	if len(cards) > 0 {
		if customer, err = c.provider.Customer(ctx, customerID); err != nil {
			return nil, err
		}
	}
	return append(actions, billing.DetachIfDeclined(customerID, start.MethodID, customer.DefaultID())...), nil
}

// withMethodPage appends the action that opens the provider's page for saving a payment method. It returns the actions
// unchanged unless the purchase starts a trial, the provider has such a page and the customer has no method yet.
func (c subscribeCall) withMethodPage(
	ctx context.Context, customerID string, actions []billing.Action,
) ([]billing.Action, error) {
	startsTrial := actions[len(actions)-1].TrialDays > 0
	if !startsTrial || c.purchase.MethodID != "" || !c.ops.capabilities.Has(payment.MethodPage) {
		return actions, nil
	}
	customer, err := c.provider.Customer(ctx, customerID)
	if err != nil || customer.Default != nil {
		return actions, err
	}
	return append(actions, billing.SetUpMethod(customerID)), nil
}

// decideAgain returns the error of deciding the purchase for the organisation.
func (c subscribeCall) decideAgain(_ context.Context, org account.Organisation) error {
	_, err := billing.DecidePurchase(&org.Billing, c.purchase)
	return err
}

// decideRepeat decides a purchase that was refused because of the existing subscription. If an earlier execution of the
// same request created that subscription, it returns a decision without actions. It returns ErrRevisionChanged while
// that execution is pending, and the refusal otherwise.
func (c subscribeCall) decideRepeat(
	ctx context.Context, existingSub *billing.Subscription, refusal error,
) (subscriptionDecision, error) {
	if existingSub == nil || existingSub.Price != c.purchase.Price {
		return subscriptionDecision{}, refusal
	}
	isRepeat, err := c.isRepeat(ctx, existingSub.ID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	if !isRepeat {
		return subscriptionDecision{}, refusal
	}
	d, err := decideNoActions(ctx, c.provider, existingSub.ID) // our copy contains no client secret
	d.result.QuoteDifference = c.quoter.findDifference(c.quote, d.result)
	return d, err
}

// isRepeat reports whether an earlier execution of the same request started or paid the subscription. It returns
// ErrRevisionChanged while that execution is pending.
func (c subscribeCall) isRepeat(ctx context.Context, subscriptionID string) (bool, error) {
	if err := c.ops.checkNotPending(ctx, c.organisationID, c.fingerprint()); err != nil {
		return false, err
	}
	return c.store.OperationSucceeded(ctx, storage.OperationQuery{
		OrganisationID: c.organisationID, Kind: billing.SubscriptionOperation, Fingerprint: c.fingerprint(), Result: subscriptionID,
	})
}

// result returns the new or paid subscription.
func (c subscribeCall) result(ctx context.Context, out outcome, err error) (billing.Subscription, error) {
	if err != nil {
		return billing.Subscription{}, err
	}
	sub := out.subscription
	if out.methodPage.URL != "" {
		sub.Next = out.methodPage
	}
	sub.QuoteDifference = c.quoter.reportDifference(ctx, out.execution, c.quote, sub)
	return sub, nil
}
