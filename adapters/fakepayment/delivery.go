package fakepayment

import (
	"context"
	"time"
)

// Sink takes a delivery. A nil error means that the event has had its effect; after any other it
// is delivered again. It must be ready for an event to come twice.
type Sink func(ctx context.Context, payload []byte, signature string) error

const (
	firstPause      = 100 * time.Millisecond // between tries, doubled every time
	longestPause    = 10 * time.Second
	deliveryTimeout = 30 * time.Second
)

// courier is who delivers the events.
type courier struct {
	sink    Sink
	news    *signal // something was changed or delivered
	cancel  context.CancelFunc
	stopped chan struct{}
}

func newCourier() courier { return courier{news: newSignal()} }

// DeliverTo sets where events go. It is to be called before Start; without it they are kept.
func (p *Provider) DeliverTo(sink Sink) { p.courier.sink = sink }

// Drain waits until every event so far, and every one that delivering them leads to, has been
// accepted.
func (p *Provider) Drain(ctx context.Context) error {
	for {
		news := p.courier.news.told()
		_, some, err := p.nextEvent(ctx)
		if err != nil || !some {
			return err
		}
		select {
		case <-news:
		case <-ctx.Done():
			return unavailable(ctx.Err())
		}
	}
}

// deliver brings the events to the sink, one after the other, until ctx ends.
func (p *Provider) deliver(ctx context.Context) {
	for ctx.Err() == nil {
		news := p.courier.news.told()
		e, some, err := p.nextEvent(ctx)
		if err != nil {
			p.report(ctx, "events can't be delivered", err)
			wait(ctx, longestPause)
			continue
		}
		if some {
			p.bring(ctx, e)
			continue
		}
		select {
		case <-news:
		case <-ctx.Done():
		}
	}
}

// bring tries one event until the sink accepts it.
func (p *Provider) bring(ctx context.Context, e event) {
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, longestPause) {
		err := p.try(ctx, e)
		if err == nil {
			p.delivered(ctx, e)
			return
		}
		p.Log.WarnContext(ctx, "event not accepted", "event", e.ID, "again_in", pause, "error", err)
		wait(ctx, pause)
	}
}

// try signs anew each time, so that a late delivery is not an outdated one. A delivery under way
// is let finish when the provider is stopped.
func (p *Provider) try(ctx context.Context, e event) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deliveryTimeout)
	defer cancel()
	return p.courier.sink(ctx, e.Payload, Sign(e.Payload, p.Clock.Now(), p.Secrets...))
}

// nextEvent is the oldest event not delivered yet.
func (p *Provider) nextEvent(ctx context.Context) (e event, some bool, err error) {
	err = p.act(ctx, func(t *tx) error {
		if some = len(t.outbox) > 0; some {
			e = t.events.rows[t.outbox[0]]
		}
		return nil
	})
	return e, some, err
}

// delivered forgets the event. Nobody waits for that to reach the disk: after a kill at the wrong
// moment the event comes once more.
func (p *Provider) delivered(ctx context.Context, e event) {
	_, err := p.take(context.WithoutCancel(ctx), func(t *tx) error {
		t.events.remove(e.ID)
		t.outbox = t.outbox[1:]
		return nil
	})
	if err != nil {
		p.report(ctx, "a delivered event could not be forgotten", err)
	}
}

// report logs what went wrong in the background, unless it is only that we are to stop.
func (p *Provider) report(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		p.Log.ErrorContext(ctx, what, "error", err) //nolint:sloglint // what is constant in every call
	}
}

func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
