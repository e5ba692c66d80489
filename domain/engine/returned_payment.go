package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// ReturnedPayment accounts for the part of a payment that was returned by refunds, or by a dispute that was not won. It
// can be stored as JSON. Amounts are in minor units, Amount >= Withdrawn + Spent and Amount >= Withdrawn + Settled.
type ReturnedPayment struct {
	Amount    int64     `json:"amount,omitempty"`    // the returned amount
	Withdrawn int64     `json:"withdrawn,omitempty"` // the amount withdrawn from the customer's credit or by a Deduction
	Spent     int64     `json:"spent,omitempty"`     // credit that could not be withdrawn, because it was used earlier
	Settled   int64     `json:"settled,omitempty"`   // paid for time that was used before a Deduction, so it is not owed
	At        time.Time `json:"at,omitzero"`         // the time of the last change of Amount
}

// SetAmount changes the returned amount. It returns the updated value and the change of the customer's credit.
//
// When the amount increases, SetAmount withdraws the difference from the credit, but at most the whole credit.
// SetAmount adds the rest to Spent, but not more than used, which is the credit that the customer has used; see
// CreditUsedSince. When the amount decreases, because a dispute was won, the customer gets the difference back, but at
// most the withdrawn amount.
func (r ReturnedPayment) SetAmount(amount, credit, used int64, now time.Time) (result ReturnedPayment, creditChange int64) {
	result = ReturnedPayment{Amount: amount, Settled: r.Settled, At: now}
	increase := amount - r.Amount
	switch {
	case increase == 0:
		return r, 0
	case increase < 0:
		result.Withdrawn = r.Withdrawn - min(r.Withdrawn, -increase)
		result.Spent = min(r.Spent, amount-result.Withdrawn)
		result.Settled = min(r.Settled, amount-result.Withdrawn)
	default:
		withdrawn := min(increase, max(credit, 0))
		result.Withdrawn = r.Withdrawn + withdrawn
		result.Spent = r.Spent + min(increase-withdrawn, max(used, 0))
	}
	return result, r.Withdrawn - result.Withdrawn
}

// OwedAmount returns the amount that was returned and neither withdrawn nor settled, or 0 if the payment was returned
// before the time since. WithdrawOwed withdraws this amount from credit that the customer gets back after the return,
// when an invoice is voided or a plan change credits the rest of a period. It does so only if that invoice or period
// began before the return.
func (r ReturnedPayment) OwedAmount(since time.Time) int64 {
	if r.At.Before(since) {
		return 0
	}
	return r.Amount - r.Withdrawn - r.Settled
}

// WithdrawOwed withdraws the owed amount from credit that a plan change gives the customer for the rest of a period. since
// is the time at which the period began. WithdrawOwed returns the updated value and the withdrawn amount.
func (r ReturnedPayment) WithdrawOwed(credit int64, since time.Time) (result ReturnedPayment, withdrawn int64) {
	withdrawn = max(0, min(r.OwedAmount(since), credit))
	r.Withdrawn += withdrawn
	r.Spent = min(r.Spent, r.Amount-r.Withdrawn)
	return r, withdrawn
}

// WithdrawReturned is like WithdrawOwed for credit that an invoice gives back, because it is voided or credited. since is
// the time at which the invoice was issued. If the payment was returned while the invoice used the credit, Spent includes
// this credit, and is reduced by the withdrawn amount. The result is then the same as if the invoice had given the credit
// back before the payment was returned.
func (r ReturnedPayment) WithdrawReturned(credit int64, since time.Time) (result ReturnedPayment, withdrawn int64) {
	result, withdrawn = r.WithdrawOwed(credit, since)
	result.Spent = max(0, r.Spent-withdrawn)
	return result, withdrawn
}

// InvoiceCredit is the credit that an invoice has used, as an argument of CreditUsedSince. Void invoices use no credit
// and are omitted.
type InvoiceCredit struct {
	Invoice string // the invoice's id
	Created time.Time
	Open    bool
	Used    int64 // the customer's credit that was deducted from the invoice; negative if the invoice has created credit
	Spent   int64 // ReturnedPayment.Spent of the invoice's payment
}

// isUsedSince reports whether CreditUsedSince includes the credit for the target invoice.
func (c InvoiceCredit) isUsedSince(target InvoiceCredit) bool {
	return c.Open || c.Invoice != target.Invoice && !c.Created.Before(target.Created)
}

// CreditUsedSince returns the credit that the customer has used since the invoice was issued, less the part that Spent
// already includes. It includes the credit that any open invoice has used, because the customer gets that credit back if
// the invoice is voided.
func CreditUsedSince(invoiceID string, credits []InvoiceCredit) int64 {
	var target InvoiceCredit
	for _, credit := range credits {
		if credit.Invoice == invoiceID {
			target = credit
		}
	}
	var total, usedSince, spent int64
	for _, credit := range credits {
		used := max(credit.Used, 0)
		total += used
		spent += credit.Spent
		if credit.isUsedSince(target) {
			usedSince += used
		}
	}
	return max(0, min(usedSince-target.Spent, total-spent))
}

// Return is a return of money that was paid for an invoice, see billing.Return. It can be stored as JSON.
type Return struct {
	Kind      billing.ReturnKind    `json:"kind"`
	Amount    int64                 `json:"amount"`
	At        time.Time             `json:"at"`
	Method    billing.PaymentMethod `json:"method,omitzero"` // zero when unknown
	Dispute   billing.DisputeStatus `json:"dispute,omitempty"`
	Ref       string                `json:"ref,omitempty"` // the provider's reference of a dispute that it can decide; "" otherwise
	DecidedAt time.Time             `json:"decided_at,omitzero"`
	// PaymentKey is the key of the disputed attempt; "" if Ref is "".
	PaymentKey string `json:"payment,omitempty"`
	// HoldLifted is true for a dispute that was recorded before a hold was lifted. It does not count for a later hold.
	HoldLifted bool `json:"hold_lifted,omitempty"`
	// CreditNote is the number of the credit note among those of the invoice; 0 for none.
	CreditNote int `json:"credit_note,omitempty"`
}

// Returns contains the returns of an invoice, oldest first. Its methods return a changed copy.
type Returns []Return

// Add adds a return unless its amount is zero. It adds the amount of a dispute to the last return if that is the same
// dispute at the same time.
func (rs Returns) Add(r Return) Returns {
	if r.Amount == 0 {
		return rs
	}
	rs = slices.Clone(rs)
	if n := len(rs) - 1; n >= 0 && r.Kind == billing.ReturnByDispute {
		last := &rs[n]
		isSame := last.Kind == r.Kind && last.Dispute == r.Dispute && last.Ref == r.Ref && last.HoldLifted == r.HoldLifted
		if isSame && last.At.Equal(r.At) {
			last.Amount += r.Amount
			return rs
		}
	}
	return append(rs, r)
}

// AddCreditNote adds a return with a new credit note, unless its amount is zero. issued is the number of credit notes that
// were issued for the invoice, also those whose return was undone. AddCreditNote returns the new number.
func (rs Returns) AddCreditNote(r Return, issued int) (result Returns, newIssued int) {
	if r.Amount == 0 {
		return rs, issued
	}
	r.CreditNote = issued + 1
	return rs.Add(r), issued + 1
}

// Reduce undoes returns of the kind with the sum amount, except disputes with a Ref. It prefers the latest return of exactly
// this amount, and otherwise reduces the latest ones.
func (rs Returns) Reduce(kind billing.ReturnKind, amount int64) Returns {
	var result Returns // newest first; nil if none is left, as before the first return
	isOfKind := func(r Return) bool { return r.Kind == kind && r.Ref == "" }
	isExact := func(r Return) bool { return isOfKind(r) && r.Amount == amount }
	hasExact := slices.ContainsFunc(rs, isExact)
	for _, r := range slices.Backward(rs) {
		if isOfKind(r) && (!hasExact || isExact(r)) {
			part := min(amount, r.Amount)
			r.Amount, amount = r.Amount-part, amount-part
		}
		if r.Amount > 0 {
			result = append(result, r)
		}
	}
	slices.Reverse(result)
	return result
}

// dispute returns the dispute with the reference.
func (rs Returns) dispute(ref string) (dispute Return, found bool) {
	i := slices.IndexFunc(rs, func(r Return) bool { return r.Kind == billing.ReturnByDispute && r.Ref == ref })
	if i < 0 {
		return Return{}, false
	}
	return rs[i], true
}

// RequiresHold reports whether a dispute that counts for the hold of the customer is open or was lost.
func (rs Returns) RequiresHold() bool {
	return slices.ContainsFunc(rs, func(r Return) bool {
		return r.Kind == billing.ReturnByDispute && r.Dispute != billing.DisputeWon && !r.HoldLifted
	})
}

// LiftHold sets HoldLifted of all disputes.
func (rs Returns) LiftHold() Returns {
	rs = slices.Clone(rs)
	for i := range rs {
		rs[i].HoldLifted = rs[i].HoldLifted || rs[i].Kind == billing.ReturnByDispute
	}
	return rs
}

// replaceDispute replaces the dispute with the same reference.
func (rs Returns) replaceDispute(dispute Return) Returns {
	return upsert(rs, dispute, func(r Return) bool { return r.Kind == billing.ReturnByDispute && r.Ref == dispute.Ref })
}

// SetDispute sets the amount, outcome and time of the decision of the latest dispute that was not won.
func (rs Returns) SetDispute(amount int64, outcome billing.DisputeStatus, decidedAt time.Time) Returns {
	rs = slices.Clone(rs)
	for n, r := range slices.Backward(rs) {
		if r.Kind == billing.ReturnByDispute && r.Dispute != billing.DisputeWon {
			rs[n].Amount, rs[n].Dispute, rs[n].DecidedAt = amount, outcome, decidedAt
			break
		}
	}
	return rs
}

// Billing converts the returns of an invoice with the number. amountOf converts an amount in minor units.
func (rs Returns) Billing(invoiceNumber string, amountOf func(minor int64) money.Amount) []billing.Return {
	var returns []billing.Return
	for _, r := range rs {
		billingReturn := billing.Return{Kind: r.Kind, Amount: amountOf(r.Amount), At: r.At, Dispute: r.Dispute, DecidedAt: r.DecidedAt}
		if r.Method != (billing.PaymentMethod{}) {
			billingReturn.Method = &r.Method
		}
		if r.CreditNote > 0 {
			billingReturn.CreditNote = fmt.Sprintf("%s-CN-%02d", invoiceNumber, r.CreditNote)
		}
		returns = append(returns, billingReturn)
	}
	return returns
}
