package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Invoice is an invoice of an account. It can be stored as JSON. Amounts are in minor units.
type Invoice struct {
	ID           string                `json:"id"`
	Number       int64                 `json:"-"` // given when it is stored; 0 before
	Subscription string                `json:"subscription"`
	RenewalOf    time.Time             `json:"-"` // the beginning of the period; zero for other invoices than those of a renewal
	Status       billing.InvoiceStatus `json:"status"`
	Currency     string                `json:"currency"`
	Lines        []Line                `json:"lines"`
	Total        int64                 `json:"total"`
	Due          int64                 `json:"due"`         // total less credit
	Credit       int64                 `json:"credit_used"` // deducted from the total
	Paid         int64                 `json:"paid"`
	Refunded     int64                 `json:"refunded,omitempty"`
	Refund       Returned              `json:"refund,omitzero"`         // the settlement of refunds, except for those of earlier versions
	Credited     int64                 `json:"credited,omitempty"`      // of what was paid: has become credit, because its period was not used
	Returned     int64                 `json:"returned,omitempty"`      // all that has become credit; at least Credited
	Dispute      Returned              `json:"dispute,omitzero"`        // the settlement of a payment that was returned to the customer
	BankReturned int64                 `json:"bank_returned,omitempty"` // was paid and is owed again: the customer's bank has returned it
	Created      time.Time             `json:"created"`
	DueAt        time.Time             `json:"due_at"`
	PaidAt       time.Time             `json:"paid_at,omitzero"`
}

// Balance returns what remains to be paid of an open invoice.
func (i Invoice) Balance() int64 { return i.Due - i.Paid }

// AllCredited returns what has become the customer's credit: a part of what was paid or of the credit that was
// used. Records of earlier versions have only the former.
func (i Invoice) AllCredited() int64 { return max(i.Credited, i.Returned) }

// creditsUnused reports whether the invoice is that of a price change that credits the rest of a period.
func (i Invoice) creditsUnused() bool {
	return slices.ContainsFunc(i.Lines, func(line Line) bool { return line.Unused })
}

// refundable returns the part of what was paid that was neither refunded nor has become credit.
func (i Invoice) refundable() int64 { return max(0, i.Paid-i.Refunded-i.Credited) }

// newBill returns the bill of the lines for the subscription, less the customer's credit.
func (a *Account) newBill(s AccountSubscription, lines []Line) Bill {
	b := NewBill(lines, a.Credit, a.Terms.minimumCharge(s.Price.Currency))
	if b.Total >= 0 {
		return b
	}
	var owed int64
	for _, inv := range a.Invoices {
		owed += inv.Refund.Owed(s.PaidSince) + inv.Dispute.Owed(s.PaidSince)
	}
	return b.Withdraw(owed)
}

// bill issues the invoice for the subscription, whose latest one it becomes, and stores both. An invoice with nothing due is
// paid at once.
func (a *Account) bill(s *AccountSubscription, inv Invoice) Invoice {
	b := a.newBill(*s, inv.Lines)
	a.Credit = b.CreditAfter
	a.reclaim(b.Withdrawn, s.PaidSince)
	inv.ID, inv.Subscription, inv.Currency = a.NewInvoiceID(), s.ID, s.Price.Currency
	inv.Status, inv.Total, inv.Due, inv.Credit = billing.InvoiceOpen, b.Total, b.Due, b.Total-b.Due
	if inv.Due == 0 {
		inv.Status, inv.PaidAt = billing.InvoicePaid, inv.Created
	}
	a.putInvoice(inv)
	s.Invoice = inv.ID
	a.put(*s)
	return inv
}

// PayOutCredit deducts credit that was paid out to the customer. Conflict if there is less.
func (a *Account) PayOutCredit(amount int64) error {
	if a.Credit < amount {
		return fault.Newf(fault.Conflict, "The customer has a credit of %s.", amountIn(a.Credit, a.Currency))
	}
	a.Credit -= amount
	return nil
}

// Receive records a payment for an invoice and returns how much of it the invoice needed. The rest
// becomes credit, and so does the whole payment if the invoice is not open.
func (a *Account) Receive(invoiceID string, amount int64) (applied int64) {
	inv := a.Invoice(invoiceID)
	if inv.Status == billing.InvoiceOpen {
		applied = min(amount, inv.Balance())
	}
	a.changeCredit(amount - applied)
	if applied == 0 {
		return 0
	}
	inv.Paid += applied
	if inv.Balance() > 0 {
		a.putInvoice(inv)
		return applied
	}
	inv.Status, inv.PaidAt = billing.InvoicePaid, a.Now
	a.putInvoice(inv)
	if s, err := a.Subscription(inv.Subscription); err == nil {
		a.collection().settle(a, s, inv)
	}
	return applied
}

// Void voids an open invoice: nothing is owed, and part payments become credit. The pending change that
// waits for it is dropped; a running subscription that it pays for ends, because its period is not paid. Conflict for
// an invoice that is not open, or has a payment that is not complete.
func (a *Account) Void(invoiceID string) error {
	inv := a.Invoice(invoiceID)
	switch inv.Status {
	case billing.InvoiceOpen:
		if slices.ContainsFunc(a.attemptsOf(inv.ID), func(at Attempt) bool { return !at.IsOver() }) {
			return billing.ErrPaymentProcessing()
		}
	case billing.InvoicePaid:
		return fault.Newf(fault.Conflict, "Invoice %s is paid. Record a refund, or reverse a payment that was recorded by mistake.", a.Terms.Number(inv.Number))
	default:
		return fault.Newf(fault.Conflict, "Invoice %s is %s already.", a.Terms.Number(inv.Number), inv.Status)
	}
	s, err := a.Subscription(inv.Subscription)
	switch {
	case err != nil:
		return err
	case s.Pending.Invoice == inv.ID:
		a.dropChange(s)
	case s.Status.Live():
		a.end(s, true)
	default:
		a.void(inv)
	}
	return nil
}

// void voids an open invoice. Its credit and part payments become credit again.
func (a *Account) void(inv Invoice) {
	if inv.Status != billing.InvoiceOpen {
		return
	}
	a.returnCredit(inv, inv.Credit)
	a.changeCredit(inv.Paid)
	inv.Status, inv.Returned, inv.Credit, inv.Paid = billing.InvoiceVoid, inv.Paid, 0, 0
	a.putInvoice(inv)
}

// release gives back an invoice for a period that will not begin: it voids it, or makes what was paid
// and not refunded credit.
func (a *Account) release(inv Invoice) {
	if inv.Status == billing.InvoicePaid {
		a.credit(inv, inv.Credit+inv.refundable())
		return
	}
	a.void(inv)
}

// releasedCredit returns the credit that release gives for a paid invoice.
func (a *Account) releasedCredit(inv Invoice) int64 {
	var owed int64
	for _, other := range a.Invoices {
		owed += other.Refund.Owed(inv.Created) + other.Dispute.Owed(inv.Created)
	}
	return inv.refundable() + max(0, inv.Credit-owed)
}

// releasePrepaid releases the invoice for the period after the trial.
func (a *Account) releasePrepaid(s *AccountSubscription) {
	if s.Prepaid != "" {
		a.release(a.Invoice(s.Prepaid))
		s.Prepaid = ""
	}
}

// credit turns an amount of a paid invoice into the customer's credit. It is taken from the payment and then from
// the credit that the invoice has used.
func (a *Account) credit(inv Invoice, amount int64) {
	paid := min(amount, inv.refundable())
	inv.Returned = inv.AllCredited() + amount
	inv.Credited += paid
	a.changeCredit(paid)
	a.putInvoice(inv)
	a.returnCredit(inv, amount-paid)
}

// canReopen reports whether a paid invoice can be open again: it is the latest one of a live subscription,
// and neither that of a price change nor refunded or credited.
func (a *Account) canReopen(inv Invoice) bool {
	s, err := a.Subscription(inv.Subscription)
	return err == nil && s.Status.Live() && s.Invoice == inv.ID && !inv.creditsUnused() && inv.Refunded == 0 && inv.Credited == 0
}
