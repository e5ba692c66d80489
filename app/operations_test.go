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
	"github.com/vc-admin/diy/ports/payment"
)

func TestOperationIsStoredBeforeAndSettledAfter(t *testing.T) {
	ops, store := newOperations(t)
	var order []string
	var stored billing.Operation
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) {
			order, stored = append(order, "begin"), op
			return op, nil
		})
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{ID: "org_1"}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_1", noon).
		RunAndReturn(func(_ context.Context, key, _ string, _ time.Time) (bool, error) {
			assert.Equal(t, stored.Key, key)
			order = append(order, "settle")
			return true, nil
		})

	err := attemptRun(t.Context(), ops, wish(func(at attempt) (string, error) {
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
	ops, store := newOperations(t)
	store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errOutage)

	err := attemptRun(t.Context(), ops, wish(notCalled(t)))

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestOperation_UnsupportedStepIsRefusedBeforeItIsStored(t *testing.T) {
	ops, _ := newOperations(t)
	provider := mocks.NewProvider(t)
	provider.EXPECT().Capabilities().Return(payment.Capabilities{
		Missing: map[payment.Capability]string{payment.ChangeNow: "for the test"},
	})
	ops.takeover.provider = provider
	change := wish(notCalled(t))
	change.steps = []billing.Step{{Kind: billing.ChangePlanStep}}

	err := attemptRun(t.Context(), ops, change)

	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
	assert.Equal(t, "The payment provider does not support changing the plan at once.", fault.MessageOf(err))
}

func TestOperationIsNotTriedWhenTheOrganisationCannotBeRead(t *testing.T) {
	ops, store := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, errOutage)

	err := attemptRun(t.Context(), ops, wish(notCalled(t)))

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestOutcomeInDoubtStaysPending(t *testing.T) {
	for _, code := range []fault.Code{fault.Unavailable, fault.Internal} {
		ops, store := newOperations(t)
		begins(store)
		store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)

		err := attemptRun(t.Context(), ops, wish(func(attempt) (string, error) { return "", fault.New(code, "") }))

		assert.Equal(t, code, fault.CodeOf(err))
		store.AssertNotCalled(t, "SettleOperation", mock.Anything, mock.Anything, mock.Anything, mock.Anything)
	}
}

func TestRefusalSettlesWithNothingMade(t *testing.T) {
	for _, code := range []fault.Code{fault.Declined, fault.Conflict, fault.NotFound, fault.Invalid} {
		ops, store := newOperations(t)
		begins(store)
		store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
		store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "", noon).Return(true, nil)

		err := attemptRun(t.Context(), ops, wish(func(attempt) (string, error) { return "", fault.New(code, "") }))

		assert.Equal(t, code, fault.CodeOf(err))
	}
}

func TestSuccessThatCannotBeSettledIsASuccess(t *testing.T) {
	ops, store := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "sub_1", noon).Return(false, errOutage).Once()

	assert.NoError(t, attemptRun(t.Context(), ops, wish(func(attempt) (string, error) { return "sub_1", nil })))
}

func TestRefusalThatCannotBeSettledIsARefusal(t *testing.T) {
	ops, store := newOperations(t)
	begins(store)
	store.EXPECT().Organisation(mock.Anything, "org_1").Return(account.Organisation{}, nil)
	store.EXPECT().SettleOperation(mock.Anything, mock.Anything, "", noon).Return(false, errOutage).Once()

	err := attemptRun(t.Context(), ops, wish(func(attempt) (string, error) { return "", fault.New(fault.Declined, "") }))

	assert.Equal(t, fault.Declined, fault.CodeOf(err))
}
