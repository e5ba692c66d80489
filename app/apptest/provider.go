package apptest

import (
	"context"
	"crypto/rand"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Provider is a payment provider with what customers, banks and operators do outside of the application.
type Provider interface {
	payment.Provider
	ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
	// CreatePaymentMethod creates a card or bank account, as the card form in a browser does.
	CreatePaymentMethod(ctx context.Context, entry fakepayment.CardEntry) (billing.PaymentMethod, error)
	// Confirm completes, fails or repeats the authentication of an intent, as the browser does.
	Confirm(ctx context.Context, req fakepayment.Confirmation) (billing.Intent, error)
	DeleteCustomer(ctx context.Context, id string) error
	Dispute(ctx context.Context, invoiceID string) error
	CloseDispute(ctx context.Context, invoiceID string, won bool) error
	// Tick processes everything that is due.
	Tick(ctx context.Context) error
	// Drain waits until all events are in the queue.
	Drain(ctx context.Context) error

	// The methods below change the state at the provider without the application, as an operator of the provider does.

	CancelKeepingInvoice(ctx context.Context, subscriptionID string) error
	ChargeInvoice(ctx context.Context, invoiceID, cardID string) error
	VoidInvoice(ctx context.Context, invoiceID string) error
}

var _ Provider = (*fakepayment.Provider)(nil)

// FakeProvider returns the fake provider, whose state the fake Stripe API serves. If the Env has another one, the fake
// replaces it, so call FakeProvider before the first user signs up.
func (e *Env) FakeProvider() *fakepayment.Provider {
	e.t.Helper()
	p, ok := e.Provider.(*fakepayment.Provider)
	if !ok {
		p = e.startProvider(nil)
		e.Provider = p
		e.App = e.NewApp(e.Store, p)
	}
	return p
}

// Subscriptions returns all subscriptions at the provider, of all customers.
func (e *Env) Subscriptions() []billing.Subscription {
	e.t.Helper()
	var subs []billing.Subscription
	for _, customerID := range e.CustomerIDs() {
		customerSubs, err := e.Provider.ListSubscriptions(e.t.Context(), customerID)
		require.NoError(e.t, err)
		subs = append(subs, customerSubs...)
	}
	return subs
}

// LiveSubscriptions returns the live subscriptions at the provider, of all customers.
func (e *Env) LiveSubscriptions() []billing.Subscription {
	e.t.Helper()
	var liveSubs []billing.Subscription
	for _, sub := range e.Subscriptions() {
		if sub.Status.Live() {
			liveSubs = append(liveSubs, sub)
		}
	}
	return liveSubs
}

// CustomerIDs returns the ids of all customers at the provider that are not deleted, newest first.
func (e *Env) CustomerIDs() []string {
	e.t.Helper()
	if p, ok := e.Provider.(*gatewayProvider); ok {
		return p.customerIDs(e)
	}
	var ids []string
	require.NoError(e.t, e.FakeProvider().Read(e.t.Context(), func(s fakepayment.Snapshot) error {
		ids = nil
		for _, customer := range s.Customers() {
			ids = append(ids, customer.ID)
		}
		return nil
	}))
	return ids
}

// Invoices returns all invoices of a customer at the provider, newest first.
func (e *Env) Invoices(customerID string) (invoices []billing.Invoice) {
	e.t.Helper()
	query := payment.InvoiceQuery{CustomerID: customerID, Limit: 100}
	for {
		list, err := e.Provider.ListInvoices(e.t.Context(), query)
		require.NoError(e.t, err)
		invoices = append(invoices, list.Invoices...)
		if !list.HasMore {
			return invoices
		}
		query.After = invoices[len(invoices)-1].ID
	}
}

// PaidInvoiceCount returns the number of paid invoices at the provider. It includes invoices of 0, such as that of a
// trial.
func (e *Env) PaidInvoiceCount() int {
	e.t.Helper()
	count := 0
	for _, customerID := range e.CustomerIDs() {
		for _, inv := range e.Invoices(customerID) {
			if inv.Status == billing.InvoicePaid {
				count++
			}
		}
	}
	return count
}

// CancelAtProvider cancels a subscription at the provider. The application finds the cancellation only after an event or
// in a refresh.
func (e *Env) CancelAtProvider(subscriptionID string) {
	e.t.Helper()
	_, err := e.Provider.CancelSubscription(e.t.Context(), payment.Cancellation{
		Key: "cancel " + subscriptionID, SubscriptionID: subscriptionID,
	})
	require.NoError(e.t, err)
}

// ConfirmIntent ends the authentication of an intent with the outcome, as the card holder does in a browser.
func (e *Env) ConfirmIntent(intent *billing.Intent, outcome fakepayment.Outcome) {
	e.t.Helper()
	require.NotNil(e.t, intent)
	_, err := e.Provider.Confirm(e.t.Context(), fakepayment.Confirmation{ClientSecret: intent.ClientSecret, Outcome: outcome})
	require.NoError(e.t, err)
}

// Refund refunds a part of the payments for an invoice, as an operator does at the provider. minor is the amount in the
// currency's minor unit.
func (e *Env) Refund(invoiceID string, minor int64, currency string) {
	e.t.Helper()
	amount, err := money.New(minor, currency)
	require.NoError(e.t, err)
	_, err = e.Provider.Refund(e.t.Context(), payment.RefundRequest{Key: rand.Text(), InvoiceID: invoiceID, Amount: amount})
	require.NoError(e.t, err)
}

// Dispute disputes the payment of an invoice, as the card holder does at the bank.
func (e *Env) Dispute(invoiceID string) {
	e.t.Helper()
	require.NoError(e.t, e.Provider.Dispute(e.t.Context(), invoiceID))
}

// CloseDispute closes the dispute of an invoice. isWon is true if the seller wins it.
func (e *Env) CloseDispute(invoiceID string, isWon bool) {
	e.t.Helper()
	require.NoError(e.t, e.Provider.CloseDispute(e.t.Context(), invoiceID, isWon))
}

// RequireCopyMatchesProvider requires that the stored copy equals the provider's report, that the user's customer is the
// only one at the provider, and that it has at most one live subscription.
func (e *Env) RequireCopyMatchesProvider(user *User) {
	e.t.Helper()
	account := user.Account()
	require.Equal(e.t, []string{account.CustomerID}, e.CustomerIDs(), "customers at the provider")
	require.LessOrEqual(e.t, len(e.LiveSubscriptions()), 1, "live subscriptions at the provider")
	var reportedAccount billing.Account
	reportedAccount.RecordSubscriptions(e.Subscriptions()...)
	require.Equal(e.t, reportedAccount.Subscriptions, account.Subscriptions)
}

// RequireNoPendingOperations requires that every operation is settled.
func (e *Env) RequireNoPendingOperations() {
	e.t.Helper()
	operations, err := e.Store.PendingOperations(e.t.Context(), 0, 100)
	require.NoError(e.t, err)
	require.Empty(e.t, operations)
}
