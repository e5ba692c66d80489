package engine

import (
	"slices"
	"time"
)

// PeriodPayment is a paid invoice of a subscription, as an argument of DeductReturned.
type PeriodPayment struct {
	Invoice         string // id
	Lines           []Line
	Refund, Dispute ReturnedPayment
}

// Deduction is the part of a returned payment that the invoice of a plan change has deducted from unused time. It takes
// effect when that invoice is paid; see Apply. It can be stored as JSON.
type Deduction struct {
	Invoice   string `json:"invoice"` // id of the invoice whose payment was returned
	Dispute   bool   `json:"dispute,omitempty"`
	Withdrawn int64  `json:"withdrawn,omitempty"` // the deducted amount
	Settled   int64  `json:"settled,omitempty"`   // the amount that has paid for time before the change
}

// DeductReturned adds a line to the lines of a plan change if they credit unused time whose payment was returned. The
// line is positive and at most as large as the credit. payments are the paid invoices of the subscription with returned
// payments.
//
// The part of a returned payment that is deducted is the same as the part of its period that is unused. For example, the
// refund of half the price removes half of the credit, whenever the change is made.
func (s Subscription) DeductReturned(lines []Line, payments []PeriodPayment, at time.Time) ([]Line, []Deduction) {
	var unused Line
	var unusedAmount int64
	position := 0
	for i, line := range lines {
		if line.Unused {
			unused, unusedAmount, position = line, unusedAmount-line.Amount, i+1
		}
	}
	remaining := unusedAmount
	var deductions []Deduction
	for _, p := range payments {
		for kind, r := range []ReturnedPayment{p.Refund, p.Dispute} {
			owed := r.OwedAmount(time.Time{})
			value := s.unusedValue(owed, p, at)
			if withdrawn := min(value, remaining); withdrawn > 0 {
				remaining -= withdrawn
				deductions = append(deductions, Deduction{
					Invoice: p.Invoice, Dispute: kind == 1, Withdrawn: withdrawn, Settled: owed - value,
				})
			}
		}
	}
	if len(deductions) == 0 {
		return lines, nil
	}
	return slices.Insert(slices.Clone(lines), position, Line{
		Price: unused.Price, Amount: unusedAmount - remaining, Start: unused.Start, End: unused.End, Proration: true, Returned: true,
	}), deductions
}

// unusedValue returns the part of an amount, paid for the invoice, that belongs to the time after at. If a change of the
// interval has started a new period since, the part that was unused at that time is spread over the new period.
func (s Subscription) unusedValue(amount int64, p PeriodPayment, at time.Time) int64 {
	period, found := p.period()
	switch {
	case !found:
		return 0
	case period.Start.Before(s.PeriodStart):
		amount = Prorate(amount, s.PeriodStart, period.Start, period.End)
		return Prorate(amount, at, s.PeriodStart, s.PeriodEnd)
	}
	return Prorate(amount, at, period.Start, period.End)
}

// period returns the line for the period that the invoice is for. A trial has none.
func (p PeriodPayment) period() (Line, bool) {
	i := slices.IndexFunc(p.Lines, func(l Line) bool { return !l.Unused && !l.Returned && !l.Trial })
	if i < 0 {
		return Line{}, false
	}
	return p.Lines[i], true
}

// DeductedSum returns the part of returned payments that is not owed any more when the deductions are applied.
func DeductedSum(deductions []Deduction) (sum int64) {
	for _, d := range deductions {
		sum += d.Withdrawn + d.Settled
	}
	return sum
}

// Apply records the deduction in the refunded or the disputed part of the payment, and returns both parts. surplus is the
// deducted amount that is not owed any more, because a refund has failed, a dispute was won, or the amount was withdrawn
// from credit. The customer gets it back.
func (d Deduction) Apply(refund, dispute ReturnedPayment) (newRefund, newDispute ReturnedPayment, surplus int64) {
	if d.Dispute {
		dispute, surplus = dispute.deduct(d)
	} else {
		refund, surplus = refund.deduct(d)
	}
	return refund, dispute, surplus
}

func (r ReturnedPayment) deduct(d Deduction) (result ReturnedPayment, surplus int64) {
	r, withdrawn := r.WithdrawOwed(d.Withdrawn, time.Time{})
	r.Settled += min(d.Settled, r.OwedAmount(time.Time{}))
	return r, d.Withdrawn - withdrawn
}
