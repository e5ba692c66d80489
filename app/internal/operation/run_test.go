package operation

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// defaultCardAction is an action that can't charge.
var defaultCardAction = billing.Action{
	Kind: billing.SetDefaultCardAction, CustomerID: "cus_1", MethodID: "pm_1", SubscriptionID: "sub_1",
}

// decideDefaultCard decides a request with one action that can't charge.
func (m *mockEnv) decideDefaultCard(ctx context.Context) (account.Organisation, []billing.Action, error) {
	org, err := m.store.Organisation(ctx, "org_1")
	return org, []billing.Action{defaultCardAction}, err
}

// execute runs a request. If it succeeds, its result is "sub_1".
func (m *mockEnv) execute(
	ctx context.Context, decide func(context.Context) (account.Organisation, []billing.Action, error),
) (Outcome, error) {
	m.actions.subscription.ID = "sub_1"
	return m.Run(ctx, Request{
		OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Parameters: []string{"request 1"}, Decide: decide,
	})
}

// fingerprint1 is the fingerprint of the requests that execute runs.
var fingerprint1 = newFingerprint("request 1")

func TestOperations_StoreBeforeTheySendAndSettleAfterwards(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectBegin()
	m.actions.respond = func(_ context.Context, req any) error {
		key, isFirst := strings.CutSuffix(req.(payment.SavedCardRequest).Key, "-1")
		assert.True(t, isFirst)
		m.expectSettle(key, "sub_1", nil) // if the operation is settled before it is sent, the test fails
		return nil
	}
	_, err := m.execute(t.Context(), m.decideDefaultCard)
	require.NoError(t, err)
	assert.Len(t, m.actions.requests, 1)
}

func TestOperations_SendNothingWhenTheDatabaseFails(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(storage.PendingOperation{}, errUnavailable)
	_, err := m.execute(t.Context(), m.decideDefaultCard)
	require.ErrorIs(t, err, errUnavailable)

	m.expectPending(storage.PendingOperation{}, errNoPendingOperation)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything, mock.Anything).Return(storage.PendingOperation{}, errUnavailable).Once()
	_, err = m.execute(t.Context(), m.decideDefaultCard)
	require.ErrorIs(t, err, errUnavailable)

	m.expectPending(storage.PendingOperation{Operation: billing.Operation{
		Key: "op_first", Fingerprint: fingerprint1, Actions: []billing.Action{defaultCardAction},
	}}, nil)
	m.store.OrganisationErr = errUnavailable
	_, err = m.execute(t.Context(), m.decideDefaultCard)
	require.ErrorIs(t, err, errUnavailable)
	assert.Empty(t, m.actions.requests)
}

func TestOperations_RefuseAnUnsupportedActionBeforeItIsStored(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{Missing: map[payment.Capability]string{payment.SavedMethods: "for the test"}})
	m.expectPending(storage.PendingOperation{}, errNoPendingOperation)
	_, err := m.execute(t.Context(), m.decideDefaultCard)
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
	assert.Equal(t, "The payment provider does not support saved payment methods.", fault.MessageOf(err))
}

func TestOperations_SettleIfTheOutcomeIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		err         error
		wantSettled bool
		wantResult  string
	}{
		"success":     {nil, true, "sub_1"},
		"declined":    {fault.New(fault.Declined, ""), true, ""},
		"conflict":    {fault.New(fault.Conflict, ""), true, ""},
		"not found":   {fault.New(fault.NotFound, ""), true, ""},
		"invalid":     {fault.New(fault.Invalid, ""), true, ""},
		"unavailable": {errUnavailable, false, ""},
		"internal":    {fault.New(fault.Internal, ""), false, ""},
		"key retired": {fault.Wrap(payment.ErrKeyRetired, fault.Conflict, ""), false, ""},
	} {
		for _, settleErr := range []error{nil, errUnavailable} {
			t.Run(name, func(t *testing.T) {
				m := newMockEnv(t, payment.Capabilities{})
				m.expectBegin()
				m.actions.respond = func(context.Context, any) error { return tt.err }
				if tt.wantSettled {
					m.expectSettle(mock.Anything, tt.wantResult, settleErr)
				}
				_, err := m.execute(t.Context(), m.decideDefaultCard)
				assert.Equal(t, fault.CodeOf(tt.err), fault.CodeOf(err), "a failure to settle does not change the outcome")
			})
		}
	}
}

func TestOperations_StayPendingAfterAPanic(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectBegin() // if the operation is settled, the test fails
	m.actions.respond = func(context.Context, any) error { panic("for the test") }
	assert.Panics(t, func() { _, _ = m.execute(t.Context(), m.decideDefaultCard) })
}

func TestOperations_JoinThePendingOperationOfARepeatAndRefuseOtherRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		fingerprint string
		age         time.Duration
		wantJoined  bool
	}{
		"repeat":                              {fingerprint1, time.Second, true},
		"repeat after the clock was set back": {fingerprint1, -time.Minute, true},
		"repeat just before maxJoinAge":       {fingerprint1, maxJoinAge - 5*time.Second, true},
		"repeat at maxJoinAge":                {fingerprint1, maxJoinAge, false},
		"repeat just before takeoverAge":      {fingerprint1, takeoverAge - 1, false},
		"other request":                       {"request_2", takeoverAge - 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			pendingOp := storage.PendingOperation{Age: tt.age, Operation: billing.Operation{
				Key: "op_first", Kind: billing.SubscriptionOperation, Fingerprint: tt.fingerprint,
				Actions: []billing.Action{
					{Kind: billing.SetDefaultCardAction, Key: "op_first-1"},
					{Kind: billing.StartSubscriptionAction, Key: "op_first-2"},
				},
			}}
			m.expectPending(pendingOp, nil)
			if !tt.wantJoined {
				_, err := m.execute(t.Context(), m.decideDefaultCard)
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				return
			}
			m.actions.respond = func(ctx context.Context, _ any) error {
				deadline, _ := ctx.Deadline()
				assert.LessOrEqual(t, time.Until(deadline), maxJoinAge-tt.age, "the repeat ends before the takeover")
				return nil
			}
			sub := subscriptionWithKey("op_first-2", billing.Active)
			m.actions.subscription = sub
			m.expectSettle("op_first", "sub_1", nil)
			resp, err := m.execute(t.Context(), m.decideDefaultCard)
			require.NoError(t, err)
			assert.Equal(t, sub, resp.Subscription, "the response may be a replay, so the subscription is read again")
			assert.Equal(t,
				[]any{payment.SavedCardRequest{Key: "op_first-1"}, payment.NewSubscription{Key: "op_first-2", Sole: true}},
				m.actions.requests)
		})
	}
}

func TestDetach_ContinuesUntilItsTimeoutAfterTheCallerCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		detachedCtx, stop := Detach(ctx, 5*time.Second)
		defer stop()
		cancel()
		require.NoError(t, detachedCtx.Err())
		deadline, _ := detachedCtx.Deadline()
		assert.Equal(t, 5*time.Second, time.Until(deadline))
	})
}

func TestOperations_ReturnConflictAfterFourDecisions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).
		Return(storage.PendingOperation{}, errNoPendingOperation).Times(maxBeginAttempts)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything, mock.Anything).
		Return(storage.PendingOperation{}, storage.ErrRevisionChanged).Times(maxBeginAttempts - 1)
	decisionCount := 0
	_, err := m.execute(t.Context(), func(ctx context.Context) (account.Organisation, []billing.Action, error) {
		decisionCount++
		if decisionCount == 1 {
			return account.Organisation{}, nil, storage.ErrRevisionChanged
		}
		return m.decideDefaultCard(ctx)
	})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, maxBeginAttempts, decisionCount)
}

func TestOperations_StoreNothingForADecisionWithoutActions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(storage.PendingOperation{}, errNoPendingOperation)
	result, err := m.execute(t.Context(), func(context.Context) (account.Organisation, []billing.Action, error) {
		return m.store.Org, nil, nil
	})
	require.NoError(t, err)
	assert.Empty(t, result.Actions)
	assert.Equal(t, "org_1", result.Organisation.ID)
}

func TestOperations_CompleteAPendingOperationThatCannotCharge(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	pendingOp := storage.PendingOperation{Age: completionAge, Operation: billing.Operation{
		Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: "request_2",
		Actions: billing.AssignKeys("op_first",
			[]billing.Action{{Kind: billing.SaveCardAction, CustomerID: "cus_1", MethodID: "pm_1"}}),
	}}
	m.expectPending(pendingOp, nil)
	m.expectSettle("op_first", noResult, nil)
	m.expectBegin()
	m.expectSettle(mock.Anything, "sub_1", nil)
	_, err := m.execute(t.Context(), m.decideDefaultCard)
	require.NoError(t, err)
	assert.Equal(t, payment.NewCard{Key: "op_first-1", CustomerID: "cus_1", MethodID: "pm_1"}, m.actions.requests[0])
	assert.Len(t, m.actions.requests, 2)
}
