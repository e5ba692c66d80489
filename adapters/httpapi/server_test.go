package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/adapters/passkeys"
	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// webhookSecret signs the fake provider's events.
const webhookSecret = "whsec_test"

// preferenceKey signs the links to preferences in emails.
var preferenceKey = []byte("preferences")

var fakeProviderWeb = plugin.WebConfig{Name: "fake", WebhookPath: "stripe"}

// testServer is the API with the adapters of a development server.
type testServer struct {
	server   *httptest.Server
	useCases *app.UseCases
	store    *sqlstorage.Store
	provider *fakepayment.Provider
	clock    *devclock.Clock
	mailbox  *devmail.Mailbox
	api      *openAPIValidator

	// The fields below are options, which a test sets before start.
	faults                 flakypayment.FaultPlan
	passwords              identity.Passwords
	limits                 ratelimit.Counters // nil disables rate limits
	providerCallsPerSecond int                // 0 for no limit
	sessions               countingSessions
	wrapProvider           func(payment.Provider) payment.Provider // nil for the provider itself
	logHandler             slog.Handler                            // nil discards the log
}

// countingSessions keeps sessions in the database and counts the reads.
type countingSessions struct {
	*sqlstorage.Sessions
	reads *atomic.Int64
}

func (s countingSessions) Session(ctx context.Context, tokenHash string) (identity.SessionRecord, error) {
	s.reads.Add(1)
	return s.Sessions.Session(ctx, tokenHash)
}

// plainPasswords stores passwords without hashing them, to save time.
type plainPasswords struct{}

func (plainPasswords) IsCommon(string) bool { return false }

func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password != "" && password == hash, nil
}

func newTestServer(t testing.TB) *testServer {
	return newTestServerWithSite(t, httpapi.Site{Payments: fakeProviderWeb})
}

func newTestServerWithSite(t testing.TB, site httpapi.Site) *testServer {
	t.Helper()
	s := newUnstartedServer(t, nil)
	s.start(t, site)
	return s
}

// newRateLimitedServer returns a server with rate limits. The attempts are counted by the given counters, or in the
// database if there are none. The server's clock moves only when the test advances it.
func newRateLimitedServer(t *testing.T, counters ...ratelimit.Counters) *testServer {
	t.Helper()
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	s := newUnstartedServer(t, func() time.Time { return noon })
	s.limits = append(counters, s.store.RateLimits())[0]
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	return s
}

// sqliteTemplate copies a migrated, empty database for each test.
var sqliteTemplate = sqlitetest.NewTemplate(apptest.Migrate)

// newUnstartedServer returns a server whose options can be set before start. Its clock shows systemTime, or the real time
// if systemTime is nil, plus the time by which the test has advanced it.
func newUnstartedServer(t testing.TB, systemTime func() time.Time) *testServer {
	t.Helper()
	s := &testServer{api: requireOpenAPI(t), passwords: plainPasswords{}, faults: flakypayment.NoFaults}
	var err error
	s.clock, err = devclock.Open("", systemTime)
	require.NoError(t, err)
	s.mailbox, err = devmail.New(s.clock, "")
	require.NoError(t, err)
	s.provider, err = fakepayment.Open(fakepayment.Config{
		Clock: s.clock, Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(t, err)
	s.store, err = sqlstorage.Open(t.Context(), sqliteTemplate.URL(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.store.Close() })
	return s
}

// start serves the API until the test ends.
func (s *testServer) start(t testing.TB, site httpapi.Site) {
	t.Helper()
	s.sessions = countingSessions{Sessions: s.store.Sessions(), reads: new(atomic.Int64)}
	sessions := sessionidentity.NewSessions(s.sessions, sessionidentity.Options{
		ErrorFunc: func(w http.ResponseWriter, _ *http.Request, err error) { httpapi.WriteError(w, err) },
	})
	xsrf, err := sessionidentity.NewXSRF(sessions, make([]byte, sessionidentity.XSRFKeySize))
	require.NoError(t, err)
	browsers, err := sessionidentity.NewKnownBrowsers(make([]byte, sessionidentity.KnownBrowsersKeySize), false)
	require.NoError(t, err)
	if s.logHandler == nil {
		s.logHandler = slog.DiscardHandler
	}
	log := slog.New(s.logHandler)
	provider := payment.Provider(flakypayment.New(s.provider, s.faults))
	if s.wrapProvider != nil {
		provider = s.wrapProvider(provider)
	}
	passkeyAdapter, err := passkeys.New("http://diy.test", "Vision")
	require.NoError(t, err)
	s.useCases = app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: s.store, Provider: provider, Sessions: sessions,
		Passwords: s.passwords, Codes: onetimecodes.Codes{}, Passkeys: passkeyAdapter, Mail: s.mailbox, Clock: s.clock, Log: log,
		PublicURL: "http://diy.test", Brand: "Vision", PreferenceKey: preferenceKey,
	})
	handler, err := httpapi.New(httpapi.Options{
		UseCases: s.useCases, Sessions: sessions, LoadSession: sessions.Middleware, XSRF: xsrf, Clock: s.clock,
		KnownBrowsers: browsers, Limits: s.limits, ProviderCallsPerSecond: s.providerCallsPerSecond,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		CheckReady:     func(r *http.Request) error { return s.store.Ready(r.Context()) },
		WebApp: fstest.MapFS{
			"index.html":                           {Data: []byte("<!doctype html><title>diy</title>")},
			"screens/vc-admin/diy/regform.html":    {Data: []byte("<!doctype html><title>diy</title><link href=assets/form-1.js>")},
			"screens/vc-admin/diy/regform.html.br": {Data: []byte("the form compressed with brotli")},
			".vite/manifest.json":                  {Data: []byte("{}")},
			"assets/.keep":                         {Data: []byte("{}")},
			"assets/app-1.js":                      {Data: []byte("export {}")},
			"assets/app-1.js.br":                   {Data: []byte("compressed with brotli")},
			"assets/app-1.js.gz":                   {Data: gzipText(t, "export {}")},
		},
		Catalogue: catalogue.Default(), Capabilities: s.provider.Capabilities(), Site: site, Log: log,
		CommonPasswords: sessionidentity.CommonPasswords(),
		Routes: []httpapi.AddRoutes{func(r chi.Router) {
			r.Mount("/dev/payments", http.StripPrefix("/dev/payments", s.provider.BrowserAPI()))
		}},
	})
	require.NoError(t, err)
	s.server = httptest.NewServer(handler)
	t.Cleanup(s.server.Close)
}

// deliverMail sends all pending emails and returns the text of the newest.
func (s *testServer) deliverMail(t testing.TB) string {
	t.Helper()
	_, err := s.useCases.SendRequestedEmails.Do(t.Context())
	require.NoError(t, err)
	_, err = s.useCases.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	emails := s.mailbox.Emails()
	require.NotEmpty(t, emails)
	return emails[0].Text
}

func (s *testServer) advance(t testing.TB, step time.Duration) {
	t.Helper()
	_, err := s.clock.Advance(step)
	require.NoError(t, err)
}

// newBrowser returns a client without cookies that does not follow redirects.
func (s *testServer) newBrowser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, server: s, http: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// newBrowserWithIP returns a browser whose requests come from the IP address.
func (s *testServer) newBrowserWithIP(t testing.TB, address string) *browser {
	t.Helper()
	b := s.newBrowser(t)
	b.address = address
	return b
}

// signUp returns the browser of a user who has registered, verified the email and signed in.
func (s *testServer) signUp(t testing.TB, org, email string) *browser {
	t.Helper()
	b := s.newBrowser(t)
	require.Equal(t, http.StatusSeeOther, b.get(b.register(org, email)).Status)
	b.signIn(email)
	return b
}

// newServerWithUser returns a new server and the browser of a user who has signed in.
func newServerWithUser(t testing.TB) (*testServer, *browser) {
	t.Helper()
	s := newTestServer(t)
	return s, s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
}

func gzipText(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func gunzip(t testing.TB, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return text
}
