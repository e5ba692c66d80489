package flakypayment

import (
	"context"
	"slices"
	"sync"

	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// Provider has calls to another provider fail as planned. All its methods may be called at once.
type Provider struct {
	payment.Provider
	plan Plan

	mu    sync.Mutex
	calls []string
	late  []func()         // requests whose effect is still to come
	kept  map[string]error // the answers that a key is given again
}

// New wraps a provider. What the plan leaves alone goes through as it is.
func New(wrapped payment.Provider, plan Plan) *Provider {
	return &Provider{Provider: wrapped, plan: plan, kept: map[string]error{}}
}

// Calls are the names of the calls so far, in order.
func (p *Provider) Calls() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}

// Arrive has every request take effect that was still on its way, oldest first.
func (p *Provider) Arrive() {
	p.mu.Lock()
	late := p.late
	p.late = nil
	p.mu.Unlock()
	for _, act := range late {
		act()
	}
}

// Call is one call to the provider.
type Call struct {
	At   int    // how many came before it
	Name string // of the port's method
	Key  string // "" when it carries none
}

func (p *Provider) next(name, key string) Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, name)
	return Call{At: len(p.calls) - 1, Name: name, Key: key}
}

// keptFor is what the key was told once and is told for ever.
func (p *Provider) keptFor(key string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[key]
}

// through makes one call, and has go wrong with it what the plan says.
func through[T any](ctx context.Context, p *Provider, name, key string, do func(context.Context) (T, error)) (T, error) {
	var none, out T
	var err error
	call := p.next(name, key)
	if told := p.keptFor(key); told != nil {
		return none, told
	}
	fault := p.plan(call)
	if fault == nil {
		return do(ctx)
	}
	r := &Request{Call: call, provider: p, act: func(ctx context.Context) { out, err = do(ctx) }}
	if lost := fault(ctx, r); lost != nil {
		return none, lost
	}
	r.Act(ctx)
	return out, err
}
