package diycmd

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stripePolicy lets in what Stripe's script needs, word for word, and nothing else.
const stripePolicy = "default-src 'none'; script-src 'self' https://js.stripe.com https://*.js.stripe.com; " +
	"frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com; connect-src 'self' https://api.stripe.com; " +
	"img-src 'self' data:; style-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
	"object-src 'none'; frame-ancestors 'none'"

// What helps to develop and to operate is not there for everybody, and what browsers keep is for
// https only.
func TestProductionHasNothingForDevelopment(t *testing.T) {
	env := inProduction("sqlite:" + filepath.Join(t.TempDir(), "diy.db"))
	env["DIY_STRIPE_API_URL"], env["DIY_DRAIN"] = "http://127.0.0.1:1", "0s"
	require.Zero(t, run(t.Context(), stdio{env: env, stdout: io.Discard, stderr: io.Discard}, []string{"migrate"}))
	p := startProcess(t, env)

	for _, path := range []string{
		"/dev/mailbox", "/dev/mailbox.json", "/dev/clock", "/dev/payments/payment_methods", "/metrics", "/debug/pprof/", "/.git/HEAD",
		"/vc-admin/diy/.vite/manifest.json",
	} {
		assert.Equal(t, http.StatusNotFound, getStatus(t, "http://"+p.addr+path), path)
	}
	header := tell(t, p.addr, "GET /vc-admin/dash HTTP/1.1\r\nHost: diy.example\r\n\r\n")
	assert.Contains(t, header.Get("Set-Cookie"), "; Secure; SameSite=Lax")
	assert.NotEmpty(t, header.Get("Strict-Transport-Security"))
	assert.Equal(t, stripePolicy, header.Get("Content-Security-Policy"))
	for _, name := range []string{"Server", "X-Powered-By", "Via"} {
		assert.NotContains(t, header, name, "it would tell what we are made of")
	}
	assert.Zero(t, p.stop())
}

func TestProductionWithoutHTTPSIsWarnedOf(t *testing.T) {
	for address, want := range map[string]int{"http://diy.example": 1, "https://diy.example": 0} {
		var log strings.Builder
		config{Env: "production", PublicURL: address}.warn(newLog(&log), &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080})
		assert.Equal(t, want, strings.Count(log.String(), "DIY_PUBLIC_URL is not https"), address)
	}
}

func TestServe_WarnsWhenAProxyMayBeUntrusted(t *testing.T) {
	for _, c := range []struct {
		env, publicURL, proxies, listening string
		want                               int
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
		set := config{Env: c.env, PublicURL: c.publicURL, TrustedProxies: c.proxies}
		set.readProxies(&configError{})
		var log strings.Builder
		set.warn(newLog(&log), net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.listening)))
		assert.Equal(t, c.want, strings.Count(log.String(), "DIY_TRUSTED_PROXIES is empty"), "%+v", c)
	}
}

func TestServe_LogsForwardedHeadersOfAnUntrustedProxy(t *testing.T) {
	server := startServer(t, newFile(t))
	behind(t, "203.0.113.7").get(server.url + "/healthz")
	server.waitFor(t, regexp.MustCompile(`"level":"WARN","msg":"ignored forwarded headers[^"]*","peer":"(127\.0\.0\.1)"`))
}
