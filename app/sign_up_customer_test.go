package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// signsUp is a bench on which everything but the customer goes well; the organisation that was
// stored can be read and updated.
func signsUp(t *testing.T) (*bench, *storage.Signup) {
	t.Helper()
	b, stored := newBench(t), &storage.Signup{}
	hashes.expect(b, nil)
	createsSignup(stored).expect(b, nil)
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).RunAndReturn(asked).Once()
	b.store.EXPECT().Organisation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, id string) (account.Organisation, error) {
			assert.Equal(t, stored.Organisation.ID, id)
			return stored.Organisation, nil
		})
	return b, stored
}

func TestSignUpMakesTheCustomerInTheSameStep(t *testing.T) {
	b, stored := signsUp(t)
	var asked payment.NewCustomer
	b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, in payment.NewCustomer) (billing.Customer, error) {
			asked = in
			return customer, nil
		}).Once()
	b.store.EXPECT().UpdateOrganisation(mock.Anything, mock.Anything, mock.Anything).RunAndReturn(
		func(_ context.Context, _ string, fn func(*account.Organisation) error) (account.Organisation, error) {
			return stored.Organisation, fn(&stored.Organisation)
		}).Once()
	settles(billing.CustomerLane, "cus_1").expect(b, nil)

	in := registration()
	in.Org = "\u202e" + in.Org + "\u2069" // which would turn around what stands beside it

	_, err := b.SignUp.Do(t.Context(), in)

	require.NoError(t, err)
	assert.Equal(t, "cus_1", stored.Organisation.Billing.CustomerID)
	assert.Equal(t, payment.NewCustomer{
		Key: asked.Key, OrganisationID: stored.Organisation.ID, Name: "Practice", Email: "ann@example.com",
		Phone: "+61 2 9000 0000", Currency: "NZD", Address: stored.Organisation.Address,
	}, asked)
}

func TestSignUpDoesNotFailWithTheProvider(t *testing.T) {
	for _, failure := range []error{errOutage, context.DeadlineExceeded} {
		b, stored := signsUp(t)
		b.provider.EXPECT().CreateCustomer(mock.Anything, mock.Anything).Return(billing.Customer{}, failure).Once()

		_, err := b.SignUp.Do(t.Context(), registration())

		assert.NoError(t, err)
		assert.Contains(t, b.log.String(), stored.Organisation.ID)
	}
}

func TestSignUpDoesNotWaitLongForTheProvider(t *testing.T) {
	b, _ := signsUp(t)
	b.provider.EXPECT().CreateCustomer(mock.MatchedBy(endsWithin(customerPatience)), mock.Anything).
		Return(billing.Customer{}, errOutage).Once()

	_, err := b.SignUp.Do(t.Context(), registration())

	assert.NoError(t, err)
}

func TestSignUpIsNotDependentOnTheBrowserWaiting(t *testing.T) {
	b, stored := newBench(t), &storage.Signup{}
	ctx, leave := context.WithCancel(t.Context())
	hashes.expect(b, nil)
	createsSignup(stored).expect(b, nil)
	b.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(ctx context.Context, op billing.Operation) (billing.Operation, error) {
			leave()
			assert.NoError(t, ctx.Err())
			return op, errOutage
		}).Once()

	_, err := b.SignUp.Do(ctx, registration())

	assert.NoError(t, err)
}
