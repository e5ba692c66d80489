package app

import (
	"context"
	"strconv"
	"time"

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
	ended      []billing.Subscription // what had to make place for it, or was paid at that very moment
	unheard    bool                   // the provider refused, and may know what we have not heard of
}

func (p *purchase) fingerprint() string {
	return fingerprint("subscribe", p.cardID, p.price.PriceID(), p.price.Currency, strconv.FormatBool(p.noTrial))
}

// look finds out what there is before anything begins: what is there afterwards besides is of this
// request's making, or of a repeat's that joined it. It asks for the truth, however fresh our copy
// looks. Only a first subscription does without: our copy lacks none that we have made, and the
// provider refuses to call one the first that is not.
func (p *purchase) look(ctx context.Context, organisationID, customerID string) error {
	last, err := p.last(ctx, organisationID)
	if err != nil {
		return err
	}
	p.lastBefore = last.Key
	p.before, err = p.store.Organisation(ctx, organisationID)
	if err == nil {
		err = checkCustomerID(p.before, customerID)
	}
	if err == nil && len(p.before.Billing.Subscriptions) > 0 {
		p.before, err = p.sync.do(ctx, organisationID)
	}
	return err
}

// do finds what a repeat of this request has made before, or makes it.
func (p *purchase) do(ctx context.Context, at attempt) (string, error) {
	org, err := p.sync.since(ctx, p.before, at)
	if err != nil {
		return "", err
	}
	made, err := p.outcome(ctx, at, &org.Billing)
	if p.unheard {
		org, made, err = p.again(ctx, at)
	}
	if err != nil {
		return "", p.leave(ctx, org, err)
	}
	p.made = made
	return made.ID, p.sync.keep(ctx, org, append([]billing.Subscription{made}, p.ended...)...)
}

// again goes by the truth, under a key of its own, after the provider refused to start a
// subscription because of something that we had not heard of.
func (p *purchase) again(ctx context.Context, at attempt) (account.Organisation, billing.Subscription, error) {
	org, err := p.sync.do(ctx, at.org.ID)
	if err != nil {
		return org, billing.Subscription{}, err
	}
	if live := org.Billing.Live(); live == nil || live.CreatedAt.Before(at.began.Truncate(time.Second)) {
		p.before = org // nothing that was there before this request is of its making
	}
	at.key += "-again"
	made, err := p.outcome(ctx, at, &org.Billing)
	return org, made, err
}

// leave records what was ended or spared on the way to a refusal.
func (p *purchase) leave(ctx context.Context, org account.Organisation, refusal error) error {
	if len(p.ended) == 0 || inDoubt(refusal) {
		return refusal
	}
	if err := p.sync.keep(ctx, org, p.ended...); err != nil {
		return err
	}
	return refusal
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

// buy starts a subscription, or continues the open one, with the card.
func (p *purchase) buy(ctx context.Context, key string, a *billing.Account) (billing.Subscription, error) {
	step, inTheWay := billing.StepOf(a, p.price), billing.InTheWay(a, p.price)
	if step == billing.StepCreate && len(inTheWay) == 0 {
		return p.start(ctx, key, a)
	}
	// Nothing ends before the card is known to do.
	if err := p.saveCard(ctx, key, a); err != nil {
		return billing.Subscription{}, err
	}
	if err := p.makePlace(ctx, key, inTheWay); err != nil {
		return billing.Subscription{}, err
	}
	if step == billing.StepContinue {
		return p.provider.ContinueSubscription(ctx, payment.Continuation{Key: key + "-pay", SubscriptionID: a.Open().ID})
	}
	return p.start(ctx, key, a)
}

// start asks for the subscription. A repeat that finds more than there was the first time asks for
// something else, and so under another key.
func (p *purchase) start(ctx context.Context, key string, a *billing.Account) (billing.Subscription, error) {
	in := payment.NewSubscription{
		Key: key + "-subscribe", CustomerID: a.CustomerID, CardID: p.cardID, Price: p.price,
		TrialDays: billing.TrialDays(a, p.plan, p.noTrial), Sole: true,
	}
	if len(a.Subscriptions) == 0 && !p.unheard {
		in.First, in.Key = true, key+"-first"
	}
	made, err := p.provider.Subscribe(ctx, in)
	p.unheard = fault.Is(err, fault.Conflict)
	return made, err
}

// makePlace ends what is in the way. One that is paid at that very moment goes on, and makes this
// request one for a second subscription.
func (p *purchase) makePlace(ctx context.Context, key string, inTheWay []billing.Subscription) error {
	for _, sub := range inTheWay {
		ended, err := p.provider.CancelSubscription(ctx, payment.Cancellation{
			Key: key + "-cancel-" + sub.ID, SubscriptionID: sub.ID, IfUnpaid: true,
		})
		if err != nil {
			return err
		}
		p.ended = append(p.ended, ended)
		if ended.Status.Live() {
			return billing.AlreadySubscribed(ended.Status)
		}
	}
	return nil
}

func (p *purchase) saveCard(ctx context.Context, key string, a *billing.Account) error {
	if p.cardID == "" {
		return nil
	}
	_, err := p.provider.AddCard(ctx, payment.NewCard{Key: key + "-card", CustomerID: a.CustomerID, CardID: p.cardID})
	return err
}
