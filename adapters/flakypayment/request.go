package flakypayment

import "context"

// Fault is what goes wrong with one call. Its error is what the caller is told instead of the
// answer; with nil the caller gets the answer, and the request takes effect if it has not yet.
type Fault func(ctx context.Context, r *Request) error

// Request is a call in the hands of a fault, which has it take effect once at most.
type Request struct {
	Call
	provider *Provider
	act      func(context.Context) // nil once it has been used
}

// Act has the request take effect now.
func (r *Request) Act(ctx context.Context) {
	if act := r.take(); act != nil {
		act(ctx)
	}
}

// ActLater has the request take effect at Provider.Arrive, whether or not its caller still waits.
func (r *Request) ActLater(ctx context.Context) {
	act := r.take()
	if act == nil {
		return
	}
	r.provider.mu.Lock()
	defer r.provider.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	r.provider.late = append(r.provider.late, func() { act(ctx) })
}

// Keep has everybody who comes with the request's key be told the error from now on.
func (r *Request) Keep(err error) error {
	if r.Key != "" {
		r.provider.mu.Lock()
		defer r.provider.mu.Unlock()
		r.provider.kept[r.Key] = err
	}
	return err
}

func (r *Request) take() func(context.Context) {
	act := r.act
	r.act = nil
	return act
}
