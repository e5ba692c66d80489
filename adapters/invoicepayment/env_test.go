package invoicepayment

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const day = 24 * time.Hour

var (
	noon         = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	standard     = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}
	professional = catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"}
)

// env is a provider with a clock that the test moves.
type env struct {
	*Provider
	clock *devclock.Clock
}

var databaseTemplate = plugintest.NewTemplate("invoice", Adapter{}.Migrations())

func newSQLite(t *testing.T) *sqlstorage.Store {
	t.Helper()
	return databaseTemplate.SQLite(t)
}

// newEnv returns a provider with the settings. Each name of a setting is followed by its value.
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

// confirmAsOperator returns the entry about a change in a test.
func confirmAsOperator(c payment.TransferChange) (audit.Entry, error) {
	return audit.Entry{OrganisationID: c.OrganisationID, Actor: audit.Operator("olga"), Kind: audit.OperatorVoidedInvoice}, nil
}

func (e *env) RecordPayment(ctx context.Context, t payment.Transfer) (payment.TransferResult, error) {
	return e.Provider.RecordPayment(ctx, t, confirmAsOperator)
}

func (e *env) RecordRefund(ctx context.Context, t payment.Transfer) (payment.TransferResult, error) {
	return e.Provider.RecordRefund(ctx, t, confirmAsOperator)
}

func (e *env) RecordCreditPayout(ctx context.Context, t payment.Transfer) (payment.TransferResult, error) {
	return e.Provider.RecordCreditPayout(ctx, t, confirmAsOperator)
}

func (e *env) ReverseTransfer(ctx context.Context, reference string) (payment.InvoiceInfo, error) {
	return e.Provider.ReverseTransfer(ctx, reference, confirmAsOperator)
}

func (e *env) VoidInvoice(ctx context.Context, number string) (payment.InvoiceInfo, error) {
	return e.Provider.VoidInvoice(ctx, number, confirmAsOperator)
}

func (e *env) ApproveOrganisation(ctx context.Context, organisationID string) (startedCount int, err error) {
	return e.Provider.ApproveOrganisation(ctx, organisationID, confirmAsOperator)
}

// payInvoice marks an invoice as paid in full.
func (e *env) payInvoice(t *testing.T, id string) {
	t.Helper()
	inv := e.readInvoice(t, id)
	_, err := e.RecordPayment(t.Context(), payment.Transfer{
		InvoiceNumber: e.Terms.InvoiceNumber(inv.Number), Reference: rand.Text(),
		Amount: ledger.Amount(inv.AmountRemaining(), inv.Currency),
	})
	require.NoError(t, err)
}

// invoiceNumber returns the number of an invoice, with its prefix.
func (e *env) invoiceNumber(t *testing.T, id string) string {
	t.Helper()
	return e.Terms.InvoiceNumber(e.readInvoice(t, id).Number)
}

func (e *env) readInvoice(t *testing.T, id string) (inv ledger.Invoice) {
	t.Helper()
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		var customerID string
		require.NoError(t, tx.Get(t.Context(), &customerID, "SELECT customer_id FROM invoice_invoices WHERE id = ?", id))
		r, err := e.LoadInTx(t.Context(), tx, customerID, ledger.Scope{InvoiceID: id})
		require.NoError(t, err)
		inv = r.Invoice(id)
		return nil
	}))
	return inv
}

func (e *env) newCustomer(t *testing.T) billing.Customer {
	t.Helper()
	c, err := e.CreateCustomer(t.Context(), payment.NewCustomer{
		Key: rand.Text(), OrganisationID: "org-" + rand.Text(), Name: "Northside Clinic",
	})
	require.NoError(t, err)
	return c
}

func (e *env) subscribe(t *testing.T, c billing.Customer, trialDays int) (billing.Subscription, error) {
	t.Helper()
	return e.Subscribe(t.Context(), payment.NewSubscription{
		Key: rand.Text(), CustomerID: c.ID, Price: standard, TrialDays: trialDays, Sole: true,
	})
}

// mustSubscribe returns a new subscription to the standard plan.
func (e *env) mustSubscribe(t *testing.T, trialDays int) billing.Subscription {
	t.Helper()
	s, err := e.subscribe(t, e.newCustomer(t), trialDays)
	require.NoError(t, err)
	return s
}

// newEnvWithSubscription returns a new env and a subscription without a trial.
func newEnvWithSubscription(t *testing.T) (*env, billing.Subscription) {
	t.Helper()
	e := newEnv(t, newSQLite(t))
	return e, e.mustSubscribe(t, 0)
}

// advanceAndReadSubscription moves the clock to noon plus d and returns the subscription.
func (e *env) advanceAndReadSubscription(t *testing.T, id string, d time.Duration) billing.Subscription {
	t.Helper()
	e.advance(t, noon.Add(d).Sub(e.clock.Now()))
	s, err := e.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

// readCredit returns the credit of a customer, such as "12.50".
func (e *env) readCredit(t *testing.T, customerID string) string {
	t.Helper()
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	return c.Credit.Format()
}

func aud(t *testing.T, text string) money.Amount {
	t.Helper()
	amount, err := money.Parse(text, "AUD")
	require.NoError(t, err)
	return amount
}
