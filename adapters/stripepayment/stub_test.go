package stripepayment_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

const testAPIKey = "sk_test_secretsecretsecret"

// noon is the time of fixedClock.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return noon }

// newProvider returns an adapter for the API at the URL, with a short backoff.
func newProvider(t *testing.T, url string, options ...func(*stripepayment.Config)) *stripepayment.Provider {
	t.Helper()
	config := stripepayment.Config{
		SecretKey: testAPIKey, APIURL: url, WebhookSecrets: []string{"whsec_new", "whsec_old"},
		Catalogue: catalogue.Default(), Clock: fixedClock{}, Backoff: time.Millisecond,
	}
	for _, option := range options {
		option(&config)
	}
	p, err := stripepayment.New(config)
	require.NoError(t, err)
	return p
}

// stub is an HTTP server with scripted responses that records the requests.
type stub struct {
	*httptest.Server
	t   *testing.T
	log logBuffer

	mu               sync.Mutex
	script           script
	recordedRequests []request
}

// script contains the next responses of each route, such as "POST /v1/customers", in order.
type script map[string][]response

// response is a status and a body, or a network failure.
type response struct {
	status      int
	body        any
	text        string // sent instead of body
	header      map[string]string
	onRequest   func() // called first
	hang        bool   // send nothing until the client disconnects
	reset       bool   // break the connection before the response
	resetInBody bool   // break the connection during the response
}

// next returns the next response of the route, and false if there is none. The last one is repeated.
func (s script) next(route string) (response, bool) {
	responses := s[route]
	if len(responses) == 0 {
		return response{}, false
	}
	if len(responses) > 1 {
		s[route] = responses[1:]
	}
	return responses[0], true
}

// request is a recorded request.
type request struct {
	route  string
	params url.Values
	header http.Header
}

func (r request) key() string { return r.header.Get("Idempotency-Key") }

// logBuffer is a log that can be written concurrently.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func newStub(t *testing.T) *stub {
	t.Helper()
	s := &stub{t: t, script: script{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

// respond sets the responses of a route, in order; the last one is repeated.
func (s *stub) respond(route string, responses ...response) *stub {
	s.script[route] = responses
	return s
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	res := s.record(r)
	if res.onRequest != nil {
		res.onRequest()
	}
	switch {
	case res.hang:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case res.reset:
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Request-Id", "req_scripted")
	for name, value := range res.header {
		w.Header().Set(name, value)
	}
	body, err := json.Marshal(res.body)
	assert.NoError(s.t, err)
	if res.text != "" {
		body = []byte(res.text)
	}
	if res.resetInBody {
		w.Header().Set("Content-Length", "100000")
	}
	w.WriteHeader(res.status)
	_, _ = w.Write(body)
}

// record records the request and returns the response to it.
func (s *stub) record(r *http.Request) response {
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.NoError(s.t, r.ParseForm())
	params := r.PostForm
	if r.Method != http.MethodPost {
		params = r.Form
	}
	assertExpandDepth(s.t, r.Form)
	route := r.Method + " " + r.URL.Path
	s.recordedRequests = append(s.recordedRequests, request{route: route, params: params, header: r.Header.Clone()})
	res, ok := s.script.next(route)
	if !assert.True(s.t, ok, "no response is scripted for %s", route) {
		return errorResponse(http.StatusTeapot, object{})
	}
	return res
}

// assertExpandDepth asserts that no path has more than four levels, because Stripe refuses such paths.
func assertExpandDepth(t *testing.T, params url.Values) {
	t.Helper()
	for name, paths := range params {
		if strings.HasPrefix(name, "expand[") {
			assert.LessOrEqual(t, strings.Count(paths[0], "."), 3, "%s is too deep", paths[0])
		}
	}
}

// requests returns the recorded requests in order.
func (s *stub) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.recordedRequests)
}

// routes returns the routes of the recorded requests.
func (s *stub) routes() []string {
	var routes []string
	for _, r := range s.requests() {
		routes = append(routes, r.route)
	}
	return routes
}

// count returns the number of recorded requests to the route.
func (s *stub) count(route string) int {
	n := 0
	for _, r := range s.requests() {
		if r.route == route {
			n++
		}
	}
	return n
}

// lastRequest returns the last request to the route, which must exist.
func (s *stub) lastRequest(route string) request {
	s.t.Helper()
	for _, r := range slices.Backward(s.requests()) {
		if r.route == route {
			return r
		}
	}
	require.Fail(s.t, "there was no request to the route", route)
	return request{}
}

// provider returns an adapter for the stub that writes to the stub's log.
func (s *stub) provider(options ...func(*stripepayment.Config)) *stripepayment.Provider {
	s.t.Helper()
	withLog := func(c *stripepayment.Config) {
		c.Log = slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return newProvider(s.t, s.URL, append([]func(*stripepayment.Config){withLog}, options...)...)
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
