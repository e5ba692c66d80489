package billingsync

import (
	"context"
	"sync"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// refreshGroup runs at most one refresh of each organisation at a time.
type refreshGroup struct {
	mu      sync.Mutex
	running map[string]*refreshCall // the running refreshes, by organisation
}

// refreshCall contains the state of one refresh of an organisation. All callers that arrived before it began share it.
type refreshCall struct {
	invoiceIDs []string      // of all callers; complete when the refresh begins
	done       chan struct{} // closed when org and err are set
	org        account.Organisation
	err        error
	next       *refreshCall // the refresh that begins after this one; nil while no caller waits for it
}

// refreshFunc refreshes the copy of an organisation with the invoices that have the ids.
type refreshFunc func(ctx context.Context, organisationID string, invoiceIDs []string) (account.Organisation, error)

// do calls fn and returns its result. All callers that arrive while fn is running share the next call of fn, so no caller
// gets a result from before its call of do. fn gets the invoice ids of all its callers. If ctx ends, do returns
// Unavailable and fn continues.
func (g *refreshGroup) do(
	ctx context.Context, organisationID string, invoiceIDs []string, fn refreshFunc,
) (account.Organisation, error) {
	r := g.join(ctx, organisationID, invoiceIDs, fn)
	select {
	case <-r.done:
		return r.org, r.err
	case <-ctx.Done():
		return account.Organisation{}, fault.Wrap(ctx.Err(), fault.Unavailable, noResponseMessage)
	}
}

// join starts a refresh and returns it. While another refresh is running, it returns the next one, which start begins.
func (g *refreshGroup) join(ctx context.Context, organisationID string, invoiceIDs []string, fn refreshFunc) *refreshCall {
	g.mu.Lock()
	defer g.mu.Unlock()
	running := g.running[organisationID]
	if running == nil {
		r := &refreshCall{invoiceIDs: invoiceIDs, done: make(chan struct{})}
		g.start(context.WithoutCancel(ctx), organisationID, r, fn)
		return r
	}
	if running.next == nil {
		running.next = &refreshCall{done: make(chan struct{})}
	}
	running.next.invoiceIDs = append(running.next.invoiceIDs, invoiceIDs...)
	return running.next
}

// start runs the refresh in the background. The caller holds the lock.
func (g *refreshGroup) start(ctx context.Context, organisationID string, r *refreshCall, fn refreshFunc) {
	if g.running == nil {
		g.running = map[string]*refreshCall{}
	}
	g.running[organisationID] = r
	go func() {
		defer g.finish(ctx, organisationID, r, fn)
		r.err = ErrNoResponse() // the result if fn ends the goroutine instead of returning
		r.org, r.err = fn(ctx, organisationID, r.invoiceIDs)
	}()
}

// finish starts the next refresh if a caller waits for it, and returns the result of r to its callers.
func (g *refreshGroup) finish(ctx context.Context, organisationID string, r *refreshCall, fn refreshFunc) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.running, organisationID)
	if r.next != nil {
		g.start(ctx, organisationID, r.next, fn)
	}
	close(r.done)
}

const noResponseMessage = "The payment provider did not answer. Please try again."

// ErrNoResponse returns the error for a provider that does not respond.
func ErrNoResponse() error { return fault.New(fault.Unavailable, noResponseMessage) }
