package diycmd

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// devPaths contains a path of each development tool.
var devPaths = []string{
	"/dev",
	"/dev/mailbox", "/dev/mailbox.json", "/dev/emails", "/dev/emails.json", "/dev/clock", "/dev/payments/intents/unknown",
	"/dev/components", "/dev/components/assets/app.js",
}

// getWithHost sends a request with the Host header.
func getWithHost(t *testing.T, host, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	r.Host = host
	response, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// Prevents DNS rebinding: a website whose name resolves to a loopback address.
func TestDevRoutes_RefuseForeignHosts(t *testing.T) {
	p := startInProcess(t, devSettings(t))
	for _, path := range devPaths {
		for _, host := range []string{"evil.example", "evil.example:8080", "localhost.evil.example", "192.168.1.5", "0.0.0.0:8080"} {
			assert.Equal(t, http.StatusForbidden, getWithHost(t, host, "http://"+p.addr+path), "%s%s", host, path)
		}
		for _, host := range []string{"localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.1.2.3", "[::1]", "[::1]:8080"} {
			assert.NotEqual(t, http.StatusForbidden, getWithHost(t, host, "http://"+p.addr+path), "%s%s", host, path)
		}
	}
	assert.Equal(t, http.StatusOK, getWithHost(t, "evil.example", "http://"+p.addr+"/vc-admin/diy/plans"),
		"pages accept any host")
}

func TestDevRoutes_AcceptThePublicURL(t *testing.T) {
	env := devSettings(t)
	env["DIY_PUBLIC_URL"] = "http://clinic.test:8080"
	p := startInProcess(t, env)

	assert.Equal(t, http.StatusOK, getWithHost(t, "clinic.test:8080", "http://"+p.addr+"/dev/mailbox"))
	assert.Equal(t, http.StatusForbidden, getWithHost(t, "clinic.test:9090", "http://"+p.addr+"/dev/mailbox"))
}

func TestDevClock_RefusesOtherWebsites(t *testing.T) {
	p := startInProcess(t, devSettings(t))

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.addr+"/dev/clock", strings.NewReader(`{"advance": "192h"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "text/plain")

	response, err := client.Do(r)

	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
}
