package model

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/faultpayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// house is everything there is: two servers on one database and one provider, which may be in
// trouble.
type house struct {
	*flowtest.World
	servers  []*app.UseCases
	orgs     []*org
	news     [][]byte // events that are still to be delivered
	watch    *watch
	provider *faultpayment.Provider
	trouble  trouble
	tally    tally
	late     atomic.Bool // a request is on its way to the provider that nobody waits for any more
}

// org is an organisation, and what the model remembers of it.
type org struct {
	who   identity.Identity
	cards []card
	// untold: something happened at the provider that only events tell of, and not all have come.
	untold bool
	// makers are the requests that the newest subscription may be of the making of: the one that
	// certainly is, or those whose end nobody was told.
	makers []subscribe
	sure   bool
	last   request // what was asked for last, to be asked for again
}

// card is a payment method that a browser of the organisation has made.
type card struct{ id, number string }

func newHouse(t *rapid.T, counts tally) *house {
	h := &house{World: flowtest.New(t), tally: counts}
	h.watch = &watch{Bank: h.Bank, last: map[string]payment.PlanChange{}}
	h.provider = faultpayment.New(h.watch, h.trouble.next)
	for range 2 {
		h.servers = append(h.servers, h.Server(h.OpenStore(), h.provider))
	}
	return h
}

// trouble is a fault that waits for one of a server's next calls.
type trouble struct {
	mu    sync.Mutex
	after int // calls that still go well
	fault faultpayment.Fault
	met   bool // somebody has met it
}

func (t *trouble) next(faultpayment.Call) faultpayment.Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	fault := t.fault
	if fault == nil {
		return nil
	}
	if t.after > 0 {
		t.after--
		return nil
	}
	t.fault, t.met = nil, true
	return fault
}

// arm has a fault wait, in place of any that waited before. nil is no trouble.
func (t *trouble) arm(fault faultpayment.Fault, after int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fault, t.after, t.met = fault, after, false
}

func (t *trouble) wasMet() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.met
}

// dies ends the server's work on the request in the middle of a call, before or after its effect:
// nobody is told anything, and nothing is tidied up.
func dies(after bool) faultpayment.Fault {
	return func(ctx context.Context, r *faultpayment.Request) error {
		if after {
			r.Act(ctx)
		}
		runtime.Goexit()
		return nil
	}
}

// awaitTrouble has trouble wait for one of the next calls, or none.
func (h *house) awaitTrouble(t *rapid.T) {
	kinds := append(faultpayment.Kinds(), diesBefore, diesAfter, calm, calm, calm, calm, calm)
	kind := rapid.SampledFrom(kinds).Draw(t, "trouble")
	after := rapid.IntRange(0, 5).Draw(t, "after calls")
	switch kind {
	case calm:
		h.trouble.arm(nil, 0)
	case diesBefore, diesAfter:
		h.trouble.arm(dies(kind == diesAfter), after)
	case faultpayment.Reset:
		h.trouble.arm(func(ctx context.Context, r *faultpayment.Request) error {
			h.late.Store(true)
			return kind.Fault()(ctx, r)
		}, after)
	default:
		h.trouble.arm(kind.Fault(), after)
	}
}

// What else may happen, besides what may happen to any provider.
const (
	calm       faultpayment.Kind = "nothing goes wrong"
	diesBefore faultpayment.Kind = "its caller dies before its effect"
	diesAfter  faultpayment.Kind = "its caller dies after its effect"
)

// arrives has everything reach the provider that is on its way there.
func (h *house) arrives() {
	h.provider.Arrive()
	h.late.Store(false)
}

// someServer is one of the two.
func (h *house) someServer(t *rapid.T) *app.UseCases {
	return rapid.SampledFrom(h.servers).Draw(t, "server")
}

// someOrg is one of the organisations.
func (h *house) someOrg(t *rapid.T) *org {
	if len(h.orgs) == 0 {
		t.Skip("nobody has signed up yet")
	}
	return rapid.SampledFrom(h.orgs).Draw(t, "org")
}

// account is our copy, as it is stored.
func (h *house) account(t *rapid.T, o *org) *billing.Account {
	found, err := h.Store.Organisation(t.Context(), o.who.OrganisationID)
	require.NoError(t, err)
	return &found.Billing
}

// inDoubt reports whether something is going on that nobody knows the end of yet.
func (h *house) inDoubt(t *rapid.T, o *org) bool {
	if h.late.Load() {
		return true
	}
	pending, err := h.Store.PendingOperations(t.Context(), h.Clock.Now().Add(flowtest.Day), 100)
	require.NoError(t, err)
	for _, op := range pending {
		if op.OrganisationID == o.who.OrganisationID {
			return true
		}
	}
	return false
}
