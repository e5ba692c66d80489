package flowtest

import (
	"context"
	"log/slog"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Day is a trial's day.
const Day = 24 * time.Hour

// Noon is when every world begins, unless it says otherwise.
var Noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// World is one database and one payment provider, on a clock that stands still until it is moved.
// The provider's events are kept until the test delivers them.
type World struct {
	Clock     *devclock.Clock
	Bank      *Bank
	Store     *sqlstorage.Store
	Mailbox   *devmail.Mailbox
	Passwords identity.Passwords // plain ones, unless the test wants others
	Visit     *Visit

	t      TB
	url    string
	events events
}

// New is a world on a new SQLite database.
func New(t TB) *World {
	t.Helper()
	return At(t, Noon, NewDatabase(t))
}

// At is a world on a migrated database that begins at an instant. What the bank is otherwise like
// can be changed.
func At(t TB, begin time.Time, url string, otherwise ...func(*fakepayment.Config)) *World {
	t.Helper()
	w := &World{t: t, url: url, Visit: &Visit{}, Passwords: plainPasswords{}}
	var err error
	w.Clock, err = devclock.Open("", func() time.Time { return begin })
	require.NoError(t, err)
	w.Mailbox, err = devmail.New(w.Clock, "")
	require.NoError(t, err)
	w.Bank = w.newBank(otherwise)
	w.Store = w.OpenStore()
	return w
}

func (w *World) newBank(otherwise []func(*fakepayment.Config)) *Bank {
	w.t.Helper()
	config := fakepayment.Config{Clock: w.Clock, Prices: catalogue.Default(), Secrets: []string{Secret}}
	for _, change := range otherwise {
		change(&config)
	}
	bank, err := fakepayment.Open(config)
	require.NoError(w.t, err)
	bank.DeliverTo(w.events.take)
	require.NoError(w.t, bank.Start(w.t.Context()))
	w.t.Cleanup(func() { _ = bank.Stop(context.Background()) })
	return &Bank{Provider: bank}
}

// OpenStore opens the database once more, with connections of its own. It counts the ages of
// operations by the world's clock.
func (w *World) OpenStore() *sqlstorage.Store {
	w.t.Helper()
	store, err := sqlstorage.Open(w.t.Context(), w.url)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = store.Close() })
	store.UseClock(w.Clock.Now)
	return store
}

// Server is the use cases on a store and a provider, as one process has them.
func (w *World) Server(store storage.Store, provider payment.Provider) *app.UseCases {
	return app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: store, Provider: provider, Sessions: w.Visit, Passwords: w.Passwords,
		Mail: w.Mailbox, Clock: w.Clock, Log: slog.New(slog.DiscardHandler), PublicURL: "https://diy.test", Brand: "Vision",
	})
}

// Another is a server with connections of its own to the same database.
func (w *World) Another() *app.UseCases { return w.Server(w.OpenStore(), w.Bank) }

// Advance moves the clock.
func (w *World) Advance(step time.Duration) {
	w.t.Helper()
	_, err := w.Clock.Advance(step)
	require.NoError(w.t, err)
}
