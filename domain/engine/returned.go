package engine

import "time"

// Returned accounts for what was returned of a payment: by refunds, or by a dispute unless it was won. It can be
// stored as JSON. Amounts are in minor units, and Amount >= Withdrawn + Spent.
type Returned struct {
	Amount    int64     `json:"amount,omitempty"`    // that was returned
	Withdrawn int64     `json:"withdrawn,omitempty"` // from the customer's credit
	Spent     int64     `json:"spent,omitempty"`     // credit that could not be withdrawn, because it was used before
	At        time.Time `json:"at,omitzero"`         // of the last change of Amount
}

// Settle changes the returned amount. It returns the new state and the change of the customer's credit.
//
// When more is returned, as much is withdrawn from the credit, which never becomes negative. What is left
// counts as Spent up to used, the credit that the customer has used: see UsedCredit. When less is returned
// than before, because a dispute was won, the customer gets back what was withdrawn, at most the difference.
func (r Returned) Settle(amount, credit, used int64, now time.Time) (after Returned, change int64) {
	after = Returned{Amount: amount, At: now}
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

// Owed returns what was returned and could not be withdrawn, if that happened at the time or later; otherwise 0. It is
// withdrawn when credit comes back to the customer from before the return: when an invoice is voided, or when a
// plan change credits the rest of a period.
func (r Returned) Owed(since time.Time) int64 {
	if r.At.Before(since) {
		return 0
	}
	return r.Amount - r.Withdrawn
}

// Reclaim withdraws what is owed from credit that has come back from an invoice or a period that began at since. It
// returns the new state and the amount.
func (r Returned) Reclaim(credit int64, since time.Time) (after Returned, withdrawn int64) {
	withdrawn = max(0, min(r.Owed(since), credit))
	r.Withdrawn += withdrawn
	r.Spent = min(r.Spent, r.Amount-r.Withdrawn)
	return r, withdrawn
}

// CreditUse is what UsedCredit needs to know of an invoice that is not void.
type CreditUse struct {
	Invoice string // id
	Created time.Time
	Open    bool
	Used    int64 // the customer's credit that was deducted from the invoice
	Spent   int64 // of what was returned of the invoice's payment, see Returned
}

// UsedCredit returns how much credit a customer has used since the invoice was issued and no returned payment
// accounts for. The credit of all open invoices counts, because it comes back when they are voided.
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
