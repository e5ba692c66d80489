package stripepayment_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// mock is stripe-mock, which holds every request against Stripe's published description of its
// API: that the path is there, and that every parameter is known there and of the right type. It
// keeps nothing and refuses nothing else, so a test tells what its answers say beyond their shape.
type mock struct {
	*httptest.Server
	t    *testing.T
	mu   sync.Mutex
	seen map[string]bool
	// lenient passes a refusal on instead of failing the test.
	lenient bool
	says    map[string][]answer // by route, in turn; the last one stays
}

// startMock builds stripe-mock from the tools' module and runs it until the test ends.
func startMock(t *testing.T) *mock {
	t.Helper()
	binary := strings.TrimSpace(tool(t, "tool", "-modfile=../../tools/go.mod", "-n", "stripe-mock"))
	socket := filepath.Join(t.TempDir(), "mock")
	child := exec.CommandContext(t.Context(), binary, "-http-unix", socket)
	require.NoError(t, child.Start())
	t.Cleanup(func() { _ = child.Wait() }) // the end of the test's context has killed it
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		conn, err := dial(t.Context(), "", "")
		if assert.NoError(c, err) {
			_ = conn.Close()
		}
	}, 30*time.Second, 10*time.Millisecond)
	m := &mock{t: t, seen: map[string]bool{}, says: map[string][]answer{}}
	behind := &http.Client{Transport: &http.Transport{DialContext: dial}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { m.pass(w, r, behind) }))
	t.Cleanup(m.Close)
	return m
}

// tool runs the go command. Without stripe-mock these tests prove nothing, so a failure to build it
// is theirs.
func tool(t *testing.T, args ...string) string {
	t.Helper()
	var problems strings.Builder
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Env = append(command.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath") // as make has built most of it already
	command.Stderr = &problems
	out, err := command.Output()
	require.NoError(t, err, "STRIPE-MOCK CAN'T BE HAD, no request was held against Stripe's description: %s", problems.String())
	return string(out)
}

// say has a route's answers say more than stripe-mock's own do, or something else altogether.
func (m *mock) say(route string, answers ...answer) *mock {
	m.says[route] = answers
	return m
}

func (m *mock) pass(w http.ResponseWriter, r *http.Request, behind *http.Client) {
	onward := r.Clone(r.Context())
	onward.RequestURI, onward.URL.Scheme, onward.URL.Host = "", "http", "stripe-mock"
	answered, err := behind.Do(onward)
	if !assert.NoError(m.t, err) {
		return
	}
	text, err := io.ReadAll(answered.Body)
	assert.NoError(m.t, err)
	_ = answered.Body.Close()
	route := r.Method + " " + r.URL.Path
	if m.lenient {
		w.WriteHeader(answered.StatusCode)
		return
	}
	assert.Equal(m.t, http.StatusOK, answered.StatusCode, "%s is not accepted: %s", route, text)
	status, body := m.said(route, text)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	assert.NoError(m.t, json.NewEncoder(w).Encode(body))
}

// said is stripe-mock's answer with what the test has to say about it.
func (m *mock) said(route string, text []byte) (int, object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[route] = true
	var body object
	assert.NoError(m.t, json.Unmarshal(text, &body))
	left := m.says[route]
	if len(left) == 0 {
		return http.StatusOK, body
	}
	if len(left) > 1 {
		m.says[route] = left[1:]
	}
	return left[0].status, body.with(left[0].body.(object))
}

func (m *mock) provider() *stripepayment.Provider {
	m.t.Helper()
	p, err := stripepayment.New(stripepayment.Config{SecretKey: testKey, APIURL: m.URL, Catalogue: catalogue.Default(), Clock: fixedClock{}})
	require.NoError(m.t, err)
	return p
}
