package invoicepayment

import (
	"context"
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

var (
	standard     = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
)

func newCustomer(t *testing.T, e *env) billing.Customer {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic"})
	require.NoError(t, err)
	return c
}

func (e *env) subscribe(t *testing.T, c billing.Customer, trialDays int) (billing.Subscription, error) {
	t.Helper()
	return e.Subscribe(t.Context(), payment.NewSubscription{Key: rand.Text(), CustomerID: c.ID, Price: standard, TrialDays: trialDays, Sole: true})
}

// mustSubscribe returns a new subscription to the standard plan.
func (e *env) mustSubscribe(t *testing.T, trialDays int) billing.Subscription {
	t.Helper()
	s, err := e.subscribe(t, newCustomer(t, e), trialDays)
	require.NoError(t, err)
	return s
}

// newSubscription returns a new provider and a subscription without a trial.
func newSubscription(t *testing.T) (*env, billing.Subscription) {
	t.Helper()
	e := newEnv(t, openStore(t, newSQLite(t)))
	return e, e.mustSubscribe(t, 0)
}

// subscriptionAfter moves the clock to a time after noon and returns the subscription then.
func (e *env) subscriptionAfter(t *testing.T, id string, after time.Duration) billing.Subscription {
	t.Helper()
	e.advance(t, noon.Add(after).Sub(e.clock.Now()))
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

func (e *env) credit(t *testing.T, customerID string) string {
	t.Helper()
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	return c.Credit.Format()
}

const day = 24 * time.Hour

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// env is a provider on a database of its own, with a clock that the test moves.
type env struct {
	*Provider
	clock *devclock.Clock
}

func prepare(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.MigratePlugin(ctx, "invoice", Adapter{}), store.Close())
}

var (
	sqliteTemplate   = sqlitetest.NewTemplate(prepare)
	postgresTemplate = postgrestest.NewTemplate(prepare)
)

func newSQLite(t *testing.T) string { return sqliteTemplate.URL(t) }

func openStore(t *testing.T, url string) *sqlstorage.Store {
	t.Helper()
	store, err := sqlstorage.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// newEnv returns a provider with settings, given as names and values.
func newEnv(t *testing.T, store *sqlstorage.Store, settings ...string) *env {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	values := map[string]string{}
	for i := 0; i < len(settings); i += 2 {
		values[settings[i]] = settings[i+1]
	}
	p, err := Open(plugin.Settings{Values: values}, plugin.Dependencies{
		Database: store.Database(), Clock: clock, Catalogue: catalogue.Default(),
	})
	require.NoError(t, err)
	return &env{Provider: p, clock: clock}
}

func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

// payInvoice marks an invoice as paid in full.
func (e *env) payInvoice(t *testing.T, id string) {
	t.Helper()
	inv := e.find(t, id)
	_, err := e.MarkPaid(t.Context(), Transfer{Number: e.Terms.Number(inv.Number), Amount: ledger.Amount(inv.Balance(), inv.Currency), Reference: rand.Text()})
	require.NoError(t, err)
}

// find returns an invoice with its customer's ledger.
func (e *env) find(t *testing.T, id string) (found ledger.Invoice) {
	t.Helper()
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		var customerID string
		require.NoError(t, tx.Get(t.Context(), &customerID, "SELECT customer_id FROM invoice_invoices WHERE id = ?", id))
		r, err := e.View(t.Context(), tx, customerID, ledger.Scope{Invoice: id})
		require.NoError(t, err)
		found = r.Invoice(id)
		return nil
	}))
	return found
}

// forEachDatabase runs a test on SQLite and on PostgreSQL.
func forEachDatabase(t *testing.T, test func(t *testing.T, store *sqlstorage.Store)) {
	t.Run("SQLite", func(t *testing.T) { test(t, openStore(t, newSQLite(t))) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, openStore(t, postgresTemplate.URL(t))) })
}

func aud(t *testing.T, text string) money.Amount {
	t.Helper()
	amount, err := money.Parse(text, "AUD")
	require.NoError(t, err)
	return amount
}
