//go:build crashpoints

package main

import (
	"cmp"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// crashPoints has the server end itself, as hard as somebody's `kill -9` would, at the point that
// DIY_CRASH_AT names: "before Subscribe 2" is the second time that it is about to subscribe
// somebody. Without it nothing happens. The points are "before" and "after" every method of the
// ports to the database and to the payment provider that changes something, and "before commit",
// where everything is written and nothing kept yet.
func crashPoints() fx.Option {
	crash, err := crashAt(os.Getenv("DIY_CRASH_AT"))
	if err != nil {
		return fx.Error(err)
	}
	sqlstorage.BeforeCommit = func() { crash.pass("before", "commit") }
	return fx.Options(fx.Invoke(countAges), fx.Decorate(
		func(store storage.Store) storage.Store { return &crashingStore{Store: store, crash: crash} },
		func(provider payment.Provider) payment.Provider {
			return &crashingProvider{Provider: provider, crash: crash}
		},
	))
}

// countAges has operations age with the development clock, so that a test need not wait for minutes
// until one may be taken over. DIY_CRASH_CLOCK is how far the clock that ages are counted by is from
// it, such as "-720h": it stands for the clock of the database.
func countAges(store *sqlstorage.Store, clock clock.Clock) error {
	offset, err := time.ParseDuration(cmp.Or(os.Getenv("DIY_CRASH_CLOCK"), "0s"))
	store.UseClock(func() time.Time { return clock.Now().Add(offset) })
	return err
}

// crash is where and when the server ends.
type crash struct {
	when, what string
	left       atomic.Int64 // how often it comes by until then
}

func crashAt(text string) (*crash, error) {
	c := &crash{}
	if text == "" {
		return c, nil
	}
	var times int64
	if _, err := fmt.Sscanf(text, "%s %s %d", &c.when, &c.what, &times); err != nil {
		return nil, fmt.Errorf(`DIY_CRASH_AT must be like "before Subscribe 2", not %q`, text)
	}
	c.left.Store(times)
	return c, nil
}

// pass comes by a point, and does not return from the one where the server ends.
func (c *crash) pass(when, what string) {
	if when == c.when && what == c.what && c.left.Add(-1) == 0 {
		_ = syscall.Kill(syscall.Getpid(), syscall.SIGKILL) // nobody may refuse it
		select {}
	}
}

// through makes a call that changes something. One that failed has no point after it.
func through[T any](c *crash, what string, do func() (T, error)) (T, error) {
	c.pass("before", what)
	made, err := do()
	if err == nil {
		c.pass("after", what)
	}
	return made, err
}

// over is through for calls that return nothing.
func over(c *crash, what string, do func() error) error {
	_, err := through(c, what, func() (struct{}, error) { return struct{}{}, do() })
	return err
}
