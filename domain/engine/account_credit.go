package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// AddCredit adds to the customer's credit. The first credit fixes the currency. It returns Invalid for an amount that is
// not positive or in another currency, and Conflict while the account is on hold.
func (a *Account) AddCredit(amount money.Amount) error {
	switch {
	case a.Hold != billing.NoHold:
		return billing.HoldConflict()
	case amount.Minor() <= 0:
		return fault.New(fault.Invalid, "The credit must be positive.")
	case a.Currency != "" && amount.Currency().Code != a.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s.", a.Currency)
	}
	a.Currency = amount.Currency().Code
	a.adjustCredit(amount.Minor())
	return nil
}

// unspentCredit returns the customer's credit, including the held part.
func (a *Account) unspentCredit() int64 { return max(a.Credit, 0) + a.HeldCredit }

// adjustCredit adds the amount, which may be negative, to the credit. While the account is on hold, it changes
// HeldCredit, and deducts from Credit only the part that HeldCredit does not cover.
func (a *Account) adjustCredit(amount int64) {
	if a.Hold == billing.NoHold {
		a.Credit += amount
		return
	}
	newHeldCredit := a.HeldCredit + amount
	a.HeldCredit = max(0, newHeldCredit)
	a.Credit += min(0, newHeldCredit)
}

// PayOutCredit deducts credit that was paid out to the customer. It returns Conflict if the customer has less.
func (a *Account) PayOutCredit(amount int64) error {
	if a.Credit < amount {
		return fault.Newf(fault.Conflict, "The customer has a credit of %s.", mustAmount(a.Credit, a.Currency))
	}
	a.Credit -= amount
	return nil
}

// returnCredit gives the customer an amount of the credit back that the invoice has used. It deducts what is owed because
// of returned payments.
func (a *Account) returnCredit(inv Invoice, amount int64) {
	a.adjustCredit(amount - a.withdrawOwed(amount, inv.Created, inv.credit()))
}

// owedAmountSince returns the amount that withdrawOwed withdraws from sufficient credit.
func (a *Account) owedAmountSince(since time.Time) (owed int64) {
	for _, inv := range a.Invoices {
		owed += inv.Refund.OwedAmount(since) + inv.Dispute.OwedAmount(since)
	}
	return owed
}

// withdrawOwed withdraws the amount owed because of returned payments from credit that the customer gets back. since is
// the time at which the invoice or the period of that credit began. source is the invoice that had used the credit; it is
// zero for credit of a price change. withdrawOwed returns the withdrawn amount.
func (a *Account) withdrawOwed(credit int64, since time.Time, source InvoiceCredit) (withdrawn int64) {
	for _, inv := range a.Invoices {
		withdraw := ReturnedPayment.WithdrawOwed
		if source.Invoice != "" && source.isUsedSince(inv.credit()) {
			withdraw = ReturnedPayment.WithdrawReturned
		}
		var refundPart, disputePart int64
		inv.Refund, refundPart = withdraw(inv.Refund, credit-withdrawn, since)
		inv.Dispute, disputePart = withdraw(inv.Dispute, credit-withdrawn-refundPart, since)
		if refundPart+disputePart > 0 {
			withdrawn += refundPart + disputePart
			a.putInvoice(inv)
		}
	}
	return withdrawn
}

// invoiceCredits returns the credit that each invoice has used, less the credit that the customer got back.
func (a *Account) invoiceCredits() (credits []InvoiceCredit) {
	for _, inv := range a.Invoices {
		if inv.Status != billing.InvoiceVoid {
			credits = append(credits, inv.credit())
		}
	}
	return credits
}

// credit returns the credit that the invoice has used, less the credit that the customer got back.
func (i Invoice) credit() InvoiceCredit {
	return InvoiceCredit{
		Invoice: i.ID, Created: i.Created, Open: i.Status == billing.InvoiceOpen,
		Used: i.CreditUsed - (i.TotalCredited - i.Credited), Spent: i.Refund.Spent + i.Dispute.Spent,
	}
}
