package app

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// ChangePlan changes the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	ops       *operation.Runner
	sync      *billingsync.Sync
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
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	price, err := req.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	change := billing.Change{To: price, Timing: req.When}
	opReq := operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation, Parameters: changeParameters(change, req.Quote),
		Explain: func(ctx context.Context, org account.Organisation) error {
			return u.explain(ctx, org, change, req.Quote)
		},
	}
	isRetry := false
	opReq.Decide = func(ctx context.Context) (account.Organisation, []billing.Action, error) {
		defer func() { isRetry = true }()
		return u.decide(ctx, opReq, change, req.Quote, isRetry)
	}

	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := u.ops.Run(ctx, opReq)
	if err != nil {
		return billing.Subscription{}, err
	}
	if len(outcome.Actions) == 0 {
		return u.ops.CurrentSubscription(ctx, outcome.Organisation.Billing.LiveSubscription().ID)
	}
	sub := outcome.Subscription
	if !change.IsMadeOrScheduled(&sub) {
		// The response was a replay. The pending or scheduled change has expired or was canceled since the original response.
		return billing.Subscription{},
			fault.New(fault.Conflict, "The plan change has expired, and nothing was charged. Please try again.")
	}
	sub.QuoteDifference = u.quoter.reportDifference(ctx, outcome, req.Quote)
	return sub, nil
}

// changeParameters identifies the change together with its quote, because two quotes can be for different amounts.
func changeParameters(c billing.Change, quote string) []string {
	parts := []string{"change", c.To.PriceID(), c.To.Currency}
	if c.Timing != billing.ChangeNow || quote != "" {
		parts = append(parts, string(c.Timing), quote)
	}
	return parts
}

// decide returns the actions for the provider's current report. It returns none if the change is scheduled already. isRetry
// is true when the account has changed since an earlier decision of this request. A repeat of the request may then have
// made the change, and decide returns no actions.
func (u *ChangePlan) decide(
	ctx context.Context, opReq operation.Request, change billing.Change, quote string, isRetry bool,
) (account.Organisation, []billing.Action, error) {
	org, err := u.sync.Refresh(ctx, opReq.OrganisationID)
	if err != nil {
		return org, nil, err
	}
	liveSub := org.Billing.LiveSubscription()
	if isRetry && change.Timing == billing.ChangeNow && liveSub != nil && liveSub.Pending != nil && liveSub.Pending.To == change.To {
		return org, nil, nil
	}
	actions, err := billing.DecideChange(&org.Billing, change)
	if err != nil {
		return org, nil, u.refuseUnlessRepeat(ctx, opReq, liveSub, change, isRetry, err)
	}
	actions, err = u.confirmQuote(ctx, org, change, actions, quote)
	if _, isQuoteError := errors.AsType[*QuoteError](err); err != nil && !isQuoteError {
		err = u.ops.ExplainRefusal(ctx, org.ID, err, opReq.Explain)
	}
	return org, actions, err
}

// refuseUnlessRepeat returns nil if a repeat of the request has made the change since an earlier decision, and the refusal
// otherwise. It returns ErrRevisionChanged while the repeat is pending.
func (u *ChangePlan) refuseUnlessRepeat(
	ctx context.Context, opReq operation.Request, liveSub *billing.Subscription, change billing.Change, isRetry bool, refusal error,
) error {
	if liveSub == nil || liveSub.Price != change.To || change.Timing != billing.ChangeNow {
		return refusal
	}
	err := u.ops.CheckNotPending(ctx, opReq)
	if err == nil && !isRetry {
		return refusal
	}
	return err
}

// confirmQuote returns the actions for the quote; see quoter.confirm.
func (u *ChangePlan) confirmQuote(
	ctx context.Context, org account.Organisation, change billing.Change, actions []billing.Action, quote string,
) ([]billing.Action, error) {
	return u.quoter.confirm(ctx, decidedRequest{org: org, price: change.To, when: change.Timing, actions: actions}, quote)
}

// explain returns the error of deciding the change and its quote again after the provider has refused one of them, for
// example because the period has ended since the subscription was read.
func (u *ChangePlan) explain(ctx context.Context, org account.Organisation, change billing.Change, quote string) error {
	actions, err := billing.DecideChange(&org.Billing, change)
	if err != nil {
		return err
	}
	_, err = u.confirmQuote(ctx, org, change, actions, quote)
	return err
}
