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
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

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

// RecordPayment implements payment.Transfers.
func (p *Provider) RecordPayment(
	ctx context.Context, req payment.Transfer, confirm payment.Confirm,
) (payment.TransferResult, error) {
	return p.recordTransfer(ctx, req, 1, confirm, func(r *ledger.Record, inv ledger.Invoice) (applied int64, err error) {
		return r.Account.RecordPayment(inv.ID, req.Amount.Minor()), nil
	})
}

// RecordRefund implements payment.Transfers.
func (p *Provider) RecordRefund(
	ctx context.Context, req payment.Transfer, confirm payment.Confirm,
) (payment.TransferResult, error) {
	var refund engine.ReturnedPayment
	out, err := p.recordTransfer(ctx, req, -1, confirm, func(r *ledger.Record, inv ledger.Invoice) (applied int64, err error) {
		refund, err = r.Account.RecordRefund(inv.ID, req.Amount)
		return -req.Amount.Minor(), err
	})
	if err == nil && !out.AlreadyRecorded {
		currency := req.Amount.Currency().Code
		out.Withdrawn, out.Spent = ledger.Amount(refund.Withdrawn, currency), ledger.Amount(refund.Spent, currency)
	}
	return out, err
}

// RecordCreditPayout implements payment.Transfers.
func (p *Provider) RecordCreditPayout(
	ctx context.Context, req payment.Transfer, confirm payment.Confirm,
) (payment.TransferResult, error) {
	return p.recordTransfer(ctx, req, -1, confirm, func(r *ledger.Record, _ ledger.Invoice) (applied int64, err error) {
		return 0, r.Account.PayOutCredit(req.Amount.Minor())
	})
}

// recordTransfer records a transfer. direction is 1 for received money and -1 for sent money. change changes the record
// and returns the amount that is added to the invoice's paid amount.
func (p *Provider) recordTransfer(
	ctx context.Context, req payment.Transfer, direction int64, confirm payment.Confirm,
	change func(*ledger.Record, ledger.Invoice) (applied int64, err error),
) (out payment.TransferResult, err error) {
	req.Reference = strings.Join(strings.Fields(req.Reference), " ")
	record := func(c invoiceChange) (err error) {
		inv := c.invoice
		out.Credited = ledger.Amount(0, inv.Currency)
		if err := checkTransfer(req, inv, c.description.Before.Number); err != nil {
			return err
		}
		row := transferRow{
			Reference: req.Reference, InvoiceID: inv.ID, Number: inv.Number, Amount: direction * req.Amount.Minor(),
			RecordedAt: c.record.Account.Now.Unix(),
		}
		if out.AlreadyRecorded, err = p.isRecorded(ctx, c.tx, row); err != nil {
			return err
		}
		if out.AlreadyRecorded {
			return errUnchanged
		}
		if row.Applied, err = change(c.record, inv); err != nil {
			return err
		}
		out.Credited = ledger.Amount(row.Amount-row.Applied, inv.Currency)
		c.description.Transfer = p.recordedTransfer(row, inv)
		return storeTransfer(ctx, c.tx, row)
	}
	out.InvoiceInfo, err = p.changeInvoice(ctx, req.InvoiceNumber, confirm, record)
	return out, err
}

// checkTransfer returns Invalid unless the transfer has a reference and a positive amount in the currency of the invoice.
func checkTransfer(req payment.Transfer, inv ledger.Invoice, number string) error {
	switch {
	case req.Reference == "":
		return fault.New(fault.Invalid, "The transfer needs a reference.")
	case req.Amount.Currency().Code != inv.Currency:
		return fault.Newf(fault.Invalid, "Invoice %s is in %s.", number, inv.Currency)
	case req.Amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The amount must be positive.")
	}
	return nil
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

// ListTransfers implements payment.Transfers.
func (p *Provider) ListTransfers(ctx context.Context, number string) (transfers []payment.RecordedTransfer, err error) {
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
		transfers = append(transfers, p.recordedTransfer(row, inv))
	}
	return transfers, ledger.AsFault(err)
}

func (p *Provider) recordedTransfer(row transferRow, inv ledger.Invoice) payment.RecordedTransfer {
	return payment.RecordedTransfer{
		Transfer: payment.Transfer{
			InvoiceNumber: p.Terms.InvoiceNumber(row.Number), Amount: ledger.Amount(row.Amount, inv.Currency), Reference: row.Reference,
		},
		RecordedAt: inv.TimeZone.In(time.Unix(row.RecordedAt, 0)), IsReversed: reversedReferencePattern.MatchString(row.Reference),
	}
}

// reversedReferencePattern matches the references that ReverseTransfer assigns to reversed transfers.
var reversedReferencePattern = regexp.MustCompile(` \(reversed [0-9T:Z-]+\)$`)

// ReverseTransfer implements payment.Transfers. The record of the transfer gets a new reference, so that the reference can be
// used again.
func (p *Provider) ReverseTransfer(
	ctx context.Context, reference string, confirm payment.Confirm,
) (payment.InvoiceInfo, error) {
	reference = strings.Join(strings.Fields(reference), " ")
	if reversedReferencePattern.MatchString(reference) {
		return payment.InvoiceInfo{}, fault.Newf(fault.Conflict, "The transfer %q is reversed already.", reference)
	}
	var number string
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		row, err := transferByReference(ctx, tx, reference)
		number = p.Terms.InvoiceNumber(row.Number)
		return err
	})
	if err != nil {
		return payment.InvoiceInfo{}, ledger.AsFault(err)
	}
	return p.changeInvoice(ctx, number, confirm, func(c invoiceChange) error {
		row, err := transferByReference(ctx, c.tx, reference) // read again, because the customer is locked only now
		if err != nil {
			return err
		}
		if row.InvoiceID != c.invoice.ID {
			return fault.Newf(fault.Conflict, "The transfer %q was changed a moment ago. Please try again.", reference)
		}
		c.description.Transfer = p.recordedTransfer(row, c.invoice)
		if err := c.record.Account.Reverse(c.invoice.ID, row.Amount, row.Applied); err != nil {
			return err
		}
		newReference := fmt.Sprintf("%s (reversed %s)", reference, c.record.Account.Now.Format(time.RFC3339))
		_, err = c.tx.Exec(ctx, renameTransferSQL, newReference, reference)
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
