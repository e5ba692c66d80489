package app

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	monthly = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}

	errUnavailable = fault.New(fault.Unavailable, "not reachable")
	errNoPending   = fault.New(fault.NotFound, "no pending operation")
)

type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// memoryStore contains one organisation. Its operations are mocked.
type memoryStore struct {
	*mocks.Operations
	unimplementedOrganisations

	mu       sync.Mutex
	org      account.Organisation
	err      error // of reading the organisation
	invoices []billing.Invoice
	report   storage.Report // the last one
}

// unimplementedOrganisations provides the methods that the tests don't call.
type unimplementedOrganisations struct{ storage.Organisations }

func (s *memoryStore) Organisation(context.Context, string) (account.Organisation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.org, s.err
}

func (s *memoryStore) UpdateOrganisation(
	_ context.Context, _ string, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	org := s.org
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions) // callers still read the current ones
	if err := fn(&org); err != nil {
		return org, err
	}
	s.org = org
	return org, nil
}

func (s *memoryStore) Invoices(context.Context, string) ([]billing.Invoice, error) {
	return s.invoices, nil
}

func (s *memoryStore) Notices(context.Context, string) ([]billing.Notice, error) { return nil, nil }

// RecordReport keeps the report apart from the invoices.
func (s *memoryStore) RecordReport(
	ctx context.Context, id string, r storage.Report, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	s.report = r
	return s.UpdateOrganisation(ctx, id, fn)
}

// mockEnv runs operations on mocks of the provider and the operation store, whose methods fail and return
// values as the fake provider and SQLite don't.
type mockEnv struct {
	operations
	store    *memoryStore
	provider *mocks.Provider
}

func newMockEnv(t *testing.T, capabilities payment.Capabilities) *mockEnv {
	t.Helper()
	m := &mockEnv{store: &memoryStore{Operations: mocks.NewOperations(t)}, provider: mocks.NewProvider(t)}
	m.store.org = account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}
	m.provider.EXPECT().Capabilities().Return(capabilities).Maybe()
	m.provider.EXPECT().ListInvoices(mock.Anything, mock.Anything).Return(payment.InvoiceList{}, nil).Maybe()
	log, clock := slog.New(slog.DiscardHandler), fixedClock(noon)
	sync := &billingSync{store: m.store, provider: m.provider, clock: clock, log: log}
	sender := sender{provider: m.provider, sync: sync}
	takeover := &takeover{store: m.store, provider: m.provider, sender: sender, sync: sync, clock: clock}
	m.operations = operations{store: m.store, clock: clock, takeover: takeover, log: log}
	return m
}

// expectReport lets the provider report the subscriptions, once.
func (m *mockEnv) expectReport(subs ...billing.Subscription) {
	m.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, nil).Once()
}

// expectBegin lets the next operation begin.
func (m *mockEnv) expectBegin() {
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }).Once()
}

func (m *mockEnv) expectSettle(key any, result string, err error) {
	m.store.EXPECT().SettleOperation(mock.Anything, key, result, noon).Return(err == nil, err).Once()
}

// newRequest returns a request with one action that can't charge, and the function that sends it.
func newRequest(do func(context.Context, attempt) (string, error)) request[string] {
	return request[string]{
		organisationID: "org_1", kind: billing.SubscriptionOperation, fingerprint: "mine", do: do,
		actions:  []billing.Action{{Kind: billing.SetDefaultCardAction, CustomerID: "cus_1", MethodID: "pm_1"}},
		resultID: func(id string) string { return id },
	}
}

func doReturning(id string, err error) func(context.Context, attempt) (string, error) {
	return func(context.Context, attempt) (string, error) { return id, err }
}

// failIfSent fails the test when the actions are sent.
func failIfSent(t *testing.T) func(context.Context, attempt) (string, error) {
	return func(context.Context, attempt) (string, error) {
		assert.Fail(t, "the actions were sent")
		return "", nil
	}
}

func TestRun_StoresTheOperationBeforeAndSettlesItAfter(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectBegin()
	r := newRequest(func(_ context.Context, at attempt) (string, error) {
		assert.False(t, at.joined)
		assert.Equal(t, at.key+"-1", at.actions[0].Key)
		assert.Equal(t, "org_1", at.org.ID)
		m.expectSettle(at.key, "sub_1", nil) // not expected before
		return "sub_1", nil
	})
	value, err := run(t.Context(), m.operations, r)
	require.NoError(t, err)
	assert.Equal(t, "sub_1", value)
}

func TestRun_SendsNothingWhenTheDatabaseFails(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errUnavailable).Once()
	_, err := run(t.Context(), m.operations, newRequest(failIfSent(t)))
	require.ErrorIs(t, err, errUnavailable)

	m.expectBegin()
	m.store.err = errUnavailable
	_, err = run(t.Context(), m.operations, newRequest(failIfSent(t)))
	assert.ErrorIs(t, err, errUnavailable)
}

func TestRun_RefusesAnUnsupportedStepBeforeItIsStored(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{Missing: map[payment.Capability]string{payment.ChangeNow: "for the test"}})
	r := newRequest(failIfSent(t))
	r.actions = []billing.Action{{Kind: billing.ChangePlanAction}}
	_, err := run(t.Context(), m.operations, r)
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
	assert.Equal(t, "The payment provider does not support changing the plan at once.", fault.MessageOf(err))
}

func TestRun_SettlesAccordingToTheOutcome(t *testing.T) {
	for name, tt := range map[string]struct {
		err     error
		settled bool
		result  string
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
		for _, commit := range []error{nil, errUnavailable} {
			t.Run(name, func(t *testing.T) {
				m := newMockEnv(t, payment.Capabilities{})
				m.expectBegin()
				if tt.settled {
					m.expectSettle(mock.Anything, tt.result, commit)
				}
				_, err := run(t.Context(), m.operations, newRequest(doReturning("sub_1", tt.err)))
				assert.Equal(t, fault.CodeOf(tt.err), fault.CodeOf(err), "a failure to settle does not change the outcome")
			})
		}
	}
}

func TestRun_JoinsARepeatAndRefusesOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		fingerprint string
		age         time.Duration
		joined      bool
	}{
		"repeat":                {"mine", time.Second, true},
		"repeat, clock back":    {"mine", -time.Minute, true},
		"late repeat":           {"mine", maxJoinAge - 5*time.Second, true},
		"repeat after join age": {"mine", maxJoinAge, false},
		"repeat before due":     {"mine", takeoverAge - 1, false},
		"other request":         {"theirs", takeoverAge - 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			pending := billing.Operation{
				Key: "op_first", Kind: billing.SubscriptionOperation, Fingerprint: tt.fingerprint, Age: tt.age,
				Actions: []billing.Action{{Kind: billing.StartSubscriptionAction}},
			}
			m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(pending, nil).Once()
			if !tt.joined {
				_, err := run(t.Context(), m.operations, newRequest(failIfSent(t)))
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				return
			}
			m.expectSettle("op_first", "sub_1", nil)
			_, err := run(t.Context(), m.operations, newRequest(func(ctx context.Context, at attempt) (string, error) {
				assert.True(t, at.joined)
				assert.Equal(t, pending.Actions, at.actions)
				deadline, _ := ctx.Deadline()
				assert.LessOrEqual(t, time.Until(deadline), min(requestTimeout, maxJoinAge-tt.age), "it ends before the takeover")
				return "sub_1", nil
			}))
			assert.NoError(t, err)
		})
	}
}

func TestRun_HasATimeoutAndContinuesWhenTheCallerLeaves(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: requestTimeout, 5 * time.Second: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			m.expectBegin()
			m.expectSettle(mock.Anything, "sub_1", nil)
			ctx, cancel := context.WithCancel(t.Context())
			r := newRequest(func(ctx context.Context, _ attempt) (string, error) {
				cancel()
				deadline, _ := ctx.Deadline()
				assert.Equal(t, want, time.Until(deadline))
				return "sub_1", ctx.Err()
			})
			r.timeout = given
			_, err := run(ctx, m.operations, r)
			assert.NoError(t, err)
		})
	}
}

func TestRun_PlansABoundedNumberOfTimes(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).
		Return(billing.Operation{}, errNoPending).Times(maxBeginAttempts)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		Return(billing.Operation{}, storage.ErrRevisionChanged).Times(maxBeginAttempts - 1)
	r := newRequest(failIfSent(t))
	plans := 0
	r.decide = func(_ context.Context, retry bool) (decision[string], error) {
		assert.Equal(t, plans > 0, retry)
		plans++
		if plans == 1 {
			return decision[string]{}, storage.ErrRevisionChanged
		}
		return decision[string]{actions: r.actions}, nil
	}
	_, err := run(t.Context(), m.operations, r)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, maxBeginAttempts, plans)
}

func TestRun_ReturnsTheResultOfADecisionWithoutActions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(billing.Operation{}, errNoPending).Once()
	r := newRequest(failIfSent(t))
	r.decide = func(context.Context, bool) (decision[string], error) { return decision[string]{done: "sub_1"}, nil }
	value, err := run(t.Context(), m.operations, r)
	require.NoError(t, err)
	assert.Equal(t, "sub_1", value)
}

func TestRun_CompletesAnOperationThatCannotChargeAfterSeconds(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	pending := billing.Operation{
		Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: "theirs", Age: completionAge,
		Actions: billing.WithKeys("op_first", []billing.Action{{Kind: billing.SaveCardAction, CustomerID: "cus_1", MethodID: "pm_1"}}),
	}
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(pending, nil).Once()
	m.provider.EXPECT().AddCard(mock.Anything, payment.NewCard{Key: "op_first-1", CustomerID: "cus_1", MethodID: "pm_1"}).
		Return(billing.PaymentMethod{}, nil).Once()
	m.expectSettle("op_first", noResult, nil)
	m.expectBegin()
	m.expectSettle(mock.Anything, "sub_1", nil)
	_, err := run(t.Context(), m.operations, newRequest(doReturning("sub_1", nil)))
	assert.NoError(t, err)
}

func TestRun_WaitsForACleanupOfSavedCards(t *testing.T) {
	pending := billing.Operation{
		Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: cardCleanup,
		Actions: billing.WithKeys("op_first", []billing.Action{{Kind: billing.DeleteCardAction, CustomerID: "cus_1", MethodID: "pm_1"}}),
	}
	aged, next := pending, pending
	aged.Age, next.Key = completionAge, "op_next"
	for name, tt := range map[string]struct {
		last  billing.Operation // what the third look finds
		err   error
		waits time.Duration
		code  fault.Code
	}{
		"until it ends":                 {err: errNoPending, waits: 3 * pollInterval},
		"until another one is pending":  {last: next, waits: 3 * pollInterval},
		"until it may be completed":     {last: aged, waits: 3 * pollInterval},
		"until the database fails":      {err: errUnavailable, waits: 3 * pollInterval, code: fault.Unavailable},
		"five seconds and then refuses": {last: pending, waits: completionAge, code: fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newMockEnv(t, payment.Capabilities{})
				m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(pending, nil).Once()
				m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(pending, nil).Twice()
				m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(tt.last, tt.err)
				if tt.code == "" {
					m.expectBegin()
					m.expectSettle(mock.Anything, "sub_1", nil)
				}
				began := time.Now()
				_, err := run(t.Context(), m.operations, newRequest(doReturning("sub_1", nil)))
				assert.Equal(t, tt.code, fault.CodeOf(err))
				assert.Equal(t, tt.waits, time.Since(began))
			})
		})
	}
}
