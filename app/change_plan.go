package app

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// ChangePlan changes the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	provider  subscriptionReader
	ops       operations
	sync      *billingSync
	quoter    quoter
}

// ChangeRequest contains the parameters of ChangePlan.
type ChangeRequest struct {
	PriceChoice
	When  billing.ChangeTiming
	Quote string // the token of a SignedQuote; "" to accept any amount
}

// Do returns the subscription. If the subscription has the new price, the change was made and a running trial has ended.
// If the subscription has a pending change, the change waits for its payment and nothing else has changed. A request for
// the plan of the pending change pays the change's invoice with the default card. With ChangeAtRenewal nothing is
// charged, and the subscription has the scheduled change. A request with ChangeAtRenewal replaces an earlier scheduled
// change immediately. A request with ChangeNow replaces it when the new change is made.
//
// With a quote, Do charges exactly the quoted amount, or does nothing and returns a *QuoteError. Do returns Conflict when
// there is no subscription, when the price is the current one or has another currency, while another change is pending,
// and while an overdue invoice is being collected.
func (u *ChangePlan) Do(ctx context.Context, caller identity.Identity, req ChangeRequest) (billing.Subscription, error) {
	price, err := req.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	c := changePlanCall{
		ChangePlan: u, organisationID: caller.OrganisationID, change: billing.Change{To: price, Timing: req.When}, quote: req.Quote,
	}
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: c.organisationID, kind: billing.SubscriptionOperation, fingerprint: c.fingerprint(), decide: c.decide,
		decideAgain: c.decideAgain, result: c.result, resultID: subscriptionResultID,
	})
}

// changePlanCall executes one call of ChangePlan.Do.
type changePlanCall struct {
	*ChangePlan
	organisationID string
	change         billing.Change
	quote          string
}

// fingerprint identifies the change together with its quote, because two quotes can be for different amounts.
func (c changePlanCall) fingerprint() string {
	parts := []string{"change", c.change.To.PriceID(), c.change.To.Currency}
	if c.change.Timing != billing.ChangeNow || c.quote != "" {
		parts = append(parts, string(c.change.Timing), c.quote)
	}
	return newFingerprint(parts...)
}

// decide returns the actions for the provider's current report. retry is true when decide is called again because the
// account has changed; a repeat of the same request may have made the change.
func (c changePlanCall) decide(ctx context.Context, retry bool) (subscriptionDecision, error) {
	org, err := c.sync.refresh(ctx, c.organisationID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	liveSub := org.Billing.LiveSubscription()
	if retry && c.change.Timing == billing.ChangeNow && liveSub != nil && liveSub.Pending != nil &&
		liveSub.Pending.To == c.change.To {
		return decideNoActions(ctx, c.provider, liveSub.ID)
	}
	actions, err := billing.DecideChange(&org.Billing, c.change)
	if err != nil {
		return c.decideRepeat(ctx, liveSub, retry, err)
	}
	if len(actions) == 0 {
		return decideNoActions(ctx, c.provider, liveSub.ID)
	}
	actions, err = c.confirmQuote(ctx, org, actions)
	return subscriptionDecision{actions: actions, org: &org}, c.explainRefusal(ctx, err)
}

// confirmQuote returns the actions for the quote; see quoter.confirm.
func (c changePlanCall) confirmQuote(
	ctx context.Context, org account.Organisation, actions []billing.Action,
) ([]billing.Action, error) {
	return c.quoter.confirm(ctx, requestWithActions{org: org, price: c.change.To, when: c.change.Timing, actions: actions}, c.quote)
}

// decideRepeat decides a change that was refused. If a repeat of the same request has already made the change, it returns
// a decision without actions. It returns ErrRevisionChanged while the repeat is pending, and the refusal otherwise.
func (c changePlanCall) decideRepeat(
	ctx context.Context, liveSub *billing.Subscription, retry bool, refusal error,
) (subscriptionDecision, error) {
	if liveSub == nil || liveSub.Price != c.change.To || c.change.Timing != billing.ChangeNow {
		return subscriptionDecision{}, refusal
	}
	if err := c.ops.checkNotPending(ctx, c.organisationID, c.fingerprint()); err != nil {
		return subscriptionDecision{}, err
	}
	if !retry {
		return subscriptionDecision{}, refusal
	}
	return decideNoActions(ctx, c.provider, liveSub.ID)
}

// explainRefusal decides the change again after the provider has refused a quote, and returns the error of this decision,
// for example that the period has ended since the subscription was read. If the decision succeeds, it returns the refusal.
func (c changePlanCall) explainRefusal(ctx context.Context, refusal error) error {
	if _, isQuoteError := errors.AsType[*QuoteError](refusal); isQuoteError {
		return refusal
	}
	return c.ops.explainRefusal(ctx, c.organisationID, refusal, c.decideAgain)
}

// decideAgain returns the error of deciding the change and its quote for the organisation.
func (c changePlanCall) decideAgain(ctx context.Context, org account.Organisation) error {
	actions, err := billing.DecideChange(&org.Billing, c.change)
	if err == nil {
		_, err = c.confirmQuote(ctx, org, actions)
	}
	return err
}

// result returns the subscription with the change.
func (c changePlanCall) result(ctx context.Context, out outcome, err error) (billing.Subscription, error) {
	if err != nil {
		return billing.Subscription{}, err
	}
	sub := out.subscription
	if !c.change.IsMadeOrScheduled(&sub) {
		// The response was a replay. The pending or scheduled change has expired or was canceled since the original response.
		return billing.Subscription{},
			fault.New(fault.Conflict, "The plan change has expired, and nothing was charged. Please try again.")
	}
	sub.QuoteDifference = c.quoter.reportDifference(ctx, out.execution, c.quote, sub)
	return sub, nil
}
