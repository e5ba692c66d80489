package apptest

import (
	"crypto/rand"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

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
	require.NoError(e.t, e.Provider.Read(e.t.Context(), func(s fakepayment.Snapshot) error {
		ids = nil
		for _, customer := range s.Customers() {
			ids = append(ids, customer.ID)
		}
		return nil
	}))
	return ids
}

// PaidInvoiceCount returns the number of paid invoices at the provider. It includes invoices of 0, such as that of a
// trial.
func (e *Env) PaidInvoiceCount() int {
	e.t.Helper()
	if p, ok := e.Provider.(*gatewayProvider); ok {
		return len(p.paidInvoices(e))
	}
	count := 0
	require.NoError(e.t, e.Provider.Read(e.t.Context(), func(s fakepayment.Snapshot) error {
		for _, customer := range s.Customers() {
			for _, inv := range s.CustomerInvoices(customer.ID) {
				if inv.Status == "paid" {
					count++
				}
			}
		}
		return nil
	}))
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
