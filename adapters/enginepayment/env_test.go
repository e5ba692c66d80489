package enginepayment

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) { postgrestest.Run(m) }

// pluginTables implements plugin.Tables.
type pluginTables struct{}

func (pluginTables) Migrations() fs.FS { return Migrations() }

func prepare(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.MigratePlugin(ctx, "gateway", pluginTables{}), store.Close())
}

var (
	sqliteTemplate   = sqlitetest.NewTemplate(prepare)
	postgresTemplate = postgrestest.NewTemplate(prepare)
)

func openStore(t *testing.T, url string) *sqlstorage.Store {
	t.Helper()
	store, err := sqlstorage.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

func newSQLite(t *testing.T) *sqlstorage.Store { return openStore(t, sqliteTemplate.URL(t)) }

// newPostgreSQL returns a function that empties the tables of one database, because databases take long to create.
func newPostgreSQL(t *testing.T) func(*testing.T) *sqlstorage.Store {
	t.Helper()
	store := openStore(t, postgresTemplate.URL(t))
	return func(t *testing.T) *sqlstorage.Store {
		t.Helper()
		require.NoError(t, store.Database().Write(t.Context(), func(tx plugin.Tx) error {
			for _, statement := range []string{
				"TRUNCATE gateway_customers, gateway_subscriptions, gateway_invoices, gateway_responses, gateway_attempts, gateway_refunds",
				"UPDATE gateway_cursors SET value = ''",
			} {
				if _, err := tx.Exec(t.Context(), statement); err != nil {
					return err
				}
			}
			return nil
		}))
		return store
	}
}

// env is a provider with a bank in memory, and a clock that the test moves.
type env struct {
	*Provider
	clock *devclock.Clock
	bank  *fakegateway.Bank
	store *sqlstorage.Store
}

func newEnv(t *testing.T, store *sqlstorage.Store, c fakegateway.Config, intercept func(fakegateway.Call) error) *env {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	page := httptest.NewUnstartedServer(nil)
	c.Clock, c.PageURL = clock, "http://"+page.Listener.Addr().String()
	bank := fakegateway.New(c)
	page.Config.Handler = bank.Page()
	page.Start()
	t.Cleanup(page.Close)
	e := &env{clock: clock, bank: bank, store: store}
	e.Provider = e.server(t, intercept)
	return e
}

// server returns another server on the same database and bank.
func (e *env) server(t *testing.T, intercept func(fakegateway.Call) error) *Provider {
	t.Helper()
	p, err := New(Config{
		Gateway: e.bank.Gateway(intercept), Database: e.store.Database(), Clock: e.clock, Catalogue: catalogue.Default(),
		Prefix: "DD-", ReturnTo: "https://app.example/billing",
	})
	require.NoError(t, err)
	return p
}

// work does what the worker does, but for reporting it.
func (e *env) work(t *testing.T) {
	t.Helper()
	require.NoError(t, e.poll(t.Context()))
	var ids []string
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.List(t.Context(), &ids, "SELECT id FROM gateway_customers WHERE next_at BETWEEN 1 AND ?", e.Now().Unix())
	}))
	for _, id := range ids {
		if _, err := e.collect(t.Context(), id, collectTimeout); !fault.Is(err, fault.NotFound) {
			require.NoError(t, err)
		}
	}
}

// advance lets time pass from due time to due time, and the worker do what is due.
func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	for end := e.clock.Now().Add(d); e.clock.Now().Before(end); {
		next := end
		if due := e.nextDue(t); !due.IsZero() && due.Before(end) {
			next = due
		}
		_, err := e.clock.Advance(next.Sub(e.clock.Now()))
		require.NoError(t, err)
		e.work(t)
	}
}

// nextDue returns the earliest later time at which something is due for a customer, or the zero time.
func (e *env) nextDue(t *testing.T) (next time.Time) {
	t.Helper()
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		var ids []string
		if err := tx.List(t.Context(), &ids, "SELECT id FROM gateway_customers"); err != nil {
			return err
		}
		for _, id := range ids {
			r, err := e.View(t.Context(), tx, id, ledger.Scope{})
			if fault.Is(err, fault.NotFound) {
				continue // it was deleted
			}
			if err != nil {
				return err
			}
			if at := r.Account.NextAt(); at.After(e.clock.Now()) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
		return nil
	}))
	return next
}

// settle lets time pass until no payment is on its way.
func (e *env) settle(t *testing.T) {
	t.Helper()
	for range 3 {
		var moving []string
		require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
			return tx.List(t.Context(), &moving, `SELECT key FROM gateway_attempts WHERE over = 0 AND document LIKE '%"state":"processing"%'`)
		}))
		if len(moving) == 0 {
			return
		}
		e.advance(t, e.Gateway.Capabilities().Settlement)
	}
	require.Fail(t, "a payment is still on its way after its settlement time")
}

// visit presses the button for an account on the bank's page, and lets the worker learn of it.
func (e *env) visit(t *testing.T, address string, account fakegateway.Behaviour) {
	t.Helper()
	e.press(t, address, account)
	e.work(t)
}

// press presses the button for an account on the bank's page.
func (e *env) press(t *testing.T, address string, account fakegateway.Behaviour) {
	t.Helper()
	browser := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // parallel tests close idle connections
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	form := strings.NewReader(url.Values{"account": {string(account)}}.Encode())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, form)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := browser.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
}
