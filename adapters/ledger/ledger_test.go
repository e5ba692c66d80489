package ledger_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

var (
	noon     = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	standard = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

// The migrations of enginepayment create the tables of a ledger, too.
var databaseTemplate = plugintest.NewTemplate("gateway", enginepayment.Migrations())

// env contains a ledger of customers who pay by transfer, and a clock that the test moves.
type env struct {
	*ledger.Ledger
	clock *devclock.Clock
}

// forEachDatabase runs a test on SQLite and on PostgreSQL.
func forEachDatabase(t *testing.T, test func(*testing.T, *env)) {
	t.Helper()
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		clock, err := devclock.Open("", func() time.Time { return noon })
		require.NoError(t, err)
		test(t, &env{clock: clock, Ledger: ledger.New(ledger.Config{
			Database: store.Database(), Clock: clock, Catalogue: catalogue.Default(), TablePrefix: "gateway_",
			Terms:            engine.Terms{DueDays: 14, GraceDays: 7, NumberPrefix: "L-"},
			IDPrefixes:       ledger.IDPrefixes{Customer: "cus_", Subscription: "sub_", Invoice: "inv_", Event: "evt_"},
			SetPaymentFields: func(*ledger.Record, engine.AccountSubscription, *billing.Subscription) {},
		})})
	})
}

func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

func (e *env) createCustomer(t *testing.T) billing.Customer {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{
		Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic",
	})
	require.NoError(t, err)
	return c
}

// update changes the record of a customer and stores the changes.
func (e *env) update(t *testing.T, customerID string, change func(*ledger.Record) error) error {
	t.Helper()
	_, err := e.Update(t.Context(), customerID, ledger.Scope{}, change)
	return err
}

// subscribe starts a subscription and returns its id.
func (e *env) subscribe(t *testing.T, customerID string) (id string) {
	t.Helper()
	id = e.NewSubscriptionID()
	require.NoError(t, e.update(t, customerID, func(r *ledger.Record) error { return startSubscription(r, id) }))
	return id
}

func startSubscription(r *ledger.Record, id string) error {
	req, err := r.SubscribeRequest(id, payment.NewSubscription{Key: id, CustomerID: r.Customer.ID, Price: standard})
	if err != nil {
		return err
	}
	return r.Account.Subscribe(req)
}

// payInvoice records a transfer that pays the latest invoice of the subscription.
func (e *env) payInvoice(t *testing.T, customerID, subscriptionID string) {
	t.Helper()
	require.NoError(t, e.update(t, customerID, func(r *ledger.Record) error {
		s, err := r.Account.Subscription(subscriptionID)
		r.Account.RecordPayment(s.LatestInvoice, r.Account.Invoice(s.LatestInvoice).AmountRemaining())
		return err
	}))
}

// reportedEvents returns the events that Tick reports.
func (e *env) reportedEvents(t *testing.T) (events []payment.Event) {
	t.Helper()
	_, err := e.Tick(t.Context(), func(_ context.Context, event payment.Event) error {
		events = append(events, event)
		return nil
	})
	require.NoError(t, err)
	return events
}

// invoiceNumbers returns the numbers of the invoices on the page.
func (e *env) invoiceNumbers(t *testing.T, page payment.InvoiceQuery) (numbers []string, hasMore bool) {
	t.Helper()
	list, err := e.ListInvoices(t.Context(), page)
	require.NoError(t, err)
	for _, inv := range list.Invoices {
		numbers = append(numbers, inv.Number)
	}
	return numbers, list.HasMore
}

func TestUpdate_ErrorStoresNothingAndUsesNoInvoiceNumber(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c, otherCustomer := e.createCustomer(t), e.createCustomer(t)
		failure := errors.New("connection reset")

		err := e.update(t, c.ID, func(r *ledger.Record) error { return errors.Join(startSubscription(r, "sub"), failure) })

		require.ErrorIs(t, err, failure)
		subscriptions, err := e.ListSubscriptions(t.Context(), c.ID)
		require.NoError(t, err)
		assert.Empty(t, subscriptions)
		e.subscribe(t, otherCustomer.ID)
		numbers, _ := e.invoiceNumbers(t, payment.InvoiceQuery{CustomerID: otherCustomer.ID, Limit: 10})
		assert.Equal(t, []string{"L-000001"}, numbers)
	})
}

func TestAddCredit_ConcurrentRequestsAddUp(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c := e.createCustomer(t)
		e.subscribe(t, c.ID)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				_, err := e.AddCredit(t.Context(), payment.CreditGrant{
					Key: rand.Text(), CustomerID: c.ID, Amount: ledger.Amount(100, "AUD"),
				})
				assert.NoError(t, err)
			})
		}
		wg.Wait()

		c, err := e.Customer(t.Context(), c.ID)

		require.NoError(t, err)
		assert.Equal(t, ledger.Amount(800, "AUD"), c.Credit)
	})
}

func TestSubscription_RenewsWhenDueAndTickReportsTheRenewalOnce(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c := e.createCustomer(t)
		id := e.subscribe(t, c.ID)
		e.payInvoice(t, c.ID, id)
		newSub, err := e.Subscription(t.Context(), id)
		require.NoError(t, err)
		assert.Empty(t, e.reportedEvents(t), "requested changes are not reported")

		e.advance(t, 32*day)
		renewedSub, err := e.Subscription(t.Context(), id)

		require.NoError(t, err)
		assert.NotEqual(t, newSub.LatestInvoice.ID, renewedSub.LatestInvoice.ID)
		events := e.reportedEvents(t)
		require.Len(t, events, 1)
		assert.Equal(t, c.ID, events[0].CustomerID)
		assert.Equal(t, []string{renewedSub.LatestInvoice.ID}, events[0].InvoiceIDs)
		assert.Empty(t, e.reportedEvents(t))
	})
}

func TestLoadInTx_LoadsOnlyTheInvoicesOfItsScope(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c := e.createCustomer(t)
		id := e.subscribe(t, c.ID)
		var firstInvoiceID string
		for range 3 {
			s, err := e.Subscription(t.Context(), id)
			require.NoError(t, err)
			firstInvoiceID = cmp.Or(firstInvoiceID, s.LatestInvoice.ID)
			e.payInvoice(t, c.ID, id)
			e.advance(t, s.CurrentPeriodEnd.Sub(e.clock.Now()))
		}
		_, err := e.Subscription(t.Context(), id) // renews
		require.NoError(t, err)

		for _, tt := range []struct {
			scope ledger.Scope
			want  int
		}{{ledger.Scope{}, 1}, {ledger.Scope{InvoiceID: firstInvoiceID}, 2}, {ledger.Scope{AllInvoices: true}, 4}} {
			require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
				r, err := e.LoadInTx(t.Context(), tx, c.ID, tt.scope)
				require.NoError(t, err)
				assert.Len(t, r.Account.Invoices, tt.want, "%+v", tt.scope)
				return nil
			}))
		}
	})
}

func TestListInvoices_NextPageContinuesAfterTheLastInvoice(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c := e.createCustomer(t)
		id := e.subscribe(t, c.ID)
		e.payInvoice(t, c.ID, id)
		e.advance(t, 32*day)

		list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: c.ID, Limit: 1})
		require.NoError(t, err)
		require.Len(t, list.Invoices, 1)
		assert.Equal(t, "L-000002", list.Invoices[0].Number)
		assert.True(t, list.HasMore)

		numbers, hasMore := e.invoiceNumbers(t, payment.InvoiceQuery{CustomerID: c.ID, Limit: 1, After: list.Invoices[0].ID})
		assert.Equal(t, []string{"L-000001"}, numbers)
		assert.False(t, hasMore)
	})
}

func TestDeleteCustomer_HidesTheCustomerAndKeepsItsInvoices(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, e *env) {
		c := e.createCustomer(t)
		e.subscribe(t, c.ID)

		require.NoError(t, e.DeleteCustomer(t.Context(), c.ID))

		_, err := e.Customer(t.Context(), c.ID)
		require.ErrorIs(t, err, payment.ErrCustomerDeleted)
		_, err = e.CustomerOf(t.Context(), payment.Owner{OrganisationID: c.OrganisationID})
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		var invoiceCount int
		require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
			return tx.Get(t.Context(), &invoiceCount, "SELECT COUNT(*) FROM gateway_invoices WHERE customer_id = ?", c.ID)
		}))
		assert.Equal(t, 1, invoiceCount)
	})
}

func TestTotalRefund_ReportsRefundedAmountAndSpentCredit(t *testing.T) {
	t.Parallel()
	r := &ledger.Record{Ledger: ledger.New(ledger.Config{Terms: engine.Terms{NumberPrefix: "L-"}})}
	inv := engine.Invoice{Currency: "AUD", Refunded: 300, Refund: engine.ReturnedPayment{Amount: 500, Spent: 200, At: noon}}

	refund := r.TotalRefund(inv)

	assert.Equal(t, ledger.Amount(500, "AUD"), refund.Amount)
	assert.Equal(t, ledger.Amount(200, "AUD"), refund.Spent)
}
