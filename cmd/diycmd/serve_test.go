package diycmd

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestServe_RespondsAndStops(t *testing.T) {
	database := "sqlite:" + filepath.Join(t.TempDir(), "new", "diy.db")
	p := startInProcessServer(t, map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_DATABASE_URL": database})

	for _, path := range []string{
		"/healthz", "/readyz", "/vc-admin/diy/plans", "/dev/mailbox", "/dev/mailbox.css", "/dev/mailbox.json",
		"/dev/clock", "/dev/components",
	} {
		assert.Equal(t, http.StatusOK, getStatus(t, "http://"+p.addr+path), path)
	}

	assert.Zero(t, p.stop())
}

func TestServe_StopsImmediatelyAfterListening(t *testing.T) {
	for range 5 {
		require.Zero(t, startInProcessServer(t, devSettings(t)).stop())
	}
}

func TestServe_RestartKeepsDevelopmentClock(t *testing.T) {
	env := devSettings(t)
	first := startInProcessServer(t, env)
	clockTime := sendToClock(t, first, http.MethodPost, `{"advance": "192h"}`)
	require.Zero(t, first.stop())

	second := startInProcessServer(t, env)

	assert.False(t, sendToClock(t, second, http.MethodGet, "").Before(clockTime), "the clock does not go back")
	require.Zero(t, second.stop())
}

// sendToClock sends the body to the development clock and returns the clock's time.
func sendToClock(t *testing.T, p inProcessServer, method, body string) time.Time {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+p.addr+"/dev/clock", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	response, err := httpClient.Do(r)
	require.NoError(t, err)
	var clock struct{ Now time.Time }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&clock))
	require.NoError(t, response.Body.Close())
	return clock.Now
}

func TestServe_FailsIfAddressIsInUse(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	env := devSettings(t)
	env["DIY_ADDR"] = listener.Addr().String()
	var stderr strings.Builder

	code := run(t.Context(), env, &stderr, "serve")

	assert.Equal(t, 1, code)
	assert.Contains(t, stderr.String(), "address already in use")
}

func TestServe_RefusesAnInvalidConfiguration(t *testing.T) {
	var stderr strings.Builder

	code := run(t.Context(), map[string]string{"DIY_ENV": "production"}, &stderr)

	assert.Equal(t, 2, code)
	assert.Contains(t, stderr.String(), "DIY_SMTP_URL")
}

// stripePolicy is the content security policy of a server with Stripe.
const stripePolicy = "default-src 'none'; script-src 'self' https://js.stripe.com https://*.js.stripe.com; " +
	"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; " +
	"connect-src 'self' https://api.stripe.com; " +
	"img-src 'self' data:; style-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
	"object-src 'none'; frame-ancestors 'none'"

func TestServe_ProductionHasNoDevelopmentTools(t *testing.T) {
	env := productionSettings("sqlite:" + filepath.Join(t.TempDir(), "diy.db"))
	env["DIY_STRIPE_API_URL"], env["DIY_DRAIN"] = "http://127.0.0.1:1", "0s"
	require.Zero(t, run(t.Context(), env, io.Discard, "migrate"))
	p := startInProcessServer(t, env)

	for _, path := range []string{
		"/dev", "/dev/panel.css", "/dev/mailbox", "/dev/mailbox.json", "/dev/clock", "/dev/components",
		"/dev/payments/payment_methods", "/metrics", "/debug/pprof/", "/.git/HEAD", "/vc-admin/diy/.vite/manifest.json",
	} {
		assert.Equal(t, http.StatusNotFound, getStatus(t, "http://"+p.addr+path), path)
	}
	for _, form := range []string{"clock", "charge", "events", "invoice", "dispute"} {
		status, _ := submitForm(t, "http://"+p.addr+"/dev/panel/"+form, url.Values{"by": {"1h"}})
		assert.Equal(t, http.StatusNotFound, status, form)
	}
	header := sendRaw(t, p.addr, "GET /vc-admin/diy/config.json HTTP/1.1\r\nHost: diy.example\r\n\r\n")
	assert.Contains(t, header.Get("Set-Cookie"), "; Secure; SameSite=Lax")
	assert.NotEmpty(t, header.Get("Strict-Transport-Security"))
	assert.Equal(t, stripePolicy, header.Get("Content-Security-Policy"))
	for _, name := range []string{"Server", "X-Powered-By", "Via"} {
		assert.NotContains(t, header, name, "the header would reveal the software")
	}
	assert.Zero(t, p.stop())
}

func TestServe_WarnsAboutProductionWithoutHTTPS(t *testing.T) {
	for publicURL, want := range map[string]int{"http://diy.example": 1, "https://diy.example": 0} {
		var log strings.Builder
		config{Env: "production", PublicURL: publicURL}.logWarnings(newLogger(&log),
			&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
		assert.Equal(t, want, strings.Count(log.String(), "DIY_PUBLIC_URL is not https"), publicURL)
	}
}

func TestServe_WarnsInProductionAboutTaxRatesOfEmbeddedCatalogue(t *testing.T) {
	for file, want := range map[string]int{"": 1, "own.json": 0} {
		var log strings.Builder
		config{Env: "production", CatalogueFile: file}.logWarnings(newLogger(&log),
			&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
		assert.Equal(t, want, strings.Count(log.String(), "DIY_CATALOGUE is empty"), file)
	}
}

func TestServe_WarnsWhenAProxyMayBeUntrusted(t *testing.T) {
	for _, c := range []struct {
		env, publicURL, proxies, address string
		want                             int
	}{
		{"development", "", "", "127.0.0.1:8080", 0},
		{"development", "http://localhost:8080", "", "127.0.0.1:8080", 0},
		{"development", "http://192.168.1.5:8080", "", "0.0.0.0:8080", 0},
		{"development", "http://diy.example", "", "[::]:80", 0},
		{"development", "http://diy.example", "", "127.0.0.1:8080", 1},
		{"development", "http://127.0.0.1:9090", "", "127.0.0.1:8080", 1},
		{"development", "https://diy.example", "", "0.0.0.0:443", 1},
		{"development", "https://diy.example", "10.0.0.1", "127.0.0.1:8080", 0},
		{"production", "http://diy.example", "", "0.0.0.0:80", 1},
		{"production", "https://diy.example", "", "127.0.0.1:8080", 1},
		{"production", "https://diy.example", "10.0.0.0/8", "127.0.0.1:8080", 0},
	} {
		cfg := config{Env: c.env, PublicURL: c.publicURL, TrustedProxiesText: c.proxies}
		cfg.readProxies(&configError{})
		var log strings.Builder
		cfg.logWarnings(newLogger(&log), net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.address)))
		assert.Equal(t, c.want, strings.Count(log.String(), "DIY_TRUSTED_PROXIES is empty"), "%+v", c)
	}
}

func TestServe_LogsForwardedHeadersOfAnUntrustedProxy(t *testing.T) {
	server := startServer(t, newSQLiteURL(t))
	assert.NotContains(t, server.logText(t), "listening for operators", "the admin server needs DIY_ADMIN_ADDR")
	newBrowserBehindProxy(t, "203.0.113.7").get(server.url + "/healthz")
	server.waitForLog(t, regexp.MustCompile(`"level":"WARN","msg":"ignored forwarded headers[^"]*","peer":"(127\.0\.0\.1)"`))
}
