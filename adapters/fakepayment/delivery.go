package fakepayment

import (
	"context"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/clock"
)

// Sink receives an event. An event is delivered again after an error, and may be delivered again after a crash.
type Sink func(ctx context.Context, payload []byte, signature string) error

const deliveryTimeout = 30 * time.Second

var deliveryBackoff = clock.Backoff{First: 100 * time.Millisecond, Max: 10 * time.Second}

// SetSink sets the sink that receives the events. Call it before Start. Without a sink, events stay in the outbox.
func (p *Provider) SetSink(sink Sink) { p.sink = sink }

// Drain waits until all events, including those caused by deliveries, have been accepted. It does not wait for events that
// SetEventDelivery holds or delays.
func (p *Provider) Drain(ctx context.Context) error {
	for {
		nextCommit := p.commits.next()
		_, copies, err := p.nextEvent(ctx)
		if err != nil || copies == 0 {
			return err
		}
		select {
		case <-nextCommit:
		case <-ctx.Done():
			return errUnavailable(ctx.Err())
		}
	}
}

// deliverEvents delivers events one at a time until ctx ends.
func (p *Provider) deliverEvents(ctx context.Context) {
	for ctx.Err() == nil {
		nextCommit := p.commits.next()
		e, copies, err := p.nextEvent(ctx)
		if err != nil {
			p.logError(ctx, "delivering events failed", err)
			sleep(ctx, deliveryBackoff.Max)
			continue
		}
		if copies > 0 {
			p.deliverWithRetries(ctx, e, copies)
			continue
		}
		select {
		case <-nextCommit:
		case <-ctx.Done():
		}
	}
}

// deliverWithRetries delivers the event until the sink has accepted all copies.
func (p *Provider) deliverWithRetries(ctx context.Context, e event, copies int) {
	for failures := 0; ctx.Err() == nil; {
		err := p.deliver(ctx, e)
		if err == nil {
			if copies--; copies > 0 {
				continue
			}
			p.removeEvent(ctx, e)
			return
		}
		failures++
		backoff := deliveryBackoff.Delay(failures)
		p.config.Log.WarnContext(ctx, "event not accepted", "event", e.ID, "retry_in", backoff, "error", err)
		sleep(ctx, backoff)
	}
}

// deliver sends the event to the sink once. It signs the event with the current time, so that the sink also accepts a
// late delivery. Stop does not interrupt it.
func (p *Provider) deliver(ctx context.Context, e event) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deliveryTimeout)
	defer cancel()
	return p.sink(ctx, e.Payload, Sign(e.Payload, p.Now(), p.config.Secrets...))
}

// nextEvent returns the next event to deliver now, and how many times. copies is 0 if there is none.
func (p *Provider) nextEvent(ctx context.Context) (e event, copies int, err error) {
	err = p.transact(ctx, func(t *tx) error {
		e, copies = t.nextEvent()
		return nil
	})
	return e, copies, err
}

func (t *tx) nextEvent() (e event, copies int) {
	if len(t.outbox) == 0 || t.eventDelivery == EventsHeld {
		return event{}, 0
	}
	e = t.events.rows[t.outbox[0]]
	switch t.eventDelivery {
	case EventsDuplicated:
		return e, 2
	case EventsReordered:
		return t.events.rows[t.outbox[len(t.outbox)-1]], 1
	case EventsDelayed:
		if t.now.Before(time.Unix(e.body().Created, 0).Add(EventDelay)) {
			return event{}, 0
		}
	}
	return e, 1
}

func (p *Provider) removeEvent(ctx context.Context, e event) {
	err := p.transact(context.WithoutCancel(ctx), func(t *tx) error {
		t.events.remove(e.ID)
		t.outbox = removeID(t.outbox, e.ID)
		return nil
	})
	if err != nil {
		p.logError(ctx, "removing a delivered event failed", err)
	}
}

// sleep returns after d or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// broadcast wakes all goroutines that wait for a change. A goroutine must call next before it checks its condition, or it
// can miss a change.
type broadcast struct {
	mu      sync.Mutex
	channel chan struct{}
}

func newBroadcast() *broadcast { return &broadcast{channel: make(chan struct{})} }

// next returns a channel that the next call of wakeAll closes.
func (b *broadcast) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.channel
}

func (b *broadcast) wakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.channel)
	b.channel = make(chan struct{})
}
