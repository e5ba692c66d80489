package stripepayment

import (
	"net"
	"net/http"
	"time"
)

// newTransport is the way to Stripe, with a limit on each part of it.
func newTransport() *http.Transport {
	const connecting = 5 * time.Second
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connecting, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: connecting,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
	}
}
