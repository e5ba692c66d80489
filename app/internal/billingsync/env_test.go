package billingsync

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/mock"

	"github.com/vc-admin/diy/app/internal/memorystore"
	"github.com/vc-admin/diy/app/internal/mocks"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var (
	noon           = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	errUnavailable = fault.New(fault.Unavailable, "not reachable")
)

type fixedClock time.Time

func (c fixedClock) Now() time.Time { return time.Time(c) }

// mockEnv runs refreshes on mocks of the provider's reports. With them tests cause failures that the fake provider and
// SQLite don't have.
type mockEnv struct {
	store   *memorystore.Store
	reports *mocks.ReportReader
}

// newSyncWithMocks returns the Sync of a new mockEnv.
func newSyncWithMocks(t *testing.T) (*Sync, *mockEnv) {
	t.Helper()
	m := &mockEnv{store: &memorystore.Store{}, reports: mocks.NewReportReader(t)}
	m.store.Org = account.Organisation{ID: "org_1", Billing: billing.Account{CustomerID: "cus_1"}}
	m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).Return(payment.InvoiceList{}, nil).Maybe()
	return New(m.store, m.reports, fixedClock(noon), slog.New(slog.DiscardHandler), Composer{}), m
}

// expectReport expects one refresh, in which the provider reports the subscriptions.
func (m *mockEnv) expectReport(subs ...billing.Subscription) {
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(subs, nil).Once()
}

// newSubscription returns a subscription in the status.
func newSubscription(status billing.Status) billing.Subscription {
	return billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: status, CreatedAt: noon,
		Price: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
	}
}
