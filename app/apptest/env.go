// Package apptest runs the application inside a test.
//
// New returns an Env: the use cases of package app on a temporary SQLite database, the fake payment
// provider, a mailbox, and a clock that moves only when the test advances it. No request leaves the
// process, no test waits for real time, and every Env is independent, so that tests can run in parallel.
//
// A test signs a user up, lets them subscribe with one of the fake provider's card numbers, advances the
// clock and asserts what they were charged:
//
//	env := apptest.New(t)
//	user := env.SignUp("ann")
//	user.Subscribe(apptest.Visa, apptest.StandardMonthly)
//	env.Advance(15 * 24 * time.Hour)
//	charges := user.Charges()
//
// The helpers end the test when a step fails. A test that expects a failure calls the use case itself
// through Env.App, which has one field for every use case.
//
// The provider's events are queued until the test delivers them, because a correct application also
// works when they are late, lost, repeated or reordered. DeliverEvents delivers the queued events, and
// TakeEvents returns them, so that a test can deliver them in another order. NewApp adds servers that share
// the database, and accepts a wrapped store or provider for injecting faults.
//
// WithGateway replaces the fake provider by the billing of enginepayment with the fake gateway, as DIY_PAYMENTS=fakegateway
// does for all tests.
package apptest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/adapters/passkeys"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// TB is the part of testing.TB that the helpers use. *testing.T, *testing.B and *rapid.T implement it.
type TB interface {
	require.TestingT
	Helper()
	Cleanup(fn func())
	Context() context.Context
}

const publicURL = "https://diy.test"

// DefaultStart is the time at which the clock starts without WithStart.
var DefaultStart = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Env is a running application with all its dependencies.
type Env struct {
	App      *app.UseCases // the first server
	Clock    *devclock.Clock
	Provider Provider
	Store    *sqlstorage.Store
	Mailbox  *devmail.Mailbox
	Session  *Session // the browser session that SignIn and SignOut act on

	t           TB
	databaseURL string
	passwords   identity.Passwords
	passkeys    *passkeys.Passkeys
	events      eventQueue

	refuseTrialCards bool
}

type options struct {
	start       time.Time
	databaseURL string
	passwords   identity.Passwords
	provider    func(*fakepayment.Config)
	gateway     *fakegateway.Config // nil for the fake provider
	intercept   func(fakegateway.Call) error

	refuseTrialCards bool
}

// Option changes how New sets up an Env.
type Option func(*options)

// WithStart sets the time at which the clock starts.
func WithStart(start time.Time) Option { return func(o *options) { o.start = start } }

// WithDatabase uses a migrated, empty database instead of a new SQLite database.
func WithDatabase(url string) Option { return func(o *options) { o.databaseURL = url } }

// WithOneTrialForEachCard refuses the trial with a card that had one with another organisation.
func WithOneTrialForEachCard() Option { return func(o *options) { o.refuseTrialCards = true } }

// WithPasswords hashes passwords with p. By default they are not hashed, which saves time.
func WithPasswords(p identity.Passwords) Option { return func(o *options) { o.passwords = p } }

// WithProvider uses the fake payment provider, and changes its configuration before it starts.
func WithProvider(change func(*fakepayment.Config)) Option {
	return func(o *options) { o.provider, o.gateway = change, nil }
}

// WithGateway uses the billing of enginepayment and the fake gateway, instead of the fake provider. The clock of the
// configuration is that of the Env. intercept, which may be nil, is called before and after each request to the gateway.
func WithGateway(c fakegateway.Config, intercept func(fakegateway.Call) error) Option {
	return func(o *options) { o.gateway, o.intercept = &c, intercept }
}

// New starts an application that runs until the test ends.
func New(t TB, opts ...Option) *Env {
	t.Helper()
	o := options{start: DefaultStart, passwords: plainPasswords{}}
	if os.Getenv("DIY_PAYMENTS") == "fakegateway" { //nolint:forbidigo // it selects the provider of all tests
		o.gateway = new(fakegateway.CardsAndDebits())
	}
	for _, apply := range opts {
		apply(&o)
	}
	switch {
	case o.databaseURL == "" && o.gateway != nil:
		o.databaseURL = gatewayTemplate.URL(t)
	case o.databaseURL == "":
		o.databaseURL = sqliteTemplate.URL(t)
	}
	e := &Env{t: t, databaseURL: o.databaseURL, passwords: o.passwords, Session: &Session{}, refuseTrialCards: o.refuseTrialCards}
	var err error
	e.passkeys, err = passkeys.New(publicURL, "Vision")
	require.NoError(t, err)
	e.Clock, err = devclock.Open("", func() time.Time { return o.start })
	require.NoError(t, err)
	e.Mailbox, err = devmail.New(e.Clock, "")
	require.NoError(t, err)
	e.Store = e.OpenStore()
	e.Session.store = e.Store
	if o.gateway != nil {
		e.Provider = e.startGateway(*o.gateway, o.intercept)
	} else {
		e.Provider = e.startProvider(o.provider)
	}
	e.App = e.NewApp(e.Store, e.Provider)
	return e
}

// startProvider starts the fake provider until the test ends.
func (e *Env) startProvider(change func(*fakepayment.Config)) *fakepayment.Provider {
	e.t.Helper()
	config := fakepayment.Config{Clock: e.Clock, Prices: catalogue.Default(), Secrets: []string{WebhookSecret}}
	if change != nil {
		change(&config)
	}
	provider, err := fakepayment.Open(config)
	require.NoError(e.t, err)
	provider.SetSink(e.events.receive)
	require.NoError(e.t, provider.Start(e.t.Context()))
	e.t.Cleanup(func() { _ = provider.Stop(context.Background()) })
	return provider
}

// OpenStore opens the database with separate connections. The store uses the clock of the Env.
func (e *Env) OpenStore() *sqlstorage.Store {
	e.t.Helper()
	store, err := sqlstorage.Open(e.t.Context(), e.databaseURL)
	require.NoError(e.t, err)
	e.t.Cleanup(func() { _ = store.Close() })
	store.UseClock(e.Clock.Now)
	store.UseAuditClock(e.Clock.Now)
	return store
}

// NewApp returns the use cases of another server. The store and the provider may be wrapped.
func (e *Env) NewApp(store storage.Store, provider payment.Provider) *app.UseCases {
	return app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: store, Provider: provider, Sessions: e.Session, Passwords: e.passwords, Codes: onetimecodes.Codes{}, Passkeys: e.passkeys,
		Mail: e.Mailbox, Clock: e.Clock, Log: slog.New(slog.DiscardHandler), PublicURL: publicURL, Brand: "Vision",
		ReturnURL: "https://diy.test/vc-admin/diy/pay", MethodReturnURL: "https://diy.test/vc-admin/diy/cards",
		QuoteKey: []byte("the key of all servers"), TrialCardKey: []byte("the key of all servers"), RefuseTrialCards: e.refuseTrialCards,
	})
}

// NewAppWithOwnStore returns the use cases of another server with separate connections to the database.
func (e *Env) NewAppWithOwnStore() *app.UseCases { return e.NewApp(e.OpenStore(), e.Provider) }

// Advance moves the clock forwards. The provider processes everything that becomes due in this time.
func (e *Env) Advance(step time.Duration) {
	e.t.Helper()
	if p, ok := e.Provider.(*gatewayProvider); ok {
		require.NoError(e.t, p.advance(e.t.Context(), e, step))
		return
	}
	_, err := e.Clock.Advance(step)
	require.NoError(e.t, err)
}

// Migrate creates the tables of an empty database.
func Migrate(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.Close())
}

// sqliteTemplate copies a migrated, empty SQLite database for each test.
var sqliteTemplate = sqlitetest.NewTemplate(Migrate)
