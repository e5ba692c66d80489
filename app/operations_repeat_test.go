package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestRepeatJoinsThePendingOperation(t *testing.T) {
	ops, store := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", Age: time.Second})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, "op_first", "sub_1", noon).Return(true, nil)

	err := attemptRun(t.Context(), ops, wish(func(at attempt) (string, error) {
		assert.Equal(t, "op_first", at.key)
		assert.True(t, at.joined)
		return "sub_1", nil
	}))

	require.NoError(t, err)
}

func TestAnotherRequestWaitsForThePendingOne(t *testing.T) {
	ops, store := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "theirs", Age: takeoverAge - time.Second})

	err := attemptRun(t.Context(), ops, wish(notCalled(t)))

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestRepeatHasToBeThroughBeforeTheOperationIsAbandoned(t *testing.T) {
	ops, store := newOperations(t)
	findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", Age: maxJoinAge - 5*time.Second})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, "op_first", "sub_1", noon).Return(true, nil)
	r := wish(nil)
	r.do = func(ctx context.Context, _ attempt) (string, error) {
		assertWithin(ctx, t, 5*time.Second)
		return "sub_1", nil
	}

	require.NoError(t, attemptRun(t.Context(), ops, r))
}

func TestRepeatThatComesTooLateWaits(t *testing.T) {
	for _, ago := range []time.Duration{maxJoinAge, takeoverAge - time.Microsecond} {
		ops, store := newOperations(t)
		findsPending(store, billing.Operation{Key: "op_first", Fingerprint: "mine", Age: ago})

		err := attemptRun(t.Context(), ops, wish(notCalled(t)))

		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%s", ago)
	}
}
