package fakepayment

import (
	"context"
	"time"
)

// pulse is how often the provider looks at the clock when nobody calls.
const pulse = time.Second

// Start has the provider deliver its events and follow the clock until Stop. It is to be called
// once; ctx is for the start only.
func (p *Provider) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p.courier.cancel, p.courier.stopped = cancel, make(chan struct{})
	following := make(chan struct{})
	go func() {
		defer close(following)
		p.follow(running)
	}()
	go func() {
		defer close(p.courier.stopped)
		if p.courier.sink != nil {
			p.deliver(running)
		}
		<-following
	}()
	return nil
}

// Stop lets the delivery under way finish, puts everything on disk and lets go of the journal.
// Afterwards every call is Unavailable. Stopping twice, or without a start, is fine.
func (p *Provider) Stop(ctx context.Context) error {
	if p.courier.cancel != nil {
		p.courier.cancel()
		select {
		case <-p.courier.stopped:
		case <-ctx.Done():
		}
	}
	return p.journal.close(ctx)
}

// follow has things happen in their time although nobody calls.
func (p *Provider) follow(ctx context.Context) {
	ticker := time.NewTicker(pulse)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := p.Tick(ctx); err != nil {
				p.report(ctx, "the clock can't be followed", err)
				wait(ctx, longestPause)
			}
		}
	}
}
