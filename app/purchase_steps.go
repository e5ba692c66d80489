package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

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
