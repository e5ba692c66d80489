package engine

import "time"

// ReturnedPayment accounts for what was returned of a payment: by refunds, or by a dispute unless it was won. It can be
// stored as JSON. Amounts are in minor units, and Amount >= Withdrawn + Spent.
type ReturnedPayment struct {
	Amount    int64     `json:"amount,omitempty"`    // the returned amount
	Withdrawn int64     `json:"withdrawn,omitempty"` // from the customer's credit
	Spent     int64     `json:"spent,omitempty"`     // credit that could not be withdrawn, because it was used before
	At        time.Time `json:"at,omitzero"`         // of the last change of Amount
}

// Settle changes the returned amount. It returns the new state and the change of the customer's credit.
//
// When more is returned, as much is withdrawn from the credit, which never becomes negative. What can't be withdrawn
// counts as Spent up to used, the credit that the customer has used: see UsedCredit. When less is returned
// than before, because a dispute was won, the customer gets back what was withdrawn, at most the difference.
func (r ReturnedPayment) Settle(amount, credit, used int64, now time.Time) (after ReturnedPayment, change int64) {
	after = ReturnedPayment{Amount: amount, At: now}
	more := amount - r.Amount
	switch {
	case more == 0:
		return r, 0
	case more < 0:
		after.Withdrawn = r.Withdrawn - min(r.Withdrawn, -more)
		after.Spent = min(r.Spent, amount-after.Withdrawn)
	default:
		withdrawn := min(more, max(credit, 0))
		after.Withdrawn = r.Withdrawn + withdrawn
		after.Spent = r.Spent + min(more-withdrawn, max(used, 0))
	}
	return after, r.Withdrawn - after.Withdrawn
}

// Owed returns the amount that was returned and could not be withdrawn; 0 if it was returned before since. WithdrawOwed
// withdraws it from credit that was used or paid before the return and comes back to the customer: when an invoice is
// voided, or when a plan change credits the rest of a period.
func (r ReturnedPayment) Owed(since time.Time) int64 {
	if r.At.Before(since) {
		return 0
	}
	return r.Amount - r.Withdrawn
}

// WithdrawOwed withdraws what is owed from credit that comes back from an invoice or a period that began at since. It
// returns the new state and the withdrawn amount.
func (r ReturnedPayment) WithdrawOwed(credit int64, since time.Time) (after ReturnedPayment, withdrawn int64) {
	withdrawn = max(0, min(r.Owed(since), credit))
	r.Withdrawn += withdrawn
	r.Spent = min(r.Spent, r.Amount-r.Withdrawn)
	return r, withdrawn
}

// CreditUse contains what UsedCredit needs of an invoice that is not void.
type CreditUse struct {
	Invoice string // id
	Created time.Time
	Open    bool
	Used    int64 // the customer's credit that was deducted from the invoice
	Spent   int64 // ReturnedPayment.Spent of the invoice's payment
}

// UsedCredit returns how much credit a customer has used since the invoice was issued, less what returned payments account
// for. The credit of all open invoices counts, because it comes back when they are voided.
func UsedCredit(invoice string, all []CreditUse) int64 {
	var target CreditUse
	for _, use := range all {
		if use.Invoice == invoice {
			target = use
		}
	}
	var total, since, spent int64
	for _, use := range all {
		used := max(use.Used, 0)
		total += used
		spent += use.Spent
		if use.Open || use.Invoice != invoice && !use.Created.Before(target.Created) {
			since += used
		}
	}
	return max(0, min(since-target.Spent, total-spent))
}
