package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var (
	findsNoCustomer = step{"CustomerOf", func(b *bench, err error) {
		if err == nil {
			err = fault.New(fault.NotFound, "")
		}
		b.provider.EXPECT().CustomerOf(mock.Anything, payment.Owner{OrganisationID: "org_1"}).Return(billing.Customer{}, err).Once()
	}}
	findsCustomer = step{"CustomerOf", func(b *bench, err error) {
		b.provider.EXPECT().CustomerOf(mock.Anything, payment.Owner{OrganisationID: "org_1"}).Return(customer, err).Once()
	}}
)

// completesCustomer expects the customer to be made under the key of the operation in doubt.
var completesCustomer = step{"CreateCustomer", func(b *bench, err error) {
	b.provider.EXPECT().CreateCustomer(mock.Anything, mock.MatchedBy(func(in payment.NewCustomer) bool {
		return in.Key == "op_1"
	})).Return(customer, err).Once()
}}

// missesCustomer finds that the customer in doubt was never made and that its key can't make it any
// more, and begins to make it under another one.
func (b *bench) missesCustomer() {
	b.finds(nil, inDoubtSince(48*time.Hour, billing.CustomerOperation))
	for _, s := range []step{
		reads("to settle", stranger), findsNoCustomer, settlesWith(""), reads("afterwards", stranger),
		beginsOperation(billing.CustomerOperation), reads("under the operation", stranger),
	} {
		s.expect(b, nil)
	}
	completesCustomer.expect(b, errOutage)
}

func TestReconcile_CompletesTheCustomerUnderItsKey(t *testing.T) {
	b, stored := newBench(t), stranger()
	b.finds(nil, inDoubtSince(48*time.Hour, billing.CustomerOperation))
	b.readsOrganisation(stranger(), nil)
	findsNoCustomer.expect(b, nil)
	completesCustomer.expect(b, nil)
	b.updatesOrganisation(&stored, nil)
	settlesWith("cus_1").expect(b, nil)
	b.readsOrganisation(newcomer(), nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestAdopt_KeepsTheCustomerThatIsUsed(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.updatesOrganisation(&stored, nil)
	require.NoError(t, adoptCustomer(t.Context(), b.store, "org_1", billing.Customer{ID: "cus_late"}, noon))
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestReconcileMakesTheCustomerThatWasNeverMadeUnderANewKey(t *testing.T) {
	b, stored := newBench(t), stranger()
	b.missesCustomer()
	b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, in payment.NewCustomer) (billing.Customer, error) {
			assert.NotEqual(t, "op_1", in.Key, "the provider may repeat what it answered to the old one")
			return customer, nil
		}).Once()
	b.updatesOrganisation(&stored, nil)
	settles(billing.CustomerOperation, "cus_1").expect(b, nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestReconcileAdoptsTheCustomerThatWasMade(t *testing.T) {
	b, stored := newBench(t), stranger()
	b.finds(nil, inDoubtSince(48*time.Hour, billing.CustomerOperation))
	b.readsOrganisation(stranger(), nil)
	findsCustomer.expect(b, nil)
	b.updatesOrganisation(&stored, nil)
	settlesWith("cus_1").expect(b, nil)
	b.readsOrganisation(newcomer(), nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
	assert.Equal(t, "cus_1", stored.Billing.CustomerID)
}

func TestSettlerOfACustomerFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{
		reads("", stranger), findsCustomer, updates("with the customer", stranger), settlesWith("cus_1"),
	}, takeOver(t, inDoubtSince(time.Hour, billing.CustomerOperation)))
}

func TestReconcileLeavesTheCustomerInDoubtWhileNobodyAnswers(t *testing.T) {
	for _, failure := range []error{errOutage, context.DeadlineExceeded} {
		b := newBench(t)
		b.missesCustomer()
		createsCustomer.expect(b, failure)

		settled, err := reconcile(t)(b)

		require.NoError(t, err)
		assert.Zero(t, settled)
	}
}

func TestReconcileEndsWithACustomerThatIsRefused(t *testing.T) {
	b := newBench(t)
	b.missesCustomer()
	createsCustomer.expect(b, errRefused)
	settles(billing.CustomerOperation, "").expect(b, nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
}

func TestReconcileNeedNotMakeACustomerThatIsKnown(t *testing.T) {
	b := newBench(t)
	b.finds(nil, inDoubtSince(time.Hour, billing.CustomerOperation))
	b.readsOrganisation(newcomer(), nil)
	settlesWith("cus_1").expect(b, nil)
	b.readsOrganisation(newcomer(), nil)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Equal(t, 1, settled)
}

func TestReconcileCannotReadTheCustomersOrganisation(t *testing.T) {
	b := newBench(t)
	b.finds(nil, inDoubtSince(time.Hour, billing.CustomerOperation))
	b.readsOrganisation(stranger(), errOutage)

	settled, err := reconcile(t)(b)

	require.NoError(t, err)
	assert.Zero(t, settled)
}
