package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ChangePlan changes the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	provider  payment.Subscriptions
	ops       operations
	steps     steps
	sync      *billingSync
}

// Do returns the subscription. If it has the new price, the change was made and a running trial has
// ended. If it has a pending change, the change waits for its payment and nothing else is different.
// Choosing the plan of the pending change again pays its invoice with the default card.
//
// Conflict when there is no subscription, when the price is the current one or has another currency,
// while another change is pending, and while an overdue invoice is being collected.
func (u *ChangePlan) Do(ctx context.Context, caller identity.Identity, choice PriceChoice) (billing.Subscription, error) {
	price, err := choice.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	c := planChange{ChangePlan: u, organisationID: caller.OrganisationID, price: price}
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: c.organisationID, kind: billing.SubscriptionOperation, fingerprint: c.fingerprint(), plan: c.plan, do: c.do,
		resultID: subscriptionID,
	})
}

// planChange is one call of ChangePlan.
type planChange struct {
	*ChangePlan
	organisationID string
	price          catalogue.PriceRef
}

func (c planChange) fingerprint() string {
	return fingerprint("change", c.price.PriceID(), c.price.Currency)
}

// plan returns the steps for the provider's current report. If replan is true, a repeat of the same
// request may have made the change in the meantime.
func (c planChange) plan(ctx context.Context, replan bool) (subscriptionPlan, error) {
	org, err := c.sync.refresh(ctx, c.organisationID)
	if err != nil {
		return subscriptionPlan{}, err
	}
	live := org.Billing.Live()
	if replan && live != nil && live.Pending != nil && live.Pending.To == c.price {
		done, err := c.provider.Subscription(ctx, live.ID)
		return subscriptionPlan{done: done}, err
	}
	steps, err := billing.PlanChange(&org.Billing, c.catalogue, billing.Change{To: c.price})
	if err != nil {
		done, err := c.findRepeat(ctx, live, replan, err)
		return subscriptionPlan{done: done}, err
	}
	return subscriptionPlan{steps: steps, org: &org}, nil
}

// findRepeat returns the live subscription if a repeat of the same request made the change in the
// meantime, and the refusal otherwise. While the repeat is pending, it returns ErrPlanOutdated, so that
// the request joins it.
func (c planChange) findRepeat(
	ctx context.Context, live *billing.Subscription, replan bool, refusal error,
) (billing.Subscription, error) {
	if live == nil || live.Price != c.price {
		return billing.Subscription{}, refusal
	}
	isPending, err := c.ops.isPending(ctx, c.organisationID, c.fingerprint())
	switch {
	case err != nil:
		return billing.Subscription{}, err
	case isPending:
		return billing.Subscription{}, storage.ErrPlanOutdated
	case !replan:
		return billing.Subscription{}, refusal
	}
	return c.provider.Subscription(ctx, live.ID)
}

// do sends the steps and records the response.
func (c planChange) do(ctx context.Context, at attempt) (billing.Subscription, error) {
	done, err := c.steps.send(ctx, at.org.ID, at.steps)
	if err != nil {
		return billing.Subscription{}, err
	}
	changed, err := c.sync.current(ctx, at, done.subscription)
	if err != nil {
		return billing.Subscription{}, err
	}
	if changed.Pending == nil && changed.Price != c.price {
		// The response was a replay: the pending change has expired since.
		return billing.Subscription{},
			fault.New(fault.Conflict, "The plan change has expired, and nothing was charged. Please try again.")
	}
	return changed, c.sync.record(ctx, at.org, changed)
}

// CancelPendingChange cancels a plan change that waits for its payment.
type CancelPendingChange struct {
	provider payment.Subscriptions
	ops      operations
	steps    steps
	sync     *billingSync
}

// Do returns the subscription without the pending change. If the change was paid in the meantime, the
// subscription has the new price; if it has expired or was cancelled before, nothing changes. Conflict
// without a subscription.
func (u *CancelPendingChange) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: caller.OrganisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("cancel pending change"),
		plan: func(ctx context.Context, _ bool) (subscriptionPlan, error) { return u.plan(ctx, caller.OrganisationID) },
		do: func(ctx context.Context, at attempt) (billing.Subscription, error) {
			done, err := u.steps.send(ctx, at.org.ID, at.steps)
			if err != nil {
				return billing.Subscription{}, err
			}
			after, err := u.sync.current(ctx, at, done.subscription)
			if err != nil {
				return billing.Subscription{}, err
			}
			return after, u.sync.record(ctx, at.org, after)
		},
	})
}

func (u *CancelPendingChange) plan(ctx context.Context, organisationID string) (subscriptionPlan, error) {
	org, err := u.sync.refresh(ctx, organisationID)
	if err != nil {
		return subscriptionPlan{}, err
	}
	live := org.Billing.Live()
	switch {
	case live == nil:
		return subscriptionPlan{}, fault.New(fault.Conflict, "Your organisation has no subscription.")
	case live.Pending == nil:
		done, err := u.provider.Subscription(ctx, live.ID)
		return subscriptionPlan{done: done}, err
	}
	return subscriptionPlan{org: &org, steps: []billing.Step{{
		Kind: billing.DropChangeStep, CustomerID: org.Billing.CustomerID, SubscriptionID: live.ID, InvoiceID: live.Pending.InvoiceID,
	}}}, nil
}
