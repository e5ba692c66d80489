package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixedClock tells one time.
type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// errOutage is what a provider or a database that can't be asked answers.
var errOutage = fault.New(fault.Unavailable, "not reachable")

func newOperations(t *testing.T) (operations, *mocks.Store, *mocks.Provider) {
	store, provider := mocks.NewStore(t), mocks.NewProvider(t)
	sync := &syncBilling{store: store, provider: provider}
	return operations{store: store, clock: fixedClock(noon), settle: settler{store: store, sync: sync}}, store, provider
}

// wish is a request in the subscription lane that does as it is told.
func wish(do func(attempt) (string, error)) request {
	return request{
		organisationID: "org_1", lane: billing.SubscriptionLane, fingerprint: "mine",
		do: func(_ context.Context, at attempt) (string, error) { return do(at) },
	}
}

// begins stores the operation as it was asked.
func begins(store *mocks.Store) {
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }).Once()
}

// findsPending answers that another operation of the lane is pending.
func findsPending(store *mocks.Store, op billing.Operation) {
	op.Lane, op.OrganisationID = billing.SubscriptionLane, "org_1"
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(op, nil).Once()
}

func TestOperationIsStoredBeforeAndSettledAfter(t *testing.T) {
	ops, store, _ := newOperations(t)
	var order []string
	var stored billing.Operation
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) {
			order, stored = append(order, "begin"), op
			return op, nil
		})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{ID: "org_1"}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_1", noon).
		RunAndReturn(func(_ context.Context, key, _ string, _ time.Time) error {
			assert.Equal(t, stored.Key, key)
			order = append(order, "settle")
			return nil
		})

	err := ops.run(t.Context(), wish(func(at attempt) (string, error) {
		assert.Equal(t, stored.Key, at.key)
		assert.False(t, at.joined)
		order = append(order, "do")
		return "sub_1", nil
	}))

	require.NoError(t, err)
	assert.Equal(t, []string{"begin", "do", "settle"}, order)
	assert.NotContains(t, stored.Key, "org_1", "a key names nobody")
}

func TestOperationThatCannotBeStoredIsNotTried(t *testing.T) {
	ops, store, _ := newOperations(t)
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errOutage)

	err := ops.run(t.Context(), wish(notCalled(t)))

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestOperationIsNotTriedWhenTheOrganisationCannotBeRead(t *testing.T) {
	ops, store, _ := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, errOutage)

	err := ops.run(t.Context(), wish(notCalled(t)))

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestOutcomeInDoubtStaysPending(t *testing.T) {
	for _, code := range []fault.Code{fault.Unavailable, fault.Internal} {
		ops, store, _ := newOperations(t)
		begins(store)
		store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)

		err := ops.run(t.Context(), wish(func(attempt) (string, error) { return "", fault.New(code, "") }))

		assert.Equal(t, code, fault.CodeOf(err))
		store.AssertNotCalled(t, "SettleOperation", mock.Anything, mock.Anything, mock.Anything, mock.Anything)
	}
}

func TestRefusalSettlesWithNothingMade(t *testing.T) {
	for _, code := range []fault.Code{fault.Declined, fault.Conflict, fault.NotFound, fault.Invalid} {
		ops, store, _ := newOperations(t)
		begins(store)
		store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
		store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "", noon).Return(nil)

		err := ops.run(t.Context(), wish(func(attempt) (string, error) { return "", fault.New(code, "") }))

		assert.Equal(t, code, fault.CodeOf(err))
	}
}

func TestRepeatJoinsThePendingOperation(t *testing.T) {
	ops, store, _ := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", CreatedAt: noon.Add(-time.Second)})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, "op_first", "sub_1", noon).Return(nil)

	err := ops.run(t.Context(), wish(func(at attempt) (string, error) {
		assert.Equal(t, "op_first", at.key)
		assert.True(t, at.joined)
		return "sub_1", nil
	}))

	require.NoError(t, err)
}

func TestAnotherRequestWaitsForThePendingOne(t *testing.T) {
	ops, store, _ := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "theirs", CreatedAt: noon.Add(-abandoned + time.Second)})

	err := ops.run(t.Context(), wish(notCalled(t)))

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestAbandonedOperationIsSettledByAskingTheProvider(t *testing.T) {
	ops, store, provider := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_dead", Fingerprint: "theirs", CreatedAt: noon.Add(-abandoned)})
	org := account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}
	live := billing.Subscription{ID: "sub_old", Status: billing.Active}
	recorded := org
	recorded.Billing.Record(live)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(org, nil)
	provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return([]billing.Subscription{live}, nil)
	store.EXPECT().UpdateOrganisation(mock.Anything, "org_1", mock.Anything).Return(recorded, nil)
	store.EXPECT().SettleOperation(mock.Anything, "op_dead", "sub_old", noon).Return(nil).Once()
	begins(store)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_new", noon).Return(nil).Once()

	err := ops.run(t.Context(), wish(func(attempt) (string, error) { return "sub_new", nil }))

	require.NoError(t, err)
}

func TestAbandonedOperationBlocksWhileTheProviderIsSilent(t *testing.T) {
	ops, store, provider := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_dead", Fingerprint: "mine", CreatedAt: noon.Add(-time.Hour)})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}, nil)
	provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(nil, errOutage)

	err := ops.run(t.Context(), wish(notCalled(t)))

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestOperationGoesOnWhenTheVisitorLeaves(t *testing.T) {
	ops, store, _ := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_1", noon).Return(nil)
	ctx, leave := context.WithCancel(t.Context())
	r := wish(nil)
	r.do = func(ctx context.Context, _ attempt) (string, error) {
		leave()
		return "sub_1", ctx.Err()
	}

	require.NoError(t, ops.run(ctx, r))
}

func notCalled(t *testing.T) func(attempt) (string, error) {
	return func(attempt) (string, error) {
		assert.Fail(t, "the provider must not be asked")
		return "", nil
	}
}
