package operation

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

var errExecuted = fault.New(fault.Conflict, "the request was executed")

// capabilitiesWithoutFencing contains the capabilities of a provider that can't retire keys.
var capabilitiesWithoutFencing = payment.Capabilities{
	Missing: map[payment.Capability]string{payment.Fencing: "no keys"}, LongestRequest: time.Minute,
}

// newPurchaseOperation returns an operation that saves a card and starts a subscription.
func newPurchaseOperation() storage.PendingOperation {
	return storage.PendingOperation{Age: time.Hour, Operation: billing.Operation{
		Key: "op_1", OrganisationID: "org_1", Kind: billing.SubscriptionOperation,
		Actions: billing.AssignKeys("op_1", []billing.Action{
			{Kind: billing.SaveCardAction, CustomerID: "cus_1", MethodID: "pm_1"},
			{Kind: billing.StartSubscriptionAction, CustomerID: "cus_1", Price: standardMonthly},
		}),
	}}
}

// subscriptionWithKey returns a subscription that was made under the key. The key is "" for a subscription made at the
// provider.
func subscriptionWithKey(key string, status billing.Status) billing.Subscription {
	return billing.Subscription{ID: "sub_1", CustomerID: "cus_1", Status: status, Price: standardMonthly, StartKey: key, CreatedAt: noon}
}

// expectRetire expects the retirement of a key, which returns err.
func (m *mockEnv) expectRetire(key string, err error) *mock.Call {
	return m.fence.EXPECT().Retire(mock.Anything, payment.Retirement{Key: key, CustomerID: "cus_1"}).Return(err).Once()
}

func TestTakeover_RetiresTheKeysBackwardsBeforeItReadsTheReportAndSettles(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	mock.InOrder(
		m.expectRetire("op_1-2", nil),
		m.expectRetire("op_1-1", errExecuted),
		m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(nil, nil).Once(),
		m.store.EXPECT().SettleOperation(mock.Anything, "op_1", settlementWith(""), noon).Return(true, nil).Once(),
	)
	assert.NoError(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()))
}

func TestTakeover_ReturnsTheErrorOfAFailedStep(t *testing.T) {
	for name, prepare := range map[string]func(*mockEnv){
		"Retire": func(m *mockEnv) { m.expectRetire("op_1-2", errUnavailable) },
		"ListSubscriptions": func(m *mockEnv) {
			m.expectRetire("op_1-2", nil)
			m.expectRetire("op_1-1", nil)
			m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(nil, errUnavailable).Once()
		},
		"SettleOperation": func(m *mockEnv) {
			m.expectRetire("op_1-2", nil)
			m.expectRetire("op_1-1", nil)
			m.expectReport()
			m.expectSettle("op_1", "", errUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			prepare(m)
			assert.ErrorIs(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()), errUnavailable)
		})
	}
}

func TestTakeover_ResultIsTheSubscriptionMadeUnderTheOperationsKey(t *testing.T) {
	for name, tt := range map[string]struct {
		sub  billing.Subscription
		want string
	}{
		"made by the operation":           {subscriptionWithKey("op_1-2", billing.Active), "sub_1"},
		"made by the operation, not paid": {subscriptionWithKey("op_1-2", billing.Incomplete), "sub_1"},
		"made by the operation, ended":    {subscriptionWithKey("op_1-2", billing.Canceled), ""},
		"made by another operation":       {subscriptionWithKey("op_2-1", billing.Active), ""},
		"made at the provider":            {subscriptionWithKey("", billing.Active), ""},
	} {
		for _, offset := range []time.Duration{-30 * 24 * time.Hour, 0, 30 * 24 * time.Hour} {
			t.Run(name, func(t *testing.T) {
				m := newMockEnv(t, payment.Capabilities{})
				tt.sub.CreatedAt = noon.Add(offset) // the result must not depend on this time
				m.expectRetire("op_1-2", errExecuted)
				m.expectRetire("op_1-1", errExecuted)
				m.expectReport(tt.sub)
				m.expectSettle("op_1", tt.want, nil)
				assert.NoError(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()))
			})
		}
	}
}

func TestTakeover_OutcomeIsThatOfTheReport(t *testing.T) {
	for name, tt := range map[string]struct {
		firstErr, lastErr error
		subs              []billing.Subscription
		want              audit.Outcome
	}{
		"the last action is done":          {errExecuted, errExecuted, []billing.Subscription{subscriptionWithKey("op_1-2", billing.Active)}, audit.Done},
		"the last action left no report":   {errExecuted, errExecuted, nil, audit.Unknown},
		"only the first action could act":  {errExecuted, nil, nil, audit.Unknown},
		"all actions are stopped in time":  {nil, nil, nil, audit.Failed},
		"another operation has subscribed": {nil, nil, []billing.Subscription{subscriptionWithKey("op_2-1", billing.Active)}, audit.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			m.expectRetire("op_1-2", tt.lastErr)
			m.expectRetire("op_1-1", tt.firstErr)
			m.expectReport(tt.subs...)
			var settlement billing.Settlement
			m.store.EXPECT().SettleOperation(mock.Anything, "op_1", mock.Anything, noon).
				Run(func(_ context.Context, _ string, s billing.Settlement, _ time.Time) { settlement = s }).Return(true, nil).Once()

			require.NoError(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()))

			assert.Equal(t, tt.want, settlement.Outcome)
		})
	}
}

func TestTakeover_DeletedCustomerSettlesWithoutAResult(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	errNoCustomer := fault.New(fault.NotFound, "no such customer")
	m.expectRetire("op_1-2", errNoCustomer)
	m.expectRetire("op_1-1", errNoCustomer)
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(nil, errNoCustomer).Once()
	m.expectSettle("op_1", "", nil)
	assert.NoError(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()))
}

func TestTakeover_WaitsForTheLongestRequestOfTheProvider(t *testing.T) {
	errUnsupported := fault.New(fault.Unsupported, "it has no keys")
	for name, tt := range map[string]struct {
		capabilities payment.Capabilities
		retireErr    error
	}{
		"the action may be running": {payment.Capabilities{LongestRequest: time.Minute}, errExecuted},
		"no fencing":                {capabilitiesWithoutFencing, errUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMockEnv(t, tt.capabilities)
				op := newPurchaseOperation()
				for i, wait := range []time.Duration{59 * time.Second, time.Second, 0} {
					for _, action := range op.Actions {
						m.expectRetire(action.Key, tt.retireErr)
					}
					m.expectReport()
					if i == 2 {
						m.expectSettle("op_1", "", nil)
					}
					err := m.takeover.takeOver(t.Context(), op)
					assert.Equal(t, i == 2, err == nil, "attempt %d: %v", i, err)
					op.Age = 365 * 24 * time.Hour // the age doesn't matter
					time.Sleep(wait)              //nolint:forbidigo // in the test's bubble
				}
			})
		})
	}
}

func TestTakeover_DoesNotWaitForAnActionThatTheReportShows(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{LongestRequest: time.Minute})
	m.expectRetire("op_1-2", errExecuted)
	m.expectRetire("op_1-1", errExecuted)
	for range 2 {
		m.expectReport(subscriptionWithKey("op_1-2", billing.Active))
	}
	m.expectSettle("op_1", "sub_1", nil)
	assert.NoError(t, m.takeover.takeOver(t.Context(), newPurchaseOperation()))
}

func TestTakeover_SettlesAPaymentIfItsRepeatShowsThatItHasEnded(t *testing.T) {
	openSub := subscriptionWithKey("", billing.Incomplete)
	op := newPurchaseOperation()
	op.Actions = billing.AssignKeys("op_1", []billing.Action{{
		Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "sub_1", InvoiceID: "in_1",
	}})
	for responseErr, isSettled := range map[error]bool{
		nil: true, fault.New(fault.Declined, "no"): true, errUnavailable: false, errExecuted: false,
	} {
		m := newMockEnv(t, payment.Capabilities{LongestRequest: time.Minute})
		m.expectRetire("op_1-1", errExecuted)
		m.expectReport(openSub)
		m.actions.subscription = openSub
		m.actions.respond = func(context.Context, any) error { return responseErr }
		if isSettled {
			m.expectReport(openSub)
			m.expectSettle("op_1", "", nil)
		}
		assert.Equal(t, isSettled, m.takeover.takeOver(t.Context(), op) == nil, "%v", responseErr)
		assert.Equal(t, []any{payment.InvoicePayment{Key: "op_1-1", InvoiceID: "in_1"}}, m.actions.requests)
	}
}

func TestTakeover_SendsActionsThatCannotCharge(t *testing.T) {
	op := newPurchaseOperation()
	op.Actions = op.Actions[:1]
	for _, responseErr := range []error{nil, fault.New(fault.Declined, "no"), errUnavailable} {
		m := newMockEnv(t, payment.Capabilities{})
		m.actions.respond = func(context.Context, any) error { return responseErr }
		if IsOutcomeUnknown(responseErr) { // then the action's key is retired
			m.expectRetire("op_1-1", errExecuted)
			m.expectReport()
		}
		m.expectSettle("op_1", "", nil)
		require.NoError(t, m.takeover.takeOver(t.Context(), op))
		assert.Equal(t, []any{payment.NewCard{Key: "op_1-1", CustomerID: "cus_1", MethodID: "pm_1"}}, m.actions.requests)
	}
}

// A provider such as Stripe repeats a server error for each request with the key. The refund may have been made, so that its
// operator has to decide with the figures of the provider.
func TestTakeover_SettlesARefundWithUnknownOutcomeAfterTheLongestRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMockEnv(t, payment.Capabilities{LongestRequest: time.Minute})
		m.actions.respond = func(context.Context, any) error { return errUnavailable }
		op := newPurchaseOperation()
		op.Actions = billing.AssignKeys("op_1", []billing.Action{{
			Kind: billing.RefundAction, CustomerID: "cus_1", InvoiceID: "in_1",
		}})

		op.Age = completionAge
		require.ErrorIs(t, m.takeover.takeOver(t.Context(), op), errUnavailable, "the first request may be running")

		op.Age = time.Hour
		m.expectRetire("op_1-1", errExecuted)
		m.expectReport()
		require.True(t, fault.Is(m.takeover.takeOver(t.Context(), op), fault.Conflict))

		time.Sleep(time.Minute) //nolint:forbidigo // in the test's bubble
		m.expectRetire("op_1-1", errExecuted)
		m.expectReport()
		var settlement billing.Settlement
		m.store.EXPECT().SettleOperation(mock.Anything, "op_1", mock.Anything, noon).
			Run(func(_ context.Context, _ string, s billing.Settlement, _ time.Time) { settlement = s }).Return(true, nil).Once()
		require.NoError(t, m.takeover.takeOver(t.Context(), op))
		assert.Equal(t, audit.Unknown, settlement.Outcome)
	})
}

func TestTakeover_AgeDecidesWhetherAnOperationIsDueOrCompletable(t *testing.T) {
	chargingOp := newPurchaseOperation()
	cardOp := chargingOp // can't charge
	cardOp.Actions = chargingOp.Actions[:1]
	for _, tt := range []struct {
		age             time.Duration
		wantDue         bool
		wantCompletable bool // of cardOp
	}{
		{0, false, false},
		{completionAge - 1, false, false},
		{completionAge, false, true},
		{takeoverAge - 1, false, true},
		{takeoverAge, true, true},
		{-takeoverAge + 1, false, true},
		{-takeoverAge, true, true}, // the clock was set back
		{30 * 24 * time.Hour, true, true},
	} {
		takeover := newMockEnv(t, payment.Capabilities{}).takeover
		chargingOp.Age, cardOp.Age = tt.age, tt.age
		assert.Equal(t, tt.wantDue, takeover.isDue(chargingOp), tt.age)
		assert.False(t, takeover.isCompletable(chargingOp), tt.age)
		assert.Equal(t, tt.wantCompletable, takeover.isCompletable(cardOp), tt.age)
	}
}

func TestTakeover_WithoutFencingAnOperationIsDueLater(t *testing.T) {
	takeover := newMockEnv(t, capabilitiesWithoutFencing).takeover
	assert.False(t, takeover.isDue(storage.PendingOperation{Age: takeoverAge}))
	assert.True(t, takeover.isDue(storage.PendingOperation{Age: takeoverAge + capabilitiesWithoutFencing.LongestRequest}))
}
