package stripepayment

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestBackoff_GrowsUpToALimit(t *testing.T) {
	c := &retryTransport{firstDelay: 250 * time.Millisecond}
	for n, most := range map[int]time.Duration{
		2: 250 * time.Millisecond, 3: 500 * time.Millisecond, 4: time.Second, 6: 4 * time.Second, 8: 4 * time.Second,
	} {
		pause := c.backoff(n, nil)
		assert.GreaterOrEqual(t, pause, most/2, "before attempt %d", n)
		assert.LessOrEqual(t, pause, most, "before attempt %d", n)
	}
}

func TestBackoff_FollowsRetryAfter(t *testing.T) {
	c := &retryTransport{firstDelay: time.Millisecond}
	for header, want := range map[string]time.Duration{
		"2": 2 * time.Second, "3600": 4 * time.Second,
		"0": time.Millisecond, "-1": time.Millisecond, "soon": time.Millisecond,
	} {
		response := &http.Response{Header: http.Header{"Retry-After": {header}}}
		assert.LessOrEqual(t, c.backoff(2, response), want, header)
		assert.GreaterOrEqual(t, c.backoff(2, response), want/2, header)
	}
}
