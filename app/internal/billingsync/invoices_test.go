package billingsync

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// dailyInvoices returns one invoice for each of the last days, newest first. The invoices with an index in openIndexes are
// open, the others paid.
func dailyInvoices(days int, openIndexes ...int) []billing.Invoice {
	var invoices []billing.Invoice
	for i := range days {
		inv := billing.Invoice{ID: strconv.Itoa(i), Status: billing.InvoicePaid, CreatedAt: noon.AddDate(0, 0, -i)}
		if slices.Contains(openIndexes, i) {
			inv.Status = billing.InvoiceOpen
		}
		invoices = append(invoices, inv)
	}
	return invoices
}

// expectReportWithInvoices lets the provider report the invoices and no subscriptions. It counts the calls of
// ListInvoices in callCount.
func (m *mockEnv) expectReportWithInvoices(invoices []billing.Invoice) (callCount *int) {
	m.reports.ExpectedCalls = nil
	m.expectReport()
	return m.expectInvoiceLists(invoices)
}

// expectInvoiceLists lets the provider list the invoices. It counts the calls of ListInvoices in callCount.
func (m *mockEnv) expectInvoiceLists(invoices []billing.Invoice) (callCount *int) {
	callCount = new(int)
	m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).
		RunAndReturn(func(_ context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
			*callCount++
			return payment.SelectPage(invoices, req)
		})
	return callCount
}

func TestRefresh_ReadsTheInvoicesThatMayHaveChanged(t *testing.T) {
	for name, tt := range map[string]struct {
		storedInvoices   []billing.Invoice
		providerInvoices []billing.Invoice
		wantCalls        int // of ListInvoices
		wantChangedIDs   []string
	}{
		"no invoices":                  {nil, nil, 1, nil},
		"first refresh":                {nil, dailyInvoices(2), 1, []string{"0", "1"}},
		"no new invoice":               {dailyInvoices(100), dailyInvoices(100), 1, nil},
		"50 new invoices":              {dailyInvoices(100)[50:], dailyInvoices(100), 3, newestInvoiceIDs(50)},
		"old open invoice is now paid": {dailyInvoices(100, 70), dailyInvoices(100), 4, []string{"70"}},
		"invoice appears after newer ones": {append(dailyInvoices(100)[:2], dailyInvoices(100)[3:]...), dailyInvoices(100), 1,
			[]string{"2"}},
		"more invoices than maxInvoicePages": {nil, dailyInvoices(300), 10, newestInvoiceIDs(200)},
	} {
		t.Run(name, func(t *testing.T) {
			s, m := newSyncWithMocks(t)
			m.store.StoredInvoices = billing.ChangedInvoices(nil, tt.storedInvoices)
			callCount := m.expectReportWithInvoices(tt.providerInvoices)
			_, err := s.Refresh(t.Context(), "org_1")
			require.NoError(t, err)
			assert.Equal(t, tt.wantCalls, *callCount)
			var ids []string
			for _, inv := range m.store.LastUpdate.Invoices {
				ids = append(ids, inv.ID)
			}
			assert.Equal(t, tt.wantChangedIDs, ids)
			assert.Equal(t, min(len(ids), 1), int(m.store.Org.Billing.Revision), "only a change raises the revision")
		})
	}
}

// After an event about an older invoice, such as its refund, the refresh also reads that invoice.
func TestRefresh_ReadsStoredInvoicesThatEventsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := newSyncWithMocks(t)
		invoices := dailyInvoices(300)
		m.store.StoredInvoices = billing.ChangedInvoices(nil, invoices[:290])
		for _, i := range []int{150, 200, 250, 295} {
			invoices[i].Number = "changed"
		}
		m.reports.ExpectedCalls = nil
		expectSlowReports(m)
		callCount := m.expectInvoiceLists(invoices)

		var callers sync.WaitGroup
		for _, ids := range [][]string{nil, {"250"}, {"150", "295", "another customer's"}} {
			callers.Go(func() {
				_, err := s.Refresh(t.Context(), "org_1", ids...)
				assert.NoError(t, err)
			})
			synctest.Wait()
		}
		callers.Wait()

		assert.Equal(t, 4, *callCount, "one page for each of two refreshes, and two invoices for the second")
		require.Len(t, m.store.LastUpdate.Invoices, 2)
		assert.Equal(t, []string{"150", "250"}, []string{m.store.LastUpdate.Invoices[0].ID, m.store.LastUpdate.Invoices[1].ID})
	})
}

// newestInvoiceIDs returns the ids of the n newest invoices of dailyInvoices.
func newestInvoiceIDs(n int) []string {
	var ids []string
	for i := range n {
		ids = append(ids, strconv.Itoa(i))
	}
	return ids
}

func TestRefresh_StoresNothingIfTheInvoicesCannotBeRead(t *testing.T) {
	for name, list := range map[string]func(context.Context, payment.InvoiceQuery) (payment.InvoiceList, error){
		"error": func(context.Context, payment.InvoiceQuery) (payment.InvoiceList, error) {
			return payment.InvoiceList{}, errUnavailable
		},
		"panic": func(context.Context, payment.InvoiceQuery) (payment.InvoiceList, error) { panic("defect") },
	} {
		s, m := newSyncWithMocks(t)
		m.reports.ExpectedCalls = nil
		m.expectReport(newSubscription(billing.Active))
		m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).RunAndReturn(list).Once()
		_, err := s.Refresh(t.Context(), "org_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), name)
		assert.Empty(t, m.store.Org.Billing.Subscriptions, name)
	}
}

func TestRefresh_ReadsSubscriptionsAndInvoicesAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := newSyncWithMocks(t)
		m.reports.ExpectedCalls = nil
		expectSlowReports(m)
		m.reports.EXPECT().ListInvoices(mock.Anything, mock.Anything).
			RunAndReturn(func(context.Context, payment.InvoiceQuery) (payment.InvoiceList, error) {
				time.Sleep(time.Second) //nolint:forbidigo // in the test's bubble
				return payment.InvoiceList{}, nil
			})
		start := time.Now()
		_, err := s.Refresh(t.Context(), "org_1")
		require.NoError(t, err)
		assert.Equal(t, time.Second, time.Since(start))
	})
}

func TestRefresh_WarnsOnceAboutASecondOpenInvoiceOfASubscription(t *testing.T) {
	for subscriptionID, wantWarnings := range map[string]int{"sub_1": 1, "sub_2": 0} {
		s, m := newSyncWithMocks(t)
		var log bytes.Buffer
		s.log = slog.New(slog.NewTextHandler(&log, nil))
		invoices := dailyInvoices(2, 0, 1)
		invoices[0].SubscriptionID, invoices[1].SubscriptionID = "sub_1", subscriptionID
		m.expectReportWithInvoices(invoices)
		_, err := s.Refresh(t.Context(), "org_1")
		require.NoError(t, err)
		m.store.StoredInvoices = billing.ChangedInvoices(nil, invoices)
		m.expectReport()
		_, err = s.Refresh(t.Context(), "org_1")
		require.NoError(t, err)
		assert.Equal(t, wantWarnings, strings.Count(log.String(), "more than one open invoice"), "only when an invoice has changed")
	}
}
