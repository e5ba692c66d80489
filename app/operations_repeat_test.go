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
	live := subscription("sub_old", billing.Active, monthly)
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

func TestOwnOperationIsNeverTakenForAbandoned(t *testing.T) {
	store := mocks.NewStore(t)
	clock := &leapingClock{now: noon, leap: time.Hour}
	ops := operations{store: store, clock: clock}
	begins(store)

	_, joined, err := ops.begin(t.Context(), wish(notCalled(t)))

	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "it is too late to begin, and nothing was asked")
	assert.False(t, joined)
}

func TestRepeatHasToBeThroughBeforeTheOperationIsAbandoned(t *testing.T) {
	ops, store, _ := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", CreatedAt: noon.Add(-through + 5*time.Second)})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, "op_first", "sub_1", noon).Return(nil)
	r := wish(nil)
	r.do = func(ctx context.Context, _ attempt) (string, error) {
		assertWithin(ctx, t, 5*time.Second)
		return "sub_1", nil
	}

	require.NoError(t, ops.run(t.Context(), r))
}

func TestRepeatThatComesTooLateWaits(t *testing.T) {
	for _, ago := range []time.Duration{through, abandoned - time.Microsecond} {
		ops, store, _ := newOperations(t)
		findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", CreatedAt: noon.Add(-ago)})

		err := ops.run(t.Context(), wish(notCalled(t)))

		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%s", ago)
	}
}
