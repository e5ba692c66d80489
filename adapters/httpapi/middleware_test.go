package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/trace"
)

func TestXSRF_RefusesForeignRequests(t *testing.T) {
	s := newTestServer(t)
	cases := map[string]struct {
		change     func(*http.Request)
		wantStatus int
		wantName   string
	}{
		"no token":        {func(r *http.Request) { r.Header.Del("X-XSRF-TOKEN") }, http.StatusForbidden, "ERRXSRF"},
		"wrong token":     {func(r *http.Request) { r.Header.Set("X-XSRF-TOKEN", "guess") }, http.StatusForbidden, "ERRXSRF"},
		"empty token":     {func(r *http.Request) { r.Header.Set("X-XSRF-TOKEN", "") }, http.StatusForbidden, "ERRXSRF"},
		"not from script": {func(r *http.Request) { r.Header.Del("X-Requested-With") }, http.StatusForbidden, "ERRXSRF"},
		"another origin":  {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden, "ERRXSRF"},
		"cross-site":      {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden, "ERRXSRF"},
		"a form":          {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, http.StatusUnsupportedMediaType, "ERRMEDIATYPE"},
		"no content type": {func(r *http.Request) { r.Header.Del("Content-Type") }, http.StatusUnsupportedMediaType, "ERRMEDIATYPE"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := s.newBrowser(t)
			r := b.newRequest(http.MethodPost, "/auth/login", map[string]any{"username": "a@b.example", "password": "x"})
			c.change(r)
			b.send(r).requireError(c.wantStatus, c.wantName)
		})
	}
}

func TestXSRF_TokenOfVisitorIsInvalidAfterSignIn(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	visitorToken := b.xsrfToken()
	b.get(b.register("Sunrise Clinic", "ada@sunrise.example"))
	b.signIn("ada@sunrise.example")

	r := b.newRequest(http.MethodPost, "/vc-admin/user-diy/new-customer", nil)
	r.Header.Set("X-XSRF-TOKEN", visitorToken)

	b.send(r).requireError(http.StatusForbidden, "ERRXSRF")
}

// emptyWebApp is a web app of empty pages.
var emptyWebApp = fstest.MapFS{
	"index.html": {Data: []byte("<!doctype html>")}, "screens/vc-admin/dash.html": {Data: []byte("<!doctype html>")},
}

// recordingAPI is an API without use cases. It records its log, its responses and trace IDs.
type recordingAPI struct {
	http.Handler
	responses []httpapi.Response
	log       strings.Builder
	traceIDs  []string // trace IDs of requests for /work/{name}
}

func newRecordingAPI(t *testing.T) *recordingAPI {
	t.Helper()
	rec := &recordingAPI{}
	var err error
	rec.Handler, err = httpapi.New(httpapi.Options{
		LoadSession: func(next http.Handler) http.Handler { return next },
		CheckReady:  func(*http.Request) error { return fault.New(fault.Unavailable, "no database") },
		WebApp:      emptyWebApp,
		Routes: []httpapi.AddRoutes{func(r chi.Router) {
			r.Get("/work/{name}", func(_ http.ResponseWriter, r *http.Request) {
				rec.traceIDs = append(rec.traceIDs, trace.IDFromContext(r.Context()))
			})
			r.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("out of order") })
		}},
		Site: httpapi.Site{Payments: fakeProviderWeb}, Catalogue: catalogue.Default(), Log: slog.New(slog.NewTextHandler(&rec.log, nil)),
		ObserveResponse: func(res httpapi.Response) { rec.responses = append(rec.responses, res) },
	})
	require.NoError(t, err)
	return rec
}

func (rec *recordingAPI) send(method, target string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	r.Header.Set("X-Request-Id", "chosen-by-the-client")
	res := httptest.NewRecorder()
	rec.ServeHTTP(res, r)
	return res
}

func TestLogResponses_RecordsRoutePatternsWithoutPaths(t *testing.T) {
	for _, c := range []struct {
		method, target string
		want           httpapi.Response
	}{
		{"GET", "/work/charlotte?token=secret", httpapi.Response{Method: "GET", Route: "/work/{name}", Status: 200}},
		{"HEAD", "/work/charlotte", httpapi.Response{Method: "HEAD", Route: "/work/{name}", Status: 200}},
		{"GET", "/vc-admin/diy/assets/charlotte.js", httpapi.Response{Method: "GET", Route: "/vc-admin/diy/*", Status: 404}},
		{"GET", "/readyz", httpapi.Response{Method: "GET", Route: "/readyz", Status: 503}},
		{"GET", "/panic", httpapi.Response{Method: "GET", Route: "/panic", Status: 500}},
		{"GET", "/wp-login.php", httpapi.Response{Method: "GET", Route: "none", Status: 404}},
		{"GET", "/vc-admin/elsewhere/charlotte", httpapi.Response{Method: "GET", Route: "none", Status: 404}},
		{"DELETE", "/work/charlotte", httpapi.Response{Method: "DELETE", Route: "none", Status: 405}},
		{"BREW", "/work/charlotte", httpapi.Response{Method: "other", Route: "none", Status: 405}},
	} {
		rec := newRecordingAPI(t)
		assert.Equal(t, c.want.Status, rec.send(c.method, c.target).Code, c.target)
		require.Len(t, rec.responses, 1)
		assert.Positive(t, rec.responses[0].Duration)
		rec.responses[0].Duration = 0
		assert.Equal(t, c.want, rec.responses[0], c.target)
		for _, secret := range []string{"secret", "token", "charlotte", "wp-login", "BREW", "chosen"} {
			assert.NotContains(t, rec.log.String(), secret)
		}
	}
}

func TestRequestID_IsNewForEachRequest(t *testing.T) {
	rec := newRecordingAPI(t)
	first, second := rec.send("GET", "/work/1"), rec.send("GET", "/work/2")

	ids := []string{first.Header().Get("X-Request-Id"), second.Header().Get("X-Request-Id")}
	assert.Equal(t, ids, rec.traceIDs)
	assert.NotEqual(t, ids[0], ids[1])
	assert.NotContains(t, ids, "chosen-by-the-client")
}

func TestRecoverPanics_LogsTheStackAndHidesThePanic(t *testing.T) {
	rec := newRecordingAPI(t)
	res := rec.send("GET", "/panic")

	assert.NotContains(t, res.Body.String(), "out of order")
	assert.Contains(t, rec.log.String(), "out of order")
	assert.Contains(t, rec.log.String(), "middleware_test.go")
}

func TestWarnAboutUntrustedProxy_LogsOnceAnHour(t *testing.T) {
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	var log strings.Builder
	handler, err := httpapi.New(httpapi.Options{
		LoadSession: func(next http.Handler) http.Handler { return next }, Clock: clock,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		WebApp:         emptyWebApp,
		Site:           httpapi.Site{Payments: fakeProviderWeb}, Catalogue: catalogue.Default(), Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.NoError(t, err)
	sendAndCountWarnings := func(peer, header string) int {
		r := httptest.NewRequest(http.MethodGet, "/healthz", http.NoBody)
		r.RemoteAddr = peer + ":4711"
		r.Header.Set(header, "203.0.113.7")
		handler.ServeHTTP(httptest.NewRecorder(), r)
		return strings.Count(log.String(), "not in DIY_TRUSTED_PROXIES")
	}

	assert.Zero(t, sendAndCountWarnings("10.1.2.3", "X-Forwarded-For"), "there is no warning for a trusted proxy")
	assert.Zero(t, sendAndCountWarnings("192.0.2.1", "Accept"), "there is no warning without a forwarded header")
	assert.Equal(t, 1, sendAndCountWarnings("192.0.2.1", "X-Forwarded-For"))
	assert.Contains(t, log.String(), "peer=192.0.2.1")
	assert.Equal(t, 1, sendAndCountWarnings("192.0.2.2", "Forwarded"), "there is one warning an hour")
	_, err = clock.Advance(time.Hour)
	require.NoError(t, err)
	assert.Equal(t, 2, sendAndCountWarnings("192.0.2.2", "Forwarded"))
	_, err = clock.Advance(time.Hour)
	require.NoError(t, err)
	assert.Equal(t, 3, sendAndCountWarnings("192.0.2.2", "X-Real-IP"))
}
