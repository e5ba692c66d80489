package app

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// Subscribe starts the organisation's subscription, or pays the first invoice of one that is still open.
type Subscribe struct {
	catalogue    *catalogue.Catalogue
	capabilities payment.Capabilities
	provider     interface {
		customerReader
		cardReader
	}
	ops    *operation.Runner
	sync   *billingsync.Sync
	quoter quoter
	// oneTrialPerCard makes the operation save a new card before a trial begins, so that the card's earlier trials are
	// found.
	oneTrialPerCard bool
}

// SubscribeRequest contains the parameters of Subscribe.
type SubscribeRequest struct {
	CustomerID string // optional; Forbidden if it is not the organisation's customer
	MethodID   string // the payment method to save and charge; "" for the default one
	Price      PriceChoice
	NoTrial    bool   // skips the trial, if one is available
	Quote      string // the token of a SignedQuote; "" to accept any amount
}

// Do returns the subscription as the provider reports it. Its Next contains the customer's next step: to complete a
// payment or an authentication in the browser, or to save a payment method for a trial on the provider's page. A repeat
// of the request that created or paid the live subscription returns that subscription. Do returns Conflict for any other
// request while a subscription is live, and Declined when the card can't be saved. With a quote, Do charges exactly the
// quoted amount, or does nothing and returns a *QuoteError.
func (u *Subscribe) Do(
	ctx context.Context, caller identity.Identity, req SubscribeRequest,
) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	price, err := req.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	plan, _ := u.catalogue.Plan(price.Product)
	purchase := billing.Purchase{Plan: plan, Price: price, MethodID: req.MethodID, NoTrial: req.NoTrial}
	opReq := operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation,
		Parameters: purchaseParameters(purchase, req.Quote),
		Explain: func(_ context.Context, org account.Organisation) error {
			_, err := billing.DecidePurchase(&org.Billing, purchase)
			return err
		},
	}
	opReq.Decide = func(ctx context.Context) (account.Organisation, []billing.Action, error) {
		return u.decide(ctx, opReq, req, purchase)
	}

	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := u.ops.Run(ctx, opReq)
	if err != nil {
		return billing.Subscription{}, err
	}
	if len(outcome.Actions) == 0 {
		return u.readExisting(ctx, &outcome.Organisation.Billing, req.Quote)
	}
	sub := outcome.Subscription
	if outcome.MethodPage.URL != "" {
		sub.Next = outcome.MethodPage
	}
	sub.QuoteDifference = u.quoter.reportDifference(ctx, outcome, req.Quote)
	return sub, nil
}

// purchaseParameters returns the values that identify a purchase. They include the quote, because two quotes can be for
// different amounts.
func purchaseParameters(p billing.Purchase, quote string) []string {
	parts := []string{"subscribe", p.MethodID, p.Price.PriceID(), p.Price.Currency, strconv.FormatBool(p.NoTrial)}
	if quote != "" {
		parts = append(parts, quote)
	}
	return parts
}

// decide refreshes the copy, except before the first subscription, and returns the actions. It returns none if an earlier execution of the same
// request has started or paid the subscription.
func (u *Subscribe) decide(
	ctx context.Context, opReq operation.Request, req SubscribeRequest, purchase billing.Purchase,
) (account.Organisation, []billing.Action, error) {
	org, err := u.sync.RefreshForPurchase(ctx, opReq.OrganisationID)
	if err != nil {
		return org, nil, err
	}
	if req.CustomerID != "" && req.CustomerID != org.Billing.CustomerID {
		return org, nil, fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	purchase.PaymentSavesMethod, err = u.chargesNewMethod(ctx, org.Billing.CustomerID, purchase.MethodID)
	if err != nil {
		return org, nil, err
	}
	actions, err := billing.DecidePurchase(&org.Billing, purchase)
	if err != nil {
		return org, nil, u.refuseUnlessRepeat(ctx, opReq, &org.Billing, purchase.Price, err)
	}
	isDeclined, err := u.isDeclinedRepeat(ctx, opReq, &org.Billing, purchase)
	if err != nil || isDeclined {
		return org, nil, err
	}
	actions, err = u.quoter.confirm(ctx,
		decidedRequest{org: org, price: purchase.Price, when: billing.ChangeNow, actions: actions}, req.Quote)
	if err != nil {
		return org, nil, err
	}
	actions, err = u.withMethodActions(ctx, org.Billing.CustomerID, purchase, actions)
	return org, actions, err
}

// withMethodActions adds the actions for the payment method: to save it before a trial, to open the provider's page for
// it, or to detach it after a decline.
func (u *Subscribe) withMethodActions(
	ctx context.Context, customerID string, purchase billing.Purchase, actions []billing.Action,
) ([]billing.Action, error) {
	actions, err := u.withSavedTrialCard(ctx, customerID, actions)
	if err != nil {
		return nil, err
	}
	actions, err = u.withMethodPage(ctx, customerID, purchase, actions)
	if err != nil {
		return nil, err
	}
	return u.withDetachment(ctx, customerID, actions)
}

// chargesNewMethod reports whether the method is new and the provider can charge it before it is saved.
func (u *Subscribe) chargesNewMethod(ctx context.Context, customerID, methodID string) (bool, error) {
	if customerID == "" || methodID == "" || !u.capabilities.ChargesNewMethods {
		return false, nil
	}
	cards, err := u.provider.Cards(ctx, customerID)
	return !containsCard(cards, methodID), err
}

// refuseUnlessRepeat returns the refusal of the purchase. It returns nil if the refusal is due to a subscription that an
// earlier execution of the same request started or paid, and ErrRevisionChanged while that execution is pending.
func (u *Subscribe) refuseUnlessRepeat(
	ctx context.Context, opReq operation.Request, a *billing.Account, price catalogue.PriceRef, refusal error,
) error {
	existingSub := cmp.Or(a.LiveSubscription(), a.StartingSubscription())
	isRepeat, err := u.isRepeat(ctx, opReq, existingSub, price)
	if err == nil && !isRepeat {
		return refusal
	}
	return err
}

// isRepeat reports whether an earlier execution of the same request started or paid sub, which may be nil. isRepeat
// returns ErrRevisionChanged while that execution is pending.
func (u *Subscribe) isRepeat(
	ctx context.Context, opReq operation.Request, sub *billing.Subscription, price catalogue.PriceRef,
) (bool, error) {
	if sub == nil || sub.Price != price {
		return false, nil
	}
	return u.ops.HasStarted(ctx, opReq, sub.ID)
}

// isDeclinedRepeat reports whether an earlier execution of the same request started the open subscription and detached the
// card of the request after the decline. The card can't be charged again. It returns ErrRevisionChanged while that
// execution is pending.
func (u *Subscribe) isDeclinedRepeat(
	ctx context.Context, opReq operation.Request, a *billing.Account, purchase billing.Purchase,
) (bool, error) {
	if purchase.MethodID == "" {
		return false, nil
	}
	isRepeat, err := u.isRepeat(ctx, opReq, a.OpenSubscription(), purchase.Price)
	if err != nil || !isRepeat {
		return false, err
	}
	cards, err := u.provider.Cards(ctx, a.CustomerID)
	return !containsCard(cards, purchase.MethodID), err
}

// withSavedTrialCard inserts the action that saves the new card of a trial before the action that starts the trial, because
// the provider reports the fingerprint of saved cards only. It returns the actions unchanged if a card may have several
// trials.
func (u *Subscribe) withSavedTrialCard(ctx context.Context, customerID string, actions []billing.Action) ([]billing.Action, error) {
	last := len(actions) - 1
	if !u.oneTrialPerCard || actions[last].TrialDays == 0 || actions[last].MethodID == "" || actions[0].Kind == billing.SaveCardAction {
		return actions, nil
	}
	cards, err := u.provider.Cards(ctx, customerID)
	if err != nil || containsCard(cards, actions[last].MethodID) {
		return actions, err
	}
	return slices.Insert(actions, last, billing.SaveCard(customerID, actions[last].MethodID)), nil
}

// withMethodPage appends the action that opens the provider's page for saving a payment method. It returns the actions
// unchanged unless the purchase starts a trial, the provider has such a page and the customer has no method yet.
func (u *Subscribe) withMethodPage(
	ctx context.Context, customerID string, purchase billing.Purchase, actions []billing.Action,
) ([]billing.Action, error) {
	startsTrial := actions[len(actions)-1].TrialDays > 0
	if !startsTrial || purchase.MethodID != "" || !u.capabilities.HasMethodPage() {
		return actions, nil
	}
	customer, err := u.provider.Customer(ctx, customerID)
	if err != nil || customer.Default != nil {
		return actions, err
	}
	return append(actions, billing.SetUpMethod(customerID)), nil
}

// withDetachment appends the actions that detach a new card whose first charge is declined. It returns the actions
// unchanged if the purchase charges nothing now. It also does so for the payment of an open invoice: after a decline, the
// browser confirms that payment with the same card, as the specification says.
func (u *Subscribe) withDetachment(
	ctx context.Context, customerID string, actions []billing.Action,
) ([]billing.Action, error) {
	start := actions[len(actions)-1]
	if start.Kind != billing.StartSubscriptionAction || start.MethodID == "" || start.TrialDays > 0 {
		return actions, nil
	}
	cards, err := u.provider.Cards(ctx, customerID)
	if err != nil || containsCard(cards, start.MethodID) {
		return actions, err
	}
	var customer billing.Customer
	if len(cards) > 0 {
		if customer, err = u.provider.Customer(ctx, customerID); err != nil {
			return nil, err
		}
	}
	return append(actions, billing.DetachIfDeclined(customerID, start.MethodID, customer.DefaultID())...), nil
}

// readExisting reads the subscription that an earlier execution of the request has started or paid. It reads it from the
// provider, because our copy contains no client secret.
func (u *Subscribe) readExisting(ctx context.Context, a *billing.Account, quote string) (billing.Subscription, error) {
	existingSub := cmp.Or(a.LiveSubscription(), a.OpenSubscription())
	sub, err := u.ops.CurrentSubscription(ctx, existingSub.ID)
	sub.QuoteDifference = u.quoter.findDifference(quote, sub)
	return sub, err
}
