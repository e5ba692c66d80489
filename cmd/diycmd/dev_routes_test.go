package diycmd

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// devToolPaths contains paths of all development tools.
var devToolPaths = []string{
	"/dev", "/dev/panel.css", "/dev/mailbox", "/dev/mailbox.json", "/dev/emails", "/dev/emails.json", "/dev/clock",
	"/dev/payments/intents/unknown", "/dev/components", "/dev/components/assets/app.js",
}

// getWithHost sends a request with the Host header and returns the status.
func getWithHost(t *testing.T, host, url string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	r.Host = host
	response, err := httpClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

// With DNS rebinding, the name of a website resolves to a loopback address.
func TestDevRoutes_RefuseForeignHosts(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))
	for _, path := range devToolPaths {
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
	p := startInProcessServer(t, env)

	assert.Equal(t, http.StatusOK, getWithHost(t, "clinic.test:8080", "http://"+p.addr+"/dev/mailbox"))
	assert.Equal(t, http.StatusForbidden, getWithHost(t, "clinic.test:9090", "http://"+p.addr+"/dev/mailbox"))
}

func TestDevClock_RefusesCrossSiteRequests(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.addr+"/dev/clock",
		strings.NewReader(`{"advance": "192h"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "text/plain")

	response, err := httpClient.Do(r)

	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
}

// getDevPanel returns the development panel of a server.
func getDevPanel(t *testing.T, p inProcessServer) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.addr+"/dev", http.NoBody)
	require.NoError(t, err)
	response, err := httpClient.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusOK, response.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	return string(body)
}

func TestDevPanel_LinksServedPages(t *testing.T) {
	p := startInProcessServer(t, devSettings(t))

	panel := getDevPanel(t, p)

	for _, page := range devPages {
		assert.Contains(t, panel, `<a href="`+page.Path+`">`)
		assert.Equal(t, http.StatusOK, getStatus(t, "http://"+p.addr+page.Path), page.Path)
	}
}

func TestDevPanel_OmitsTheMailboxWithAMailServer(t *testing.T) {
	env := devSettings(t)
	env["DIY_SMTP_URL"], env["DIY_MAIL_FROM"] = "smtp://127.0.0.1:1", "billing@clinic.test"

	panel := getDevPanel(t, startInProcessServer(t, env))

	assert.Contains(t, panel, `href="/dev/emails"`)
	assert.NotContains(t, panel, `href="/dev/mailbox"`)
}

// submitForm submits a form of the development panel, follows the redirect and returns the page.
func submitForm(t *testing.T, rawURL string, fields url.Values) (status int, page string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, rawURL, strings.NewReader(fields.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := (&http.Client{Timeout: eventTimeout}).Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, string(body)
}

// The panel waits until the application has received the events of a form.
func TestDevPanel_ChangesWhatTheCustomerSees(t *testing.T) {
	for _, provider := range []string{"fake", "fakegateway"} {
		env := devSettings(t)
		env["DIY_PAYMENTS"] = provider
		e := newDisputeEnv(t, startInProcessServer(t, env))

		status, page := submitForm(t, e.server+"/dev/panel/dispute", url.Values{"invoice": {e.number}, "action": {"open"}})

		assert.Equal(t, http.StatusOK, status, page)
		assert.Contains(t, page, "The dispute was changed.")
		status, body := e.changePlan()
		assert.Contains(t, errorMessage(t, http.StatusConflict, status, body), onHoldMessage)
		_, _ = submitForm(t, e.server+"/dev/panel/dispute", url.Values{"invoice": {e.number}, "action": {"lift"}})
		status, body = e.changePlan()
		assert.Equal(t, http.StatusOK, status, body)
		assert.Contains(t, page, "Test cards and bank accounts")
		assert.Equal(t, provider == "fake", strings.Contains(page, "Next charge"))
	}
}
