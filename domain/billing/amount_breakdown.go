package billing

import (
	"cmp"

	"github.com/vc-admin/diy/domain/money"
)

// BreakdownKind is the kind of a row of an amount breakdown.
type BreakdownKind string

// The kinds of rows, in their order.
const (
	RowCreditUsed     BreakdownKind = "credit_used"     // deducted from the total
	RowCreditAdded    BreakdownKind = "credit_added"    // a negative total that became credit
	RowCarriedOver    BreakdownKind = "carried_over"    // an amount of earlier invoices that was too small to be charged
	RowCarriedForward BreakdownKind = "carried_forward" // too small to be charged, and due with the next invoice
	RowCreditNote     BreakdownKind = "credit_note"     // deducted by credit notes before the payment
	RowPaid           BreakdownKind = "paid"
	RowReturned       BreakdownKind = "returned" // taken back by the customer's bank and owed again
	RowDue            BreakdownKind = "due"      // still to be paid
	RowRefunded       BreakdownKind = "refunded"
	RowCredited       BreakdownKind = "credited" // the part of the payment that has become credit
)

// BreakdownRow is a row of an amount breakdown. Amount is negative if it reduces the amount to be paid.
type BreakdownRow struct {
	Kind   BreakdownKind
	Amount money.Amount
}

//nolint:gosec // labels, not credentials
var breakdownLabels = map[BreakdownKind]string{
	RowCreditUsed: "Credit used", RowCreditAdded: "Added to your credit", RowCarriedOver: "From earlier invoices",
	RowCarriedForward: "Carried to the next bill", RowCreditNote: "Credit note", RowPaid: "Paid",
	RowReturned: "Returned by your bank", RowDue: "Amount due", RowRefunded: "Refunded", RowCredited: "Returned as credit",
}

// Label returns the text for the customer, the same as in the web app's amount-breakdown.ts.
func (r BreakdownRow) Label() string { return breakdownLabels[r.Kind] }

// AmountBreakdown returns the rows that explain how the amount that is still to be paid is computed from the total of
// the invoice, and then the amounts that were returned to the customer. The total and the rows before RowDue add up to
// RowDue. Zero rows are omitted.
func (i Invoice) AmountBreakdown() []BreakdownRow {
	var rows []BreakdownRow
	add := func(kind BreakdownKind, minor int64) {
		if amount := i.toAmount(minor); minor != 0 {
			rows = append(rows, BreakdownRow{kind, amount})
		}
	}
	if i.Status != InvoiceVoid && i.Total != (money.Amount{}) {
		total, credit, carriedForward := i.Total.Minor(), i.CreditUsed.Minor(), i.CarriedForward.Minor()
		add(creditRowKind(total, credit), -credit)
		add(RowCarriedForward, -carriedForward)
		add(RowCreditNote, i.AmountDue.Minor()+credit+carriedForward-total)
	}
	add(RowPaid, -i.totalPaid())
	add(RowReturned, i.Returned.Minor())
	add(RowDue, i.AmountRemaining().Minor())
	add(RowRefunded, i.Refunded.Minor())
	add(RowCredited, i.Credited.Minor())
	return rows
}

// creditRowKind returns the kind of the row for the used credit.
func creditRowKind(total, credit int64) BreakdownKind {
	switch {
	case credit > 0:
		return RowCreditUsed
	case total > 0:
		return RowCarriedOver
	}
	return RowCreditAdded
}

// IsTotalSufficient reports whether the total alone describes the invoice, because the whole total was paid, is due or
// became credit.
func (i Invoice) IsTotalSufficient() bool {
	rows := i.AmountBreakdown()
	if len(rows) != 1 {
		return len(rows) == 0
	}
	switch rows[0].Kind {
	case RowPaid, RowCreditAdded:
		return rows[0].Amount.Minor() == -i.Total.Minor()
	case RowDue:
		return rows[0].Amount.Minor() == i.Total.Minor()
	}
	return false
}

// WasPaid reports whether a payment or credit has paid the invoice. It returns false for an invoice without an amount to
// pay, and if the amount was too small to be charged.
func (i Invoice) WasPaid() bool {
	return i.Status == InvoicePaid && i.Total.Minor() > 0 && (i.AmountDue.Minor() > 0 || i.CreditUsed.Minor() > 0)
}

// AmountRemaining returns the amount that is still to be paid; zero when the invoice is paid or void.
func (i Invoice) AmountRemaining() money.Amount {
	if i.Status == InvoicePaid || i.Status == InvoiceVoid {
		return i.toAmount(0)
	}
	return i.toAmount(i.AmountDue.Minor() - i.AmountPaid.Minor())
}

// toAmount returns minor units in the currency of the invoice.
func (i Invoice) toAmount(minor int64) money.Amount {
	amount, err := money.New(minor, cmp.Or(i.AmountDue.Currency().Code, i.Total.Currency().Code))
	if err != nil {
		return money.Amount{} // the invoice has no amounts
	}
	return amount
}
