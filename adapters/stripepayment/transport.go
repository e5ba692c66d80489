package stripepayment

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/vc-admin/diy/ports/clock"
)

const (
	maxAttempts         = 4 // after network errors, server errors and rate limits
	maxAttemptsWhenBusy = 8 // while another request uses the idempotency key
	maxBackoff          = 4 * time.Second
	maxResponseSize     = 16 << 20
)

// errRedirect is the error for a redirect, which Stripe's library would treat as success. Stripe's API never redirects,
// so a proxy must have sent the response.
var errRedirect = errors.New("the request was redirected")

// retryTransport repeats requests after temporary failures. The bytes and the idempotency key stay the same, so Stripe
// executes the request once.
type retryTransport struct {
	next       http.RoundTripper
	timeout    time.Duration // of one attempt
	firstDelay time.Duration // before the second attempt
	log        *slog.Logger
}

func newRetryTransport(c Config) *retryTransport {
	return &retryTransport{next: newTransport(), timeout: c.Timeout, firstDelay: c.Backoff, log: c.Log}
}

// RoundTrip sends the request up to maxAttemptsWhenBusy times. It returns the last response, with its body in
// memory, or the last error. All attempts together take at most twice the time limit of one.
func (t *retryTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }() // attempts use GetBody
	}
	ctx, cancel := context.WithTimeout(req.Context(), 2*t.timeout)
	defer cancel()
	for n := 1; ; n++ {
		response, err := t.attempt(ctx, req)
		if !shouldRetry(response, err, n) || ctx.Err() != nil {
			return response, err
		}
		t.logRetry(ctx, req, response, err, n)
		if !wait(ctx, t.backoff(n+1, response)) {
			return response, err
		}
	}
}

// attempt sends the request once and reads the whole response, so that a connection that breaks during the body is an
// error that is retried.
func (t *retryTransport) attempt(ctx context.Context, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	attemptReq := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		attemptReq.Body = body
	}
	response, err := t.next.RoundTrip(attemptReq)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponseSize))
	_ = response.Body.Close() // the body has been read
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		return nil, errRedirect
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// shouldRetry reports whether to send the request again after n attempts. The header Stripe-Should-Retry takes precedence
// over the status. A replayed response is final.
func shouldRetry(response *http.Response, err error, n int) bool {
	if err != nil {
		return n < maxAttempts
	}
	shouldRetryHeader := response.Header.Get("Stripe-Should-Retry")
	switch {
	case shouldRetryHeader == "false", response.Header.Get("Idempotent-Replayed") == "true":
		return false
	case response.StatusCode == http.StatusConflict:
		return n < maxAttemptsWhenBusy
	case shouldRetryHeader == "true", response.StatusCode == http.StatusTooManyRequests,
		response.StatusCode >= http.StatusInternalServerError:
		return n < maxAttempts
	}
	return false
}

// backoff returns the delay before attempt n. It doubles with every attempt, and up to half of it is subtracted at
// random. If the response has the header Retry-After, the delay is at least that time, but not more than maxBackoff.
func (t *retryTransport) backoff(n int, response *http.Response) time.Duration {
	delay := clock.Backoff{First: t.firstDelay, Max: maxBackoff}.Delay(n - 1)
	delay = delay/2 + rand.N(delay/2+1) //nolint:gosec // jitter
	if response == nil {
		return delay
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return delay
	}
	return max(delay, min(time.Duration(seconds)*time.Second, maxBackoff))
}

// logRetry logs a failed attempt without any content of the request or response.
func (t *retryTransport) logRetry(ctx context.Context, req *http.Request, response *http.Response, err error, n int) {
	args := []any{"method", req.Method, "path", req.URL.Path, "attempt", n}
	if err != nil {
		args = append(args, "error", err)
	} else {
		args = append(args, "status", response.StatusCode, "stripe_request", response.Header.Get("Request-Id"))
	}
	t.log.WarnContext(ctx, "retrying a stripe request", args...)
}

// wait waits for d and returns true. It returns false as soon as ctx ends.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// newTransport returns a transport with timeouts for connecting, for the TLS handshake and for idle connections.
func newTransport() *http.Transport {
	const connectTimeout = 5 * time.Second
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: connectTimeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 32,
		IdleConnTimeout:     90 * time.Second,
	}
}
