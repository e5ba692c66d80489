package flows

import (
	"context"
	"sync"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/fault"
)

// moment is where in a call the tap is.
type moment string

const (
	before moment = "before" // nothing has happened yet
	after  moment = "after"  // it has had its effect, and nobody has heard of it yet
)

// hook is told of every call; an error is what the caller gets to hear instead of the answer.
type hook func(c call, when moment) error

// call is one call to a port.
type call struct {
	at   int // how many came before it
	name string
}

// tap sits on one server's ports, the store's and the provider's alike.
type tap struct {
	mu    sync.Mutex
	names []string // of the calls so far, in order
	hook  hook
}

func (t *tap) next(name string) call {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names = append(t.names, name)
	return call{at: len(t.names) - 1, name: name}
}

// through makes one call to the store.
func through[T any](t *tap, name string, do func() (T, error)) (T, error) {
	var none T
	c := t.next(name)
	if err := t.hook(c, before); err != nil {
		return none, err
	}
	out, err := do()
	if lost := t.hook(c, after); lost != nil {
		return none, lost
	}
	return out, err
}

// fault has a call to the provider go through the tap.
func (t *tap) fault(asked flakypayment.Call) flakypayment.Fault {
	return func(ctx context.Context, r *flakypayment.Request) error {
		c := t.next(asked.Name)
		if err := t.hook(c, before); err != nil {
			return err
		}
		r.Act(ctx)
		return t.hook(c, after)
	}
}

// tapped is a server with a tap on its ports.
func (w *world) tapped(h hook) (*app.UseCases, *tap) {
	t := &tap{hook: h}
	return w.Server(&tappedStore{Store: w.Store, tap: t}, flakypayment.New(w.Bank, t.fault)), t
}

var errOutage = fault.New(fault.Unavailable, "nobody answers")

// failsOnce has one call fail, before or after its effect.
func failsOnce(at int, when moment) hook {
	return func(c call, now moment) error {
		if c.at == at && now == when {
			return errOutage
		}
		return nil
	}
}

// cannot has every call of a name fail, before or after its effect.
func cannot(name string, when moment) hook {
	return func(c call, now moment) error {
		if c.name == name && now == when {
			return errOutage
		}
		return nil
	}
}

// untroubled only counts.
func untroubled(call, moment) error { return nil }

// dies has every call fail from one moment on: the server is no more.
func dies(at int, when moment) hook {
	return func(c call, now moment) error {
		if c.at > at || c.at == at && (now == when || now == after) {
			return errOutage
		}
		return nil
	}
}

// interrupted has something else happen in the middle of a call, and the call go on.
func interrupted(at int, when moment, by func()) hook {
	return func(c call, now moment) error {
		if c.at == at && now == when {
			by()
		}
		return nil
	}
}
