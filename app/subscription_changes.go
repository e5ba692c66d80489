package app

import (
	"context"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// subscriptionChanger makes changes of the live subscription that charge nothing.
type subscriptionChanger struct {
	provider interface {
		Subscription(ctx context.Context, id string) (billing.Subscription, error)
	}
	ops  *operation.Runner
	sync *billingsync.Sync
}

// change runs the actions that decide returns for the provider's current report. If there are no actions, it returns the
// live subscription as the provider reports it, because our copy contains no client secret, and opens no page for its
// payment. Requests with the same name are repeats of each other.
func (c subscriptionChanger) change(
	ctx context.Context, organisationID, name string, decide func(*billing.Account) ([]billing.Action, error),
) (billing.Subscription, error) {
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := c.ops.Run(ctx, operation.Request{
		OrganisationID: organisationID, Kind: billing.SubscriptionOperation, Parameters: []string{name},
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			org, err := c.sync.Refresh(ctx, organisationID)
			if err != nil {
				return org, nil, err
			}
			actions, err := decide(&org.Billing)
			return org, actions, err
		},
		Explain: func(_ context.Context, org account.Organisation) error {
			_, err := decide(&org.Billing)
			return err
		},
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	if len(outcome.Actions) == 0 {
		return c.provider.Subscription(ctx, outcome.Organisation.Billing.LiveSubscription().ID)
	}
	return outcome.Subscription, nil
}

// restoreScheduledChange schedules a change again that has lapsed at the provider, see billing.ScheduledChange.
func (c subscriptionChanger) restoreScheduledChange(ctx context.Context, organisationID string) error {
	_, err := c.change(ctx, organisationID, "restore scheduled change", billing.DecideRestoreScheduledChange)
	return err
}

// CancelPendingChange cancels a plan change that waits for its payment.
type CancelPendingChange struct{ changer subscriptionChanger }

// Do returns the subscription without the pending change. If the pending change was to replace a scheduled change, the
// subscription keeps the scheduled change. If the pending change was just paid, the subscription has the new price. If it
// has expired or was canceled before, nothing changes. Do returns Conflict when there is no subscription.
func (u *CancelPendingChange) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	return u.changer.change(ctx, caller.OrganisationID, "cancel pending change", billing.DecideCancelPendingChange)
}

// CancelScheduledChange cancels a plan change that is scheduled for the renewal.
type CancelScheduledChange struct{ changer subscriptionChanger }

// Do returns the subscription without the scheduled change. If no change is scheduled, nothing changes. Do returns
// Conflict when there is no subscription.
func (u *CancelScheduledChange) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	return u.changer.change(ctx, caller.OrganisationID, "cancel scheduled change", billing.DecideCancelScheduledChange)
}

// ResumeSubscription renews a subscription that is ending.
type ResumeSubscription struct{ changer subscriptionChanger }

// Do returns the subscription, which renews again. A subscription that was not ending is unchanged. Do returns Conflict
// when the subscription has ended.
func (u *ResumeSubscription) Do(ctx context.Context, caller identity.Identity) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	return u.changer.change(ctx, caller.OrganisationID, "resume", billing.DecideResume)
}
