package apptest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// gatewayProvider implements Provider with the billing of enginepayment and the fake gateway.
type gatewayProvider struct {
	*enginepayment.Provider
	bank   *fakegateway.Provider
	events *eventQueue
}

// startGateway starts the fake gateway. Its tables are in the database of the application.
func (e *Env) startGateway(c fakegateway.Config, intercept func(fakegateway.Call) error) *gatewayProvider {
	e.t.Helper()
	if e.Store.PluginReady(e.t.Context(), "gateway", gatewayTables{}) != nil {
		require.NoError(e.t, e.Store.MigratePlugin(e.t.Context(), "gateway", gatewayTables{}))
	}
	c.Clock = e.Clock
	bank := fakegateway.New(c)
	provider, err := enginepayment.New(enginepayment.Config{
		Gateway: bank.Gateway(intercept), Database: e.Store.Database(), Clock: e.Clock, Catalogue: catalogue.Default(),
		NumberPrefix: "FG-", ReturnTo: "https://diy.test/vc-admin/dash",
	})
	require.NoError(e.t, err)
	return &gatewayProvider{provider, bank, &e.events}
}

// gatewayTables are the tables of enginepayment.
type gatewayTables struct{}

// Migrations implements plugin.Tables.
func (gatewayTables) Migrations() fs.FS { return enginepayment.Migrations() }

// gatewayTemplate is like sqliteTemplate, and has the tables of enginepayment too.
var gatewayTemplate = sqlitetest.NewTemplate(func(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.MigratePlugin(ctx, "gateway", gatewayTables{}), store.Close())
})

// Tick runs the worker, and queues its events.
func (p *gatewayProvider) Tick(ctx context.Context) error {
	_, err := p.Provider.Tick(ctx, p.queue)
	return err
}

// queue adds an event to the queue of the Env.
func (p *gatewayProvider) queue(ctx context.Context, event payment.Event) error {
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return p.events.receive(ctx, text, fakepayment.Sign(text, p.Clock.Now(), WebhookSecret))
}

// ParseEvents implements payment.Provider. It accepts the queued events, and the webhooks of the gateway.
func (p *gatewayProvider) ParseEvents(ctx context.Context, d payment.Delivery) ([]payment.Event, error) {
	var event payment.Event
	signature := d.Header.Get(fakepayment.SignatureHeader)
	if signature == fakepayment.Sign(d.Body, p.Clock.Now(), WebhookSecret) && json.Unmarshal(d.Body, &event) == nil {
		return []payment.Event{event}, nil
	}
	return p.Provider.ParseEvents(ctx, d)
}

// Capabilities implements payment.Provider. No request takes longer than the call.
func (p *gatewayProvider) Capabilities() payment.Capabilities {
	c := p.Provider.Capabilities()
	c.LongestRequest = 0
	return c
}

// Drain runs the worker, which reports the changes that the application did not request.
func (p *gatewayProvider) Drain(ctx context.Context) error { return p.Tick(ctx) }

// Gateway returns the billing and the gateway of WithGateway.
func (e *Env) Gateway() (*enginepayment.Provider, *fakegateway.Provider) {
	e.t.Helper()
	p, ok := e.Provider.(*gatewayProvider)
	require.True(e.t, ok, "the Env has no gateway")
	return p.Provider, p.bank
}

// nextDue returns the first time after now at which the billing or the bank has something to do; end if that is later.
func (p *gatewayProvider) nextDue(ctx context.Context, end time.Time) (time.Time, error) {
	var next int64
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &next, "SELECT COALESCE(MIN(next_at), 0) FROM gateway_customers WHERE next_at > ?", p.Clock.Now().Unix())
	})
	if at := time.Unix(next, 0).UTC(); next > 0 && at.Before(end) {
		end = at
	}
	if at := p.bank.NextChangeAt(); !at.IsZero() && at.Before(end) {
		end = at
	}
	return end, err
}

// advance moves the clock from one due time to the next, and runs the worker at each of them.
func (p *gatewayProvider) advance(ctx context.Context, e *Env, step time.Duration) error {
	for end := e.Clock.Now().Add(step); ; {
		if err := p.Tick(ctx); err != nil {
			return err
		}
		now := e.Clock.Now()
		if !now.Before(end) {
			return nil
		}
		next, err := p.nextDue(ctx, end)
		if err != nil {
			return err
		}
		if _, err := e.Clock.Advance(max(next.Sub(now), min(time.Second, end.Sub(now)))); err != nil {
			return err
		}
	}
}

// CreatePaymentMethod implements Provider.
func (p *gatewayProvider) CreatePaymentMethod(_ context.Context, entry fakepayment.CardEntry) (billing.PaymentMethod, error) {
	token, err := p.bank.CreateTokenOfEntry(entry)
	return billing.PaymentMethod{ID: token}, err
}

// Confirm implements Provider.
func (p *gatewayProvider) Confirm(ctx context.Context, req fakepayment.Confirmation) (billing.Intent, error) {
	if req.Outcome == fakepayment.NoOutcome {
		return billing.Intent{}, fault.New(fault.Unsupported, "Only the fake provider confirms without an authentication.")
	}
	_, err := p.bank.Authenticate(req.ClientSecret, req.Outcome == fakepayment.OutcomeComplete)
	if err != nil {
		return billing.Intent{}, err
	}
	return billing.Intent{}, p.Tick(ctx)
}

// paymentRef returns the gateway's reference of the payment of an invoice.
func (p *gatewayProvider) paymentRef(ctx context.Context, invoiceID string) (ref string, err error) {
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &ref, "SELECT ref FROM gateway_attempts WHERE invoice_id = ? ORDER BY position DESC LIMIT 1", invoiceID)
	})
	return ref, err
}

// Dispute implements Provider.
func (p *gatewayProvider) Dispute(ctx context.Context, invoiceID string) error {
	ref, err := p.paymentRef(ctx, invoiceID)
	if err != nil {
		return err
	}
	if _, err := p.bank.Dispute(ref, money.Amount{}); err != nil {
		return err
	}
	return p.Tick(ctx)
}

// CloseDispute implements Provider.
func (p *gatewayProvider) CloseDispute(ctx context.Context, invoiceID string, won bool) error {
	ref, err := p.paymentRef(ctx, invoiceID)
	if err != nil {
		return err
	}
	if err := p.bank.CloseDispute(ref, won); err != nil {
		return err
	}
	return p.Tick(ctx)
}

// CancelKeepingInvoice implements Provider. The worker reports the change, because the application did not request it.
func (p *gatewayProvider) CancelKeepingInvoice(ctx context.Context, subscriptionID string) error {
	customerID, err := p.ReadCustomerIDOfSubscription(ctx, subscriptionID)
	if err == nil {
		_, err = p.Update(ctx, customerID, ledger.Scope{}, func(r *ledger.Record) error {
			r.NeedsReport = true
			return r.Account.End(subscriptionID, false)
		})
	}
	return err
}

// DeleteCustomer implements Provider, and reports the deletion.
func (p *gatewayProvider) DeleteCustomer(ctx context.Context, id string) error {
	if err := p.Provider.DeleteCustomer(ctx, id); err != nil {
		return err
	}
	return p.queue(ctx, payment.Event{
		ID: "deleted " + id, Kind: payment.CustomerDeleted, Type: "customer.deleted", CustomerID: id, CreatedAt: p.Now(),
	})
}

// ChargeInvoice implements Provider.
func (p *gatewayProvider) ChargeInvoice(ctx context.Context, invoiceID, cardID string) error {
	subscription, err := p.subscriptionOfInvoice(ctx, invoiceID)
	if err != nil {
		return err
	}
	if _, err := p.AddCard(ctx, payment.NewCard{
		Key: rand.Text(), CustomerID: subscription.CustomerID, MethodID: cardID, KeepDefault: true,
	}); err != nil {
		return err
	}
	_, err = p.PayInvoice(ctx, payment.InvoicePayment{
		Key: rand.Text(), InvoiceID: invoiceID, Amount: subscription.LatestInvoice.AmountRemaining(), MethodID: cardID,
	})
	return err
}

// VoidInvoice implements Provider. It voids only the invoice of a pending change.
func (p *gatewayProvider) VoidInvoice(ctx context.Context, invoiceID string) error {
	subscription, err := p.subscriptionOfInvoice(ctx, invoiceID)
	if err == nil {
		_, err = p.CancelPendingChange(ctx, payment.PendingChangeCancellation{
			Key: rand.Text(), SubscriptionID: subscription.ID, InvoiceID: invoiceID,
		})
	}
	return err
}

// subscriptionOfInvoice returns the subscription of an invoice.
func (p *gatewayProvider) subscriptionOfInvoice(ctx context.Context, invoiceID string) (billing.Subscription, error) {
	var id string
	if err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.Get(ctx, &id, "SELECT subscription_id FROM gateway_invoices WHERE id = ?", invoiceID)
	}); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, id)
}

// customerIDs returns the ids of all customers that are not deleted, newest first.
func (p *gatewayProvider) customerIDs(e *Env) (ids []string) {
	var all []string
	require.NoError(e.t, p.Database.Read(e.t.Context(), func(tx plugin.Tx) error {
		return tx.List(e.t.Context(), &all, "SELECT id FROM gateway_customers ORDER BY created_at DESC")
	}))
	for _, id := range all {
		if _, err := p.Customer(e.t.Context(), id); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// charges returns the received payments of an organisation, oldest first.
func (p *gatewayProvider) charges(e *Env, organisationID string) (charges []Charge) {
	c, err := p.CustomerOf(e.t.Context(), payment.Owner{OrganisationID: organisationID})
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	require.NoError(e.t, err)
	for _, inv := range e.Invoices(c.ID) {
		for _, paid := range inv.ReceivedPayments {
			charge := Charge{
				SubscriptionID: inv.SubscriptionID, InvoiceID: inv.ID, Amount: paid.Amount.Minor(),
				Currency: paid.Amount.Currency().Code, InvoicedAt: inv.CreatedAt,
			}
			if paid.Method != nil {
				charge.MethodID = paid.Method.ID
			}
			charges = append([]Charge{charge}, charges...)
		}
	}
	return charges
}
