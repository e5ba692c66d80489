package flakypayment

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// Kind is a way for a call to go wrong that every provider knows.
type Kind string

// The kinds.
const (
	TimesOutBefore Kind = "times out before its effect"
	TimesOutAfter  Kind = "times out after its effect"
	Reset          Kind = "is reset, and has its effect later" // see Provider.Arrive
	ServerError    Kind = "answers 500, now and to its key for ever"
	TooMany        Kind = "answers 429"
	KeyInUse       Kind = "answers 409, because its key is in use"
	Slow           Kind = "is slow"
)

// Kinds are all of them.
func Kinds() []Kind {
	return []Kind{TimesOutBefore, TimesOutAfter, Reset, ServerError, TooMany, KeyInUse, Slow}
}

// slowness is long enough for everybody else to go first.
const slowness = 2 * time.Millisecond

// Fault is the kind at work.
func (k Kind) Fault() Fault {
	return func(ctx context.Context, r *Request) error {
		switch k {
		case TimesOutAfter:
			r.Act(ctx)
		case Reset:
			r.ActLater(ctx)
		case ServerError: // as Stripe does: the first answer is the key's, even when it is this one
			return r.Keep(k.unavailable())
		case Slow:
			return pause(ctx, slowness)
		}
		return k.unavailable()
	}
}

func (k Kind) unavailable() error {
	return fault.Wrap(errors.New("the call "+string(k)), fault.Unavailable, "The payment provider did not answer. Please try again.")
}

// pause lets the call go on after a while, unless its caller has had enough by then.
func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fault.Wrap(ctx.Err(), fault.Unavailable, "The payment provider did not answer. Please try again.")
	}
}
