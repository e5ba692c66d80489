package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var _ payment.Provider = (*Provider)(nil)

// Provider is the embedded payment provider. All its methods may be called at once.
type Provider struct {
	Config
	turn    chan struct{} // held by whoever works on the state; a channel, so that waiting ends with a ctx
	state   *state
	journal *journal
	courier courier
}

// Open brings the provider back as its journal left it, or makes a new one. It answers at once;
// Start has it deliver events and follow the clock by itself.
func Open(c Config) (*Provider, error) {
	c = c.completed()
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Provider{Config: c, turn: make(chan struct{}, 1), state: newState(), courier: newCourier()}
	var err error
	if p.journal, err = openJournal(c.Path, p.state); err != nil {
		return nil, err
	}
	p.state.index()
	return p, nil
}

// tx is one caller's turn on the state. What it changes goes into the journal together.
type tx struct {
	*state
	now          time.Time // to the second
	prices       Prices
	afterRetries billing.Status
}

// act gives fn a turn, after everything that came due has happened, and returns once what has
// happened so far is on disk: a nil error, and every answer, is for good.
func (p *Provider) act(ctx context.Context, fn func(*tx) error) error {
	saved, err := p.take(ctx, fn)
	if lost := saved.wait(ctx); lost != nil {
		return unavailable(lost)
	}
	return err
}

func (p *Provider) take(ctx context.Context, fn func(*tx) error) (*batch, error) {
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, unavailable(ctx.Err())
	}
	now := p.Clock.Now().Truncate(time.Second)
	if err := p.catchUp(ctx, now); err != nil {
		return nil, err
	}
	err := fn(p.at(now))
	return p.commit(), err
}

func (p *Provider) at(now time.Time) *tx {
	return &tx{state: p.state, now: now, prices: p.Prices, afterRetries: p.AfterRetries}
}

// commit hands what was changed to the journal, and new events to the courier.
func (p *Provider) commit() *batch {
	changes := p.state.takeChanges()
	saved := p.journal.add(changes)
	if len(changes) > 0 {
		p.courier.news.tell()
	}
	return saved
}

// catchUp has everything happen that came due by now, each at its own time. When ctx ends on the
// way, the next caller goes on from there.
func (p *Provider) catchUp(ctx context.Context, now time.Time) error {
	for last := (time.Time{}); ; {
		if err := ctx.Err(); err != nil {
			return unavailable(err)
		}
		due, some := p.state.agenda.takeDue(now)
		if !some {
			return nil
		}
		if due.at.After(last) {
			last = due.at
		}
		p.at(last).comeDue(due)
		p.commit()
	}
}

// Tick has everything happen that came due by now. Calls do so by themselves; this is for moving
// the clock while nobody calls.
func (p *Provider) Tick(ctx context.Context) error {
	return p.act(ctx, func(*tx) error { return nil })
}

func unavailable(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}
