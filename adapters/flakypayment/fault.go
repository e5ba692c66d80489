package flakypayment

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// Fault handles one call. If it returns an error, the caller gets that error. If it returns nil, the caller gets the
// result of the request, which is executed now unless the fault has already executed it.
type Fault func(ctx context.Context, r *Request) error

// Request is a call that a fault handles. It is executed at most once.
type Request struct {
	Call
	provider *Provider
	execute  func(context.Context) // nil after its first use
}

// Execute sends the request to the wrapped provider.
func (r *Request) Execute(ctx context.Context) {
	if execute := r.takeExecution(); execute != nil {
		execute(ctx)
	}
}

// Delay leaves the request to Provider.ExecuteDelayed, which executes it even if ctx was canceled.
func (r *Request) Delay(ctx context.Context) {
	execute := r.takeExecution()
	if execute == nil {
		return
	}
	r.provider.mu.Lock()
	defer r.provider.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	r.provider.delayed = append(r.provider.delayed, func() { execute(ctx) })
}

// StoreError returns err. If the request has an idempotency key, all later requests with the key fail with err.
func (r *Request) StoreError(err error) error {
	if r.Key != "" {
		r.provider.mu.Lock()
		defer r.provider.mu.Unlock()
		r.provider.keyErrors[r.Key] = err
	}
	return err
}

// takeExecution returns the function that executes the request, or nil after the first call.
func (r *Request) takeExecution() func(context.Context) {
	execute := r.execute
	r.execute = nil
	return execute
}

// FaultKind selects a fault that can occur with any provider.
type FaultKind string

// The kinds of faults.
const (
	TimeoutBeforeExecution FaultKind = "timeout, not executed"
	TimeoutAfterExecution  FaultKind = "timeout after execution"
	ConnectionReset        FaultKind = "connection reset, executed later" // by Provider.ExecuteDelayed
	ServerError            FaultKind = "500, also for later requests with the key"
	TooManyRequests        FaultKind = "429"
	KeyInUse               FaultKind = "409, key in use"
	SlowRequest            FaultKind = "slow"
)

// FaultKinds returns all kinds.
func FaultKinds() []FaultKind {
	return []FaultKind{
		TimeoutBeforeExecution, TimeoutAfterExecution, ConnectionReset, ServerError, TooManyRequests, KeyInUse, SlowRequest,
	}
}

// slowRequestDelay is long enough for concurrent requests to finish first.
const slowRequestDelay = 2 * time.Millisecond

// Fault returns a fault of the kind.
func (k FaultKind) Fault() Fault {
	return func(ctx context.Context, r *Request) error {
		switch k {
		case TimeoutAfterExecution:
			r.Execute(ctx)
		case ConnectionReset:
			r.Delay(ctx)
		case ServerError: // Stripe stores the first response to a key, including a 500
			return r.StoreError(unavailable(errors.New(string(k))))
		case SlowRequest:
			return sleep(ctx, slowRequestDelay)
		}
		return unavailable(errors.New(string(k)))
	}
}

func unavailable(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}

// sleep waits for d. It returns Unavailable when ctx ends earlier.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return unavailable(ctx.Err())
	}
}
