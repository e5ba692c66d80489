package flows

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const day = 24 * time.Hour

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// world is one database and one payment provider, on a clock that stands still until it is moved,
// with a server on them; servers can be added. The provider's events are kept until the test
// delivers them.
type world struct {
	*app.UseCases
	t         *testing.T
	clock     *devclock.Clock
	provider  *register
	store     *sqlstorage.Store
	url       string
	mailbox   *devmail.Mailbox
	passwords identity.Passwords
	visit     *visit
	events    events
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, visit: &visit{}, passwords: plainPasswords{}, url: newDatabase(t)}
	var err error
	w.clock, err = devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	w.mailbox, err = devmail.New(w.clock, "")
	require.NoError(t, err)
	w.provider = w.newProvider()
	w.store = w.openStore()
	w.UseCases = w.server(w.store, w.provider)
	return w
}

// newProvider opens the embedded provider, whose events are kept.
func (w *world) newProvider() *register {
	bank, err := fakepayment.Open(fakepayment.Config{Clock: w.clock, Prices: catalogue.Default(), Secrets: []string{secret}})
	require.NoError(w.t, err)
	bank.DeliverTo(w.events.take)
	require.NoError(w.t, bank.Start(w.t.Context()))
	w.t.Cleanup(func() { _ = bank.Stop(context.Background()) })
	return &register{Provider: bank}
}

func (w *world) openStore() *sqlstorage.Store {
	w.t.Helper()
	store, err := sqlstorage.Open(w.t.Context(), w.url)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { _ = store.Close() })
	return store
}

// server is the use cases on a store and a provider, as one more process would have them.
func (w *world) server(store storage.Store, provider payment.Provider) *app.UseCases {
	return app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: store, Provider: provider, Sessions: w.visit, Passwords: w.passwords,
		Mail: w.mailbox, Clock: w.clock, Log: slog.New(slog.DiscardHandler), PublicURL: "https://diy.test", Brand: "Vision",
	})
}

// another is a server with connections of its own to the same database.
func (w *world) another() *app.UseCases { return w.server(w.openStore(), w.provider) }

func (w *world) advance(step time.Duration) {
	w.t.Helper()
	_, err := w.clock.Advance(step)
	require.NoError(w.t, err)
}

// realPasswords has everything hashed as it is in production.
func (w *world) realPasswords() {
	w.passwords = sessionidentity.NewPasswords()
	w.UseCases = w.server(w.store, w.provider)
}
