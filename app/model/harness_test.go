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
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

// harness runs two servers on one database and one provider, with injected failures.
type harness struct {
	*apptest.Env
	servers        []*app.UseCases
	orgs           []*org
	events         [][]byte // not yet delivered
	monitor        *callMonitor
	flaky          *flakypayment.Provider
	faults         faultInjector
	counters       counters
	clockSkews     [2]atomic.Int64      // by server, the offset of the clock that measures the age of operations
	hasDelayedCall atomic.Bool          // a request to the provider is delayed
	totalsAtEnd    map[string]endTotals // by subscription
	operatorKeys   int                  // the number of requests of operators
}

// org is an organisation with the model's expectations.
type org struct {
	user  identity.Identity
	cards []card
	// hasUnreportedChange is true while an event about a change at the provider is not delivered.
	hasUnreportedChange bool
	// candidates contains the requests that may have created or paid the newest subscription. If isOutcomeKnown is
	// true, all of them did; otherwise the outcome of some may be unknown.
	candidates     []subscribeRequest
	isOutcomeKnown bool
	lastRequest    request         // nil before the first one
	quote          *displayedQuote // the last quote; nil before the first one
}

// endTotals contains the number of invoices and the sum of the charges of an ended subscription.
type endTotals struct {
	invoiceCount      int
	chargedSum        int64
	hasPayableInvoice bool // the latest invoice can still be paid
}

// card is a payment method that a browser of the organisation has created.
type card struct{ id, number string }

// newHarness returns a harness that counts the outcomes of its actions in counts.
func newHarness(t *rapid.T, counts counters) *harness {
	keepUnpaid := rapid.Bool().Draw(t, "unpaid subscriptions stay")
	env := apptest.New(t, apptest.WithProvider(func(c *fakepayment.Config) {
		if keepUnpaid {
			c.StatusAfterRetries = billing.Unpaid
		}
	}))
	h := &harness{Env: env, counters: counts, totalsAtEnd: map[string]endTotals{}}
	h.monitor = &callMonitor{
		Provider: env.FakeProvider(), grants: map[string]payment.CreditGrant{}, refunds: map[string]payment.RefundRequest{},
	}
	h.flaky = flakypayment.New(h.monitor, h.faults.nextFault)
	for i := range h.clockSkews {
		store := h.OpenStore()
		store.UseClock(func() time.Time { return h.Clock.Now().Add(time.Duration(h.clockSkews[i].Load())) })
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
	storedOrg, err := h.Store.Organisation(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	return &storedOrg.Billing
}

// hasPendingOperation reports whether an operation of the organisation has no known outcome yet. It also returns true
// while a request of any organisation is delayed.
func (h *harness) hasPendingOperation(t *rapid.T, o *org) bool {
	if h.hasDelayedCall.Load() {
		return true
	}
	ops, err := h.Store.PendingOperations(t.Context(), 0, 100)
	require.NoError(t, err)
	for _, op := range ops {
		if op.OrganisationID == o.user.OrganisationID {
			return true
		}
	}
	return false
}

// faultInjector injects at most one fault into the next calls to the provider.
type faultInjector struct {
	mu             sync.Mutex
	precedingCalls int                // calls that succeed before the fault
	fault          flakypayment.Fault // nil for none
	hasOccurred    bool
}

// nextFault returns the fault of the next call, or nil.
func (i *faultInjector) nextFault(flakypayment.Call) flakypayment.Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	fault := i.fault
	if fault == nil {
		return nil
	}
	if i.precedingCalls > 0 {
		i.precedingCalls--
		return nil
	}
	i.fault, i.hasOccurred = nil, true
	return fault
}

// setFault injects the fault into the call that follows precedingCalls successful calls. It replaces an earlier fault.
// With nil it only removes the earlier fault.
func (i *faultInjector) setFault(fault flakypayment.Fault, precedingCalls int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fault, i.precedingCalls, i.hasOccurred = fault, precedingCalls, false
}

// faultOccurred reports whether the fault has occurred.
func (i *faultInjector) faultOccurred() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.hasOccurred
}

// killCaller returns a fault that ends the caller before or after the effect of the call, as a killed server does.
func killCaller(afterEffect bool) flakypayment.Fault {
	return func(ctx context.Context, r *flakypayment.Request) error {
		if afterEffect {
			r.Execute(ctx)
		}
		runtime.Goexit()
		return nil
	}
}

// drawFault draws a fault, or none, for one of the next calls.
func (h *harness) drawFault(t *rapid.T) {
	kinds := append(flakypayment.FaultKinds(), killBefore, killAfter, noFault, noFault, noFault, noFault, noFault)
	kind := rapid.SampledFrom(kinds).Draw(t, "fault")
	precedingCalls := rapid.IntRange(0, 5).Draw(t, "after calls")
	switch kind {
	case noFault:
		h.faults.setFault(nil, 0)
	case killBefore, killAfter:
		h.faults.setFault(killCaller(kind == killAfter), precedingCalls)
	case flakypayment.ConnectionReset:
		h.faults.setFault(func(ctx context.Context, r *flakypayment.Request) error {
			if r.Method == "CreateCustomer" {
				// A takeover can't retire this key, because the customer doesn't exist yet. It assumes that the
				// request has ended after LongestRequest, which is 0 for the fake provider. So the request must
				// not be executed later.
				return flakypayment.TimeoutAfterExecution.Fault()(ctx, r)
			}
			h.hasDelayedCall.Store(true)
			return kind.Fault()(ctx, r)
		}, precedingCalls)
	default:
		h.faults.setFault(kind.Fault(), precedingCalls)
	}
}

// Faults of the caller, in addition to those of a provider.
const (
	noFault    flakypayment.FaultKind = "no fault"
	killBefore flakypayment.FaultKind = "the caller is killed before the effect"
	killAfter  flakypayment.FaultKind = "the caller is killed after the effect"
)

// completeDelayedCalls executes the delayed requests to the provider.
func (h *harness) completeDelayedCalls() {
	h.flaky.ExecuteDelayed()
	h.hasDelayedCall.Store(false)
}
