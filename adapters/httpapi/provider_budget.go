package httpapi

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/identity"
)

// requestClass describes a class of requests that call the payment provider. There is a class for reads and a class for
// writes.
type requestClass struct {
	calls              float64       // provider calls of a request, approximately
	reserve            float64       // share of a full bucket that must be left for requests of the other class
	maxPerOrganisation int           // concurrent requests of an organisation
	maxPerServer       int           // concurrent requests of the server
	maxWait            time.Duration // how long a request waits for the budget
}

// Writes have priority over reads. A read must leave half of a bucket, and reads and writes have separate limits of
// concurrent requests. Payments therefore continue while many users, or one attacker, read data.
var (
	providerRead  = &requestClass{calls: 2, reserve: 0.5, maxPerOrganisation: 4, maxPerServer: 24, maxWait: 2 * time.Second}
	providerWrite = &requestClass{calls: 8, reserve: 0, maxPerOrganisation: 4, maxPerServer: 64, maxWait: 10 * time.Second}
)

const (
	// organisationShare is the share of the server's calls per second that one organisation may use.
	organisationShare = 0.125
	// organisationBurst is the capacity of an organisation's bucket, in seconds of its share.
	organisationBurst = 8
	// maxBuckets is the number of organisations' buckets from which idle buckets are removed.
	maxBuckets = 1000
)

// providerBudget limits the concurrent requests that call the payment provider and their calls per
// second, for each organisation and for the whole server. It refuses requests only before they begin.
type providerBudget struct {
	callsPerSecond float64 // calls of the whole server; 0 for no limit

	mu                  sync.Mutex
	serverBucket        *callBucket
	organisationBuckets map[string]*callBucket
	requestEnded        chan struct{} // closed and replaced when a request ends
}

func newProviderBudget(callsPerSecond int) *providerBudget {
	rate := float64(callsPerSecond)
	return &providerBudget{
		callsPerSecond: rate, serverBucket: newCallBucket(rate, rate),
		organisationBuckets: map[string]*callBucket{}, requestEnded: make(chan struct{}),
	}
}

// admit waits until the budget allows a request. The caller must call end after the request. The error is ERRRATE if the
// organisation's budget stays exhausted, and ERRPROVIDER if the server's budget stays exhausted.
func (b *providerBudget) admit(ctx context.Context, organisationID string, class *requestClass) (end func(), err error) {
	if b.callsPerSecond == 0 {
		return func() {}, nil
	}
	deadline := b.now().Add(class.maxWait)
	for {
		wait, requestEnded, err := b.tryBegin(organisationID, class)
		if err == nil {
			return func() { b.end(organisationID, class) }, nil
		}
		timeLeft := deadline.Sub(b.now())
		if timeLeft <= 0 || wait > timeLeft {
			return nil, err
		}
		if wait == 0 { // too many requests are in progress
			wait = timeLeft
		}
		if sleep(ctx, wait, requestEnded) != nil {
			return nil, err
		}
	}
}

// tryBegin begins the request if the budget allows it. Otherwise it returns the error, a channel that is closed when a
// request ends, and the time until there are enough tokens. The time is 0 if too many requests are in progress.
func (b *providerBudget) tryBegin(
	organisationID string, class *requestClass,
) (wait time.Duration, requestEnded <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	organisationBucket := b.organisationBucket(organisationID, now)
	buckets := []*callBucket{organisationBucket, b.serverBucket}
	for _, bucket := range buckets {
		bucket.refill(now)
	}
	switch {
	case organisationBucket.requests[class] >= class.maxPerOrganisation:
		return 0, b.requestEnded, rateLimitError(time.Second)
	case organisationBucket.refillTime(class) > 0:
		return organisationBucket.refillTime(class), b.requestEnded, rateLimitError(organisationBucket.refillTime(class))
	case b.serverBucket.requests[class] >= class.maxPerServer:
		return 0, b.requestEnded, errProviderBusy
	case b.serverBucket.refillTime(class) > 0:
		return b.serverBucket.refillTime(class), b.requestEnded, errProviderBusy
	}
	for _, bucket := range buckets {
		bucket.tokens -= class.calls
		bucket.requests[class]++
	}
	return 0, nil, nil
}

// end records the end of a request and wakes the waiting ones.
func (b *providerBudget) end(organisationID string, class *requestClass) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.serverBucket.requests[class]--
	b.organisationBuckets[organisationID].requests[class]--
	close(b.requestEnded)
	b.requestEnded = make(chan struct{})
}

// organisationBucket returns the organisation's bucket, which is full at first.
func (b *providerBudget) organisationBucket(id string, now time.Time) *callBucket {
	if bucket, ok := b.organisationBuckets[id]; ok {
		return bucket
	}
	if len(b.organisationBuckets) >= maxBuckets {
		maps.DeleteFunc(b.organisationBuckets, func(_ string, bucket *callBucket) bool { return bucket.isIdle(now) })
	}
	share := b.callsPerSecond * organisationShare
	bucket := newCallBucket(share, share*organisationBurst)
	b.organisationBuckets[id] = bucket
	return bucket
}

// callBucket is a token bucket of provider calls, which also counts the requests in progress.
type callBucket struct {
	refillRate, capacity float64 // in calls per second, and in calls
	tokens               float64 // may become negative
	refilledAt           time.Time
	requests             map[*requestClass]int // in progress
}

func newCallBucket(refillRate, capacity float64) *callBucket {
	return &callBucket{refillRate: refillRate, capacity: capacity, tokens: capacity, requests: map[*requestClass]int{}}
}

// refill adds the tokens for the time since its last call.
func (c *callBucket) refill(now time.Time) {
	c.tokens = min(c.capacity, c.tokens+c.refillRate*now.Sub(c.refilledAt).Seconds())
	c.refilledAt = now
}

// refillTime returns the time until there are enough tokens for a request, or 0 if there are enough now.
func (c *callBucket) refillTime(class *requestClass) time.Duration {
	missingTokens := c.capacity*class.reserve - c.tokens
	if missingTokens < 0 {
		return 0
	}
	return time.Duration(missingTokens/c.refillRate*float64(time.Second)) + time.Millisecond
}

// isIdle reports whether no request is in progress and none has begun for a minute. The bucket is full then.
func (c *callBucket) isIdle(now time.Time) bool {
	return c.requests[providerRead]+c.requests[providerWrite] == 0 && now.Sub(c.refilledAt) > time.Minute
}

// now returns the real time, because the provider does not follow the development clock.
func (b *providerBudget) now() time.Time { return time.Now() } //nolint:forbidigo // see above

// sleep waits for the duration or until wake is closed. It returns an error if the context ends first.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-wake:
	}
	return nil
}

// withBudget returns a handler that waits until the provider budget allows a request of the class, and then calls next.
func (a *api) withBudget(class *requestClass, next userHandler) userHandler {
	return func(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
		end, err := a.budget.admit(r.Context(), caller.OrganisationID, class)
		if err != nil {
			a.Log.WarnContext(r.Context(), "provider budget exhausted", "route", routePattern(r), "error", err)
			return err
		}
		defer end()
		return next(w, r, caller)
	}
}
