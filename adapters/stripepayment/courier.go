package stripepayment

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	tries        = 4 // of a request that nobody answers
	patientTries = 8 // of one that waits for another with the same key, or for a lock
	longestPause = 4 * time.Second
	answerLimit  = 16 << 20
)

// errRedirected means that something stands between us and Stripe, whose API never redirects. The
// library would take it for a success.
var errRedirected = errors.New("redirected, which is no answer")

// courier brings a request to Stripe, and brings the same one again while that may help. The same
// bytes carry the same idempotency key, so that Stripe acts once, however often it is asked.
type courier struct {
	next    http.RoundTripper
	timeout time.Duration
	pause   time.Duration
	log     *slog.Logger
}

func newCourier(c Config) *courier {
	return &courier{next: newTransport(), timeout: c.Timeout, pause: c.Pause, log: c.Log}
}

// RoundTrip returns the last answer, read to its end, or the last failure.
func (c *courier) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }() // what is sent comes from GetBody
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*c.timeout)
	defer cancel()
	for n := 1; ; n++ {
		answer, err := c.try(ctx, r)
		if !again(answer, err, n) || ctx.Err() != nil {
			return answer, err
		}
		c.report(ctx, r, answer, err, n)
		if !wait(ctx, c.pauseBefore(n+1, answer)) {
			return answer, err
		}
	}
}

// try sends the request once. The answer is read here, so that a connection that breaks in the
// middle of it is a failure like any other.
func (c *courier) try(ctx context.Context, r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request := r.Clone(ctx)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		request.Body = body
	}
	answer, err := c.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, answerLimit))
	_ = answer.Body.Close() // it was only read
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 && answer.StatusCode < 400 {
		return nil, errRedirected
	}
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer, nil
}

// again reports whether the request should be sent once more after n tries. Stripe's own word
// goes first; an answer that it only repeats will not change.
func again(answer *http.Response, err error, n int) bool {
	if err != nil {
		return n < tries
	}
	advice := answer.Header.Get("Stripe-Should-Retry")
	switch {
	case advice == "false", answer.Header.Get("Idempotent-Replayed") == "true":
		return false
	case answer.StatusCode == http.StatusConflict:
		return n < patientTries
	case advice == "true", answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode >= http.StatusInternalServerError:
		return n < tries
	}
	return false
}

// pauseBefore doubles with every try; half of it is left to chance, so that those who were turned
// away together do not come back together. It is at least what Stripe asks for, within reason.
func (c *courier) pauseBefore(n int, answer *http.Response) time.Duration {
	pause := min(c.pause<<(n-2), longestPause)
	pause = pause/2 + rand.N(pause/2+1) //nolint:gosec // nothing depends on it being unguessable
	if answer == nil {
		return pause
	}
	asked, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || asked < 0 {
		return pause
	}
	return max(pause, min(time.Duration(asked)*time.Second, longestPause))
}

// report logs a try that failed: where to and how, never what was said.
func (c *courier) report(ctx context.Context, r *http.Request, answer *http.Response, err error, n int) {
	args := []any{"method", r.Method, "path", r.URL.Path, "try", n}
	if err != nil {
		args = append(args, "error", err)
	} else {
		args = append(args, "status", answer.StatusCode, "stripe_request", answer.Header.Get("Request-Id"))
	}
	c.log.WarnContext(ctx, "asking stripe again", args...)
}

// wait reports whether it waited to the end: it stops with ctx.
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
