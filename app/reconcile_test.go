package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// finds answers the question for operations in doubt, which leaves out those somebody may be busy
// with.
func (b *bench) finds(err error, ops ...billing.Operation) {
	b.store.EXPECT().PendingOperations(mock.Anything, takeoverAge, reconcileBatch).Return(ops, err).Once()
}

func inDoubtSince(ago time.Duration, kind billing.OperationKind) billing.Operation {
	op := billing.Operation{Key: "op_1", OrganisationID: "org_1", Kind: kind, Fingerprint: fingerprint("customer"), CreatedAt: noon, Age: ago}
	if kind == billing.SubscriptionOperation {
		op.Steps = billing.WithKeys(op.Key, []billing.Step{{Kind: billing.StartSubscriptionStep, CustomerID: "cus_1"}})
	}
	return op
}

func reconcile(t *testing.T) func(*bench) (int, error) {
	return func(b *bench) (int, error) { return b.Reconcile.Do(t.Context()) }
}

func TestReconcileWithNothingInDoubt(t *testing.T) {
	b := newBench(t)
	b.finds(nil)
	settled, err := reconcile(t)(b)
	require.NoError(t, err)
	assert.Zero(t, settled)
}

func TestReconcileFailsWithTheDatabase(t *testing.T) {
	b := newBench(t)
	b.finds(errOutage)
	_, err := reconcile(t)(b)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestPitfall15_ATimeoutIsSettledByAskingHoweverOld(t *testing.T) {
	for _, ago := range []time.Duration{takeoverAge, 365 * 24 * time.Hour, -30 * 24 * time.Hour} {
		b, stored := newBench(t), newcomer()
		b.finds(nil, inDoubtSince(ago, billing.SubscriptionOperation))
		made := subscription("sub_1", billing.Active, monthly)
		made.MadeBy = "op_1-1"
		b.retires("op_1-1", fault.New(fault.Conflict, "it has acted"))
		b.syncs(&stored, made)
		settlesWith("sub_1").expect(b, nil)

		settled, err := reconcile(t)(b)

		require.NoError(t, err)
		assert.Equal(t, 1, settled)
		assert.Equal(t, "sub_1", stored.Billing.Live().ID, "we know of it now")
	}
}

func TestReconcileGoesOnAfterOneThatCannotBeSettled(t *testing.T) {
	b := newBench(t)
	b.finds(nil, inDoubtSince(time.Hour, billing.SubscriptionOperation), inDoubtSince(time.Hour, billing.CustomerOperation))
	b.retires("op_1-1", errOutage)
	b.readsOrganisation(newcomer(), nil)
	settlesWith("cus_1").expect(b, nil)
	b.readsOrganisation(newcomer(), nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
	assert.Contains(t, b.log.String(), "org_1")
}
