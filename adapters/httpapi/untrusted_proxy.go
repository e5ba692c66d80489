package httpapi

import (
	"net/http"
	"sync"
	"time"
)

// untrustedProxyInterval is the least time between two warnings about forwarded headers, which any
// client can send.
const untrustedProxyInterval = time.Hour

// forwardedHeaders are what reverse proxies name their client in.
var forwardedHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip"}

// warnOfUntrustedProxy logs from time to time that forwarded headers arrive from an address that is
// no trusted proxy. If it is the operator's own proxy, all users share its address and its limits.
func (a *api) warnOfUntrustedProxy(next http.Handler) http.Handler {
	var mu sync.Mutex
	var quietUntil time.Time
	due := func() bool {
		mu.Lock()
		defer mu.Unlock()
		now := a.Clock.Now()
		if now.Before(quietUntil) {
			return false
		}
		quietUntil = now.Add(untrustedProxyInterval)
		return true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if peer, ok := parseAddress(r.RemoteAddr); ok && forwarded(r) && !within(a.Proxies, peer) && due() {
			a.Log.WarnContext(r.Context(), "ignored forwarded headers of an address that is not in DIY_TRUSTED_PROXIES: "+
				"if it is your proxy, all users share its rate limits", "peer", peer.String())
		}
		next.ServeHTTP(w, r)
	})
}

func forwarded(r *http.Request) bool {
	for _, name := range forwardedHeaders {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}
