package stripepayment

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBackoff_DoublesUpToALimit(t *testing.T) {
	transport := &retryTransport{firstDelay: 250 * time.Millisecond}
	for n, limit := range map[int]time.Duration{
		2: 250 * time.Millisecond, 3: 500 * time.Millisecond, 4: time.Second, 6: 4 * time.Second, 8: 4 * time.Second,
	} {
		delay := transport.backoff(n, nil)
		assert.GreaterOrEqual(t, delay, limit/2, "before attempt %d", n)
		assert.LessOrEqual(t, delay, limit, "before attempt %d", n)
	}
}

func TestBackoff_FollowsRetryAfterUpToALimit(t *testing.T) {
	transport := &retryTransport{firstDelay: time.Millisecond}
	for header, want := range map[string]time.Duration{
		"2": 2 * time.Second, "3600": 4 * time.Second,
		"0": time.Millisecond, "-1": time.Millisecond, "soon": time.Millisecond,
	} {
		response := &http.Response{Header: http.Header{"Retry-After": {header}}}
		assert.LessOrEqual(t, transport.backoff(2, response), want, header)
		assert.GreaterOrEqual(t, transport.backoff(2, response), want/2, header)
	}
}
