package sqlstorage

import (
	"database/sql"
	"encoding/json"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// number is an integer column that may be NULL.
type number = sql.Null[int64]

// invoiceColumns are what is stored of a subscription's latest invoice besides its id and payment.
type invoiceColumns struct {
	InvoiceStatus        text    `db:"latest_invoice_status"`
	InvoiceAmount        number  `db:"latest_invoice_amount"`
	InvoiceCurrency      text    `db:"latest_invoice_currency"`
	InvoiceCreatedAt     instant `db:"latest_invoice_created_at"`
	InvoiceNextAttemptAt instant `db:"latest_invoice_next_attempt_at"`
}

func invoiceColumnsOf(inv billing.Invoice) invoiceColumns {
	out := invoiceColumns{
		InvoiceStatus: orNull(string(inv.Status)), InvoiceCreatedAt: at(inv.CreatedAt), InvoiceNextAttemptAt: at(inv.NextAttemptAt),
	}
	out.InvoiceAmount, out.InvoiceCurrency = amountColumns(inv.AmountDue)
	return out
}

// pendingColumns are a plan change that waits for its payment, all NULL when there is none.
type pendingColumns struct {
	PendingProduct        text    `db:"pending_product"`
	PendingInterval       text    `db:"pending_interval"`
	PendingCurrency       text    `db:"pending_currency"`
	PendingInvoiceID      text    `db:"pending_invoice_id"`
	PendingAmount         number  `db:"pending_amount"`
	PendingAmountCurrency text    `db:"pending_amount_currency"`
	PendingExpiresAt      instant `db:"pending_expires_at"`
}

func pendingColumnsOf(p *billing.PendingChange) pendingColumns {
	if p == nil {
		return pendingColumns{}
	}
	out := pendingColumns{
		PendingProduct: some(p.To.Product), PendingInterval: some(string(p.To.Interval)), PendingCurrency: some(p.To.Currency),
		PendingInvoiceID: some(p.InvoiceID), PendingExpiresAt: at(p.ExpiresAt),
	}
	out.PendingAmount, out.PendingAmountCurrency = amountColumns(p.Amount)
	return out
}

func (c pendingColumns) pendingChange() *billing.PendingChange {
	if !c.PendingInvoiceID.Valid {
		return nil
	}
	return &billing.PendingChange{
		To: catalogue.PriceRef{
			Product: c.PendingProduct.V, Interval: catalogue.Interval(c.PendingInterval.V), Currency: c.PendingCurrency.V,
		},
		InvoiceID: c.PendingInvoiceID.V, Amount: amountOf(c.PendingAmount, c.PendingAmountCurrency), ExpiresAt: c.PendingExpiresAt.t,
	}
}

// amountColumns are NULL for the zero amount, which has no currency.
func amountColumns(a money.Amount) (number, text) {
	if a == (money.Amount{}) {
		return number{}, text{}
	}
	return number{V: a.Minor(), Valid: true}, some(a.Currency().Code)
}

// amountOf returns the zero amount for a currency that is not known any more: the next look at the
// provider brings the amount back.
func amountOf(minor number, currency text) money.Amount {
	if !minor.Valid {
		return money.Amount{}
	}
	amount, err := money.New(minor.V, currency.V)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// storedAction is how a next action is stored: without its credentials.
type storedAction struct {
	Kind         billing.ActionKind    `json:"kind"`
	InvoiceID    string                `json:"invoice,omitempty"`
	Instructions []billing.Instruction `json:"instructions,omitempty"`
	Until        time.Time             `json:"until,omitzero"`
	Reason       string                `json:"reason,omitempty"`
}

// nextActionColumn is NULL when there is nothing to do.
func nextActionColumn(n billing.NextAction) text {
	if n.Kind == billing.NoAction {
		return text{}
	}
	stored, err := json.Marshal(storedAction{n.Kind, n.InvoiceID, n.Instructions, at(n.Until).t, n.Reason})
	if err != nil {
		panic(err) // texts and a time always have a JSON form
	}
	return some(string(stored))
}

// nextActionOf reads the column. What can't be read is no action: a later version wrote it, and the
// next look at the provider replaces it.
func nextActionOf(column text) billing.NextAction {
	var stored storedAction
	if !column.Valid || json.Unmarshal([]byte(column.V), &stored) != nil {
		return billing.NextAction{}
	}
	return billing.NextAction{
		Kind: stored.Kind, InvoiceID: stored.InvoiceID, Instructions: stored.Instructions, Until: stored.Until, Reason: stored.Reason,
	}
}
