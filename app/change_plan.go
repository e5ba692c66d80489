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

// ChangePlan moves the organisation's subscription to another plan or interval in place.
type ChangePlan struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Subscriptions
	ops       operations
	steps     steps
	sync      *syncBilling
}

// Do returns the subscription. With the new price the change is made, and a running trial has ended;
// with a Pending change it waits for its payment, and everything else is as it was. Choosing the
// plan of a pending change again pays its invoice with the default card. Conflict when there is
// nothing to change, when nothing would change, when the currency would, while another change is
// pending, and while a bill is being collected.
func (u *ChangePlan) Do(ctx context.Context, who identity.Identity, choice PriceChoice) (billing.Subscription, error) {
	price, err := choice.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	c := change{ChangePlan: u, organisationID: who.OrganisationID, price: price}
	err = u.ops.run(ctx, request{
		organisationID: c.organisationID, kind: billing.SubscriptionOperation, fingerprint: c.fingerprint(), plan: c.plan, do: c.do,
	})
	return c.made, err
}

// change is one request to change the plan on its way.
type change struct {
	*ChangePlan
	organisationID string
	price          catalogue.PriceRef

	planned bool // this request has begun to change the plan, so a repeat of it may have been quicker
	made    billing.Subscription
}

func (c *change) fingerprint() string {
	return fingerprint("change", c.price.PriceID(), c.price.Currency)
}

// plan decides by what the provider reports.
func (c *change) plan(ctx context.Context) (plan, error) {
	org, err := c.sync.do(ctx, c.organisationID)
	if err != nil {
		return plan{}, err
	}
	live := org.Billing.Live()
	if c.planned && live != nil && live.Pending != nil && live.Pending.To == c.price {
		c.made, err = c.provider.Subscription(ctx, live.ID) // a repeat was quicker, and the change is pending
		return plan{}, err
	}
	steps, err := billing.PlanChange(&org.Billing, c.price)
	if err != nil {
		return plan{}, c.unlessRepeated(ctx, live, err)
	}
	c.planned = true
	return plan{steps: steps, org: &org}, nil
}

// unlessRepeated returns the refusal, unless a repeat of this request has made the change at this
// very moment: one that is still pending is joined, and one that was quicker did it for both.
func (c *change) unlessRepeated(ctx context.Context, live *billing.Subscription, refusal error) error {
	if live == nil || live.Price != c.price {
		return refusal
	}
	pending, err := c.store.PendingOperation(ctx, c.organisationID, billing.SubscriptionOperation)
	switch {
	case err == nil && pending.Fingerprint == c.fingerprint():
		return storage.ErrPlanOutdated
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	case !c.planned:
		return refusal
	}
	c.made, err = c.provider.Subscription(ctx, live.ID)
	return err
}

// do sends the steps and records the answer. A repeat that was joined gets the old answer again, so
// the subscription is read as it is now.
func (c *change) do(ctx context.Context, at attempt) (string, error) {
	done, err := c.steps.send(ctx, at.org.ID, at.steps)
	made, err := c.sync.now(ctx, at, done.made, err)
	if err != nil {
		return "", err
	}
	if made.Pending == nil && made.Price != c.price {
		// The response was a replay: the change it began was discarded meanwhile.
		err = fault.New(fault.Conflict, "The plan change has expired, and nothing was charged. Please try again.")
		return "", err
	}
	c.made = made
	return made.ID, c.sync.keep(ctx, at.org, made)
}
