package crash

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// truth is everything there is once nobody is at it any more.
type truth struct {
	*world
	store    *sqlstorage.Store
	provider payment.Provider
	machine  *fakepayment.Provider // the provider's books
	clock    *devclock.Clock
}

// compare holds what people were told against the database and the provider's books, after what
// was left in doubt has been settled. The server is dead.
func (w *world) compare() {
	w.letPass(aWhile)
	u := truth{world: w}
	var err error
	u.clock, err = devclock.Open(w.beside("clock"), nil)
	require.NoError(w.t, err)
	u.store, err = sqlstorage.Open(w.t.Context(), w.database)
	require.NoError(w.t, err)
	defer func() { assert.NoError(w.t, u.store.Close()) }()
	u.store.UseClock(u.clock.Now)
	closing := u.openProvider()
	defer closing()
	u.settle()
	customers := map[string]bool{}
	for _, e := range w.ledger.entries {
		if org := u.person(e); org.Billing.CustomerID != "" {
			customers[org.Billing.CustomerID] = true
			u.billing(e, org)
		}
	}
	u.orphans(customers)
	u.count()
}

// openProvider reaches the provider, and returns how to let go of it.
func (u *truth) openProvider() (closing func()) {
	if u.stripe != nil {
		u.machine = u.stripe.machine
		provider, err := stripepayment.New(stripepayment.Config{
			SecretKey: stripeKey, APIURL: u.stripe.URL, WebhookSecrets: []string{webhookSecret},
			Catalogue: catalogue.Default(), Clock: u.clock, Log: slog.New(slog.DiscardHandler),
			LongestRequest: time.Nanosecond, // all servers are dead, and nothing is under way
		})
		require.NoError(u.t, err)
		u.provider = provider
		return func() {}
	}
	machine, err := fakepayment.Open(fakepayment.Config{Path: u.beside("payments"), Clock: u.clock, Prices: catalogue.Default()})
	require.NoError(u.t, err)
	u.provider, u.machine = machine, machine
	return func() { assert.NoError(u.t, machine.Stop(context.Background())) }
}

// settle does what every server does in the background.
func (u *truth) settle() {
	useCases := app.New(app.Ports{
		Catalogue: catalogue.Default(), Store: u.store, Provider: u.provider, Clock: u.clock, Log: slog.New(slog.DiscardHandler),
	})
	for settled := 1; settled > 0; {
		var err error
		settled, err = useCases.Reconcile.Do(u.t.Context())
		require.NoError(u.t, err)
	}
	pending, err := u.store.PendingOperations(u.t.Context(), 0, 100)
	require.NoError(u.t, err)
	for _, op := range pending {
		u.report.doubled("an operation is in doubt for ever: %+v", op)
	}
}

// person compares the account, and returns the organisation.
func (u *truth) person(e *entry) account.Organisation {
	p := &person{entry: e}
	user, err := u.store.UserByEmail(u.t.Context(), p.email())
	if err != nil {
		u.report.lost("person %d: %v", e.number, err)
		return account.Organisation{}
	}
	if e.user != "" && e.user != user.ID || e.org != "" && e.org != user.OrganisationID || e.verified && !user.Verified() {
		u.report.lost("person %d was told %+v, there is %+v", e.number, *e, user)
	}
	org, err := u.store.Organisation(u.t.Context(), user.OrganisationID)
	if err != nil || org.Name != p.name() {
		u.report.lost("person %d: organisation %+v %v", e.number, org, err)
	}
	return org
}

// orphans compares the customers at the provider with those that we know.
func (u *truth) orphans(known map[string]bool) {
	there := u.customers()
	slices.Sort(there)
	ours := slices.Sorted(maps.Keys(known))
	if !slices.Equal(there, ours) {
		u.report.doubled("customers at the provider: %v, ours: %v", there, ours)
	}
}

// count compares how many accounts there are.
func (u *truth) count() {
	driver, name := "pgx", u.database
	if path, ok := strings.CutPrefix(u.database, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db, err := sql.Open(driver, name)
	require.NoError(u.t, err)
	defer func() { assert.NoError(u.t, db.Close()) }()
	for _, table := range []string{"organisations", "users"} {
		var found int
		require.NoError(u.t, db.QueryRowContext(u.t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&found))
		if found != len(u.ledger.entries) {
			u.report.doubled("%d %s, of %d people", found, table, len(u.ledger.entries))
		}
	}
}
