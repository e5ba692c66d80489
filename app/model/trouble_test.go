package model

import (
	"context"
	"runtime"
	"sync"

	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/flakypayment"
)

// trouble is a fault that waits for one of a server's next calls.
type trouble struct {
	mu    sync.Mutex
	after int // calls that still go well
	fault flakypayment.Fault
	met   bool // somebody has met it
}

func (t *trouble) next(flakypayment.Call) flakypayment.Fault {
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
func (t *trouble) arm(fault flakypayment.Fault, after int) {
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
func dies(after bool) flakypayment.Fault {
	return func(ctx context.Context, r *flakypayment.Request) error {
		if after {
			r.Act(ctx)
		}
		runtime.Goexit()
		return nil
	}
}

// awaitTrouble has trouble wait for one of the next calls, or none.
func (h *house) awaitTrouble(t *rapid.T) {
	kinds := append(flakypayment.Kinds(), diesBefore, diesAfter, calm, calm, calm, calm, calm)
	kind := rapid.SampledFrom(kinds).Draw(t, "trouble")
	after := rapid.IntRange(0, 5).Draw(t, "after calls")
	switch kind {
	case calm:
		h.trouble.arm(nil, 0)
	case diesBefore, diesAfter:
		h.trouble.arm(dies(kind == diesAfter), after)
	case flakypayment.Reset:
		h.trouble.arm(func(ctx context.Context, r *flakypayment.Request) error {
			h.late.Store(true)
			return kind.Fault()(ctx, r)
		}, after)
	default:
		h.trouble.arm(kind.Fault(), after)
	}
}

// What else may happen, besides what may happen to any provider.
const (
	calm       flakypayment.Kind = "nothing goes wrong"
	diesBefore flakypayment.Kind = "its caller dies before its effect"
	diesAfter  flakypayment.Kind = "its caller dies after its effect"
)

// arrives has everything reach the provider that is on its way there.
func (h *house) arrives() {
	h.provider.Arrive()
	h.late.Store(false)
}
