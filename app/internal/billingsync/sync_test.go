package billingsync

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/internal/memorystore"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// racingStore simulates concurrent refreshes. Each call of UpdateBilling first stores the next of the reports, if any.
type racingStore struct {
	*memorystore.Store
	reports [][]billing.Subscription
}

func (s *racingStore) UpdateBilling(
	ctx context.Context, id string, update storage.BillingUpdate, fn func(*account.Organisation) error,
) (account.Organisation, error) {
	if len(s.reports) > 0 {
		_, err := s.UpdateOrganisation(ctx, id, func(o *account.Organisation) error {
			o.Billing.RecordSubscriptions(s.reports[0]...)
			return nil
		})
		s.reports = s.reports[1:]
		if err != nil {
			return account.Organisation{}, err
		}
	}
	return s.Store.UpdateBilling(ctx, id, update, fn)
}

func TestRefresh_StoresTheReportedSubscriptions(t *testing.T) {
	s, m := newSyncWithMocks(t)
	m.expectReport(newSubscription(billing.Active))
	org, err := s.Refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Equal(t, "sub_1", org.Billing.LiveSubscription().ID)
	assert.NotZero(t, org.Billing.CheckAt)
}

func TestRefresh_ReturnsTheProvidersError(t *testing.T) {
	for _, failure := range []error{errUnavailable, fault.New(fault.NotFound, "no such customer")} {
		s, m := newSyncWithMocks(t)
		m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").Return(nil, failure).Once()
		_, err := s.Refresh(t.Context(), "org_1")
		assert.ErrorIs(t, err, failure)
	}
}

func TestRefresh_OlderReportNeverReplacesANewerOne(t *testing.T) {
	s, m := newSyncWithMocks(t)
	m.expectReport(newSubscription(billing.Incomplete)) // read before the payment
	m.expectReport(newSubscription(billing.Active))
	s.store = &racingStore{m.store, [][]billing.Subscription{{newSubscription(billing.Active)}}}
	org, err := s.Refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Equal(t, billing.Active, org.Billing.LiveSubscription().Status)
}

func TestStoreResponseOrRefresh_RefreshesTheCopyIfAnotherReportWasStoredSince(t *testing.T) {
	s, m := newSyncWithMocks(t)
	m.expectReport(newSubscription(billing.PastDue))
	s.store = &racingStore{m.store, [][]billing.Subscription{{newSubscription(billing.PastDue)}}}
	require.NoError(t, s.StoreResponseOrRefresh(t.Context(), m.store.Org, newSubscription(billing.Active)))
	assert.Equal(t, billing.PastDue, m.store.Org.Billing.LiveSubscription().Status)
}

// The payment of an invoice is declined like the one before. A report that was read while it was being made is outdated.
func TestStoreResponse_ReportFromBeforeAnUnchangedResponseIsReadAgain(t *testing.T) {
	s, m := newSyncWithMocks(t)
	declinedSub := newSubscription(billing.PastDue)
	m.store.Org.Billing.RecordSubscriptions(declinedSub)
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").
		RunAndReturn(func(ctx context.Context, _ string, _ ...billing.Status) ([]billing.Subscription, error) {
			waitingSub := declinedSub
			waitingSub.Next = billing.NextAction{Kind: billing.Wait}
			return []billing.Subscription{waitingSub}, s.StoreResponseOrRefresh(ctx, m.store.Org, declinedSub)
		}).Once()
	m.expectReport(declinedSub)
	org, err := s.Refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Zero(t, org.Billing.LiveSubscription().Next)
}

// Each of many repeats reads the subscription and stores it. They must not make each other's reads outdated.
func TestStoreRepeatOrRefresh_LeavesTheRevisionOfAnUnchangedCopy(t *testing.T) {
	s, m := newSyncWithMocks(t)
	sub := newSubscription(billing.Active)
	m.store.Org.Billing.RecordSubscriptions(sub)
	revision := m.store.Org.Billing.Revision

	require.NoError(t, s.StoreRepeatOrRefresh(t.Context(), m.store.Org, sub))
	assert.Equal(t, revision, m.store.Org.Billing.Revision)

	require.NoError(t, s.StoreResponseOrRefresh(t.Context(), m.store.Org, sub))
	assert.Equal(t, revision+1, m.store.Org.Billing.Revision)
}

func TestRefresh_ReturnsUnavailableAfterFourOutdatedReports(t *testing.T) {
	s, m := newSyncWithMocks(t)
	store := &racingStore{Store: m.store}
	for i := range maxSyncAttempts {
		m.expectReport()
		canceledSub := newSubscription(billing.Canceled)
		canceledSub.ID = "sub_" + strconv.Itoa(i)
		store.reports = append(store.reports, []billing.Subscription{canceledSub})
	}
	s.store = store
	_, err := s.Refresh(t.Context(), "org_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestRefresh_ForeignProductGrantsNoLicense(t *testing.T) {
	s, m := newSyncWithMocks(t)
	foreignSub := newSubscription(billing.Active)
	foreignSub.ID, foreignSub.Price.Product = "sub_other", ""
	m.expectReport(foreignSub, newSubscription(billing.Canceled))
	org, err := s.Refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Nil(t, org.Billing.License())
	assert.Equal(t, "sub_1", org.Billing.PastLicense().ID)
}

func TestRefresh_LogsASecondLiveSubscription(t *testing.T) {
	s, m := newSyncWithMocks(t)
	log := &bytes.Buffer{}
	s.log = slog.New(slog.NewTextHandler(log, nil))
	secondSub := newSubscription(billing.Active)
	secondSub.ID = "sub_2"
	m.expectReport(secondSub, newSubscription(billing.Active))
	org, err := s.Refresh(t.Context(), "org_1")
	require.NoError(t, err)
	assert.Equal(t, []string{"sub_2"}, org.Billing.SurplusSubscriptionIDs)
	for _, part := range []string{"level=ERROR", "org=org_1", "license=sub_1", "sub_2"} {
		assert.Contains(t, log.String(), part)
	}
}

// expectSlowReports makes the provider take a second for each report, and returns a counter of the reports. The period of
// the subscription in report n ends n hours after noon.
func expectSlowReports(m *mockEnv) (reportCount *atomic.Int64) {
	reportCount = new(atomic.Int64)
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").
		RunAndReturn(func(context.Context, string, ...billing.Status) ([]billing.Subscription, error) {
			sub := newSubscription(billing.Active)
			sub.CurrentPeriodEnd = noon.Add(time.Duration(reportCount.Add(1)) * time.Hour)
			time.Sleep(time.Second) //nolint:forbidigo // in the test's bubble
			return []billing.Subscription{sub}, nil
		})
	return reportCount
}

func TestRefresh_ConcurrentCallersShareTheNextReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := newSyncWithMocks(t)
		reportCount := expectSlowReports(m)
		var callers sync.WaitGroup
		for range 40 {
			callers.Go(func() {
				_, err := s.Refresh(t.Context(), "org_1")
				assert.NoError(t, err)
			})
		}
		callers.Wait()
		assert.Equal(t, int64(2), reportCount.Load(), "one report for the first caller, and one for all that called while it was read")
	})
}

func TestRefresh_ReportIsNeverOlderThanTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := newSyncWithMocks(t)
		reportCount := expectSlowReports(m)
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() {
				countBefore := reportCount.Load()
				org, err := s.Refresh(t.Context(), "org_1")
				assert.NoError(t, err)
				assert.True(t, org.Billing.LiveSubscription().CurrentPeriodEnd.After(noon.Add(time.Duration(countBefore)*time.Hour)))
			})
			time.Sleep(300 * time.Millisecond) //nolint:forbidigo // in the test's bubble
		}
		callers.Wait()
		assert.LessOrEqual(t, reportCount.Load(), int64(8), "callers that wait share a refresh")
	})
}

func TestRefresh_ContinuesAfterItsCallerCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := newSyncWithMocks(t)
		reportCount := expectSlowReports(m)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := s.Refresh(ctx, "org_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		time.Sleep(time.Minute) //nolint:forbidigo // in the test's bubble
		assert.Equal(t, int64(1), reportCount.Load())
		org, err := s.Refresh(t.Context(), "org_1")
		require.NoError(t, err)
		assert.Equal(t, int64(2), org.Billing.Revision, "both reports were recorded")
	})
}

func TestRefresh_PanicIsReturnedAsUnavailable(t *testing.T) {
	s, m := newSyncWithMocks(t)
	m.reports.EXPECT().ListSubscriptions(mock.Anything, "cus_1").
		RunAndReturn(func(context.Context, string, ...billing.Status) ([]billing.Subscription, error) { panic("defect") }).Twice()
	for range 2 {
		_, err := s.Refresh(t.Context(), "org_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	}
}
