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
)

// stripeMockProxy forwards requests to stripe-mock. stripe-mock checks the path, and the name and type of every
// parameter, against Stripe's published API description. stripe-mock has no state, so tests merge objects into its
// responses.
type stripeMockProxy struct {
	*httptest.Server
	t          *testing.T
	passErrors bool // return stripe-mock's errors instead of failing the test

	mu     sync.Mutex
	routes map[string]bool // requested routes
	script script          // the objects to merge
}

// startStripeMock builds stripe-mock from the module of the tools and runs it until the test ends.
func startStripeMock(t *testing.T) *stripeMockProxy {
	t.Helper()
	binary := strings.TrimSpace(runGo(t, "tool", "-modfile=../../tools/go.mod", "-n", "stripe-mock"))
	socket := filepath.Join(t.TempDir(), "mock")
	child := exec.CommandContext(t.Context(), binary, "-http-unix", socket)
	require.NoError(t, child.Start())
	t.Cleanup(func() { _ = child.Wait() }) // the test's context has killed it
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		conn, err := dial(t.Context(), "", "")
		if assert.NoError(c, err) {
			_ = conn.Close()
		}
	}, time.Minute, 10*time.Millisecond)
	m := &stripeMockProxy{t: t, routes: map[string]bool{}, script: script{}}
	client := &http.Client{Transport: &http.Transport{DialContext: dial}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { m.forward(w, r, client) }))
	t.Cleanup(m.Close)
	return m
}

// runGo runs the go command. If stripe-mock can't be built, the test fails.
func runGo(t *testing.T, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Env = append(command.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath") // the flags of make, for its build cache
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, "stripe-mock can't be built, so no request was checked against Stripe's API description: %s",
		stderr.String())
	return string(out)
}

// respond merges the objects into the responses of a route, in order; the last one is repeated.
func (m *stripeMockProxy) respond(route string, responses ...response) *stripeMockProxy {
	m.script[route] = responses
	return m
}

func (m *stripeMockProxy) forward(w http.ResponseWriter, r *http.Request, client *http.Client) {
	upstreamReq := r.Clone(r.Context())
	upstreamReq.RequestURI, upstreamReq.URL.Scheme, upstreamReq.URL.Host = "", "http", "stripe-mock"
	upstreamResp, err := client.Do(upstreamReq)
	if !assert.NoError(m.t, err) {
		return
	}
	upstreamBody, err := io.ReadAll(upstreamResp.Body)
	assert.NoError(m.t, err)
	_ = upstreamResp.Body.Close()
	route := r.Method + " " + r.URL.Path
	if m.passErrors {
		w.WriteHeader(upstreamResp.StatusCode)
		return
	}
	assert.Equal(m.t, http.StatusOK, upstreamResp.StatusCode, "%s is not accepted: %s", route, upstreamBody)
	status, body := m.mergeResponse(route, upstreamBody)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	assert.NoError(m.t, json.NewEncoder(w).Encode(body))
}

// mergeResponse returns stripe-mock's response with the test's object merged in.
func (m *stripeMockProxy) mergeResponse(route string, upstreamBody []byte) (int, object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.routes[route] = true
	var body object
	assert.NoError(m.t, json.Unmarshal(upstreamBody, &body))
	res, ok := m.script.next(route)
	if !ok {
		return http.StatusOK, body
	}
	return res.status, body.withFields(res.body.(object))
}

func (m *stripeMockProxy) provider() *stripepayment.Provider {
	m.t.Helper()
	return newProvider(m.t, m.URL)
}
