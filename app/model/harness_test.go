package model

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

const day = 24 * time.Hour

// harness runs two servers on one database and one provider, with injected failures.
type harness struct {
	*apptest.Env
	servers  []*app.UseCases
	orgs     []*org
	queued   [][]byte // events that are not delivered yet
	monitor  *callMonitor
	flaky    *flakypayment.Provider
	faults   faultInjector
	counters counters
	skew     [2]atomic.Int64      // offset of the clock by which each server counts the ages of operations
	delayed  atomic.Bool          // flaky has delayed a request
	ended    map[string]endTotals // by subscription
}

// org is an organisation with the model's expectations.
type org struct {
	user  identity.Identity
	cards []card
	// unreported is true while an event about a change at the provider is not delivered.
	unreported bool
	// candidates contains the requests that may have created or paid the newest subscription: those that did, if
	// certain is set, and otherwise also those with an unknown outcome.
	candidates []subscribe
	certain    bool
	last       request
	quote      *displayedQuote // the last quote; nil when there was none
}

// endTotals contains what an ended subscription was charged.
type endTotals struct {
	invoices int
	charged  int64
	owes     bool // the latest invoice can still be paid
}

// card is a payment method that a browser of the organisation has created.
type card struct{ id, number string }

func newHarness(t *rapid.T, counts counters) *harness {
	keepUnpaid := rapid.Bool().Draw(t, "unpaid subscriptions stay")
	env := apptest.New(t, apptest.WithProvider(func(c *fakepayment.Config) {
		if keepUnpaid {
			c.AfterRetries = billing.Unpaid
		}
	}))
	h := &harness{Env: env, counters: counts, ended: map[string]endTotals{}}
	h.monitor = &callMonitor{Provider: env.Provider}
	h.flaky = flakypayment.New(h.monitor, h.faults.next)
	for i := range h.skew {
		store := h.OpenStore()
		store.UseClock(func() time.Time { return h.Clock.Now().Add(time.Duration(h.skew[i].Load())) })
		h.servers = append(h.servers, h.NewApp(store, h.flaky))
	}
	return h
}

func (h *harness) drawServer(t *rapid.T) *app.UseCases {
	return rapid.SampledFrom(h.servers).Draw(t, "server")
}

func (h *harness) drawOrg(t *rapid.T) *org {
	if len(h.orgs) == 0 {
		t.Skip("no organisation yet")
	}
	return rapid.SampledFrom(h.orgs).Draw(t, "org")
}

// account returns the stored copy of the billing data.
func (h *harness) account(t *rapid.T, o *org) *billing.Account {
	found, err := h.Store.Organisation(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	return &found.Billing
}

// hasPending reports whether an operation of the organisation has no known outcome yet.
func (h *harness) hasPending(t *rapid.T, o *org) bool {
	if h.delayed.Load() {
		return true
	}
	pending, err := h.Store.PendingOperations(t.Context(), 0, 100)
	require.NoError(t, err)
	for _, op := range pending {
		if op.OrganisationID == o.user.OrganisationID {
			return true
		}
	}
	return false
}

// faultInjector injects at most one fault into the next calls to the provider.
type faultInjector struct {
	mu    sync.Mutex
	after int // calls that succeed before
	fault flakypayment.Fault
	hit   bool // the fault has occurred
}

func (i *faultInjector) next(flakypayment.Call) flakypayment.Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	fault := i.fault
	if fault == nil {
		return nil
	}
	if i.after > 0 {
		i.after--
		return nil
	}
	i.fault, i.hit = nil, true
	return fault
}

// arm replaces the fault. nil injects none.
func (i *faultInjector) arm(fault flakypayment.Fault, after int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fault, i.after, i.hit = fault, after, false
}

func (i *faultInjector) wasHit() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.hit
}

// killCaller ends the caller in the middle of a call, as a killed server does.
func killCaller(after bool) flakypayment.Fault {
	return func(ctx context.Context, r *flakypayment.Request) error {
		if after {
			r.Execute(ctx)
		}
		runtime.Goexit()
		return nil
	}
}

// armFault draws a fault, or none, for one of the next calls.
func (h *harness) armFault(t *rapid.T) {
	kinds := append(flakypayment.Kinds(), diesBefore, diesAfter, noFault, noFault, noFault, noFault, noFault)
	kind := rapid.SampledFrom(kinds).Draw(t, "fault")
	after := rapid.IntRange(0, 5).Draw(t, "after calls")
	switch kind {
	case noFault:
		h.faults.arm(nil, 0)
	case diesBefore, diesAfter:
		h.faults.arm(killCaller(kind == diesAfter), after)
	case flakypayment.ConnectionReset:
		h.faults.arm(func(ctx context.Context, r *flakypayment.Request) error {
			if r.Name == "CreateCustomer" {
				// There is no customer yet for which its key could be retired, and the fake declares that it
				// processes no request longer than its caller waits.
				return flakypayment.TimeoutAfter.Fault()(ctx, r)
			}
			h.delayed.Store(true)
			return kind.Fault()(ctx, r)
		}, after)
	default:
		h.faults.arm(kind.Fault(), after)
	}
}

// Faults of the caller, in addition to those of a provider.
const (
	noFault    flakypayment.Kind = "no fault"
	diesBefore flakypayment.Kind = "the caller dies before the effect"
	diesAfter  flakypayment.Kind = "the caller dies after the effect"
)

// completeDelayedCalls executes the requests that were delayed on their way to the provider.
func (h *harness) completeDelayedCalls() {
	h.flaky.ExecuteDelayed()
	h.delayed.Store(false)
}
