package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whatever a request says of its way here, it comes from where it came from unless proxies of ours
// vouch for something else, and what limits know it by is an address or a network, or that there is none.
func FuzzClientAddress(f *testing.F) {
	for _, seed := range []string{
		"", ",", "203.0.113.7", "203.0.113.7:12345, 10.0.0.1", "[2001:db8::7%eth0]:1", "::ffff:10.0.0.1, fd00::2", "unknown, _hidden", "1.2.3.4/8", "[", "[]:", "\xff",
	} {
		f.Add("10.0.0.1:4711", seed, "203.0.113.7")
		f.Add("203.0.113.9:4711", "203.0.113.7", seed)
		f.Add(seed, "203.0.113.7", "10.0.0.2")
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	f.Fuzz(func(t *testing.T, peer, first, second string) {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = peer, []string{first, second}
		from, _ := parseAddress(peer)
		client := clientAddress(r, proxies)
		assert.Equal(t, from, clientAddress(r, nil))
		if !within(proxies, from) {
			assert.Equal(t, from, client)
		}
		assert.Empty(t, client.Zone())
		assert.Equal(t, client, client.Unmap())
		assert.Equal(t, client.IsValid(), from.IsValid())

		var network string
		withClientAddress(proxies)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { network = clientNetwork(r) })).
			ServeHTTP(httptest.NewRecorder(), r)
		_, noAddress := netip.ParseAddr(network)
		_, noNetwork := netip.ParsePrefix(network)
		assert.Equal(t, client.IsValid(), noAddress == nil || noNetwork == nil, network)
	})
}
