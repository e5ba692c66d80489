package app

import (
	"context"
	"strconv"

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
	made    billing.Subscription
	ended   []billing.Subscription // what had to make place for it
}

func (p *purchase) fingerprint() string {
	return fingerprint("subscribe", p.cardID, p.price.PriceID(), p.price.Currency, strconv.FormatBool(p.noTrial))
}

// do asks for the truth before it decides anything, however fresh our copy looks: a subscription
// that nobody has told us of yet must not get a second one beside it.
func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	org, err := p.sync.do(ctx, at.org.ID)
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

// outcome is the subscription that this very request has made before, or makes now.
func (p *purchase) outcome(ctx context.Context, at attempt, account *billing.Account) (billing.Subscription, error) {
	if live := account.Live(); live != nil && live.Price == p.price {
		repeat, err := p.repeats(ctx, at, live.ID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if repeat {
			return p.provider.Subscription(ctx, live.ID) // our copy lacks what the browser may have to finish
		}
	}
	if err := billing.CheckSubscribe(account, p.price); err != nil {
		return billing.Subscription{}, err
	}
	made, err := p.buy(ctx, at.key, account)
	return p.sync.now(ctx, at, made, err)
}

// repeats reports whether the live subscription came of this request.
func (p *purchase) repeats(ctx context.Context, at attempt, liveID string) (bool, error) {
	if at.joined {
		return true, nil
	}
	last, err := p.store.LastOperation(ctx, at.org.ID, billing.SubscriptionLane)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return last.Result == liveID && last.Fingerprint == p.fingerprint(), err
}

// buy saves the card and starts, continues or replaces a subscription.
func (p *purchase) buy(ctx context.Context, key string, account *billing.Account) (billing.Subscription, error) {
	if err := p.saveCard(ctx, key, account); err != nil {
		return billing.Subscription{}, err
	}
	open := account.Open()
	switch billing.StepOf(account, p.price) {
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
		Key: key + "-subscribe", CustomerID: account.CustomerID, Price: p.price,
		TrialDays: billing.TrialDays(account, p.plan, p.noTrial),
	})
}

func (p *purchase) saveCard(ctx context.Context, key string, account *billing.Account) error {
	if p.cardID == "" {
		return nil
	}
	_, err := p.provider.AddCard(ctx, payment.NewCard{Key: key + "-card", CustomerID: account.CustomerID, CardID: p.cardID})
	return err
}
