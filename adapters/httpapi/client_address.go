package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

type clientAddressKey struct{} // of a context

// withClientAddress returns a context with the address of the client.
func withClientAddress(ctx context.Context, client netip.Addr) context.Context {
	return context.WithValue(ctx, clientAddressKey{}, client)
}

// resolveClientAddress returns the address of the client. It starts with the peer. While the address is that of a trusted
// proxy, it continues with the next entry of X-Forwarded-For, from right to left, because each proxy appends its peer. It
// stops before an entry that can't be parsed. The result is invalid if the peer's address can't be parsed.
func resolveClientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	client, _ := parseAddress(r.RemoteAddr)
	forwardedFor := r.Header.Values("X-Forwarded-For")
	if len(forwardedFor) == 0 {
		return client
	}
	hops := strings.Split(strings.Join(forwardedFor, ","), ",")
	for _, hop := range slices.Backward(hops) {
		address, ok := parseAddress(hop)
		if !ok || !containsAddress(proxies, client) {
			break
		}
		client = address
	}
	return client
}

// parseAddress parses an address with or without a port. IPv4 written as IPv6 becomes IPv4.
func parseAddress(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	addressPort, err := netip.ParseAddrPort(text)
	address := addressPort.Addr()
	if err != nil {
		address, err = netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	}
	return address.Unmap().WithZone(""), err == nil
}

func containsAddress(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// clientNetwork returns the client's IPv4 address or the /64 network of its IPv6 address. A /64 network is the smallest
// one that an internet provider assigns.
func clientNetwork(r *http.Request) string {
	address := clientAddress(r)
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}

// widerClientNetwork returns the /48 network of an IPv6 client. A /48 network is usually the largest one that a single
// customer has.
func widerClientNetwork(r *http.Request) (network string, ok bool) {
	address := clientAddress(r)
	if !address.Is6() {
		return "", false
	}
	return netip.PrefixFrom(address, 48).Masked().String(), true
}

// auditNetwork returns the /24 network of an IPv4 client or the /48 network of an IPv6 client for the audit log, which must
// not contain the address. It returns "" for an unknown address.
func auditNetwork(r *http.Request) string {
	address, bits := clientAddress(r), 24
	if !address.IsValid() {
		return ""
	}
	if address.Is6() {
		bits = 48
	}
	return netip.PrefixFrom(address, bits).Masked().String()
}

// clientAddress returns the address that withClientAddress added to the request's context.
func clientAddress(r *http.Request) netip.Addr {
	address, _ := r.Context().Value(clientAddressKey{}).(netip.Addr)
	return address
}

// proxyWarningInterval is the minimum time between two warnings. Without this interval, any client that sends forwarded
// headers could fill the log.
const proxyWarningInterval = time.Hour

// forwardedHeaders are the headers in which proxies send the address of their client.
var forwardedHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip"}

// warnAboutUntrustedProxy logs that forwarded headers arrived from an address that is not a trusted proxy.
// If the address is the operator's own proxy, all users share its rate limits.
func (a *api) warnAboutUntrustedProxy(next http.Handler) http.Handler {
	var mu sync.Mutex
	var nextWarning time.Time
	shouldWarn := func() bool {
		mu.Lock()
		defer mu.Unlock()
		now := a.Clock.Now()
		if now.Before(nextWarning) {
			return false
		}
		nextWarning = now.Add(proxyWarningInterval)
		return true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hasForwardedHeader(r) {
			peer, ok := parseAddress(r.RemoteAddr)
			if ok && !containsAddress(a.TrustedProxies, peer) && shouldWarn() {
				a.Log.WarnContext(r.Context(), "ignored forwarded headers of an address that is not in DIY_TRUSTED_PROXIES: "+
					"if it is your proxy, all users share its rate limits", "peer", peer.String())
			}
		}
		next.ServeHTTP(w, r)
	})
}

func hasForwardedHeader(r *http.Request) bool {
	for _, name := range forwardedHeaders {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}
