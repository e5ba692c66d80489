package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// maxBatch limits how many changes of due subscriptions, and how many deletions of responses, are committed together.
const maxBatch = 1000

// tx is a transaction on the state. Its changes are written to disk together.
type tx struct {
	*state
	config Config
	now    time.Time // whole seconds
}

// transact processes everything that is due and then calls fn with exclusive access to the state. When it returns, the
// changes are on disk, even if fn has returned an error. If the changes can't be written, transact undoes them and
// returns Unavailable.
func (p *Provider) transact(ctx context.Context, fn func(*tx) error) error {
	select {
	case p.lock <- struct{}{}:
		defer func() { <-p.lock }()
	case <-ctx.Done():
		return errUnavailable(ctx.Err())
	}
	if p.stopped {
		return errUnavailable(errStopped)
	}
	now := p.Now().Truncate(time.Second)
	if err := p.processDue(ctx, now); err != nil {
		return err
	}
	err := fn(p.newTx(now))
	if commitErr := p.commit(ctx); commitErr != nil {
		return commitErr
	}
	return err
}

// run calls fn in a transaction. It returns the result of fn, or the zero value with an error.
func run[T any](ctx context.Context, p *Provider, fn func(*tx) (T, error)) (T, error) {
	var result, zero T
	err := p.transact(ctx, func(t *tx) (err error) {
		result, err = fn(t)
		return err
	})
	if err != nil {
		return zero, err
	}
	return result, nil
}

func (p *Provider) newTx(now time.Time) *tx {
	return &tx{state: p.state, config: p.config, now: now}
}

// commit writes the changes to disk and wakes the delivery. If the write fails, commit undoes the changes. The end of ctx
// does not interrupt a write, because the result of the write would be unknown.
func (p *Provider) commit(ctx context.Context) error {
	changes := p.state.takeChanges()
	if err := p.database.save(context.WithoutCancel(ctx), changes); err != nil {
		p.state.undo(changes)
		return errUnavailable(err)
	}
	if len(changes) > 0 {
		p.commits.wakeAll()
	}
	return nil
}

// processDue processes all steps that are due by now, each at its own time. When ctx ends, the next call continues.
func (p *Provider) processDue(ctx context.Context, now time.Time) error {
	var stepTime time.Time // never goes back, even if a step adds an entry for an earlier time
	for {
		entry, isDue := p.state.schedule.popDue(now)
		if isDue {
			if entry.at.After(stepTime) {
				stepTime = entry.at
			}
			p.newTx(stepTime).processEntry(entry)
			if len(p.state.changes) < maxBatch && ctx.Err() == nil {
				continue
			}
		}
		if err := p.commit(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return errUnavailable(err)
		}
		if !isDue {
			return nil
		}
	}
}

func errUnavailable(cause error) error {
	return fault.Wrap(cause, fault.Unavailable, "The payment provider did not answer. Please try again.")
}
