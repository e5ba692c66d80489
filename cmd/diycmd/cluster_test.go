package diycmd

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

func TestServers_ShareAPostgresDatabase(t *testing.T) {
	database := postgrestest.URL(t)
	first, second := startServer(t, database).url, startServer(t, database).url
	ada := newBrowser(t)

	ada.get(first + "/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusCreated, ada.post(second+"/vc-admin/signup", registration))
	ada.get(second + ada.waitForVerificationPath(first, second))
	assert.Equal(t, http.StatusBadRequest, ada.post(first+"/vc-admin/signup", registration), "the organisation exists")
	assert.Equal(t, http.StatusOK, ada.post(first+"/auth/login", `{"username": "ada@example.test", "password": "Secret-pass-1"}`))
	for _, server := range []string{first, second} {
		assert.Contains(t, ada.get(server+"/vc-admin/user/detail"), "ada@example.test")
		assert.Equal(t, http.StatusAccepted, ada.post(server+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`))
	}

	ada.get(second + "/vc-admin/auth/logout")
	for _, server := range []string{first, second} {
		assert.JSONEq(t, `{"detail": null}`, ada.get(server+"/vc-admin/user/detail"))
	}
	requireSharedLimits(t, ada, first, second)
}

// requireSharedLimits requires that the servers share the rate limits and the known browsers.
func requireSharedLimits(t *testing.T, ada browser, first, second string) {
	t.Helper()
	attacker := newBrowser(t)
	attacker.get(first + "/vc-admin/diy/config.json")
	guess := `{"username": "ada@example.test", "password": "Secret-guess-1"}`
	for i := range 10 {
		assert.Equal(t, http.StatusUnauthorized, attacker.post([]string{first, second}[i%2]+"/auth/login", guess))
	}
	for _, server := range []string{first, second} {
		assert.Equal(t, http.StatusTooManyRequests, attacker.post(server+"/auth/login", guess))
	}
	assert.Equal(t, http.StatusOK, ada.post(second+"/auth/login", `{"username": "ada@example.test", "password": "Secret-pass-1"}`))
}

func TestServe_UsesForwardedAddressesOfTrustedProxies(t *testing.T) {
	for proxies, want := range map[string]string{"127.0.0.1": "203.0.113.7", "10.0.0.0/8": "127.0.0.1"} {
		server := startServer(t, newSQLiteURL(t), "DIY_TRUSTED_PROXIES="+proxies)
		b := newBrowserBehindProxy(t, "192.0.2.1, 203.0.113.7")
		b.get(server.url + "/vc-admin/diy/config.json")
		for range 4 {
			b.post(server.url+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`)
		}
		address := server.waitForLog(t, regexp.MustCompile(`"msg":"limit reached",.*"address":"([^"]*)"`))
		assert.Equal(t, want, address, "trusting %q", proxies)
	}
}

func TestServe_RateLimitsCanBeTurnedOff(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_RATE_LIMITS=off").url
	b := newBrowser(t)
	b.get(server + "/vc-admin/diy/config.json")
	for range 6 {
		assert.Equal(t, http.StatusAccepted, b.post(server+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`))
	}
}
