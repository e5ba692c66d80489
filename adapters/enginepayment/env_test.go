package enginepayment

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

var (
	noon         = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	standard     = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
)

// cards is the configuration of a gateway with a card field.
var cards = fakegateway.Config{Entry: payment.EntryCardField, Kind: billing.CardMethod, KeyRetention: 30 * day}

// cardsWithPage is the configuration of a card field whose cards are authenticated on a page of the gateway.
var cardsWithPage = fakegateway.Config{
	Entry: payment.EntryCardField, Kind: billing.CardMethod, KeyRetention: 30 * day, AuthenticatesOnPage: true,
}

// payScreen is the screen of the application to which such a page returns.
const payScreen = "https://app.example/pay"

// slowCards is the configuration of cards whose payments settle after two days.
var slowCards = fakegateway.Config{
	Entry: payment.EntryCardField, Kind: billing.CardMethod, KeyRetention: 30 * day, Settlement: 2 * day, ReturnWindow: 7 * day,
}

// The configurations of most gateways. With slowSettlement, a payment settles after three days, and the bank can return it
// up to a week later.
var (
	immediateSettlement = fakegateway.Config{Kind: billing.BankDebitMethod, KeyRetention: 30 * day}
	slowSettlement      = fakegateway.Config{
		Kind: billing.BankDebitMethod, KeyRetention: 30 * day, Settlement: 3 * day, ReturnWindow: 7 * day,
	}
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

var databaseTemplate = plugintest.NewTemplate("gateway", Migrations())

func newSQLite(t *testing.T) *sqlstorage.Store {
	t.Helper()
	return databaseTemplate.SQLite(t)
}

// newSharedPostgreSQL returns a function that empties the tables of one database and returns the database. The tests
// share it, because databases take long to create.
func newSharedPostgreSQL(t *testing.T) func(*testing.T) *sqlstorage.Store {
	t.Helper()
	store := databaseTemplate.PostgreSQL(t)
	return func(t *testing.T) *sqlstorage.Store {
		t.Helper()
		require.NoError(t, store.Database().Write(t.Context(), func(tx plugin.Tx) error {
			for _, statement := range []string{
				`TRUNCATE gateway_customers, gateway_subscriptions, gateway_invoices, gateway_responses, gateway_attempts,
					gateway_refunds`,
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

// env contains a provider, the fake that its gateway connects to, and a clock that the test moves.
type env struct {
	*Provider
	clock *devclock.Clock
	fake  *fakegateway.Provider
	store *sqlstorage.Store
}

func newEnv(t *testing.T, store *sqlstorage.Store, c fakegateway.Config, intercept func(fakegateway.Call) error) *env {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	c.Clock = clock
	store.UseClock(clock.Now)
	e := &env{clock: clock, fake: fakegateway.New(c), store: store}
	e.Provider = e.newServer(t, intercept)
	return e
}

// newServer returns the provider of another server that uses the same database and fake.
func (e *env) newServer(t *testing.T, intercept func(fakegateway.Call) error) *Provider {
	t.Helper()
	p, err := New(Config{
		Gateway: e.fake.Gateway(intercept), Database: e.store.Database(), Clock: e.clock, Catalogue: catalogue.Default(),
		NumberPrefix: "DD-", ReturnTo: "https://app.example/billing",
	})
	require.NoError(t, err)
	return p
}

// runWorker does what Tick does, without reporting changes.
func (e *env) runWorker(t *testing.T) {
	t.Helper()
	require.NoError(t, e.poll(t.Context()))
	var ids []string
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.List(t.Context(), &ids, "SELECT id FROM gateway_customers WHERE next_at BETWEEN 1 AND ?", e.Now().Unix())
	}))
	for _, id := range ids {
		if _, err := e.processOutbox(t.Context(), id, workerTimeout); !fault.Is(err, fault.NotFound) {
			require.NoError(t, err)
		}
	}
}

// moveClock moves the clock without running the worker.
func (e *env) moveClock(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

// advance moves the clock in steps and runs the worker now, at each time when something is due, and at the end.
func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	e.runWorker(t)
	for end := e.clock.Now().Add(d); e.clock.Now().Before(end); {
		next := end
		if due := e.nextDue(t); !due.IsZero() && due.Before(end) {
			next = due
		}
		e.moveClock(t, next.Sub(e.clock.Now()))
		e.runWorker(t)
	}
}

// nextDue returns the next time at which something is due for a customer, or the zero time.
func (e *env) nextDue(t *testing.T) (next time.Time) {
	t.Helper()
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		var ids []string
		if err := tx.List(t.Context(), &ids, "SELECT id FROM gateway_customers"); err != nil {
			return err
		}
		for _, id := range ids {
			r, err := e.LoadInTx(t.Context(), tx, id, ledger.Scope{})
			if fault.Is(err, fault.NotFound) {
				continue // it was deleted
			}
			if err != nil {
				return err
			}
			if at := r.Account.NextWorkAt(); at.After(e.clock.Now()) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
		return nil
	}))
	return next
}

// advanceUntilSettled moves the clock from one due time to the next until no payment is processing.
func (e *env) advanceUntilSettled(t *testing.T) {
	t.Helper()
	for end := e.clock.Now().Add(3 * e.Gateway.Capabilities().Settlement); e.clock.Now().Before(end); {
		var isProcessing bool
		require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
			return tx.Get(t.Context(), &isProcessing, `SELECT EXISTS (SELECT 1 FROM gateway_attempts
				WHERE complete = 0 AND document LIKE '%"state":"processing"%')`)
		}))
		if !isProcessing {
			return
		}
		e.advance(t, max(e.nextDue(t).Sub(e.clock.Now()), time.Minute))
	}
	require.Fail(t, "a payment is still processing after its settlement time")
}

// completePage enters an account on the gateway's page. The worker has not read the payment yet.
func (e *env) completePage(t *testing.T, pageURL string, account fakegateway.Behaviour) {
	t.Helper()
	_, err := e.fake.CompletePage(pageURL, account)
	require.NoError(t, err)
}

// completePageAndRunWorker enters an account on the gateway's page and runs the worker, which reads the payment.
func (e *env) completePageAndRunWorker(t *testing.T, pageURL string, account fakegateway.Behaviour) {
	t.Helper()
	e.completePage(t, pageURL, account)
	e.runWorker(t)
}

func (e *env) createCustomer(t *testing.T) billing.Customer {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{
		Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic",
	})
	require.NoError(t, err)
	return c
}

// subscribeWithOpenPage subscribes a new customer and returns the subscription, whose page is open.
func (e *env) subscribeWithOpenPage(t *testing.T) billing.Subscription {
	t.Helper()
	s, err := e.Subscribe(t.Context(), payment.NewSubscription{
		Key: rand.Text(), CustomerID: e.createCustomer(t).ID, Price: standard,
	})
	require.NoError(t, err)
	return s
}

// subscribe subscribes a new customer, who completes the page with the account, and returns the subscription.
func (e *env) subscribe(t *testing.T, account fakegateway.Behaviour) billing.Subscription {
	t.Helper()
	s := e.subscribeWithOpenPage(t)
	e.completePageAndRunWorker(t, s.Next.URL, account)
	return e.readSubscription(t, s.ID)
}

// subscribeWithToken subscribes a customer with a new card that has the behaviour.
func (e *env) subscribeWithToken(t *testing.T, customerID string, b fakegateway.Behaviour, trialDays int) (billing.Subscription, error) {
	t.Helper()
	return e.Subscribe(t.Context(), payment.NewSubscription{
		Key: rand.Text(), CustomerID: customerID, MethodID: e.fake.CreateToken(b), Price: standard, TrialDays: trialDays,
	})
}

func (e *env) readCustomer(t *testing.T, id string) billing.Customer {
	t.Helper()
	c, err := e.Customer(t.Context(), id)
	require.NoError(t, err)
	return c
}

func (e *env) readSubscription(t *testing.T, id string) billing.Subscription {
	t.Helper()
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

// openPage returns the subscription with the URL of the page where its latest invoice is paid.
func (e *env) openPage(t *testing.T, s billing.Subscription) billing.Subscription {
	t.Helper()
	s, err := e.PayInvoice(t.Context(), payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountRemaining(),
	})
	require.NoError(t, err)
	require.NotEmpty(t, s.Next.URL)
	return s
}

func (e *env) listInvoices(t *testing.T, customerID string) []billing.Invoice {
	t.Helper()
	list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	return list.Invoices
}

// assertDebits asserts the number of the customer's debits in the ledger of the fake.
func (e *env) assertDebits(t *testing.T, customerID string, want int, msgAndArgs ...any) {
	t.Helper()
	var s customerState
	require.NoError(t, e.Read(t.Context(), customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) (err error) {
		s, err = decodeState(r.Customer)
		return err
	}))
	assert.Len(t, e.fake.ChargedAmounts(s.Ref), want, msgAndArgs...)
}

// intentStatuses contains the status that the browser receives for each state of a payment.
var intentStatuses = map[gateway.State]billing.IntentStatus{
	gateway.Open: billing.RequiresAction, gateway.Processing: billing.Processing, gateway.Paid: billing.Succeeded,
	gateway.Failed: billing.RequiresPaymentMethod, gateway.Canceled: billing.IntentCanceled,
}

// authenticate completes or fails the authentication of a card in the browser, and runs the worker.
func (e *env) authenticate(t *testing.T, secret string, complete bool) billing.IntentStatus {
	t.Helper()
	p, err := e.fake.Authenticate(secret, complete)
	require.NoError(t, err)
	e.runWorker(t)
	return intentStatuses[p.State]
}

// dispute disputes the payment of an invoice at the bank and runs the worker. While a dispute is open, it changes
// nothing. The worker must have read all earlier changes. It would otherwise read a page together with the dispute, and
// send the cancellation of the page a minute later.
func (e *env) dispute(t *testing.T, invoiceID string) {
	t.Helper()
	e.runWorker(t)
	payment := e.paymentOf(t, invoiceID)
	if slices.ContainsFunc(payment.Disputes, func(d gateway.Dispute) bool { return d.Status == billing.DisputeOpen }) {
		return
	}
	_, err := e.fake.Dispute(payment.Ref, money.Amount{})
	require.NoError(t, err)
	e.runWorker(t)
}

// closeDispute decides the dispute of an invoice's payment and runs the worker.
func (e *env) closeDispute(t *testing.T, invoiceID string, won bool) {
	t.Helper()
	require.NoError(t, e.fake.CloseDispute(e.paymentOf(t, invoiceID).Ref, won))
	e.runWorker(t)
}

// paymentOf returns the payment of an invoice at the gateway.
func (e *env) paymentOf(t *testing.T, invoiceID string) gateway.Payment {
	t.Helper()
	var ref string
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.Get(t.Context(), &ref, `SELECT ref FROM gateway_attempts
			WHERE invoice_id = ? AND document LIKE '%"state":"paid"%'`, invoiceID)
	}))
	payment, err := e.Gateway.Find(t.Context(), gateway.Reference{Ref: ref})
	require.NoError(t, err)
	return payment
}
