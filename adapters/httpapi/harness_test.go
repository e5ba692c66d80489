package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/alexedwards/scs/v2/memstore"
	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// webhookSecret signs the fake provider's events in these tests.
const webhookSecret = "whsec_test"

// fakePage is what pages need of the fake provider.
var fakePage = plugin.Web{Name: "fake", WebhookPath: "stripe", SignatureHeader: "Stripe-Signature"}

// house is the whole server, but for its process: every adapter is the real one that development
// runs on.
type house struct {
	server   *httptest.Server
	useCases *app.UseCases
	store    *sqlstorage.Store
	provider *fakepayment.Provider
	clock    *devclock.Clock
	mailbox  *devmail.Mailbox
	api      *openAPI

	passwords identity.Passwords
	limits    ratelimit.Counters // none, unless the house is strict
	calls     int                // of the provider in a second; 0 limits nothing
	sessions  sessionStore

	keepsSessions bool // in the database, where a password reset ends them
}

// sessionStore stands in for the sessions' place in the database, and counts how often it is asked.
type sessionStore struct {
	scs.Store
	asked *atomic.Int64
}

func (s sessionStore) Find(token string) ([]byte, bool, error) {
	s.asked.Add(1)
	return s.Store.Find(token)
}

func newHouse(t testing.TB) *house {
	return newHouseAt(t, httpapi.Site{Payments: fakePage})
}

func newHouseAt(t testing.TB, site httpapi.Site) *house {
	t.Helper()
	h := foundations(t, nil)
	h.serve(t, site)
	return h
}

// foundations are a house that serves nobody yet; wall is where its clock starts from.
func foundations(t testing.TB, wall func() time.Time) *house {
	t.Helper()
	h := &house{api: readOpenAPI(t), passwords: sessionidentity.NewPasswords()}
	var err error
	h.clock, err = devclock.Open("", wall)
	require.NoError(t, err)
	h.mailbox, err = devmail.New(h.clock, "")
	require.NoError(t, err)
	h.provider, err = fakepayment.Open(fakepayment.Config{
		Clock: h.clock, Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(t, err)
	h.store, err = sqlstorage.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "diy.db"))
	require.NoError(t, err)
	require.NoError(t, h.store.Migrate(t.Context()))
	t.Cleanup(func() { _ = h.store.Close() })
	return h
}

func (h *house) serve(t testing.TB, site httpapi.Site) {
	h.sessions = sessionStore{Store: memstore.NewWithCleanupInterval(0), asked: new(atomic.Int64)}
	var kept scs.Store = h.sessions
	if h.keepsSessions {
		kept = h.store.Sessions()
	}
	sessions := sessionidentity.NewSessions(kept, sessionidentity.Options{
		Fail: func(w http.ResponseWriter, _ *http.Request, err error) { httpapi.WriteError(w, err) },
	})
	xsrf, err := sessionidentity.NewXSRF(sessions, make([]byte, sessionidentity.XSRFKeySize))
	require.NoError(t, err)
	browsers, err := sessionidentity.NewKnownBrowsers(make([]byte, sessionidentity.KnownBrowsersKeySize), false)
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	h.useCases = app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: h.store, Provider: h.provider, Sessions: sessions,
		Passwords: h.passwords, Mail: h.mailbox, Clock: h.clock, Log: log,
		PublicURL: "http://diy.test", Brand: "Vision",
	})
	handler, err := httpapi.New(httpapi.Options{
		UseCases: h.useCases, Sessions: sessions, Session: sessions.Middleware, XSRF: xsrf, Clock: h.clock,
		Browsers: browsers, Limits: h.limits, ProviderCalls: h.calls, Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Ready: func(r *http.Request) error { return h.store.Ready(r.Context()) },
		WebApp: fstest.MapFS{
			"index.html":          {Data: []byte("<!doctype html><title>diy</title>")},
			"screens.json":        {Data: []byte(`{"/vc-admin/diy/regform": "<!doctype html><title>diy</title><link href=assets/form-1.js>"}`)},
			".vite/manifest.json": {Data: []byte("{}")},
			"assets/.keep":        {Data: []byte("{}")},
			"assets/app-1.js":     {Data: []byte("export {}")},
			"assets/app-1.js.br":  {Data: []byte("brotli twin")},
			"assets/app-1.js.gz":  {Data: gzipped(t, "export {}")},
		},
		Catalogue: catalogue.Default(), Capabilities: h.provider.Capabilities(), Site: site, Log: log,
		Routes: []httpapi.Routes{func(r chi.Router) {
			r.Mount("/dev/payments", http.StripPrefix("/dev/payments", h.provider.Browser()))
		}},
	})
	require.NoError(t, err)
	h.server = httptest.NewServer(handler)
	t.Cleanup(h.server.Close)
}

// deliverMail sends what waits in the outbox and returns the newest letter's text.
func (h *house) deliverMail(t testing.TB) string {
	t.Helper()
	_, err := h.useCases.AnswerEmailRequests.Do(t.Context())
	require.NoError(t, err)
	_, err = h.useCases.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	letters := h.mailbox.Emails()
	require.NotEmpty(t, letters)
	return letters[0].Text
}

func (h *house) advance(t testing.TB, step time.Duration) {
	t.Helper()
	_, err := h.clock.Advance(step)
	require.NoError(t, err)
}

// browser is one visitor with cookies of their own.
func (h *house) browser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browser{t: t, house: h, http: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func gunzipped(t testing.TB, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	require.NoError(t, err)
	plain, err := io.ReadAll(r)
	require.NoError(t, err)
	return plain
}
