package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// scrape returns the response of the metrics endpoint.
func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	response := httptest.NewRecorder()
	m.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Equal(t, 200, response.Code, response.Body.String())
	return response.Body.String()
}

func TestNew_ServersHaveSeparateRegistries(t *testing.T) {
	first, second := metrics.New("v1"), metrics.New("v2")
	first.ObserveRequest("GET", "/", 200, time.Millisecond)

	assert.Contains(t, scrape(t, first), "diy_http_requests_total")
	assert.NotContains(t, scrape(t, second), "diy_http_requests_total")
	assert.Regexp(t, `diy_build_info{go="go1[^"]+",version="v2"} 1`, scrape(t, second))
	for _, name := range []string{"go_goroutines ", "process_open_fds ", "promhttp_metric_handler_requests_total"} {
		assert.Contains(t, scrape(t, first), name)
	}
	assert.NotPanics(t, func() { first.Handler() }, "Handler may be called twice")
}

func TestObserveRequest_CountsAndTimesRequestsByRoute(t *testing.T) {
	m := metrics.New("v1")
	m.ObserveRequest("GET", "/vc-admin/diy/*", 200, 30*time.Millisecond)
	m.ObserveRequest("GET", "/vc-admin/diy/*", 404, 30*time.Second)

	assert.Contains(t, scrape(t, m), `diy_http_requests_total{method="GET",route="/vc-admin/diy/*",status="404"} 1`)
	for _, line := range []string{`le="0.025"} 0`, `le="0.05"} 1`, `le="20"} 1`, `le="50"} 2`} {
		assert.Contains(t, scrape(t, m), `diy_http_request_duration_seconds_bucket{method="GET",route="/vc-admin/diy/*",`+line)
	}
}

func TestCountRun_CountsRunsAndItems(t *testing.T) {
	m := metrics.New("v1")
	m.CountRun("mail", 3, nil, noon)
	m.CountRun("mail", 1, errors.New("the database is unavailable"), noon.Add(time.Minute))

	for _, line := range []string{
		`diy_worker_runs_total{outcome="ok",worker="mail"} 1`, `diy_worker_runs_total{outcome="failed",worker="mail"} 1`,
		`diy_worker_items_total{worker="mail"} 4`, `diy_worker_last_success_timestamp_seconds{worker="mail"} 1.7726256e+09`,
	} {
		assert.Contains(t, scrape(t, m), line)
	}
}

// senderStub is a mail.Sender that returns err for every email.
type senderStub struct{ err error }

func (s senderStub) Send(context.Context, mail.Message) error { return s.err }

func TestWrapSender_CountsEmailsByOutcomeWithoutAddresses(t *testing.T) {
	m := metrics.New("v1")
	busyErr := fault.New(fault.Unavailable, "busy: charlotte@clinic.example")
	refusal := fault.Wrap(mail.ErrUnknownMailbox, fault.Invalid, "no such mailbox")
	loginErr := fault.Wrap(mail.ErrPermanent, fault.Unavailable, "wrong password")
	for _, err := range []error{nil, busyErr, refusal, loginErr} {
		require.Equal(t, err, m.WrapSender(senderStub{err}).Send(t.Context(), mail.Message{To: "charlotte@clinic.example"}))
	}

	assert.Contains(t, scrape(t, m), `diy_emails_total{outcome="ok"} 1`)
	assert.Contains(t, scrape(t, m), `diy_emails_total{outcome="unavailable"} 1`)
	assert.Contains(t, scrape(t, m), `diy_emails_total{outcome="refused"} 1`)
	assert.Contains(t, scrape(t, m), `diy_emails_total{outcome="permanent"} 1`)
	assert.NotContains(t, scrape(t, m), `outcome="invalid"`)
	assert.NotContains(t, scrape(t, m), "charlotte")
}
