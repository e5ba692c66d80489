package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

type addressKey struct{}

// knowClient finds out once for each request which address it comes from.
func knowClient(proxies []netip.Prefix) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := context.WithValue(r.Context(), addressKey{}, clientAddress(r, proxies))
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// clientAddress is the peer's address or, as far as trusted proxies vouch for it, the one that
// X-Forwarded-For names: its right end was written by the nearest proxy, so it is read from there
// up to the first address that is no trusted proxy's. What can't be read ends the walk, because
// nothing to its left is worth more. The address is not valid when even the peer has none.
func clientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	client, _ := parseAddress(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, ok := parseAddress(hop)
		if !ok || !within(proxies, client) {
			break
		}
		client = before
	}
	return client
}

// parseAddress reads an address with or without a port, and the IPv4 address in an IPv6 one.
func parseAddress(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		withPort, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		address = withPort.Addr()
	}
	return address.Unmap().WithZone(""), true
}

func within(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// networkOf returns what rate limits count the request's client by: its IPv4 address, or the /64
// network of its IPv6 address, which is the smallest that an internet provider assigns.
func networkOf(r *http.Request) string {
	address := clientOf(r)
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}

// siteOf returns the /48 network of an IPv6 client, which is the largest that one customer usually
// has: 65,536 networks of /64.
func siteOf(r *http.Request) (network string, ok bool) {
	address := clientOf(r)
	if !address.Is6() {
		return "", false
	}
	return netip.PrefixFrom(address, 48).Masked().String(), true
}

func clientOf(r *http.Request) netip.Addr {
	address, _ := r.Context().Value(addressKey{}).(netip.Addr)
	return address
}
