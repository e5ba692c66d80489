package operation

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/memorystore"
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

func (p *actionStub) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	return billing.Invoice{}, p.record(ctx, req)
}

func (p *actionStub) Subscription(context.Context, string) (billing.Subscription, error) {
	return p.subscription, nil
}

// mockEnv runs operations on mocks of the operation store, the provider's reports and its fence. With them tests cause
// failures that the fake provider and SQLite don't have.
type mockEnv struct {
	*Runner
	store   *memorystore.Store
	reports *mocks.ReportReader
	fence   *mocks.Fence
	actions *actionStub
}

func newMockEnv(t *testing.T, capabilities payment.Capabilities) *mockEnv {
	t.Helper()
	m := &mockEnv{
		store:   &memorystore.Store{Operations: mocks.NewOperations(t)},
		reports: mocks.NewReportReader(t), fence: mocks.NewFence(t), actions: &actionStub{},
	}
	m.store.Org = account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}
	m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).Return(payment.InvoiceList{}, nil).Maybe()
	log, clock := slog.New(slog.DiscardHandler), fixedClock(noon)
	m.Runner = New(Ports{
		Store: struct {
			*memorystore.Store
			permissiveAttempts
		}{Store: m.store},
		Provider: struct {
			*mocks.Fence
			*actionStub
		}{m.fence, m.actions},
		Capabilities: capabilities, Clock: clock, Log: log,
		Sync: billingsync.New(m.store, m.reports, clock, log, billingsync.Composer{}),
	})
	return m
}

// permissiveAttempts allows every payment attempt.
type permissiveAttempts struct{ storage.PaymentAttempts }

func (permissiveAttempts) BeginPaymentAttempt(
	context.Context, billing.PaymentAttempt, func([]billing.PaymentAttempt) error,
) error {
	return nil
}

// expectReport expects one refresh, in which the provider reports the subscriptions.
func (m *mockEnv) expectReport(subs ...billing.Subscription) {
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, nil).Once()
}

// expectBegin expects one BeginOperation, which succeeds.
func (m *mockEnv) expectBegin() {
	m.expectPending(storage.PendingOperation{}, errNoPendingOperation)
	m.store.EXPECT().BeginOperation(mock.Anything, mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, op billing.Operation, _ int64) (storage.PendingOperation, error) {
			return storage.PendingOperation{Operation: op}, nil
		}).Once()
}

// expectPending expects one read of the pending operation.
func (m *mockEnv) expectPending(op storage.PendingOperation, err error) {
	m.store.EXPECT().PendingOperation(mock.Anything, "org_1", billing.SubscriptionOperation).Return(op, err).Once()
}

// expectSettle expects one call that settles the operation with the result. The call returns err.
func (m *mockEnv) expectSettle(key any, result string, err error) {
	m.store.EXPECT().SettleOperation(mock.Anything, key, settlementWith(result), noon).Return(err == nil, err).Once()
}

// settlementWith matches a settlement with the result, of any outcome.
func settlementWith(result string) any {
	return mock.MatchedBy(func(s billing.Settlement) bool { return s.Result == result })
}
