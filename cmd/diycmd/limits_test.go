package diycmd

import (
	"net/http"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// Who guesses at two servers has no more guesses, and whose browser one of them knows is known to
// the other.
func TestServersCountTogether(t *testing.T) {
	database := postgrestest.URL(t)
	servers := []string{startServer(t, database).url, startServer(t, database).url}
	ada, stranger := newVisitor(t), newVisitor(t)
	ada.get(servers[0] + "/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusCreated, ada.post(servers[0]+"/vc-admin/signup", registration))
	ada.get(servers[0] + ada.emailLink(servers...))

	stranger.get(servers[0] + "/vc-admin/diy/config.json")
	guess := `{"username": "ada@example.test", "password": "Secret-guess-1"}`
	for i := range 10 {
		assert.Equal(t, http.StatusUnauthorized, stranger.post(servers[i%2]+"/auth/login", guess))
	}
	for _, server := range servers {
		assert.Equal(t, http.StatusTooManyRequests, stranger.post(server+"/auth/login", guess))
	}

	right := `{"username": "ada@example.test", "password": "Secret-pass-1"}`
	assert.Equal(t, http.StatusOK, ada.post(servers[1]+"/auth/login", right))
}

// behind is a visitor whose requests come through something that tells where they come from.
func behind(t *testing.T, address string) visitor {
	t.Helper()
	v := newVisitor(t)
	v.client.Transport = forwarded(address)
	return v
}

type forwarded string

// RoundTrip adds the header of a proxy.
func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", string(f))
	return http.DefaultTransport.RoundTrip(r)
}

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	for proxies, want := range map[string]string{"127.0.0.1": "203.0.113.7", "10.0.0.0/8": "127.0.0.1", "": "127.0.0.1"} {
		server := startServer(t, "sqlite:"+filepath.Join(t.TempDir(), "diy.db"), "DIY_TRUSTED_PROXIES="+proxies)
		v := behind(t, "192.0.2.1, 203.0.113.7")
		v.get(server.url + "/vc-admin/diy/config.json")
		for range 4 {
			v.post(server.url+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`)
		}
		logged := server.waitFor(t, regexp.MustCompile(`"msg":"limit reached",.*"address":"([^"]*)"`))
		assert.Equal(t, want, logged, "trusting %q", proxies)
	}
}

func TestDevelopmentCanDoWithoutLimits(t *testing.T) {
	server := startServer(t, "sqlite:"+filepath.Join(t.TempDir(), "diy.db"), "DIY_RATE_LIMITS=off").url
	v := newVisitor(t)
	v.get(server + "/vc-admin/diy/config.json")
	for range 6 {
		assert.Equal(t, http.StatusAccepted, v.post(server+"/vc-admin/auth/verify/resend", `{"email": "ada@example.test"}`))
	}
}
