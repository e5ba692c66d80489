package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestResolveClientAddress_UsesHeadersOfTrustedProxiesOnly(t *testing.T) {
	proxies := []netip.Prefix{
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("fd00::/8"),
	}
	tests := map[string]struct {
		peer         string
		forwardedFor []string // the X-Forwarded-For headers
		want         string
	}{
		"no proxy":                              {"203.0.113.7:4711", nil, "203.0.113.7"},
		"an untrusted peer with a header":       {"203.0.113.7:4711", []string{"1.2.3.4"}, "203.0.113.7"},
		"a proxy":                               {"10.0.0.1:4711", []string{"203.0.113.7"}, "203.0.113.7"},
		"a proxy at one address":                {"192.0.2.1:4711", []string{"203.0.113.7"}, "203.0.113.7"},
		"an address beside the proxy":           {"192.0.2.2:4711", []string{"203.0.113.7"}, "192.0.2.2"},
		"a proxy without a header":              {"10.0.0.1:4711", nil, "10.0.0.1"},
		"an empty header":                       {"10.0.0.1:4711", []string{""}, "10.0.0.1"},
		"an address forged by the client":       {"10.0.0.1:4711", []string{"1.2.3.4, 203.0.113.7"}, "203.0.113.7"},
		"a proxy forged by the client":          {"10.0.0.1:4711", []string{"10.9.9.9, 203.0.113.7"}, "203.0.113.7"},
		"two proxies":                           {"10.0.0.1:4711", []string{"1.2.3.4, 203.0.113.7, 10.0.0.2"}, "203.0.113.7"},
		"proxies only":                          {"10.0.0.1:4711", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		"many headers":                          {"10.0.0.1:4711", []string{"1.2.3.4", "203.0.113.7", "10.0.0.2"}, "203.0.113.7"},
		"many headers, client in the last":      {"10.0.0.1:4711", []string{"203.0.113.7, 10.0.0.2", "203.0.113.8"}, "203.0.113.8"},
		"spaces":                                {"10.0.0.1:4711", []string{" 1.2.3.4 ,\t203.0.113.7 "}, "203.0.113.7"},
		"a port":                                {"10.0.0.1:4711", []string{"203.0.113.7:12345"}, "203.0.113.7"},
		"IPv6":                                  {"[fd00::1]:4711", []string{"2001:db8::7"}, "2001:db8::7"},
		"IPv6 in brackets":                      {"[fd00::1]:4711", []string{"[2001:db8::7]"}, "2001:db8::7"},
		"IPv6 with a port":                      {"[fd00::1]:4711", []string{"[2001:db8::7]:12345"}, "2001:db8::7"},
		"IPv6 with a zone":                      {"[fd00::1%eth0]:4711", []string{"fe80::7%eth0"}, "fe80::7"},
		"a proxy with a zone":                   {"10.0.0.1:4711", []string{"203.0.113.7, fd00::2%x"}, "203.0.113.7"},
		"IPv4 in IPv6":                          {"[::ffff:203.0.113.7]:4711", []string{"1.2.3.4"}, "203.0.113.7"},
		"a proxy's IPv4 in IPv6":                {"[::ffff:10.0.0.1]:4711", []string{"::ffff:203.0.113.7"}, "203.0.113.7"},
		"a proxy in IPv6":                       {"10.0.0.1:4711", []string{"203.0.113.7, ::ffff:10.0.0.2"}, "203.0.113.7"},
		"an unparsable entry":                   {"10.0.0.1:4711", []string{"unknown"}, "10.0.0.1"},
		"an unparsable entry before a proxy":    {"10.0.0.1:4711", []string{"203.0.113.7, _hidden, 10.0.0.2"}, "10.0.0.2"},
		"an unparsable entry before the client": {"10.0.0.1:4711", []string{"'; DROP TABLE, 203.0.113.7"}, "203.0.113.7"},
		"a comma at the end":                    {"10.0.0.1:4711", []string{"203.0.113.7,"}, "10.0.0.1"},
		"an invalid address":                    {"10.0.0.1:4711", []string{"203.0.113.777"}, "10.0.0.1"},
		"a network":                             {"10.0.0.1:4711", []string{"203.0.113.0/24"}, "10.0.0.1"},
		"a peer without an address":             {"@", []string{"203.0.113.7"}, "invalid IP"},
		"an empty peer without a header":        {"", nil, "invalid IP"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			r.RemoteAddr, r.Header["X-Forwarded-For"] = tt.peer, tt.forwardedFor
			assert.Equal(t, tt.want, resolveClientAddress(r, proxies).String())
		})
	}
}

func TestClientNetwork_MasksIPv6AddressesTo64Bits(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.7:1":             "203.0.113.7",
		"[2001:db8:1:2:3:4:5:6]:1":  "2001:db8:1:2::/64",
		"[2001:db8:1:2::ffff]:4711": "2001:db8:1:2::/64",
		"[::ffff:203.0.113.7]:1":    "203.0.113.7",
		"nowhere":                   "invalid IP",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.RemoteAddr = address
		r = r.WithContext(withClientAddress(r.Context(), resolveClientAddress(r, nil)))
		assert.Equal(t, want, clientNetwork(r), address)
	}
}

// FuzzResolveClientAddress checks that only trusted proxies change the client's address.
func FuzzResolveClientAddress(f *testing.F) {
	for _, seed := range []string{
		"", ",", "203.0.113.7", "203.0.113.7:12345, 10.0.0.1", "[2001:db8::7%eth0]:1", "::ffff:10.0.0.1, fd00::2",
		"unknown, _hidden", "1.2.3.4/8", "[", "[]:", "\xff",
	} {
		f.Add("10.0.0.1:4711", seed, "203.0.113.7")
		f.Add("203.0.113.9:4711", "203.0.113.7", seed)
		f.Add(seed, "203.0.113.7", "10.0.0.2")
	}
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	f.Fuzz(func(t *testing.T, peer, first, second string) {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = peer, []string{first, second}
		peerAddress, _ := parseAddress(peer)
		client := resolveClientAddress(r, proxies)
		assert.Equal(t, peerAddress, resolveClientAddress(r, nil))
		if !containsAddress(proxies, peerAddress) {
			assert.Equal(t, peerAddress, client)
		}
		assert.Empty(t, client.Zone())
		assert.Equal(t, client, client.Unmap())
		assert.Equal(t, client.IsValid(), peerAddress.IsValid())

		network := clientNetwork(r.WithContext(withClientAddress(r.Context(), client)))
		_, addressErr := netip.ParseAddr(network)
		_, networkErr := netip.ParsePrefix(network)
		assert.Equal(t, client.IsValid(), addressErr == nil || networkErr == nil, network)
	})
}
