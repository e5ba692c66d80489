package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

var withVisa = SubscribeRequest{CustomerID: "cus_1", CardID: "pm_visa", Price: choseMonthly}

func subscribe(t *testing.T, in SubscribeRequest) func(*bench) error {
	return func(b *bench) error {
		_, err := b.Subscribe.Do(t.Context(), who, in)
		return err
	}
}

// starts expects a new subscription with so many days of trial, and answers with it.
func starts(price catalogue.PriceRef, trialDays int, answer billing.Subscription) step {
	return step{"Subscribe", func(b *bench, err error) {
		b.provider.EXPECT().Subscribe(mock.Anything, mock.MatchedBy(func(in payment.NewSubscription) bool {
			return in.CustomerID == "cus_1" && in.Price == price && in.TrialDays == trialDays && in.Key != ""
		})).Return(answer, err).Once()
	}}
}

// continues expects the open invoice of sub_1 to be paid.
func continues(answer billing.Subscription) step {
	return step{"ContinueSubscription", func(b *bench, err error) {
		b.provider.EXPECT().ContinueSubscription(mock.Anything, mock.MatchedBy(func(in payment.Continuation) bool {
			return in.SubscriptionID == "sub_1" && in.Key != ""
		})).Return(answer, err).Once()
	}}
}

var cancels = step{"CancelSubscription", func(b *bench, err error) {
	b.provider.EXPECT().CancelSubscription(mock.Anything, mock.MatchedBy(func(in payment.Cancellation) bool {
		return in.SubscriptionID == "sub_1" && in.Key != ""
	})).Return(onMonthly(billing.IncompleteExpired), err).Once()
}}

// refetches expects the subscription to be asked for by its id.
func refetches(truth billing.Subscription) step {
	return step{"Subscription", func(b *bench, err error) {
		b.provider.EXPECT().Subscription(mock.Anything, truth.ID).Return(truth, err).Once()
	}}
}

// lastMade answers what the newest operation was that made something, with the fingerprint of the
// request.
func lastMade(id string, in SubscribeRequest) step {
	return step{"LastOperation", func(b *bench, err error) {
		p := purchase{price: monthly, cardID: in.CardID, noTrial: in.NoTrial}
		op := billing.Operation{Key: "op_last", Result: id, Fingerprint: p.fingerprint()}
		b.store.EXPECT().LastOperation(mock.Anything, "org_1", billing.SubscriptionLane).Return(op, err).Once()
	}}
}

// house is a bench on which one organisation is stored: it can be read and updated at will.
type house struct {
	*bench
	stored account.Organisation
}

// newHouse begins an operation, or joins the one that began a moment ago.
func newHouse(t *testing.T, stored account.Organisation, joined bool) *house {
	t.Helper()
	h := &house{bench: newBench(t), stored: stored}
	h.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { return h.stored, nil })
	if joined {
		h.joinsOperation(time.Second)
	} else {
		beginsOperation(billing.SubscriptionLane).expect(h.bench, nil)
	}
	return h
}

// told is what the provider lists when it is asked.
func (h *house) told(subs ...billing.Subscription) {
	h.listsSubscriptions(nil, subs...)
	h.updatesOrganisation(&h.stored, nil)
}

// recorded expects the answer to be recorded and the operation to end with it.
func (h *house) recorded(result string) {
	h.updatesOrganisation(&h.stored, nil)
	settles(billing.SubscriptionLane, result).expect(h.bench, nil)
}

// refused expects the operation to end with nothing.
func (h *house) refused() { settles(billing.SubscriptionLane, "").expect(h.bench, nil) }

func (h *house) expects(steps ...step) {
	for _, s := range steps {
		s.expect(h.bench, nil)
	}
}
