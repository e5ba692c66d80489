package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/identity"
)

// client sends requests as the web app does.
type client struct {
	origin    string
	cookies   []*http.Cookie
	xsrfToken string
	address   string // for X-Forwarded-For, or ""
	http      *http.Client
}

// newClient returns a client that is not signed in.
func newClient(b *testing.B, s *server) *client {
	b.Helper()
	c := &client{origin: s.origin(), http: &http.Client{Timeout: timeout, Transport: &http.Transport{MaxIdleConnsPerHost: 4096}}}
	b.Cleanup(c.http.CloseIdleConnections)
	response, err := c.http.Do(c.newRequest(b.Context(), http.MethodGet, "/vc-admin/diy/config.json", nil))
	require.NoError(b, err)
	require.NoError(b, response.Body.Close())
	c.setCookies(response.Cookies())
	require.NotEmpty(b, c.xsrfToken)
	return c
}

// setCookies replaces the cookies.
func (c *client) setCookies(cookies []*http.Cookie) {
	c.cookies = cookies
	for _, cookie := range cookies {
		if cookie.Name == "XSRF-TOKEN" {
			c.xsrfToken = cookie.Value
		}
	}
}

// withSession returns a copy of the client with the cookies of a session.
func (c *client) withSession(cookies []*http.Cookie) *client {
	clone := *c
	clone.setCookies(cookies)
	return &clone
}

func (c *client) newRequest(ctx context.Context, method, path string, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, method, c.origin+path, bytes.NewReader(body))
	must(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	r.Header.Set("X-XSRF-TOKEN", c.xsrfToken)
	if c.address != "" {
		r.Header.Set("X-Forwarded-For", c.address)
	}
	for _, cookie := range c.cookies {
		r.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
	}
	return r
}

func (c *client) newGetRequest(b *testing.B, path string) *http.Request {
	b.Helper()
	return c.newRequest(b.Context(), http.MethodGet, path, nil)
}

// post sends a JSON request and returns the status and the body.
func (c *client) post(ctx context.Context, path string, body any) (int, []byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	response, err := c.http.Do(c.newRequest(ctx, http.MethodPost, path, text))
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// registrationCount counts registrations, so that names are unique.
var registrationCount atomic.Int64

// newRegistrationNumber returns eight digits that make the organisation's name and the email address unique. Consecutive
// numbers are far apart, as random IDs are.
func newRegistrationNumber() string {
	return fmt.Sprintf("%08d", registrationCount.Add(1)*7919%100_000_000)
}

const password = "Secret-pass-1"

// register signs a new user up and returns the email and the status.
func (c *client) register(ctx context.Context) (email string, status int, err error) {
	n := registrationCount.Add(1)
	email = fmt.Sprintf("ann%d@clinic.example", n)
	status, _, err = c.post(ctx, "/vc-admin/signup", registrationBody(fmt.Sprintf("Clinic %d", n), email))
	return email, status, err
}

func registrationBody(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ann", "lastName": "King", "org": org, "email": email, "password": password,
		"contact": "+61 2 9000 0000", "billing_address": map[string]string{
			"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales", "postal_code": "2000", "country": "AU",
		},
	}
}

// measureDuration returns the duration of do, which must succeed.
func measureDuration(b *testing.B, do func() error) time.Duration {
	b.Helper()
	start := time.Now()
	err := do()
	d := time.Since(start)
	require.NoError(b, err)
	return d
}

// checkStatus returns err, or an error if got is not the wanted status.
func checkStatus(want, got int, body []byte, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("%d instead of %d: %s", got, want, body)
	}
	return err
}

// createSession creates a session in the server's database without a password and returns its cookies.
func createSession(b *testing.B, store *sqlstorage.Store, caller identity.Identity) []*http.Cookie {
	b.Helper()
	key, err := store.Secret(b.Context(), "xsrf")
	require.NoError(b, err)
	sessions := sessionidentity.NewSessions(store.Sessions(), sessionidentity.Options{})
	_, err = sessionidentity.NewXSRF(sessions, key)
	require.NoError(b, err)
	response, startErr := httptest.NewRecorder(), errors.New("not called")
	sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		caller.AuthenticatedAt = time.Now()
		startErr = sessions.Start(r.Context(), caller, identity.PasswordMethod)
	})).ServeHTTP(response, httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/", http.NoBody))
	require.NoError(b, startErr)
	return response.Result().Cookies()
}

// connection sends one request repeatedly on one TCP connection. It does as little work as possible, because a
// benchmark measures the CPU time of both client and server.
type connection struct {
	address    string
	request    []byte
	conn       net.Conn // nil until the first request
	reader     *bufio.Reader
	lastUsedAt time.Time
}

// newConnection returns a connection for a request. The first use opens it.
func newConnection(b *testing.B, r *http.Request) *connection {
	b.Helper()
	text, err := httputil.DumpRequestOut(r, true)
	require.NoError(b, err)
	c := &connection{address: r.URL.Host, request: text}
	b.Cleanup(c.close)
	return c
}

// maxIdleTime is the idle time after which the client opens a new connection. It is shorter than the server's timeout.
const maxIdleTime = 30 * time.Second

func (c *connection) connect() error {
	if c.conn != nil && time.Since(c.lastUsedAt) < maxIdleTime {
		return nil
	}
	c.close()
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", c.address)
	if err != nil {
		return err
	}
	c.conn, c.reader = conn, bufio.NewReader(conn)
	return nil
}

func (c *connection) close() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
}

// sendRequest sends the request and reads the response, which must not be an error.
func (c *connection) sendRequest() error {
	if err := c.connect(); err != nil {
		return err
	}
	c.lastUsedAt = time.Now()
	if _, err := c.conn.Write(c.request); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(body))
	}
	return err
}

// concurrentConnections is the number of concurrent clients of a throughput measurement.
const concurrentConnections = 16

// measureRate returns how many calls of do the workers complete per second. do gets the number of the worker.
func measureRate(b *testing.B, workers int, d time.Duration, do func(worker int) error) float64 {
	b.Helper()
	n, err := tryMeasureRate(workers, d, do)
	require.NoError(b, err)
	return n
}

// tryMeasureRate is like measureRate, but returns an error instead of failing the benchmark.
func tryMeasureRate(workers int, d time.Duration, do func(worker int) error) (float64, error) {
	var completions atomic.Int64
	var firstErr atomic.Pointer[error]
	var wg sync.WaitGroup
	start := time.Now()
	for i := range workers {
		wg.Go(func() {
			for time.Since(start) < d && firstErr.Load() == nil {
				if err := do(i); err != nil {
					firstErr.Store(&err)
					return
				}
				completions.Add(1)
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(start)
	if err := firstErr.Load(); err != nil {
		return 0, *err
	}
	return float64(completions.Load()) / elapsed.Seconds(), nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
