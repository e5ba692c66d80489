package app

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	noon            = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	standardMonthly = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}

	errUnavailable        = fault.New(fault.Unavailable, "not reachable")
	errNoPendingOperation = fault.New(fault.NotFound, "no pending operation")
)

type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// memoryStore contains one organisation. Its operations are mocked.
type memoryStore struct {
	*mocks.Operations
	unimplementedOrganisations

	mu              sync.Mutex
	org             account.Organisation
	organisationErr error // returned by Organisation
	invoices        []billing.Invoice
	lastUpdate      storage.BillingUpdate // of the last UpdateBilling
}

// unimplementedOrganisations provides the methods that the tests don't call.
type unimplementedOrganisations struct{ storage.Organisations }

func (s *memoryStore) Organisation(context.Context, string) (account.Organisation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.org, s.organisationErr
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

func (s *memoryStore) Notices(context.Context, string, ...billing.NoticeKind) ([]billing.Notice, error) {
	return nil, nil
}

// UpdateBilling stores the update in s.lastUpdate and updates the organisation. It leaves s.invoices unchanged.
func (s *memoryStore) UpdateBilling(
	ctx context.Context, id string, update storage.BillingUpdate, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	s.lastUpdate = update
	return s.UpdateOrganisation(ctx, id, fn)
}

// actionStub is a provider that records the requests of actions. It returns the subscription, and a customer with a
// default card.
type actionStub struct {
	actionProvider // nil: the other methods are not called

	requests     []any
	respond      func(ctx context.Context, request any) error // returns the error of a request; nil accepts all
	subscription billing.Subscription
}

// record records the request and returns its error.
func (p *actionStub) record(ctx context.Context, req any) error {
	p.requests = append(p.requests, req)
	if p.respond == nil {
		return nil
	}
	return p.respond(ctx, req)
}

func (p *actionStub) CreateCustomer(ctx context.Context, req payment.NewCustomer) (billing.Customer, error) {
	return billing.Customer{ID: "cus_1"}, p.record(ctx, req)
}

func (p *actionStub) Customer(context.Context, string) (billing.Customer, error) {
	return billing.Customer{ID: "cus_1", Default: &billing.PaymentMethod{ID: "pm_1"}}, nil
}

func (p *actionStub) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	return billing.PaymentMethod{}, p.record(ctx, req)
}

func (p *actionStub) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	return billing.Customer{}, p.record(ctx, req)
}

func (p *actionStub) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	return billing.Subscription{ID: p.subscription.ID}, p.record(ctx, req)
}

func (p *actionStub) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	return p.subscription, p.record(ctx, req)
}

func (p *actionStub) Subscription(context.Context, string) (billing.Subscription, error) {
	return p.subscription, nil
}

// mockEnv runs operations on mocks of the operation store, the provider's reports and its fence. With them tests cause
// failures that the fake provider and SQLite don't have.
type mockEnv struct {
	operations
	store   *memoryStore
	reports *mocks.ReportReader
	fence   *mocks.Fence
	actions *actionStub
}

func newMockEnv(t *testing.T, capabilities payment.Capabilities) *mockEnv {
	t.Helper()
	m := &mockEnv{
		store:   &memoryStore{Operations: mocks.NewOperations(t)},
		reports: mocks.NewReportReader(t), fence: mocks.NewFence(t), actions: &actionStub{},
	}
	m.store.org = account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}
	m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).Return(payment.InvoiceList{}, nil).Maybe()
	log, clock := slog.New(slog.DiscardHandler), fixedClock(noon)
	sync := &billingSync{store: m.store, provider: m.reports, clock: clock, log: log}
	sender := actionSender{store: m.store, provider: m.actions, capabilities: capabilities, sync: sync, clock: clock, log: log}
	takeover := &takeover{
		store: m.store, capabilities: capabilities, sender: sender, sync: sync, clock: clock,
		provider: struct {
			*mocks.Fence
			*actionStub
		}{m.fence, m.actions},
	}
	m.operations = operations{
		store: m.store, capabilities: capabilities, clock: clock, sender: sender, sync: sync,
		takeover: takeover, log: log,
	}
	return m
}

// expectReport expects one refresh, in which the provider reports the subscriptions.
func (m *mockEnv) expectReport(subs ...billing.Subscription) {
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, nil).Once()
}

// expectBegin expects one BeginOperation, which succeeds.
func (m *mockEnv) expectBegin() {
	m.expectPending(billing.Operation{}, errNoPendingOperation)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation) (billing.Operation, error) { return op, nil }).Once()
}

// expectPending expects one read of the pending operation.
func (m *mockEnv) expectPending(op billing.Operation, err error) {
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(op, err).Once()
}

// expectSettle expects one call that settles the operation with the result. The call returns err.
func (m *mockEnv) expectSettle(key any, result string, err error) {
	m.store.EXPECT().SettleOperation(mock.Anything, key, result, noon).Return(err == nil, err).Once()
}
