package app

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// defaultCardAction is an action that can't charge.
var defaultCardAction = billing.SetDefaultCard("cus_1", "pm_1")

// newRequest returns a request with one action that can't charge. Its result is "sub_1".
func newRequest() request[string] {
	return request[string]{
		organisationID: "org_1", kind: billing.SubscriptionOperation, fingerprint: "request_1",
		decide: func(context.Context, bool) (decision[string], error) {
			return decision[string]{actions: []billing.Action{defaultCardAction}}, nil
		},
		result:   func(_ context.Context, _ outcome, err error) (string, error) { return "sub_1", err },
		resultID: func(id string) string { return id },
	}
}

func TestRun_StoresTheOperationBeforeItSendsAndSettlesItAfterwards(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectBegin()
	m.actions.respond = func(_ context.Context, req any) error {
		key, isFirst := strings.CutSuffix(req.(payment.SavedCardRequest).Key, "-1")
		assert.True(t, isFirst)
		m.expectSettle(key, "sub_1", nil) // if the operation is settled before it is sent, the test fails
		return nil
	}
	runReq := newRequest()
	runReq.result = func(_ context.Context, out outcome, err error) (string, error) {
		assert.False(t, out.isJoined)
		assert.Equal(t, "org_1", out.org.ID)
		return "sub_1", err
	}
	value, err := run(t.Context(), m.operations, runReq)
	require.NoError(t, err)
	assert.Equal(t, "sub_1", value)
}

func TestRun_SendsNothingWhenTheDatabaseFails(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(billing.Operation{}, errNoPendingOperation)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errUnavailable).Once()
	_, err := run(t.Context(), m.operations, newRequest())
	require.ErrorIs(t, err, errUnavailable)

	m.expectBegin()
	m.store.organisationErr = errUnavailable
	_, err = run(t.Context(), m.operations, newRequest())
	require.ErrorIs(t, err, errUnavailable)
	assert.Empty(t, m.actions.requests)
}

func TestRun_RefusesAnUnsupportedActionBeforeItIsStored(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{Missing: map[payment.Capability]string{payment.SavedMethods: "for the test"}})
	m.expectPending(billing.Operation{}, errNoPendingOperation)
	_, err := run(t.Context(), m.operations, newRequest())
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
	assert.Equal(t, "The payment provider does not support saved payment methods.", fault.MessageOf(err))
}

func TestRun_SettlesTheOperationIfItsOutcomeIsKnown(t *testing.T) {
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
				_, err := run(t.Context(), m.operations, newRequest())
				assert.Equal(t, fault.CodeOf(tt.err), fault.CodeOf(err), "a failure to settle does not change the outcome")
			})
		}
	}
}

func TestRun_JoinsThePendingOperationOfARepeatAndRefusesOtherRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		fingerprint string
		age         time.Duration
		wantJoined  bool
	}{
		"repeat":                              {"request_1", time.Second, true},
		"repeat after the clock was set back": {"request_1", -time.Minute, true},
		"repeat just before maxJoinAge":       {"request_1", maxJoinAge - 5*time.Second, true},
		"repeat at maxJoinAge":                {"request_1", maxJoinAge, false},
		"repeat just before takeoverAge":      {"request_1", takeoverAge - 1, false},
		"other request":                       {"request_2", takeoverAge - 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			pendingOp := billing.Operation{
				Key: "op_first", Kind: billing.SubscriptionOperation, Fingerprint: tt.fingerprint, Age: tt.age,
				Actions: []billing.Action{
					{Kind: billing.SetDefaultCardAction, Key: "op_first-1"},
					{Kind: billing.StartSubscriptionAction, Key: "op_first-2"},
				},
			}
			m.expectPending(pendingOp, nil)
			if !tt.wantJoined {
				_, err := run(t.Context(), m.operations, newRequest())
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				return
			}
			m.actions.respond = func(ctx context.Context, _ any) error {
				deadline, _ := ctx.Deadline()
				assert.LessOrEqual(t, time.Until(deadline), min(requestTimeout, maxJoinAge-tt.age), "the repeat ends before the takeover")
				return nil
			}
			sub := subscriptionWithKey("op_first-2", billing.Active)
			m.actions.subscription = sub
			m.expectSettle("op_first", "sub_1", nil)
			req := newRequest()
			req.result = func(_ context.Context, out outcome, err error) (string, error) {
				assert.True(t, out.isJoined)
				assert.Equal(t, sub, out.subscription, "the response may be a replay, so the subscription is read again")
				return out.subscription.ID, err
			}
			_, err := run(t.Context(), m.operations, req)
			require.NoError(t, err)
			assert.Equal(t,
				[]any{payment.SavedCardRequest{Key: "op_first-1"}, payment.NewSubscription{Key: "op_first-2", Sole: true}},
				m.actions.requests)
		})
	}
}

func TestRun_ContinuesUntilItsTimeoutAfterTheCallerCancels(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: requestTimeout, 5 * time.Second: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			m.expectBegin()
			m.expectSettle(mock.Anything, "sub_1", nil)
			ctx, cancel := context.WithCancel(t.Context())
			m.actions.respond = func(ctx context.Context, _ any) error {
				cancel()
				deadline, _ := ctx.Deadline()
				assert.Equal(t, want, time.Until(deadline))
				return ctx.Err()
			}
			req := newRequest()
			req.timeout = timeout
			_, err := run(ctx, m.operations, req)
			assert.NoError(t, err)
		})
	}
}

func TestRun_ReturnsConflictAfterFourDecisions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).
		Return(billing.Operation{}, errNoPendingOperation).Times(maxBeginAttempts)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		Return(billing.Operation{}, storage.ErrRevisionChanged).Times(maxBeginAttempts - 1)
	req := newRequest()
	decisionCount := 0
	req.decide = func(_ context.Context, retry bool) (decision[string], error) {
		assert.Equal(t, decisionCount > 0, retry)
		decisionCount++
		if decisionCount == 1 {
			return decision[string]{}, storage.ErrRevisionChanged
		}
		return decision[string]{actions: []billing.Action{defaultCardAction}}, nil
	}
	_, err := run(t.Context(), m.operations, req)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, maxBeginAttempts, decisionCount)
}

func TestRun_ReturnsTheResultOfADecisionWithoutActions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(billing.Operation{}, errNoPendingOperation)
	req := newRequest()
	req.decide = func(context.Context, bool) (decision[string], error) { return decision[string]{result: "sub_1"}, nil }
	value, err := run(t.Context(), m.operations, req)
	require.NoError(t, err)
	assert.Equal(t, "sub_1", value)
}

func TestRun_CompletesAPendingOperationThatCannotCharge(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	pendingOp := billing.Operation{
		Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: "request_2", Age: completionAge,
		Actions: billing.AssignKeys("op_first",
			[]billing.Action{{Kind: billing.SaveCardAction, CustomerID: "cus_1", MethodID: "pm_1"}}),
	}
	m.expectPending(pendingOp, nil)
	m.expectSettle("op_first", noResult, nil)
	m.expectBegin()
	m.expectSettle(mock.Anything, "sub_1", nil)
	_, err := run(t.Context(), m.operations, newRequest())
	require.NoError(t, err)
	assert.Equal(t, payment.NewCard{Key: "op_first-1", CustomerID: "cus_1", MethodID: "pm_1"}, m.actions.requests[0])
	assert.Len(t, m.actions.requests, 2)
}
