package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// step is one call that a use case makes to a port.
type step struct {
	name   string
	expect func(b *bench, err error) // expects the call once and answers with err
}

// passes expects a use case to make every call, in any order, and to succeed.
func passes(t *testing.T, steps []step, act func(*bench) error) {
	t.Helper()
	b := newBench(t)
	for _, s := range steps {
		s.expect(b, nil)
	}
	assert.NoError(t, act(b))
}

// failsAtEveryStep has each call fail in turn, and wants the failure to come out with the code it
// went in with, after the calls before it and without any call behind it.
func failsAtEveryStep(t *testing.T, failure error, steps []step, act func(*bench) error) {
	t.Helper()
	for i, s := range steps {
		t.Run(s.name+" fails", func(t *testing.T) {
			b := newBench(t)
			for _, before := range steps[:i] {
				before.expect(b, nil)
			}
			s.expect(b, failure)
			err := act(b)
			assert.Equal(t, fault.CodeOf(failure), fault.CodeOf(err), "%v", err)
		})
	}
}

// settles expects the operation of the kind to end with what it made.
func settles(kind billing.OperationKind, result string) step {
	return step{"SettleOperation of the " + string(kind), func(b *bench, err error) {
		b.store.EXPECT().SettleOperation(mock.Anything, mock.Anything, result, noon).Return(err == nil, err).Once()
	}}
}

// beginsOperation expects an operation of the kind to be stored.
func beginsOperation(kind billing.OperationKind) step {
	return step{"BeginOperation", func(b *bench, err error) {
		begin := b.store.EXPECT().BeginOperation(mock.Anything, mock.MatchedBy(func(op billing.Operation) bool {
			return op.Kind == kind && op.OrganisationID == "org_1" && op.Key != "" && op.Fingerprint != "" && op.CreatedAt.Equal(noon)
		}))
		if err != nil {
			begin.Return(billing.Operation{}, err).Once()
			return
		}
		begin.RunAndReturn(asked).Once()
	}}
}

// nonePending finds no pending operation in the subscription's kind.
var nonePending = step{"PendingOperation", func(b *bench, err error) {
	if err == nil {
		err = fault.New(fault.NotFound, "")
	}
	b.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(billing.Operation{}, err).Once()
}}

// findsPending finds a pending operation in the subscription's kind.
func (b *bench) findsPending(op billing.Operation) {
	op.OrganisationID, op.Kind = "org_1", billing.SubscriptionOperation
	b.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(op, nil).Once()
}

// retires expects the key of a step to be retired.
func (b *bench) retires(key string, err error) {
	b.provider.EXPECT().Retire(mock.Anything, payment.Retirement{Key: key, CustomerID: "cus_1"}).Return(err).Once()
}

// joinsOperation finds a repeat of the same request that began a moment ago.
func (b *bench) joinsOperation(ago time.Duration) {
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).RunAndReturn(earlier(ago)).Once()
}

func reads(name string, org func() account.Organisation) step {
	return step{"Organisation " + name, func(b *bench, err error) { b.readsOrganisation(org(), err) }}
}

func lists(subs ...billing.Subscription) step {
	return step{"ListSubscriptions", func(b *bench, err error) { b.listsSubscriptions(err, subs...) }}
}

func updates(name string, org func() account.Organisation) step {
	return step{"UpdateOrganisation " + name, func(b *bench, err error) {
		stored := org()
		b.updatesOrganisation(&stored, err)
	}}
}
