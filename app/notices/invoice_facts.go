package notices

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// hasDueDatePassed reports whether the due date of the invoice has passed.
func (f Facts) hasDueDatePassed(inv billing.Invoice) bool {
	return !inv.DueAt.IsZero() && !f.Now.Before(inv.DueAt)
}

// creditAfter returns the customer's credit after the payment of the invoice: the credit now, plus what later invoices have
// used of it. A refresh can report several renewals at once. Credit that was granted or withdrawn in between is included,
// because its time is unknown.
func (f Facts) creditAfter(inv billing.Invoice) money.Amount {
	credit := f.credit()
	if credit == (money.Amount{}) || inv.PaidAt.IsZero() {
		return credit
	}
	sum := credit.Minor()
	for _, other := range f.Invoices {
		if other.ID != inv.ID && other.CreatedAt.After(inv.PaidAt) {
			sum += other.CreditUsed.Minor()
		}
	}
	creditAfter, err := money.New(sum, credit.Currency().Code)
	if err != nil {
		return credit
	}
	return creditAfter
}

// invoiceNumber returns the number of the invoice with the id, or "" if the invoice is not known.
// Subscription.LatestInvoice does not contain the number.
func (f Facts) invoiceNumber(id string) string {
	for _, inv := range f.Invoices {
		if inv.ID == id {
			return inv.Number
		}
	}
	return ""
}

// returnedInvoiceNumber returns the number of the invoice that was paid with the returned payment, or "" if the invoice
// is not known.
func (f Facts) returnedInvoiceNumber(p billing.ReturnedPayment) string {
	for _, inv := range f.Invoices {
		if inv.Number == p.Payment {
			return inv.Number
		}
	}
	return ""
}

// withdrawnCredit returns the credit that was withdrawn because of the invoice's disputes or, if byDisputes is false,
// because of its refunds.
func (f Facts) withdrawnCredit(inv billing.Invoice, byDisputes bool) money.Amount {
	var sum int64
	for _, p := range f.ReturnedPayments {
		if p.Dispute != billing.NoDispute == byDisputes && p.Payment == inv.Number {
			sum += p.Withdrawn.Minor()
		}
	}
	total, _ := money.New(sum, inv.Total.Currency().Code) // fails only for an unknown currency
	return total
}

// latestDispute returns the disputed payment that was returned last, or the zero ReturnedPayment.
func (f Facts) latestDispute() billing.ReturnedPayment {
	for _, p := range f.ReturnedPayments { // newest first
		if p.Dispute == billing.DisputeOpen || p.Dispute == billing.DisputeLost {
			return p
		}
	}
	return billing.ReturnedPayment{}
}
