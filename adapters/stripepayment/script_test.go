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

// noon is what the clock says in these tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return noon }

// script is a Stripe that answers as it is told, and notes what it was asked.
type script struct {
	*httptest.Server
	t  *testing.T
	mu sync.Mutex

	answers map[string][]answer
	asked   []request
	log     lines
}

// answer is one answer: a status and a body, or something odder.
type answer struct {
	status int
	body   any
	text   string // instead of a body: what is no JSON
	header map[string]string
	before func() // happens first
	hang   bool   // until whoever asks has had enough
	reset  bool   // the connection breaks before the answer
	cut    bool   // the connection breaks in the middle of it
}

// request is what was asked.
type request struct {
	route  string
	params url.Values
	header http.Header
}

func (r request) key() string { return r.header.Get("Idempotency-Key") }

func newScript(t *testing.T) *script {
	t.Helper()
	s := &script{t: t, answers: map[string][]answer{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.CloseClientConnections)
	t.Cleanup(s.Close)
	return s
}

// on has a route, such as "POST /v1/customers", answer in turn; the last answer stays.
func (s *script) on(route string, answers ...answer) *script {
	s.answers[route] = answers
	return s
}

func (s *script) serve(w http.ResponseWriter, r *http.Request) {
	a := s.take(r)
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

func (s *script) take(r *http.Request) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.NoError(s.t, r.ParseForm())
	params := r.PostForm
	if r.Method != http.MethodPost {
		params = r.Form
	}
	checkExpansions(s.t, r.Form)
	route := r.Method + " " + r.URL.Path
	s.asked = append(s.asked, request{route: route, params: params, header: r.Header.Clone()})
	left := s.answers[route]
	if !assert.NotEmpty(s.t, left, "nothing is scripted for %s", route) {
		return refusal(http.StatusTeapot, object{})
	}
	if len(left) > 1 {
		s.answers[route] = left[1:]
	}
	return left[0]
}

// checkExpansions refuses what Stripe refuses: to expand more than four levels.
func checkExpansions(t *testing.T, params url.Values) {
	t.Helper()
	for name, paths := range params {
		if strings.HasPrefix(name, "expand[") {
			assert.LessOrEqual(t, strings.Count(paths[0], "."), 3, "%s is too deep", paths[0])
		}
	}
}

// requests is what was asked, in order.
func (s *script) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// routes is where it was asked.
func (s *script) routes() []string {
	var routes []string
	for _, r := range s.requests() {
		routes = append(routes, r.route)
	}
	return routes
}

// last is the last request to the route.
func (s *script) last(route string) request {
	s.t.Helper()
	for _, r := range slices.Backward(s.requests()) {
		if r.route == route {
			return r
		}
	}
	require.Fail(s.t, "never asked", route)
	return request{}
}

// provider is one that asks the script, with short time-outs.
func (s *script) provider(change ...func(*stripepayment.Config)) *stripepayment.Provider {
	s.t.Helper()
	config := stripepayment.Config{
		SecretKey: testKey, APIURL: s.URL, WebhookSecrets: []string{"whsec_new", "whsec_old"},
		Catalogue: catalogue.Default(), Clock: fixedClock{}, Backoff: time.Millisecond,
		Log: slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range change {
		c(&config)
	}
	p, err := stripepayment.New(config)
	require.NoError(s.t, err)
	return p
}

// lines is a log that several goroutines write and the test reads.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
