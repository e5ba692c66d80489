package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Invoice is an invoice of an account. It can be stored as JSON. Amounts are in minor units.
type Invoice struct {
	ID                 string                `json:"id"`
	Number             int64                 `json:"-"` // assigned when the invoice is stored; 0 before
	Subscription       string                `json:"subscription"`
	RenewedPeriodStart time.Time             `json:"-"` // zero for an invoice that is not of a renewal
	Status             billing.InvoiceStatus `json:"status"`
	Currency           string                `json:"currency"`
	Lines              []Line                `json:"lines"`
	Total              int64                 `json:"total"`
	AmountDue          int64                 `json:"due"`                       // total less credit
	CreditUsed         int64                 `json:"credit_used"`               // total less due; negative if the invoice has created credit
	CarriedForward     int64                 `json:"carried_forward,omitempty"` // the part of CreditUsed that no credit has paid
	AmountPaid         int64                 `json:"paid"`
	Refunded           int64                 `json:"refunded,omitempty"`
	Refund             ReturnedPayment       `json:"refund,omitzero"`          // all refunds
	Dispute            ReturnedPayment       `json:"dispute,omitzero"`         // all chargebacks
	Credited           int64                 `json:"credited,omitempty"`       // the part of AmountPaid that has become credit
	Deductions         []Deduction           `json:"deductions,omitempty"`     // applied and removed when the invoice is paid
	TotalCredited      int64                 `json:"total_credited,omitempty"` // the part of AmountPaid and CreditUsed that has become credit
	// BankReturned is the amount that the customer's bank took back and that is owed again. It is not a part of AmountPaid.
	BankReturned int64     `json:"bank_returned,omitempty"`
	Returns      Returns   `json:"returns,omitempty"`      // oldest first
	CreditNotes  int       `json:"credit_notes,omitempty"` // the number of credit notes that were issued for returns
	Created      time.Time `json:"created"`
	DueAt        time.Time `json:"due_at"`
	PaidAt       time.Time `json:"paid_at,omitzero"`
}

// HasDispute reports whether a payment of the invoice was disputed, or was taken back by the bank without being owed
// again.
func (i Invoice) HasDispute() bool { return i.DisputeStatus() != billing.NoDispute }

// DisputeStatus returns the status of all disputes of the invoice together. It is open if one of them is open, and lost
// if one of the others was lost.
func (i Invoice) DisputeStatus() billing.DisputeStatus {
	status := billing.NoDispute
	for _, r := range i.Returns {
		isWorse := status == billing.NoDispute || status == billing.DisputeWon || r.Dispute == billing.DisputeOpen
		if r.Kind == billing.ReturnByDispute && isWorse {
			status = r.Dispute
		}
	}
	return status
}

// addCreditNote adds a return with a new credit note.
func (i *Invoice) addCreditNote(r Return) {
	i.Returns, i.CreditNotes = i.Returns.AddCreditNote(r, i.CreditNotes)
}

// AmountRemaining returns the amount that is still to be paid for an open invoice.
func (i Invoice) AmountRemaining() int64 { return i.AmountDue - i.AmountPaid }

// creditsUnusedTime reports whether the invoice credits unused time because of a price change.
func (i Invoice) creditsUnusedTime() bool {
	return slices.ContainsFunc(i.Lines, func(line Line) bool { return line.Unused })
}

// refundable returns the part of the paid amount that was not refunded and has not become credit.
func (i Invoice) refundable() int64 { return max(0, i.AmountPaid-i.Refunded-i.Credited) }

// draftInvoice returns the draft of an invoice for the subscription.
func (a *Account) draftInvoice(s AccountSubscription, inv Invoice) InvoiceDraft {
	draft := NewInvoiceDraft(inv.Lines, a.Credit, a.Terms.chargeMinimum(s.Price.Currency))
	if draft.Total >= 0 {
		return draft
	}
	return draft.Withdraw(a.owedAmountSince(s.PeriodInvoicedAt) - DeductedSum(inv.Deductions))
}

// issueInvoice completes the invoice and stores it as the latest one of the subscription. An invoice with nothing due is
// paid immediately.
func (a *Account) issueInvoice(s *AccountSubscription, inv Invoice) Invoice {
	draft := a.draftInvoice(*s, inv)
	a.Credit = draft.CreditAfter
	if draft.AmountDue == 0 {
		inv = a.applyDeductions(inv)
	}
	a.withdrawOwed(draft.Withdrawn, s.PeriodInvoicedAt, InvoiceCredit{})
	inv.ID, inv.Subscription, inv.Currency = a.NewInvoiceID(), s.ID, s.Price.Currency
	inv.Status, inv.Total, inv.AmountDue = billing.InvoiceOpen, draft.Total, draft.AmountDue
	inv.CreditUsed = draft.Total - draft.AmountDue
	inv.CarriedForward = CarriedForward(draft.CreditBefore, draft.CreditAfter)
	if inv.AmountDue == 0 {
		inv.Status, inv.PaidAt = billing.InvoicePaid, inv.Created
	}
	a.putInvoice(inv)
	s.LatestInvoice = inv.ID
	a.putSubscription(*s)
	return inv
}

// RecordPayment records a payment for an invoice and returns the part that was applied to the invoice. The rest becomes
// credit. If the invoice is not open, the whole payment becomes credit.
func (a *Account) RecordPayment(invoiceID string, amount int64) (applied int64) {
	inv := a.Invoice(invoiceID)
	if inv.Status == billing.InvoiceOpen {
		applied = min(amount, inv.AmountRemaining())
	}
	a.adjustCredit(amount - applied)
	if applied == 0 {
		return 0
	}
	inv.AmountPaid += applied
	if inv.AmountRemaining() > 0 {
		a.putInvoice(inv)
		return applied
	}
	inv.Status, inv.PaidAt = billing.InvoicePaid, a.Now
	inv = a.applyDeductions(inv)
	a.putInvoice(inv)
	if s, err := a.Subscription(inv.Subscription); err == nil {
		a.collector().applyInvoicePayment(a, s, inv)
	}
	return applied
}

// Void voids an open invoice. The customer then owes nothing for it, and part payments become credit. If a pending
// change waits for the invoice, Void cancels the change. Otherwise Void ends a live subscription, because its period stays
// unpaid. It returns Conflict for an invoice that is not open, and while a payment for the invoice is not complete.
func (a *Account) Void(invoiceID string) error {
	inv := a.Invoice(invoiceID)
	switch inv.Status {
	case billing.InvoiceOpen:
		if slices.ContainsFunc(a.invoiceAttempts(inv.ID), func(attempt Attempt) bool { return !attempt.IsOver() }) {
			return billing.ErrPaymentProcessing()
		}
	case billing.InvoicePaid:
		return fault.Newf(fault.Conflict,
			"Invoice %s is paid. Record a refund, or reverse a payment that was recorded by mistake.",
			a.Terms.InvoiceNumber(inv.Number))
	default:
		return fault.Newf(fault.Conflict, "Invoice %s is %s already.", a.Terms.InvoiceNumber(inv.Number), inv.Status)
	}
	s, err := a.Subscription(inv.Subscription)
	switch {
	case err != nil:
		return err
	case s.Pending.Invoice == inv.ID:
		a.voidPendingChange(s)
	case s.Status.Live():
		a.endLiveSubscription(s, true)
	default:
		a.voidInvoice(inv)
	}
	return nil
}

// voidInvoice voids an invoice if it is open. The customer gets the credit back that the invoice has used, and part
// payments become credit.
func (a *Account) voidInvoice(inv Invoice) {
	if inv.Status != billing.InvoiceOpen {
		return
	}
	a.returnCredit(inv, inv.CreditUsed)
	inv = a.Invoice(inv.ID) // returnCredit records the withdrawal of a refund of this invoice
	a.adjustCredit(inv.AmountPaid)
	inv.addCreditNote(Return{Kind: billing.ReturnAsCredit, Amount: inv.AmountPaid, At: a.Now})
	inv.Status, inv.TotalCredited, inv.CreditUsed, inv.AmountPaid = billing.InvoiceVoid, inv.AmountPaid, 0, 0
	a.putInvoice(inv)
}

// voidOrCreditInvoice settles the invoice of a period that will not begin. It voids an open invoice. It turns the payment
// of a paid invoice into credit, except for refunded amounts.
func (a *Account) voidOrCreditInvoice(inv Invoice) {
	if inv.Status == billing.InvoicePaid {
		a.convertToCredit(inv, inv.CreditUsed+inv.refundable())
		return
	}
	a.voidInvoice(inv)
}

// creditOfPaidInvoice returns the credit that voidOrCreditInvoice gives for a paid invoice.
func (a *Account) creditOfPaidInvoice(inv Invoice) int64 {
	return inv.refundable() + max(0, inv.CreditUsed-a.owedAmountSince(inv.Created))
}

// voidOrCreditPrepaidInvoice calls voidOrCreditInvoice for the invoice of the period after the trial, if there is one.
func (a *Account) voidOrCreditPrepaidInvoice(s *AccountSubscription) {
	if s.PrepaidInvoice != "" {
		a.voidOrCreditInvoice(a.Invoice(s.PrepaidInvoice))
		s.PrepaidInvoice = ""
	}
}

// convertToCredit turns an amount of a paid invoice into the customer's credit. The amount reduces first the payments and
// then the credit that the invoice has used.
func (a *Account) convertToCredit(inv Invoice, amount int64) {
	paidPart := min(amount, inv.refundable())
	inv.TotalCredited += amount
	inv.addCreditNote(Return{Kind: billing.ReturnAsCredit, Amount: amount, At: a.Now})
	inv.Credited += paidPart
	a.adjustCredit(paidPart)
	a.putInvoice(inv)
	a.returnCredit(inv, amount-paidPart)
}

// canReopen reports whether a paid invoice can become open again. The invoice must be the latest one of a live
// subscription and must not belong to a price change, and no part of it may have been refunded or credited.
func (a *Account) canReopen(inv Invoice) bool {
	s, err := a.Subscription(inv.Subscription)
	isLatest := err == nil && s.Status.Live() && s.LatestInvoice == inv.ID
	return isLatest && !inv.creditsUnusedTime() && inv.Refunded == 0 && inv.Credited == 0
}

// Reverse undoes a payment or a refund that was recorded by mistake. The part of a payment that was applied to the
// invoice is owed again, and the part that became credit is deducted from the credit. For a payment, amount is positive,
// and applied is the amount that RecordPayment returned. For a refund, both are the refunded amount as a negative number.
// Reverse returns Conflict if the consequences can't be undone, because the credit was used, the price change was made,
// the subscription has ended, or a later invoice was issued.
func (a *Account) Reverse(invoiceID string, amount, applied int64) error {
	inv := a.Invoice(invoiceID)
	if applied < 0 {
		return a.reverseRefund(inv, -applied)
	}
	creditPart := amount - applied
	switch {
	case inv.Status == billing.InvoiceVoid: // all of the payment has become credit
		creditPart = amount
		inv.TotalCredited = max(0, inv.TotalCredited-applied)
		inv.Returns = inv.Returns.Reduce(billing.ReturnAsCredit, applied)
	case inv.Status == billing.InvoicePaid && applied > 0 && !a.canReopen(inv):
		return fault.Newf(fault.Conflict, "Invoice %s can't become unpaid any more. Record a refund instead.",
			a.Terms.InvoiceNumber(inv.Number))
	default:
		inv.AmountPaid -= applied
	}
	if creditPart > a.Credit {
		return fault.Newf(fault.Conflict, "The customer has used credit that came from this payment. The credit is %s now.",
			mustAmount(a.Credit, inv.Currency))
	}
	a.Credit -= creditPart
	if inv.Status == billing.InvoicePaid && applied > 0 {
		inv.Status, inv.PaidAt = billing.InvoiceOpen, time.Time{}
	}
	a.putInvoice(inv)
	return nil
}

// reverseRefund undoes a refund of the amount that was recorded by mistake.
func (a *Account) reverseRefund(inv Invoice, amount int64) error {
	if inv.Credited > 0 && inv.Refund.Withdrawn+inv.Refund.Spent < amount {
		return fault.Newf(fault.Conflict,
			"What was paid for invoice %s has become credit since. Record the amount as a payment of the invoice instead.",
			a.Terms.InvoiceNumber(inv.Number))
	}
	inv.Refunded -= amount
	inv.Returns = inv.Returns.Reduce(billing.ReturnRefund, amount)
	a.adjustRefund(inv, -amount)
	return nil
}
