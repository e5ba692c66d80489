package app

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// purchase is one request to subscribe on its way.
type purchase struct {
	*Subscribe
	plan    catalogue.Plan
	price   catalogue.PriceRef
	cardID  string
	noTrial bool

	before     account.Organisation // before this request began
	lastBefore string               // the key of what had been done last by then
	made       billing.Subscription
	ended      []billing.Subscription // what had to make place for it
}

func (p *purchase) fingerprint() string {
	return fingerprint("subscribe", p.cardID, p.price.PriceID(), p.price.Currency, strconv.FormatBool(p.noTrial))
}

// look finds out what there is before anything begins: what is there afterwards besides is of this
// request's making, or of a repeat's that joined it. It asks for the truth, however fresh our copy
// looks: a subscription that nobody has told us of yet must not get a second one beside it.
func (p *purchase) look(ctx context.Context, organisationID string) error {
	last, err := p.last(ctx, organisationID)
	if err != nil {
		return err
	}
	p.lastBefore = last.Key
	p.before, err = p.sync.do(ctx, organisationID)
	return err
}

// do finds what a repeat of this request has made before, or makes it.
func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	org, err := p.sync.since(ctx, p.before, at)
	if err != nil {
		return "", err
	}
	made, err := p.outcome(ctx, at, &org.Billing)
	if err != nil {
		return "", err
	}
	p.made = made
	return made.ID, p.sync.keep(ctx, org, append([]billing.Subscription{made}, p.ended...)...)
}

func (p *purchase) outcome(ctx context.Context, at attempt, a *billing.Account) (billing.Subscription, error) {
	if live := a.Live(); live != nil && live.Price == p.price {
		repeat, err := p.repeats(ctx, at, live.ID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if repeat {
			return p.provider.Subscription(ctx, live.ID) // our copy lacks what the browser may have to finish
		}
	}
	if err := billing.CheckSubscribe(a, p.price); err != nil {
		return billing.Subscription{}, err
	}
	made, err := p.buy(ctx, at.key, a)
	return p.sync.now(ctx, at, made, err)
}

// repeats reports whether the live subscription came of this request: of one like it that ended
// before, of one that this one joined, or of one that joined this one and was quicker. The last is
// known by there having been none before, and by nobody else having ended anything since.
func (p *purchase) repeats(ctx context.Context, at attempt, liveID string) (bool, error) {
	if at.joined {
		return true, nil
	}
	last, err := p.last(ctx, at.org.ID)
	if err != nil {
		return false, err
	}
	alike := last.Result == liveID && last.Fingerprint == p.fingerprint()
	return alike || p.isNew(liveID) && last.Key == p.lastBefore, nil
}

func (p *purchase) isNew(liveID string) bool {
	live := p.before.Billing.Live()
	return live == nil || live.ID != liveID
}

// last is the newest operation that made something; the zero value when there is none.
func (p *purchase) last(ctx context.Context, organisationID string) (billing.Operation, error) {
	last, err := p.store.LastOperation(ctx, organisationID, billing.SubscriptionLane)
	if fault.Is(err, fault.NotFound) {
		return billing.Operation{}, nil
	}
	return last, err
}

// buy saves the card and starts, continues or replaces a subscription.
func (p *purchase) buy(ctx context.Context, key string, a *billing.Account) (billing.Subscription, error) {
	if err := p.saveCard(ctx, key, a); err != nil {
		return billing.Subscription{}, err
	}
	open := a.Open()
	switch billing.StepOf(a, p.price) {
	case billing.StepCreate:
	case billing.StepContinue:
		return p.provider.ContinueSubscription(ctx, payment.Continuation{Key: key + "-pay", SubscriptionID: open.ID})
	case billing.StepReplace:
		ended, err := p.provider.CancelSubscription(ctx, payment.Cancellation{Key: key + "-cancel", SubscriptionID: open.ID})
		if err != nil {
			return billing.Subscription{}, err
		}
		p.ended = append(p.ended, ended)
	}
	return p.provider.Subscribe(ctx, payment.NewSubscription{
		Key: key + "-subscribe", CustomerID: a.CustomerID, Price: p.price,
		TrialDays: billing.TrialDays(a, p.plan, p.noTrial),
	})
}

func (p *purchase) saveCard(ctx context.Context, key string, a *billing.Account) error {
	if p.cardID == "" {
		return nil
	}
	_, err := p.provider.AddCard(ctx, payment.NewCard{Key: key + "-card", CustomerID: a.CustomerID, CardID: p.cardID})
	return err
}
