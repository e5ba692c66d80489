package metrics_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return noon }

// backlogStub returns backlog and err, and counts the queries.
type backlogStub struct {
	backlog     storage.Backlog
	err         error
	queries     int
	hasDeadline bool // of the last query
}

func (s *backlogStub) query(ctx context.Context) (storage.Backlog, error) {
	s.queries++
	_, s.hasDeadline = ctx.Deadline()
	return s.backlog, s.err
}

func TestRegisterBacklog_ReportsCountsAndAges(t *testing.T) {
	m := metrics.New("v1")
	m.RegisterBacklog((&backlogStub{backlog: storage.Backlog{
		Emails:     storage.QueueStats{Count: 3, Oldest: noon.Add(-90 * time.Second)},
		Operations: storage.QueueStats{},
	}}).query, fixedClock{})

	for _, line := range []string{
		"diy_database_up 1\n", "diy_outbox_emails 3\n", "diy_outbox_oldest_age_seconds 90\n",
		"diy_operations_pending 0\n", "diy_operations_pending_oldest_age_seconds 0\n",
	} {
		assert.Contains(t, scrape(t, m), "\n"+line)
	}
}

func TestRegisterBacklog_OmitsQueuesIfQueryFails(t *testing.T) {
	m := metrics.New("v1")
	m.RegisterBacklog((&backlogStub{err: fault.New(fault.Unavailable, "unavailable")}).query, fixedClock{})

	assert.Contains(t, scrape(t, m), "\ndiy_database_up 0\n")
	assert.NotContains(t, scrape(t, m), "diy_outbox_emails")
	assert.NotContains(t, scrape(t, m), "diy_operations_pending")
}

func TestRegisterBacklog_QueriesOnceForConcurrentScrapes(t *testing.T) {
	m, stub := metrics.New("v1"), &backlogStub{}
	m.RegisterBacklog(stub.query, fixedClock{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			m.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil))
		})
	}
	wg.Wait()
	assert.Contains(t, scrape(t, m), "diy_database_up 1")

	assert.Equal(t, 1, stub.queries)
	assert.True(t, stub.hasDeadline)
}

func TestRegisterPool_LabelsMetricsWithPoolName(t *testing.T) {
	m := metrics.New("v1")
	store, err := sqlstorage.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "diy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	for name, db := range store.Pools() {
		m.RegisterPool(name, db)
	}

	assert.Contains(t, scrape(t, m), `go_sql_max_open_connections{db_name="writes"} 1`)
	assert.Contains(t, scrape(t, m), `go_sql_open_connections{db_name="reads"} 1`)
}
