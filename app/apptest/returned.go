package apptest

import (
	"crypto/rand"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Refund returns a part of what the organisation paid for an invoice, in the currency's minor unit, as an operator does
// at the provider.
func (e *Env) Refund(invoiceID string, minor int64, currency string) {
	e.t.Helper()
	amount, err := money.New(minor, currency)
	require.NoError(e.t, err)
	_, err = e.Provider.Refund(e.t.Context(), payment.Refund{Key: rand.Text(), InvoiceID: invoiceID, Amount: amount})
	require.NoError(e.t, err)
}

// Dispute disputes the payment of an invoice, as the card holder does at the bank.
func (e *Env) Dispute(invoiceID string) {
	e.t.Helper()
	require.NoError(e.t, e.Provider.Dispute(e.t.Context(), invoiceID))
}

// CloseDispute ends the dispute of an invoice, which the seller wins or loses.
func (e *Env) CloseDispute(invoiceID string, won bool) {
	e.t.Helper()
	require.NoError(e.t, e.Provider.CloseDispute(e.t.Context(), invoiceID, won))
}

// Customer returns the organisation's customer at the provider, with its credit and hold.
func (u *User) Customer() billing.Customer {
	u.env.t.Helper()
	c, err := u.env.Provider.Customer(u.env.t.Context(), u.Account().CustomerID)
	require.NoError(u.env.t, err)
	return c
}
