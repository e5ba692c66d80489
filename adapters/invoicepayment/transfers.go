package invoicepayment

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Transfer is a bank transfer from or to a customer.
type Transfer struct {
	InvoiceNumber string // with or without its prefix and leading zeros
	Amount        money.Amount
	Reference     string // identifies the transfer in the bank's statement, so that it is recorded once
}

// TransferResult is the result of recording a transfer.
type TransferResult struct {
	InvoiceInfo
	AlreadyRecorded bool         // the transfer was recorded before, so nothing has changed
	Credited        money.Amount // the part that became credit; negative for credit that was paid out
	// A refund withdraws its amount from the customer's credit. Spent is the part that the customer had already used.
	Withdrawn, Spent money.Amount
}

// TransferInfo is a recorded transfer.
type TransferInfo struct {
	Transfer             // its amount is negative if it was sent to the customer
	RecordedAt time.Time // in the zone of the invoice
}

// transferRow is a row of invoice_transfers, with its invoice.
type transferRow struct {
	Reference  string `db:"reference"`
	InvoiceID  string `db:"invoice_id"`
	Number     int64  `db:"number"`
	Document   string `db:"document"` // a ledger.Invoice
	Amount     int64  `db:"amount"`
	Applied    int64  `db:"applied"`
	RecordedAt int64  `db:"recorded_at"`
}

const (
	insertTransferSQL = `INSERT INTO invoice_transfers (reference, invoice_id, amount, applied, recorded_at)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`
	selectTransfersSQL = `SELECT t.reference, t.invoice_id, t.amount, t.applied, t.recorded_at, i.number, i.document
		FROM invoice_transfers t JOIN invoice_invoices i ON i.id = t.invoice_id`
	selectTransferSQL          = selectTransfersSQL + " WHERE t.reference = ?"
	selectReceivedTransfersSQL = `SELECT t.reference, t.invoice_id, t.amount, t.applied, t.recorded_at FROM invoice_transfers t
		WHERE t.amount > 0 AND t.invoice_id IN (%s) ORDER BY t.recorded_at, t.reference`
	renameTransferSQL = "UPDATE invoice_transfers SET reference = ? WHERE reference = ?"
)

// RecordPayment records a payment of an invoice. A part payment reduces the balance. An overpayment and a payment of an
// invoice that is not open become credit. RecordPayment returns Invalid if the reference is missing, or if the amount is not
// positive or is in another currency. It returns Conflict if the reference was recorded for another invoice or amount.
func (p *Provider) RecordPayment(ctx context.Context, req Transfer) (TransferResult, error) {
	return p.recordTransfer(ctx, req, 1, func(r *ledger.Record, inv ledger.Invoice) (applied int64, err error) {
		return r.Account.RecordPayment(inv.ID, req.Amount.Minor()), nil
	})
}

// RecordRefund records money that was returned for a paid invoice, as [Provider.Refund] does.
func (p *Provider) RecordRefund(ctx context.Context, req Transfer) (TransferResult, error) {
	var refund engine.ReturnedPayment
	out, err := p.recordTransfer(ctx, req, -1, func(r *ledger.Record, inv ledger.Invoice) (applied int64, err error) {
		refund, err = r.Account.RecordRefund(inv.ID, req.Amount)
		return -req.Amount.Minor(), err
	})
	if err == nil && !out.AlreadyRecorded {
		currency := req.Amount.Currency().Code
		out.Withdrawn, out.Spent = ledger.Amount(refund.Withdrawn, currency), ledger.Amount(refund.Spent, currency)
	}
	return out, err
}

// RecordCreditPayout records credit that was returned to the customer, such as an overpayment. It returns Conflict if
// the customer has less credit.
func (p *Provider) RecordCreditPayout(ctx context.Context, req Transfer) (TransferResult, error) {
	return p.recordTransfer(ctx, req, -1, func(r *ledger.Record, _ ledger.Invoice) (applied int64, err error) {
		return 0, r.Account.PayOutCredit(req.Amount.Minor())
	})
}

// recordTransfer records a transfer. direction is 1 for received money and -1 for sent money. change changes the record
// and returns the amount that is added to the invoice's paid amount.
func (p *Provider) recordTransfer(
	ctx context.Context, req Transfer, direction int64, change func(*ledger.Record, ledger.Invoice) (applied int64, err error),
) (out TransferResult, err error) {
	req.Reference = strings.Join(strings.Fields(req.Reference), " ")
	record := func(tx plugin.Tx, r *ledger.Record, inv ledger.Invoice) (err error) {
		out.Credited = ledger.Amount(0, inv.Currency)
		switch {
		case req.Reference == "":
			return fault.New(fault.Invalid, "The transfer needs a reference.")
		case req.Amount.Currency().Code != inv.Currency:
			return fault.Newf(fault.Invalid, "Invoice %s is in %s.", r.Terms.InvoiceNumber(inv.Number), inv.Currency)
		case req.Amount.Minor() <= 0:
			return fault.New(fault.Invalid, "The amount must be positive.")
		}
		row := transferRow{
			Reference: req.Reference, InvoiceID: inv.ID, Amount: direction * req.Amount.Minor(), RecordedAt: r.Account.Now.Unix(),
		}
		if out.AlreadyRecorded, err = p.isRecorded(ctx, tx, row); out.AlreadyRecorded || err != nil {
			return err
		}
		if row.Applied, err = change(r, inv); err != nil {
			return err
		}
		out.Credited = ledger.Amount(row.Amount-row.Applied, inv.Currency)
		return storeTransfer(ctx, tx, row)
	}
	out.InvoiceInfo, err = p.changeInvoice(ctx, req.InvoiceNumber, record)
	return out, err
}

// isRecorded reports whether the transfer is recorded. It returns Conflict if its reference belongs to another transfer.
func (p *Provider) isRecorded(ctx context.Context, tx plugin.Tx, row transferRow) (bool, error) {
	var storedRow transferRow
	err := tx.Get(ctx, &storedRow, selectTransferSQL, row.Reference)
	switch {
	case fault.Is(err, fault.NotFound):
		return false, nil
	case err != nil:
		return false, err
	case storedRow.InvoiceID != row.InvoiceID || storedRow.Amount != row.Amount:
		return false, fault.Newf(fault.Conflict, "The reference %q is recorded already, with another amount or invoice (%s). "+
			"If this is another transfer, or another part of it, give it a reference of its own.",
			storedRow.Reference, p.Terms.InvoiceNumber(storedRow.Number))
	}
	return true, nil
}

// storeTransfer stores a transfer. It returns Conflict if a transfer with its reference was stored at the same time.
func storeTransfer(ctx context.Context, tx plugin.Tx, row transferRow) error {
	rowCount, err := tx.Exec(ctx, insertTransferSQL, row.Reference, row.InvoiceID, row.Amount, row.Applied, row.RecordedAt)
	if err == nil && rowCount == 0 {
		return fault.Newf(fault.Conflict, "The reference %q was recorded a moment ago. Please check the recorded transfers.",
			row.Reference)
	}
	return err
}

// ListTransfers returns the recorded transfers of an invoice, newest first, or all transfers if number is "". It returns
// NotFound for an unknown number.
func (p *Provider) ListTransfers(ctx context.Context, number string) (transfers []TransferInfo, err error) {
	var rows []transferRow
	err = p.Database.Read(ctx, func(tx plugin.Tx) error {
		const order = " ORDER BY t.recorded_at DESC, t.reference"
		if number == "" {
			return tx.List(ctx, &rows, selectTransfersSQL+order)
		}
		ids, err := p.findInvoice(ctx, tx, number)
		if err != nil {
			return err
		}
		return tx.List(ctx, &rows, selectTransfersSQL+" WHERE i.id = ?"+order, ids.InvoiceID)
	})
	for _, row := range rows {
		var inv ledger.Invoice
		if err := json.Unmarshal([]byte(row.Document), &inv); err != nil {
			return nil, ledger.AsFault(err)
		}
		transfers = append(transfers, TransferInfo{
			Transfer{p.Terms.InvoiceNumber(row.Number), ledger.Amount(row.Amount, inv.Currency), row.Reference},
			inv.TimeZone.In(time.Unix(row.RecordedAt, 0)),
		})
	}
	return transfers, ledger.AsFault(err)
}

// reversedReferencePattern matches the references that ReverseTransfer assigns to reversed transfers.
var reversedReferencePattern = regexp.MustCompile(` \(reversed [0-9T:Z-]+\)$`)

// ReverseTransfer reverses a transfer that was recorded by mistake. The part that paid the invoice is owed again, and the
// part that became credit is deducted from the credit. The record of the transfer gets a new reference. ReverseTransfer
// returns Conflict if the transfer was reversed before, its credit was used, its plan change was made, its subscription
// has ended, or a later invoice was issued.
func (p *Provider) ReverseTransfer(ctx context.Context, reference string) (InvoiceInfo, error) {
	reference = strings.Join(strings.Fields(reference), " ")
	if reversedReferencePattern.MatchString(reference) {
		return InvoiceInfo{}, fault.Newf(fault.Conflict, "The transfer %q is reversed already.", reference)
	}
	var number string
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		row, err := transferByReference(ctx, tx, reference)
		number = p.Terms.InvoiceNumber(row.Number)
		return err
	})
	if err != nil {
		return InvoiceInfo{}, ledger.AsFault(err)
	}
	return p.changeInvoice(ctx, number, func(tx plugin.Tx, r *ledger.Record, inv ledger.Invoice) error {
		row, err := transferByReference(ctx, tx, reference) // read again, because the customer is locked only now
		if err != nil {
			return err
		}
		if row.InvoiceID != inv.ID {
			return fault.Newf(fault.Conflict, "The transfer %q was changed a moment ago. Please try again.", reference)
		}
		if err := r.Account.Reverse(inv.ID, row.Amount, row.Applied); err != nil {
			return err
		}
		newReference := fmt.Sprintf("%s (reversed %s)", reference, r.Account.Now.Format(time.RFC3339))
		_, err = tx.Exec(ctx, renameTransferSQL, newReference, reference)
		return err
	})
}

// hasRefundSQL is the SQL condition that a refund of the invoice i was recorded.
const hasRefundSQL = "EXISTS (SELECT 1 FROM invoice_transfers t WHERE t.invoice_id = i.id AND t.applied < 0)"

// receivedTransfers returns the transfers that have arrived for invoices, by invoice id, oldest first. It leaves out
// reversed transfers.
func receivedTransfers(
	ctx context.Context, tx plugin.Tx, invoices []ledger.Invoice,
) (map[string][]billing.ReceivedPayment, error) {
	ids, currencies := make([]any, len(invoices)), map[string]string{}
	for i, inv := range invoices {
		ids[i], currencies[inv.ID] = inv.ID, inv.Currency
	}
	var rows []transferRow
	if err := tx.List(ctx, &rows, fmt.Sprintf(selectReceivedTransfersSQL, ledger.Placeholders(len(ids))), ids...); err != nil {
		return nil, err
	}
	paymentsByInvoice := map[string][]billing.ReceivedPayment{}
	for _, row := range rows {
		if id := row.InvoiceID; !reversedReferencePattern.MatchString(row.Reference) {
			paymentsByInvoice[id] = append(paymentsByInvoice[id], row.receivedPayment(currencies[id]))
		}
	}
	return paymentsByInvoice, nil
}

func (t transferRow) receivedPayment(currency string) billing.ReceivedPayment {
	return billing.ReceivedPayment{
		Amount: ledger.Amount(t.Applied, currency), Excess: ledger.Amount(t.Amount-t.Applied, currency),
		At:     time.Unix(t.RecordedAt, 0).UTC(),
		Method: &billing.PaymentMethod{Kind: billing.OtherMethod, Label: billing.BankTransferLabel},
	}
}

func transferByReference(ctx context.Context, tx plugin.Tx, reference string) (row transferRow, err error) {
	err = tx.Get(ctx, &row, selectTransferSQL, reference)
	if fault.Is(err, fault.NotFound) {
		err = fault.Newf(fault.NotFound, "There is no transfer with the reference %q.", reference)
	}
	return row, err
}
