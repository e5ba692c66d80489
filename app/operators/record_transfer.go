package operators

import (
	"context"
	"strings"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// TransferKind is what a transfer of money is for.
type TransferKind string

// The kinds of transfers.
const (
	PaymentTransfer TransferKind = "payment" // from the customer, for an invoice
	RefundTransfer  TransferKind = "refund"  // to the customer, from the payment of an invoice
	PayoutTransfer  TransferKind = "payout"  // to the customer, from the credit
)

// TransferRequest describes a transfer as an operator enters it.
type TransferRequest struct {
	Kind      TransferKind
	Number    string // of the invoice
	Amount    string // such as "664.90"
	Currency  string // "" for that of the invoice
	Reference string // in the statement of the bank; each counts once
}

// RecordTransfer records a transfer that an operator has found in the statement of the bank, or has made.
type RecordTransfer struct{ changer invoiceChanger }

// TransferPreview is what an operator sees before a transfer is recorded.
type TransferPreview struct {
	Effect
	Invoice payment.InvoiceInfo
	Amount  money.Amount // the expected amount of the transfer
}

// Preview returns the invoice and the amount that is owed, can be refunded, or is credit. It returns Conflict if there is nothing to
// refund or to pay out.
func (u *RecordTransfer) Preview(ctx context.Context, organisationID, number string, kind TransferKind) (p TransferPreview, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return p, err
	}
	if p.Invoice, err = u.invoice(ctx, number); err != nil {
		return p, err
	}
	change := payment.TransferChange{OrganisationID: p.Invoice.OrganisationID, Before: p.Invoice}
	if err := checkOrganisation(change, organisationID); err != nil {
		return p, err
	}
	p.Effect = describeInvoice(change)
	p.Amount, err = expectedAmount(p.Invoice, kind)
	if err != nil {
		return TransferPreview{}, err
	}
	return p, u.changer.recordView(ctx, organisationID)
}

// expectedAmount returns the amount that is owed, can be refunded, or is credit. It returns Conflict if there is nothing to
// refund or to pay out.
func expectedAmount(invoice payment.InvoiceInfo, kind TransferKind) (amount money.Amount, err error) {
	missing := "the customer has no credit."
	switch kind {
	case RefundTransfer:
		missing = "no payment of the invoice is left."
		amount, err = money.New(invoice.Paid.Minor()-invoice.Refunded.Minor(), invoice.Paid.Currency().Code)
	case PayoutTransfer:
		amount = invoice.Credit
	default:
		return invoice.Balance, nil
	}
	if err == nil && amount.Minor() <= 0 {
		err = fault.New(fault.Conflict, "There is nothing to return: "+missing)
	}
	return amount, err
}

// Do records the transfer. See payment.Transfers for the errors. The OrganisationID of the request can be "". A transfer that was
// recorded before changes nothing and adds no entry to the audit log.
func (u *RecordTransfer) Do(ctx context.Context, req ActionRequest, transfer TransferRequest) (result payment.TransferResult, err error) {
	if err := Require(ctx, MayChangeInvoices); err != nil {
		return result, err
	}
	parsed, err := u.parse(ctx, transfer)
	if err != nil {
		return result, err
	}
	t := u.changer.transfers
	kind, record := audit.OperatorRecordedPayment, t.RecordPayment
	switch transfer.Kind {
	case RefundTransfer:
		kind, record = audit.OperatorRecordedRefund, t.RecordRefund
	case PayoutTransfer:
		kind, record = audit.OperatorRecordedRefund, t.RecordCreditPayout
	case PaymentTransfer:
	}
	change := func(ctx context.Context, confirm payment.Confirm) error {
		return resultInto(&result)(record(ctx, parsed, confirm))
	}
	err = u.changer.run(ctx, kind, req, change, describeInvoice, func(c payment.TransferChange) audit.Data {
		return mergeData(numberData(c), audit.Data{"amount": billing.AuditAmount(parsed.Amount)})
	})
	return result, err
}

// parse returns the transfer of the request. It returns Invalid for a text that is no amount.
func (u *RecordTransfer) parse(ctx context.Context, req TransferRequest) (payment.Transfer, error) {
	if u.changer.transfers == nil {
		return payment.Transfer{}, errNoTransfers()
	}
	if req.Currency == "" {
		inv, err := u.invoice(ctx, req.Number)
		if err != nil {
			return payment.Transfer{}, err
		}
		req.Currency = inv.Total.Currency().Code
	}
	amount, err := money.Parse(strings.TrimSpace(req.Amount), req.Currency)
	if err != nil {
		return payment.Transfer{}, fault.Wrap(err, fault.Invalid, "Enter an amount such as 664.90 and its currency such as AUD.")
	}
	return payment.Transfer{InvoiceNumber: req.Number, Amount: amount, Reference: req.Reference}, nil
}

// invoice returns the invoice with the number.
func (u *RecordTransfer) invoice(ctx context.Context, number string) (payment.InvoiceInfo, error) {
	if u.changer.transfers == nil {
		return payment.InvoiceInfo{}, errNoTransfers()
	}
	if strings.TrimSpace(number) == "" {
		return payment.InvoiceInfo{}, fault.New(fault.NotFound, "Choose an invoice.")
	}
	invoices, err := u.changer.transfers.ListInvoiceInfo(ctx, payment.InvoiceFilter{Number: number})
	if err != nil {
		return payment.InvoiceInfo{}, err
	}
	return invoices[0], nil
}
