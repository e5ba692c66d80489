package app

import (
	"context"
	"log/slog"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// subscriptionChanges runs requests about the live subscription that charge nothing.
type subscriptionChanges struct {
	provider payment.Subscriptions
	ops      operations
	steps    steps
	sync     *billingSync
}

// do plans the request for the provider's current report and sends its steps. Without steps it returns
// the live subscription. name identifies repeats of the request.
func (c subscriptionChanges) do(
	ctx context.Context, organisationID, name string, plan func(*billing.Account) ([]billing.Step, error),
) (billing.Subscription, error) {
	return run(ctx, c.ops, request[billing.Subscription]{
		organisationID: organisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint(name),
		plan: func(ctx context.Context, _ bool) (subscriptionPlan, error) {
			org, err := c.sync.refresh(ctx, organisationID)
			if err != nil {
				return subscriptionPlan{}, err
			}
			steps, err := plan(&org.Billing)
			if err == nil && len(steps) == 0 {
				done, err := c.provider.Subscription(ctx, org.Billing.Live().ID)
				return subscriptionPlan{done: done}, err
			}
			return subscriptionPlan{steps: steps, org: &org}, err
		},
		do: func(ctx context.Context, at attempt) (billing.Subscription, error) { return c.send(ctx, at, plan) },
	})
}

// send sends the steps and records the response. After a refusal our copy is out of date: send plans
// again and returns the more specific error, if there is one.
func (c subscriptionChanges) send(
	ctx context.Context, at attempt, plan func(*billing.Account) ([]billing.Step, error),
) (billing.Subscription, error) {
	done, err := c.steps.send(ctx, at.org.ID, at.steps)
	if err != nil {
		if fresh, refreshErr := c.sync.refresh(ctx, at.org.ID); refreshErr == nil && !isUnknown(err) {
			if _, refused := plan(&fresh.Billing); refused != nil {
				return billing.Subscription{}, refused
			}
		}
		return billing.Subscription{}, err
	}
	after, err := c.sync.current(ctx, at, done.subscription)
	if err != nil {
		return billing.Subscription{}, err
	}
	return after, c.sync.record(ctx, at.org, after)
}

// CancelPendingChange cancels a plan change that waits for its payment.
type CancelPendingChange struct{ changes subscriptionChanges }

// Do returns the subscription without the pending change. If the change was paid in the meantime, the
// subscription has the new price; if it has expired or was cancelled before, nothing changes. Conflict
// without a subscription.
func (u *CancelPendingChange) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	return u.changes.do(ctx, caller.OrganisationID, "cancel pending change", billing.PlanDrop)
}

// CancelScheduledChange cancels a plan change that is scheduled for the renewal.
type CancelScheduledChange struct{ changes subscriptionChanges }

// Do returns the subscription without the scheduled change. Without one nothing changes. Conflict without
// a subscription.
func (u *CancelScheduledChange) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	return u.changes.do(ctx, caller.OrganisationID, "cancel scheduled change", billing.PlanKeep)
}

// ResumeSubscription renews a subscription that is ending.
type ResumeSubscription struct{ changes subscriptionChanges }

// Do returns the subscription, which renews again. One that was not ending is unchanged. Conflict when it
// has ended.
func (u *ResumeSubscription) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	return u.changes.do(ctx, caller.OrganisationID, "resume", billing.PlanResume)
}

// EndSubscription ends the organisation's subscription.
type EndSubscription struct {
	changes  subscriptionChanges
	provider payment.Provider
	store    storage.Endings
	clock    clock.Clock
	log      *slog.Logger
}

// mayVoid reports whether the end of a subscription may void its overdue bill.
func mayVoid(provider payment.Provider) bool {
	return provider.Capabilities().Entry != payment.EntryInvoice
}

// EndRequest contains the parameters of EndSubscription. Both are optional.
type EndRequest struct {
	Reason  billing.EndReason
	Comment string
}

func (in EndRequest) check() error {
	var fields fault.Fields
	fields.Check(in.Reason.Valid(), "reason", "Unknown reason")
	fields.Check(utf8.RuneCountInString(in.Comment) <= billing.MaxEndComment, "comment", "The comment is too long")
	return fields.Err()
}

// Do returns the subscription, which ends when its period or trial ends; nothing is charged any more. A
// pending or scheduled change is dropped first. A subscription whose payment is overdue ends now: once in
// 12 months its bill is voided, otherwise the bill stays owed. Conflict without a subscription, and when
// the overdue bill was paid at the same time.
func (u *EndSubscription) Do(ctx context.Context, caller identity.Identity, in EndRequest) (billing.Subscription, error) {
	if err := in.check(); err != nil {
		return billing.Subscription{}, err
	}
	ended, err := u.changes.do(ctx, caller.OrganisationID, "end", func(a *billing.Account) ([]billing.Step, error) {
		return billing.PlanEnd(a, u.clock.Now(), mayVoid(u.provider))
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	if ended.Status.Live() && ended.EndsAt.IsZero() {
		return billing.Subscription{}, fault.New(fault.Conflict,
			"Your bill was paid just now, so your subscription goes on. End it again to end it when its period ends.")
	}
	u.record(ctx, caller.OrganisationID, ended.ID, in)
	return ended, nil
}

// record stores the customer's reason. A failure is only logged, because the subscription has ended.
func (u *EndSubscription) record(ctx context.Context, organisationID, subscriptionID string, in EndRequest) {
	if in == (EndRequest{}) {
		return
	}
	err := u.store.RecordEnding(context.WithoutCancel(ctx), billing.Ending{
		OrganisationID: organisationID, SubscriptionID: subscriptionID, RequestedAt: u.clock.Now(), Reason: in.Reason, Comment: in.Comment,
	})
	if err != nil {
		u.log.WarnContext(ctx, "reason of an ended subscription not stored", "org", organisationID, "error", err)
	}
}
