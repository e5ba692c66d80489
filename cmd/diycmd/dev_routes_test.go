package diycmd

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// devPaths lead to one route of every development tool.
var devPaths = []string{"/dev/mailbox", "/dev/mailbox.json", "/dev/clock", "/dev/payments/intents/unknown"}

// statusUnder asks with the Host header that a browser sends for a page at that host.
func statusUnder(t *testing.T, host, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	r.Host = host
	response, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// A website can have its own name resolve to a loopback address and then read what is served there.
func TestDevRoutes_RefuseForeignHosts(t *testing.T) {
	p := startProcess(t, settings(t))
	for _, path := range devPaths {
		for _, host := range []string{"evil.example", "evil.example:8080", "localhost.evil.example", "192.168.1.5", "0.0.0.0:8080"} {
			assert.Equal(t, http.StatusForbidden, statusUnder(t, host, "http://"+p.addr+path), "%s%s", host, path)
		}
		for _, host := range []string{"localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.1.2.3", "[::1]", "[::1]:8080"} {
			assert.NotEqual(t, http.StatusForbidden, statusUnder(t, host, "http://"+p.addr+path), "%s%s", host, path)
		}
	}
	assert.Equal(t, http.StatusOK, statusUnder(t, "evil.example", "http://"+p.addr+"/vc-admin/diy/plans"), "pages answer under every host")
}

func TestDevRoutes_AnswerUnderThePublicURL(t *testing.T) {
	env := settings(t)
	env["DIY_PUBLIC_URL"] = "http://clinic.test:8080"
	p := startProcess(t, env)

	assert.Equal(t, http.StatusOK, statusUnder(t, "clinic.test:8080", "http://"+p.addr+"/dev/mailbox"))
	assert.Equal(t, http.StatusForbidden, statusUnder(t, "clinic.test:9090", "http://"+p.addr+"/dev/mailbox"))
}

func TestDevClock_CanNotBeMovedByAnotherWebsite(t *testing.T) {
	p := startProcess(t, settings(t))

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.addr+"/dev/clock", strings.NewReader(`{"advance": "192h"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "text/plain")

	answer, err := client.Do(r)

	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusForbidden, answer.StatusCode)
}
