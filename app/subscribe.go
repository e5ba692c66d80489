package app

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// Subscribe starts the organisation's subscription, or pays for the one that is still open.
type Subscribe struct {
	catalogue *catalogue.Catalogue
	store     operationStore
	provider  payment.Provider
	ops       operations
	sync      *syncBilling
}

// SubscribeRequest is what somebody asks for.
type SubscribeRequest struct {
	CustomerID string // refused when it is not the organisation's own; "" is fine
	CardID     string // the card to pay with from now on; "" for the default card
	Price      PriceChoice
	NoTrial    bool // can only take a trial away
}

func (r SubscribeRequest) fingerprint() string {
	return fingerprint("subscribe", r.CardID, r.Price.PriceID, r.Price.Currency, strconv.FormatBool(r.NoTrial))
}

// Do returns the subscription as the provider has it, with what the browser may have to finish.
// A repeat of the request that made the running subscription returns it again; any other one is
// Conflict. Declined when the card can't even be saved.
func (u *Subscribe) Do(ctx context.Context, who identity.Identity, in SubscribeRequest) (billing.Subscription, error) {
	price, err := in.Price.resolve(u.catalogue)
	if err != nil {
		return billing.Subscription{}, err
	}
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if in.CustomerID != "" && in.CustomerID != org.Billing.CustomerID {
		return billing.Subscription{}, fault.New(fault.Forbidden, "This customer is not your organisation's.")
	}
	plan, _ := u.catalogue.Plan(price.Product)
	purchase := purchase{Subscribe: u, plan: plan, price: price, in: in}
	err = u.ops.run(ctx, request{
		organisationID: org.ID, lane: billing.SubscriptionLane, fingerprint: in.fingerprint(), do: purchase.do,
	})
	return purchase.made, err
}

// purchase is one request on its way.
type purchase struct {
	*Subscribe
	plan  catalogue.Plan
	price catalogue.PriceRef
	in    SubscribeRequest
	made  billing.Subscription
}

func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	made, err := p.madeBefore(ctx, at)
	if err == nil && made.ID == "" {
		made, err = p.buy(ctx, at)
	}
	if err != nil {
		return "", err
	}
	p.made = made
	return made.ID, p.sync.keep(ctx, at.org, made)
}

// madeBefore finds the live subscription that this very request has made already; its ID is ""
// when there is none.
func (p *purchase) madeBefore(ctx context.Context, at attempt) (billing.Subscription, error) {
	live := at.org.Billing.Live()
	if live == nil {
		return billing.Subscription{}, nil
	}
	repeat, err := p.repeats(ctx, at, live.ID)
	if err != nil || !repeat {
		return billing.Subscription{}, err
	}
	sub, err := p.provider.Subscription(ctx, live.ID)
	if err != nil || !sub.Status.Live() {
		return billing.Subscription{}, err
	}
	return sub, nil
}

func (p *purchase) repeats(ctx context.Context, at attempt, liveID string) (bool, error) {
	if at.joined {
		return true, nil
	}
	last, err := p.store.LastOperation(ctx, at.org.ID, billing.SubscriptionLane)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return last.Result == liveID && last.Fingerprint == p.in.fingerprint(), err
}

// buy saves the card and starts, continues or replaces a subscription.
func (p *purchase) buy(ctx context.Context, at attempt) (billing.Subscription, error) {
	account, err := p.allowed(ctx, at)
	if err != nil {
		return billing.Subscription{}, err
	}
	if p.in.CardID != "" {
		card := payment.NewCard{Key: at.key + "-card", CustomerID: account.CustomerID, CardID: p.in.CardID}
		if _, err := p.provider.AddCard(ctx, card); err != nil {
			return billing.Subscription{}, err
		}
	}
	open := account.Open()
	switch billing.StepOf(account, p.price) {
	case billing.StepContinue:
		return p.provider.ContinueSubscription(ctx, payment.Continuation{Key: at.key + "-pay", SubscriptionID: open.ID})
	case billing.StepReplace:
		cancellation := payment.Cancellation{Key: at.key + "-cancel", SubscriptionID: open.ID}
		if _, err := p.provider.CancelSubscription(ctx, cancellation); err != nil {
			return billing.Subscription{}, err
		}
	}
	return p.provider.Subscribe(ctx, payment.NewSubscription{
		Key: at.key + "-subscribe", CustomerID: account.CustomerID, Price: p.price,
		TrialDays: billing.TrialDays(account, p.plan, p.in.NoTrial),
	})
}

// allowed refuses what the organisation may not start. Before it refuses because of a running
// subscription, or goes on with an open one, it asks the provider whether our copy is right.
func (p *purchase) allowed(ctx context.Context, at attempt) (*billing.Account, error) {
	org := at.org
	if org.Billing.Live() != nil || org.Billing.Open() != nil {
		fresh, err := p.sync.do(ctx, org.ID)
		if err != nil {
			return nil, err
		}
		org = fresh
	}
	return &org.Billing, billing.CheckSubscribe(&org.Billing, p.price)
}
