package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan moves the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Subscriptions
	ops       operations
	sync      *syncBilling
}

// Do returns the changed subscription. A running trial ends. Conflict when there is nothing to
// change, when nothing would change, or when the currency would.
func (u *ChangePlan) Do(ctx context.Context, who identity.Identity, choice PriceChoice) (billing.Subscription, error) {
	var changed billing.Subscription
	price, err := choice.resolve(u.catalogue)
	if err != nil {
		return changed, err
	}
	err = u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane,
		fingerprint: fingerprint("change", price.PriceID(), price.Currency),
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			changed, err = u.change(ctx, at, price)
			if err != nil {
				return "", err
			}
			return changed.ID, u.sync.keep(ctx, at.org, changed)
		},
	})
	return changed, err
}

// change asks for the change once. A repeat that began before may have been the one that made it.
func (u *ChangePlan) change(ctx context.Context, at attempt, price catalogue.PriceRef) (billing.Subscription, error) {
	live := at.org.Billing.Live()
	if at.joined && live != nil && live.Price == price {
		return u.provider.Subscription(ctx, live.ID)
	}
	account, err := u.allowed(ctx, at, price)
	if err != nil {
		return billing.Subscription{}, err
	}
	return u.provider.ChangePlan(ctx, payment.PlanChange{
		Key: at.key, SubscriptionID: account.Live().ID, Price: price,
	})
}

// allowed asks the provider whether our copy is right before it refuses.
func (u *ChangePlan) allowed(ctx context.Context, at attempt, price catalogue.PriceRef) (*billing.Account, error) {
	org := at.org
	refusal := billing.CheckChange(&org.Billing, price)
	if !fault.Is(refusal, fault.Conflict) {
		return &org.Billing, refusal
	}
	org, err := u.sync.do(ctx, org.ID)
	if err != nil {
		return nil, err
	}
	return &org.Billing, billing.CheckChange(&org.Billing, price)
}
