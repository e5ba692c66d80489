package main

import (
	"io"
	"net/http"
	"path/filepath"
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
		config{Env: "production", PublicURL: address}.warn(newLog(&log))
		assert.Equal(t, want, strings.Count(log.String(), "DIY_PUBLIC_URL is not https"), address)
	}
}
