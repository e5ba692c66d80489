// Package flakypayment wraps a payment provider and makes chosen calls fail, for tests and
// experiments. The server does not use it.
//
//	provider := flakypayment.New(wrapped, flakypayment.Sequence(flakypayment.TimeoutAfterExecution.Fault()))
//
// A FaultPlan decides for every call whether a Fault occurs. A fault decides whether the wrapped provider
// executes the request now, later or never, and which error the caller gets.
//
// Timeouts, lost responses, and the statuses 500, 429 and 409 for a key in use all have the code Unavailable. The caller
// therefore doesn't know whether the request was executed.
package flakypayment

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// FaultPlan returns the fault for a call, or nil. It must be safe for concurrent use.
type FaultPlan func(Call) Fault

// NoFaults is a plan without faults. A Provider with this plan only records its calls.
func NoFaults(Call) Fault { return nil }

// Sequence returns a plan that applies the faults to the first calls, one each. Calls with a nil fault and calls after
// the last fault pass through.
func Sequence(faults ...Fault) FaultPlan {
	return func(c Call) Fault {
		if c.Index < len(faults) {
			return faults[c.Index]
		}
		return nil
	}
}

// Provider injects faults into the calls to another provider. It is safe for concurrent use.
type Provider struct {
	payment.Provider // sends its calls through send
	plan             FaultPlan

	mu        sync.Mutex
	calls     []string
	delayed   []func()         // executions of requests, oldest first
	keyErrors map[string]error // the errors that StoreError has stored, by idempotency key
}

// New returns a provider that sends its calls to wrapped and injects the faults of the plan.
func New(wrapped payment.Provider, plan FaultPlan) *Provider {
	p := &Provider{plan: plan, keyErrors: map[string]error{}}
	p.Provider = payment.Intercept(wrapped, p.send)
	return p
}

// Calls returns the names of the methods called so far, in order.
func (p *Provider) Calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// ExecuteDelayed executes the delayed requests, oldest first.
func (p *Provider) ExecuteDelayed() {
	p.mu.Lock()
	delayed := p.delayed
	p.delayed = nil
	p.mu.Unlock()
	for _, execute := range delayed {
		execute()
	}
}

// Call describes one call to the provider.
type Call struct {
	payment.Call
	Index int // among all calls, from 0
}

// send executes one call with the fault that the plan returns.
func (p *Provider) send(ctx context.Context, c payment.Call, next func(context.Context) error) error {
	call, err := p.record(c)
	if err != nil {
		return err
	}
	fault := p.plan(call)
	if fault == nil {
		return next(ctx)
	}
	r := &Request{Call: call, provider: p, execute: func(ctx context.Context) { err = next(ctx) }}
	if faultErr := fault(ctx, r); faultErr != nil {
		return faultErr
	}
	r.Execute(ctx)
	return err
}

// record records a call, and returns the error that is stored for its key.
func (p *Provider) record(c payment.Call) (Call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, c.Method)
	return Call{Call: c, Index: len(p.calls) - 1}, p.keyErrors[c.Key]
}
