package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

var withVisa = SubscribeRequest{CustomerID: "cus_1", CardID: "pm_visa", Price: choseMonthly}

func subscribe(t *testing.T, in SubscribeRequest) func(*bench) error {
	return func(b *bench) error {
		_, err := b.Subscribe.Do(t.Context(), who, in)
		return err
	}
}

// starts expects a new subscription on the card with so many days of trial, and answers with it.
func starts(cardID string, price catalogue.PriceRef, trialDays int, answer billing.Subscription) step {
	return step{"Subscribe", func(b *bench, err error) {
		b.provider.EXPECT().Subscribe(mock.Anything, mock.MatchedBy(func(in payment.NewSubscription) bool {
			return in.CustomerID == "cus_1" && in.CardID == cardID && in.Price == price && in.TrialDays == trialDays &&
				in.Sole && in.Key != ""
		})).Return(answer, err).Once()
	}}
}

// refusesFirst has the provider refuse a first subscription because of what the customer has.
var refusesFirst = step{"Subscribe", func(b *bench, err error) {
	if err == nil {
		err = fault.New(fault.Conflict, "The customer has a subscription already.")
	}
	b.provider.EXPECT().Subscribe(mock.Anything, mock.MatchedBy(func(in payment.NewSubscription) bool {
		return in.First && in.Sole
	})).Return(billing.Subscription{}, err).Once()
}}

// continues expects the open invoice of sub_1 to be paid.
func continues(answer billing.Subscription) step {
	return step{"PayInvoice", func(b *bench, err error) {
		b.provider.EXPECT().PayInvoice(mock.Anything, mock.MatchedBy(func(in payment.InvoicePayment) bool {
			return in.InvoiceID == "in_1" && in.Amount == aud(3900) && in.MethodID == "" && in.Key != ""
		})).Return(answer, err).Once()
	}}
}

var cancels = step{"CancelSubscription", func(b *bench, err error) {
	b.provider.EXPECT().CancelSubscription(mock.Anything, mock.MatchedBy(func(in payment.Cancellation) bool {
		return in.SubscriptionID == "sub_1" && in.IfUnpaid && in.Key != ""
	})).Return(onMonthly(billing.IncompleteExpired), err).Once()
}}

// refetches expects the subscription to be asked for by its id.
func refetches(truth billing.Subscription) step {
	return step{"Subscription", func(b *bench, err error) {
		b.provider.EXPECT().Subscription(mock.Anything, truth.ID).Return(truth, err).Once()
	}}
}

// doneBy is the operation with which the request made the subscription before.
func doneBy(in SubscribeRequest, made string) billing.Operation {
	return billing.Operation{Key: "op_last", Result: made, Fingerprint: fingerprintOf(in)}
}

func fingerprintOf(in SubscribeRequest) string {
	p := purchase{wanted: billing.Purchase{Price: monthly, CardID: in.CardID, NoTrial: in.NoTrial}}
	return p.fingerprint()
}

// after is what is stored once our copy has been brought up to date, and nothing else.
func after(stored func() account.Organisation, truth ...billing.Subscription) func() account.Organisation {
	return func() account.Organisation {
		org := stored()
		org.Billing.Record(truth...)
		return org
	}
}

// looking are the steps before a purchase begins, and the ones with which it does.
func looking(stored func() account.Organisation, truth ...billing.Subscription) []step {
	return []step{
		reads("to check the customer", stored), nonePending, reads("to plan", stored), reads("to sync", stored), lists(truth...),
		updates("with the truth", stored), beginsOperation(billing.SubscriptionOperation),
		reads("under the operation", after(stored, truth...)),
	}
}

// startingAfresh are the steps with which a first purchase begins: the provider is not asked.
func startingAfresh() []step {
	return []step{
		reads("to check the customer", newcomer), nonePending, reads("to plan", newcomer),
		beginsOperation(billing.SubscriptionOperation), reads("under the operation", newcomer),
	}
}

// house is a bench on which one organisation is stored: it can be read and updated at will.
type house struct {
	*bench
	stored  account.Organisation
	last    billing.Operation  // one that was settled; it has no key when there is none
	pending *billing.Operation // nil when there is none
	begun   func() error       // happens right before an operation begins
}

// newHouse lets an operation begin, or join one that began a moment ago with the steps.
func newHouse(t *testing.T, stored account.Organisation, joined ...billing.Step) *house {
	t.Helper()
	h := &house{bench: newBench(t), stored: stored, begun: func() error { return nil }}
	h.store.EXPECT().Organisation(mock.Anything, "org_1").
		RunAndReturn(func(context.Context, string) (account.Organisation, error) { return apart(h.stored), nil })
	h.store.EXPECT().OperationMade(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, of storage.Made) (bool, error) {
			return h.last.Key != "" && h.last.Fingerprint == of.Fingerprint && h.last.Result == of.Result, nil
		}).Maybe()
	h.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).
		RunAndReturn(func(context.Context, string, billing.OperationKind) (billing.Operation, error) {
			if h.pending == nil {
				return billing.Operation{}, fault.New(fault.NotFound, "")
			}
			return *h.pending, nil
		}).Maybe()
	h.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, h.begun() }).Maybe()
	if len(joined) > 0 {
		h.pending = &billing.Operation{
			Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: fingerprintOf(withVisa),
			Age: time.Second, Steps: billing.WithKeys("op_first", joined),
		}
	}
	return h
}

// told is what the provider lists when it is asked.
func (h *house) told(subs ...billing.Subscription) {
	h.listsSubscriptions(nil, subs...)
	h.updatesOrganisation(&h.stored, nil)
}

// overtakenBy has another request make the subscription right before the operation begins.
func (h *house) overtakenBy(by billing.Operation, truth billing.Subscription) {
	h.begun = func() error {
		h.stored.Billing.Record(truth)
		h.last = by
		return storage.ErrPlanOutdated
	}
	h.told(truth)
}

// recorded expects the answer to be recorded and the operation to end with it.
func (h *house) recorded(result string) {
	h.updatesOrganisation(&h.stored, nil)
	settles(billing.SubscriptionOperation, result).expect(h.bench, nil)
}

// refused expects the operation to end with nothing.
func (h *house) refused() { settles(billing.SubscriptionOperation, "").expect(h.bench, nil) }

func (h *house) expects(steps ...step) {
	for _, s := range steps {
		s.expect(h.bench, nil)
	}
}
