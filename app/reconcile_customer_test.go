package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// findsCustomerOperation answers that making the customer is in doubt, and lets it be joined.
func (b *bench) findsCustomerOperation() {
	op := inDoubtSince(48*time.Hour, billing.CustomerLane)
	b.finds(nil, op)
	b.readsOrganisation(stranger(), nil)
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(op, nil).Once()
	b.readsOrganisation(stranger(), nil)
}

func TestReconcileMakesTheCustomerWithTheFirstKey(t *testing.T) {
	b, stored := newBench(t), stranger()
	b.findsCustomerOperation()
	b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, in payment.NewCustomer) (billing.Customer, error) {
			assert.Equal(t, "op_1", in.Key)
			return customer, nil
		}).Once()
	b.updatesOrganisation(&stored, nil)
	settlesWith("cus_1").expect(b, nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestReconcileLeavesTheCustomerInDoubtWhileNobodyAnswers(t *testing.T) {
	for _, failure := range []error{errOutage, context.DeadlineExceeded} {
		b := newBench(t)
		b.findsCustomerOperation()
		createsCustomer.expect(b, failure)

		settled, err := reconcile(t)(b)

		require.NoError(t, err)
		assert.Zero(t, settled)
	}
}

func TestReconcileEndsWithACustomerThatIsRefused(t *testing.T) {
	b := newBench(t)
	b.findsCustomerOperation()
	createsCustomer.expect(b, errRefused)
	settlesWith("").expect(b, nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
}

func TestReconcileNeedNotMakeACustomerThatIsKnown(t *testing.T) {
	b := newBench(t)
	b.finds(nil, inDoubtSince(time.Hour, billing.CustomerLane))
	b.readsOrganisation(newcomer(), nil)
	settlesWith("cus_1").expect(b, nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
}

func TestReconcileCannotReadTheCustomersOrganisation(t *testing.T) {
	b := newBench(t)
	b.finds(nil, inDoubtSince(time.Hour, billing.CustomerLane))
	b.readsOrganisation(stranger(), errOutage)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Zero(t, settled)
}
