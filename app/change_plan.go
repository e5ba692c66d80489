package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan moves the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	provider  payment.Subscriptions
	ops       operations
	sync      *syncBilling
}

// Do returns the changed subscription. A running trial ends. Conflict when there is nothing to
// change, when nothing would change, or when the currency would.
func (u *ChangePlan) Do(ctx context.Context, who identity.Identity, choice PriceChoice) (billing.Subscription, error) {
	price, err := choice.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	c := change{ChangePlan: u, price: price}
	if c.before, err = u.sync.do(ctx, who.OrganisationID); err != nil {
		return billing.Subscription{}, err
	}
	err = u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane,
		fingerprint: fingerprint("change", price.PriceID(), price.Currency), do: c.do,
	})
	return c.made, err
}

// change is one request to change the plan on its way.
type change struct {
	*ChangePlan
	price  catalogue.PriceRef
	before account.Organisation // the truth before this request began
	made   billing.Subscription
}

func (c *change) do(ctx context.Context, at attempt) (string, error) {
	org, err := c.sync.since(ctx, c.before, at)
	if err != nil {
		return "", err
	}
	made, err := c.outcome(ctx, at, &org.Billing)
	if err != nil {
		return "", err
	}
	c.made = made
	return made.ID, c.sync.keep(ctx, org, made)
}

// outcome asks for the change once. A repeat that this request joined, or that joined it and was
// quicker, may have been the one that made it.
func (c *change) outcome(ctx context.Context, at attempt, a *billing.Account) (billing.Subscription, error) {
	live := a.Live()
	if isOn(live, c.price) && (at.joined || !isOn(c.before.Billing.Live(), c.price)) {
		return c.provider.Subscription(ctx, live.ID)
	}
	if err := billing.CheckChange(a, c.price); err != nil {
		return billing.Subscription{}, err
	}
	made, err := c.provider.ChangePlan(ctx, payment.PlanChange{Key: at.key, SubscriptionID: live.ID, Price: c.price})
	return c.sync.now(ctx, at, made, err)
}

func isOn(sub *billing.Subscription, price catalogue.PriceRef) bool {
	return sub != nil && sub.Price == price
}
