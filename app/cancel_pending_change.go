package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// CancelPendingChange drops a plan change that waits for its payment.
type CancelPendingChange struct {
	provider payment.Subscriptions
	ops      operations
	steps    steps
	sync     *syncBilling
}

// Do returns the subscription without the pending change. When the change was paid meanwhile it was
// made, and the subscription has the new price; when it has expired or was dropped before, nothing
// changes. Conflict without a subscription.
func (u *CancelPendingChange) Do(ctx context.Context, who identity.Identity) (after billing.Subscription, err error) {
	err = u.ops.run(ctx, request{
		organisationID: who.OrganisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("cancel pending change"),
		plan: func(ctx context.Context) (_ plan, err error) {
			org, err := u.sync.do(ctx, who.OrganisationID)
			if err != nil {
				return plan{}, err
			}
			live := org.Billing.Live()
			switch {
			case live == nil:
				return plan{}, fault.New(fault.Conflict, "Your organisation has no subscription.")
			case live.Pending == nil:
				after, err = u.provider.Subscription(ctx, live.ID)
				return plan{}, err
			}
			return plan{org: &org, steps: []billing.Step{{
				Kind: billing.DropChangeStep, CustomerID: org.Billing.CustomerID, SubscriptionID: live.ID, InvoiceID: live.Pending.InvoiceID,
			}}}, nil
		},
		do: func(ctx context.Context, at attempt) (string, error) {
			done, err := u.steps.send(ctx, at.org.ID, at.steps)
			if after, err = u.sync.now(ctx, at, done.made, err); err != nil {
				return "", err
			}
			return noSubscription, u.sync.keep(ctx, at.org, after)
		},
	})
	return after, err
}
