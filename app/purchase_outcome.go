package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

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
