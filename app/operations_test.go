package app

import (
	"context"
	"log/slog"
	"slices"
	"strings"
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
	unimplementedNewCards

	mu       sync.Mutex
	org      account.Organisation
	err      error // of reading the organisation
	invoices []billing.Invoice
	report   storage.Report // the last one
}

// unimplementedOrganisations and unimplementedNewCards provide the methods that the tests don't call.
type (
	unimplementedOrganisations struct{ storage.Organisations }
	unimplementedNewCards      struct{ newCards }
	newCards                   = storage.NewCards // its method NewCards can't be embedded beside a field of this name
)

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
	sender := sender{store: m.store, provider: m.provider, sync: sync, clock: clock, log: log}
	takeover := &takeover{store: m.store, provider: m.provider, sender: sender, sync: sync, clock: clock}
	m.operations = operations{store: m.store, clock: clock, sender: sender, sync: sync, takeover: takeover, log: log}
	return m
}

// expectReport lets the provider report the subscriptions, once.
func (m *mockEnv) expectReport(subs ...billing.Subscription) {
	m.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, nil).Once()
}

// expectBegin lets the next operation begin.
func (m *mockEnv) expectBegin() {
	m.expectPending(billing.Operation{}, errNoPending)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }).Once()
}

// expectPending lets the store find the pending operation, once.
func (m *mockEnv) expectPending(op billing.Operation, err error) {
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(op, err).Once()
}

// expectSend lets the provider accept the action of newRequest, once, after calling fn.
func (m *mockEnv) expectSend(err error, fn func(context.Context, payment.SavedCard)) {
	m.provider.EXPECT().SetDefaultCard(mock.Anything, mock.Anything).
		RunAndReturn(func(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
			fn(ctx, in)
			return billing.Customer{}, err
		}).Once()
}

func (m *mockEnv) expectSettle(key any, result string, err error) {
	m.store.EXPECT().SettleOperation(mock.Anything, key, result, noon).Return(err == nil, err).Once()
}

func ignore(context.Context, payment.SavedCard) {}

// defaultCardAction can't charge.
var defaultCardAction = billing.SetDefaultCard("cus_1", "pm_1")

// newRequest returns a request with one action that can't charge. Its result is "sub_1".
func newRequest() request[string] {
	return request[string]{
		organisationID: "org_1", kind: billing.SubscriptionOperation, fingerprint: "mine",
		decide: func(context.Context, bool) (decision[string], error) {
			return decision[string]{actions: []billing.Action{defaultCardAction}}, nil
		},
		result:   func(_ context.Context, _ outcome, err error) (string, error) { return "sub_1", err },
		resultID: func(id string) string { return id },
	}
}

func TestRun_StoresTheOperationBeforeAndSettlesItAfter(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectBegin()
	m.expectSend(nil, func(_ context.Context, in payment.SavedCard) {
		key, isFirst := strings.CutSuffix(in.Key, "-1")
		assert.True(t, isFirst)
		m.expectSettle(key, "sub_1", nil) // not expected before
	})
	r := newRequest()
	r.result = func(_ context.Context, done outcome, err error) (string, error) {
		assert.False(t, done.joined)
		assert.Equal(t, "org_1", done.org.ID)
		return "sub_1", err
	}
	value, err := run(t.Context(), m.operations, r)
	require.NoError(t, err)
	assert.Equal(t, "sub_1", value)
}

func TestRun_SendsNothingWhenTheDatabaseFails(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(billing.Operation{}, errNoPending)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).Return(billing.Operation{}, errUnavailable).Once()
	_, err := run(t.Context(), m.operations, newRequest())
	require.ErrorIs(t, err, errUnavailable)

	m.expectBegin()
	m.store.err = errUnavailable
	_, err = run(t.Context(), m.operations, newRequest())
	assert.ErrorIs(t, err, errUnavailable)
}

func TestRun_RefusesAnUnsupportedActionBeforeItIsStored(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{Missing: map[payment.Capability]string{payment.SavedMethods: "for the test"}})
	m.expectPending(billing.Operation{}, errNoPending)
	_, err := run(t.Context(), m.operations, newRequest())
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err))
	assert.Equal(t, "The payment provider does not support saved payment methods.", fault.MessageOf(err))
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
				m.expectSend(tt.err, ignore)
				if tt.settled {
					m.expectSettle(mock.Anything, tt.result, commit)
				}
				_, err := run(t.Context(), m.operations, newRequest())
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
				Actions: []billing.Action{
					{Kind: billing.SetDefaultCardAction, Key: "op_first-1"},
					{Kind: billing.StartSubscriptionAction, Key: "op_first-2"},
				},
			}
			m.expectPending(pending, nil)
			if !tt.joined {
				_, err := run(t.Context(), m.operations, newRequest())
				assert.Equal(t, fault.Conflict, fault.CodeOf(err))
				return
			}
			m.expectSend(nil, func(ctx context.Context, in payment.SavedCard) {
				assert.Equal(t, "op_first-1", in.Key)
				deadline, _ := ctx.Deadline()
				assert.LessOrEqual(t, time.Until(deadline), min(requestTimeout, maxJoinAge-tt.age), "it ends before the takeover")
			})
			made := madeBy("op_first-2", billing.Active)
			m.provider.EXPECT().Subscribe(mock.Anything, mock.Anything).Return(billing.Subscription{ID: "sub_1"}, nil).Once()
			m.provider.EXPECT().Subscription(mock.Anything, "sub_1").Return(made, nil).Once()
			m.expectSettle("op_first", "sub_1", nil)
			r := newRequest()
			r.result = func(_ context.Context, done outcome, err error) (string, error) {
				assert.True(t, done.joined)
				assert.Equal(t, made, done.subscription, "the response may be a replay, so it is read again")
				return done.subscription.ID, err
			}
			_, err := run(t.Context(), m.operations, r)
			assert.NoError(t, err)
		})
	}
}

func TestRun_JoinsACustomerOperationThatAnEarlierVersionStoredWithoutActions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.org.Billing.CustomerID = ""
	pending := billing.Operation{Key: "op_first", OrganisationID: "org_1", Kind: billing.CustomerOperation, Fingerprint: "mine"}
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.CustomerOperation).Return(pending, nil).Once()
	created := billing.Customer{ID: "cus_1"}
	m.provider.EXPECT().CreateCustomer(mock.Anything, payment.NewCustomer{Key: "op_first", OrganisationID: "org_1"}).Return(created, nil).Once()
	m.expectSettle("op_first", "sub_1", nil)
	r := newRequest()
	r.kind = billing.CustomerOperation
	_, err := run(t.Context(), m.operations, r)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", m.store.org.Billing.CustomerID)
}

func TestRun_HasATimeoutAndContinuesWhenTheCallerLeaves(t *testing.T) {
	for given, want := range map[time.Duration]time.Duration{0: requestTimeout, 5 * time.Second: 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			m := newMockEnv(t, payment.Capabilities{})
			m.expectBegin()
			m.expectSettle(mock.Anything, "sub_1", nil)
			ctx, cancel := context.WithCancel(t.Context())
			m.expectSend(nil, func(ctx context.Context, _ payment.SavedCard) {
				cancel()
				deadline, _ := ctx.Deadline()
				assert.Equal(t, want, time.Until(deadline))
				assert.NoError(t, ctx.Err())
			})
			r := newRequest()
			r.timeout = given
			_, err := run(ctx, m.operations, r)
			assert.NoError(t, err)
		})
	}
}

func TestRun_DecidesABoundedNumberOfTimes(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).
		Return(billing.Operation{}, errNoPending).Times(maxBeginAttempts)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		Return(billing.Operation{}, storage.ErrRevisionChanged).Times(maxBeginAttempts - 1)
	r := newRequest()
	decisions := 0
	r.decide = func(_ context.Context, retry bool) (decision[string], error) {
		assert.Equal(t, decisions > 0, retry)
		decisions++
		if decisions == 1 {
			return decision[string]{}, storage.ErrRevisionChanged
		}
		return decision[string]{actions: []billing.Action{defaultCardAction}}, nil
	}
	_, err := run(t.Context(), m.operations, r)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, maxBeginAttempts, decisions)
}

func TestRun_ReturnsTheResultOfADecisionWithoutActions(t *testing.T) {
	m := newMockEnv(t, payment.Capabilities{})
	m.expectPending(billing.Operation{}, errNoPending)
	r := newRequest()
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
	m.expectPending(pending, nil)
	m.provider.EXPECT().AddCard(mock.Anything, payment.NewCard{Key: "op_first-1", CustomerID: "cus_1", MethodID: "pm_1"}).
		Return(billing.PaymentMethod{}, nil).Once()
	m.expectSettle("op_first", noResult, nil)
	m.expectBegin()
	m.expectSend(nil, ignore)
	m.expectSettle(mock.Anything, "sub_1", nil)
	_, err := run(t.Context(), m.operations, newRequest())
	assert.NoError(t, err)
}

func TestRun_WaitsForACleanupOfSavedCards(t *testing.T) {
	pending := billing.Operation{
		Key: "op_first", OrganisationID: "org_1", Kind: billing.SubscriptionOperation, Fingerprint: cardCleanup,
		Actions: billing.WithKeys("op_first", billing.CardCleanup{Detach: []string{"pm_1"}}.Actions("cus_1")),
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
				m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(pending, nil).Times(3)
				last := m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(tt.last, tt.err)
				if tt.code == "" {
					last.Once()
					m.expectBegin()
					m.expectSend(nil, ignore)
					m.expectSettle(mock.Anything, "sub_1", nil)
				}
				began := time.Now()
				_, err := run(t.Context(), m.operations, newRequest())
				assert.Equal(t, tt.code, fault.CodeOf(err))
				assert.Equal(t, tt.waits, time.Since(began))
			})
		})
	}
}
