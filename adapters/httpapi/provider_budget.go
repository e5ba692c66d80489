package httpapi

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/identity"
)

// providerUse is a kind of request that calls the payment provider.
type providerUse struct {
	// calls is about how many calls of the provider such a request makes.
	calls float64
	// reserve is the share of a full bucket that such a request leaves untouched.
	reserve float64
	// atOnce limits how many such requests run for one organisation and on the whole server.
	atOnceOrganisation, atOnceServer int
	// wait is how long such a request waits for its turn.
	wait time.Duration
}

// Reads give way to writes: they wait while half of a bucket is used, and they never hold the slots of
// writes, so payments go on while many users, or one attacker, look at their data.
var (
	providerRead  = &providerUse{calls: 2, reserve: 0.5, atOnceOrganisation: 4, atOnceServer: 24, wait: 2 * time.Second}
	providerWrite = &providerUse{calls: 8, reserve: 0, atOnceOrganisation: 4, atOnceServer: 64, wait: 10 * time.Second}
)

const (
	// organisationShare is the part of the server's calls per second that one organisation may use.
	organisationShare = 0.125
	// organisationBurst is how many seconds' worth of its share an organisation may use at once: the
	// pages of a person who clicks quickly.
	organisationBurst = 8
	// rememberedOrganisations is how many buckets are kept before those at rest are forgotten.
	rememberedOrganisations = 1000
)

// providerBudget limits how many requests that call the payment provider run at once and how many
// calls per second they make, for each organisation and for the whole server. It decides before a
// request begins: what has begun is never refused.
type providerBudget struct {
	perSecond float64 // calls of the whole server; 0 limits nothing

	mu            sync.Mutex
	server        *callBucket
	organisations map[string]*callBucket
	released      chan struct{} // closed and replaced when a request ends
}

func newProviderBudget(callsPerSecond int) *providerBudget {
	perSecond := float64(callsPerSecond)
	return &providerBudget{
		perSecond: perSecond, server: newCallBucket(perSecond, perSecond),
		organisations: map[string]*callBucket{}, released: make(chan struct{}),
	}
}

// admit waits until the budget has room for the request, and returns the function that ends it. It
// fails with ERRRATE when the organisation's own budget stays exhausted, and with ERRPROVIDER when
// the server's does.
func (b *providerBudget) admit(ctx context.Context, organisationID string, use *providerUse) (end func(), err error) {
	if b.perSecond == 0 {
		return func() {}, nil
	}
	deadline := b.now().Add(use.wait)
	for {
		wait, released, refusal := b.try(organisationID, use)
		if refusal == nil {
			return func() { b.end(organisationID, use) }, nil
		}
		left := deadline.Sub(b.now())
		if left <= 0 || wait > left {
			return nil, refusal
		}
		if wait == 0 { // for a slot, which is free when a request ends
			wait = left
		}
		if err := sleep(ctx, wait, released); err != nil {
			return nil, refusal
		}
	}
}

// try begins the request if the budget has room for it. Otherwise it returns how long the tokens take,
// 0 when a slot is missing, the channel that is closed when a request ends, and the refusal.
func (b *providerBudget) try(organisationID string, use *providerUse) (wait time.Duration, released <-chan struct{}, refusal error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	organisation := b.organisation(organisationID, now)
	buckets := []*callBucket{organisation, b.server}
	for _, bucket := range buckets {
		bucket.refill(now)
	}
	switch {
	case organisation.running[use] >= use.atOnceOrganisation:
		return 0, b.released, errRate(time.Second)
	case organisation.lacks(use) > 0:
		return organisation.lacks(use), b.released, errRate(organisation.lacks(use))
	case b.server.running[use] >= use.atOnceServer:
		return 0, b.released, errProviderBusy
	case b.server.lacks(use) > 0:
		return b.server.lacks(use), b.released, errProviderBusy
	}
	for _, bucket := range buckets {
		bucket.tokens -= use.calls
		bucket.running[use]++
	}
	return 0, nil, nil
}

// end gives the slots back and wakes those who wait for one.
func (b *providerBudget) end(organisationID string, use *providerUse) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server.running[use]--
	b.organisations[organisationID].running[use]--
	close(b.released)
	b.released = make(chan struct{})
}

// organisation returns the organisation's bucket, which is full at first. Buckets at rest are
// forgotten when there are many.
func (b *providerBudget) organisation(id string, now time.Time) *callBucket {
	if known, ok := b.organisations[id]; ok {
		return known
	}
	if len(b.organisations) >= rememberedOrganisations {
		maps.DeleteFunc(b.organisations, func(_ string, bucket *callBucket) bool { return bucket.atRest(now) })
	}
	share := b.perSecond * organisationShare
	made := newCallBucket(share, share*organisationBurst)
	b.organisations[id] = made
	return made
}

// callBucket is a token bucket of calls, and the requests that are under way.
type callBucket struct {
	perSecond, capacity float64
	tokens              float64 // below zero after a request that made more calls than there were
	at                  time.Time
	running             map[*providerUse]int
}

func newCallBucket(perSecond, capacity float64) *callBucket {
	return &callBucket{perSecond: perSecond, capacity: capacity, tokens: capacity, running: map[*providerUse]int{}}
}

// refill adds the tokens of the time since the last call.
func (c *callBucket) refill(now time.Time) {
	c.tokens = min(c.capacity, c.tokens+c.perSecond*now.Sub(c.at).Seconds())
	c.at = now
}

// lacks returns how long it takes until there are tokens for the use, 0 when there are.
func (c *callBucket) lacks(use *providerUse) time.Duration {
	missing := c.capacity*use.reserve - c.tokens
	if missing < 0 {
		return 0
	}
	return time.Duration(missing/c.perSecond*float64(time.Second)) + time.Millisecond
}

// atRest reports whether nothing is under way and the bucket is full again, however empty it was.
func (c *callBucket) atRest(now time.Time) bool {
	return c.running[providerRead]+c.running[providerWrite] == 0 && now.Sub(c.at) > time.Minute
}

// now is the computer's clock, because a provider does not follow a clock that development moves.
func (b *providerBudget) now() time.Time { return time.Now() } //nolint:forbidigo // see above

// sleep waits until the time is over or the channel is closed, unless the context ends first.
func sleep(ctx context.Context, d time.Duration, woken <-chan struct{}) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-woken:
	}
	return nil
}

// budgeted runs a handler that calls the payment provider within the budget.
func (a *api) budgeted(
	use *providerUse, do func(http.ResponseWriter, *http.Request, identity.Identity) error,
) func(http.ResponseWriter, *http.Request, identity.Identity) error {
	return func(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
		end, err := a.provider.admit(r.Context(), who.OrganisationID, use)
		if err != nil {
			a.Log.WarnContext(r.Context(), "provider budget exhausted", "route", routeOf(r), "error", err)
			return err
		}
		defer end()
		return do(w, r, who)
	}
}
