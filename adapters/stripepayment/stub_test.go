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

const testKey = "sk_test_secretsecretsecret"

// noon is the time of the clock.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return noon }

// stub is an HTTP server with scripted responses that records the requests.
type stub struct {
	*httptest.Server
	t  *testing.T
	mu sync.Mutex

	responses map[string][]response
	received  []request
	log       logBuffer
}

// response is a status and a body, or a network failure.
type response struct {
	status int
	body   any
	text   string // sent instead of the body as JSON
	header map[string]string
	before func() // called first
	hang   bool   // until the client gives up
	reset  bool   // break the connection before the response
	cut    bool   // break the connection during the response
}

// request is a recorded request.
type request struct {
	route  string
	params url.Values
	header http.Header
}

// logBuffer is a log that can be written concurrently.
type logBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r request) key() string { return r.header.Get("Idempotency-Key") }

func newStub(t *testing.T) *stub {
	t.Helper()
	s := &stub{t: t, responses: map[string][]response{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

// respond sets the responses of a route such as "POST /v1/customers", in order; the last one is
// repeated.
func (s *stub) respond(route string, responses ...response) *stub {
	s.responses[route] = responses
	return s
}

func (s *stub) serve(w http.ResponseWriter, r *http.Request) {
	a := s.receive(r)
	if a.before != nil {
		a.before()
	}
	switch {
	case a.hang:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case a.reset:
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Request-Id", "req_scripted")
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	text, err := json.Marshal(a.body)
	assert.NoError(s.t, err)
	if a.text != "" {
		text = []byte(a.text)
	}
	if a.cut {
		w.Header().Set("Content-Length", "100000")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(text)
}

func (s *stub) receive(r *http.Request) response {
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.NoError(s.t, r.ParseForm())
	params := r.PostForm
	if r.Method != http.MethodPost {
		params = r.Form
	}
	checkExpansions(s.t, r.Form)
	route := r.Method + " " + r.URL.Path
	s.received = append(s.received, request{route: route, params: params, header: r.Header.Clone()})
	left := s.responses[route]
	if !assert.NotEmpty(s.t, left, "nothing is scripted for %s", route) {
		return errorResponse(http.StatusTeapot, object{})
	}
	if len(left) > 1 {
		s.responses[route] = left[1:]
	}
	return left[0]
}

// checkExpansions fails the test for paths of more than four levels, which Stripe refuses.
func checkExpansions(t *testing.T, params url.Values) {
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
	return slices.Clone(s.received)
}

// routes returns the routes of the recorded requests.
func (s *stub) routes() []string {
	var routes []string
	for _, r := range s.requests() {
		routes = append(routes, r.route)
	}
	return routes
}

// last returns the last request to the route.
func (s *stub) last(route string) request {
	s.t.Helper()
	for _, r := range slices.Backward(s.requests()) {
		if r.route == route {
			return r
		}
	}
	require.Fail(s.t, "no request to this route", route)
	return request{}
}

// provider returns an adapter for the stub with a short backoff.
func (s *stub) provider(options ...func(*stripepayment.Config)) *stripepayment.Provider {
	s.t.Helper()
	config := stripepayment.Config{
		SecretKey: testKey, APIURL: s.URL, WebhookSecrets: []string{"whsec_new", "whsec_old"},
		Catalogue: catalogue.Default(), Clock: fixedClock{}, Backoff: time.Millisecond,
		Log: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range options {
		c(&config)
	}
	p, err := stripepayment.New(config)
	require.NoError(s.t, err)
	return p
}

func (f *logBuffer) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text.Write(p)
}

func (f *logBuffer) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text.String()
}

func (s *stub) count(route string) int {
	n := 0
	for _, received := range s.routes() {
		if received == route {
			n++
		}
	}
	return n
}
