package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// changeLimit is the longest time for which a plan change is pending.
const changeLimit = 23 * time.Hour

// PriceChange is a change to another price. SetPendingChange sets Invoice and Expires.
type PriceChange struct {
	Price    catalogue.PriceRef `json:"price"`
	Amount   int64              `json:"amount"` // the amount of one period
	At       time.Time          `json:"at"`     // the proration date, or the time of a scheduled change
	EndTrial bool               `json:"end_trial,omitempty"`
	Invoice  string             `json:"invoice,omitempty"` // id of the invoice to pay
	Expires  time.Time          `json:"expires,omitzero"`
}

// CheckChange returns the reason why the subscription can't change its price now, or nil. The caller compares EndTrial
// with the status.
func (s Subscription) CheckChange(change PriceChange, hasOpenInvoice bool) error {
	if err := s.checkAnyChange(change, hasOpenInvoice); err != nil {
		return err
	}
	if !change.EndTrial && (change.At.Before(s.PeriodStart) || change.At.After(s.PeriodEnd)) {
		return fault.New(fault.Invalid, "The change must be calculated for an instant within the period.")
	}
	return nil
}

// CheckSchedule returns the reason why the subscription can't change its price at the renewal, or nil.
func (s Subscription) CheckSchedule(change PriceChange, hasOpenInvoice bool) error {
	return s.checkAnyChange(change, hasOpenInvoice)
}

// checkAnyChange returns the reason why any change of the price is refused, now and at the renewal, or nil.
func (s Subscription) checkAnyChange(change PriceChange, hasOpenInvoice bool) error {
	switch {
	case !s.Status.Live():
		return errNotLive()
	case change.Price.Currency != s.Price.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.",
			s.Price.Currency, change.Price.Currency)
	case s.Pending.Invoice != "":
		return errChangePending()
	case s.PaymentProcessing:
		return billing.ErrPaymentProcessing()
	case s.Status == billing.PastDue, hasOpenInvoice:
		return billing.ErrInvoiceOpen()
	case s.EndsAtPeriodEnd:
		return errSubscriptionEnding()
	}
	return nil
}

func errNotLive() error {
	return fault.New(fault.Conflict, "Only a running subscription can be changed.")
}

func errChangePending() error { return fault.New(fault.Conflict, "Another plan change is pending.") }

func errSubscriptionEnding() error {
	return fault.New(fault.Conflict, "The subscription is ending. Resume it first.")
}

func errChangeScheduled() error {
	return fault.New(fault.Conflict, "A plan change is scheduled. Drop it first.")
}

// ChangeLines returns the lines of the change's invoice. They deduct the unused part of the current period, except in a
// trial, because nothing was paid for a trial. A negative total becomes credit.
func (s Subscription) ChangeLines(change PriceChange) []Line {
	if s.restartsPeriod(change) {
		end := PeriodEnd(change.At, change.At, change.Price.Interval)
		fullPeriod := Line{Price: change.Price, Amount: change.Amount, Start: change.At, End: end}
		if s.Status == billing.Trialing {
			return []Line{fullPeriod}
		}
		return []Line{s.unusedCredit(change.At), fullPeriod}
	}
	rest := Prorate(change.Amount, change.At, s.PeriodStart, s.PeriodEnd)
	return []Line{
		s.unusedCredit(change.At),
		{Price: change.Price, Amount: rest, Start: change.At, End: s.PeriodEnd, Proration: true},
	}
}

// unusedCredit returns the line that credits the unused part of the current period.
func (s Subscription) unusedCredit(at time.Time) Line {
	amount := Prorate(s.Amount, at, s.PeriodStart, s.PeriodEnd)
	return Line{Price: s.Price, Amount: -amount, Start: at, End: s.PeriodEnd, Proration: true, Unused: true}
}

// restartsPeriod reports whether the change starts a new period at the proration date.
func (s Subscription) restartsPeriod(change PriceChange) bool {
	return s.Status == billing.Trialing || change.Price.Interval != s.Price.Interval
}

// SetPendingChange makes the change pending until the invoice is paid. The change expires after 23 hours, or at the end
// of the period if that is earlier. A scheduled change stays until the pending change is made.
func (s Subscription) SetPendingChange(change PriceChange, invoice string, now time.Time) Subscription {
	change.Invoice, change.Expires = invoice, earlierTime(now.Add(changeLimit), s.PeriodEnd)
	s.Pending = change
	return s
}

// ApplyChange makes the change, which replaces a scheduled one. When the interval changes or a trial ends, a new period
// starts at the proration date.
func (s Subscription) ApplyChange(change PriceChange) Subscription {
	restartsPeriod := s.restartsPeriod(change)
	if s.Status == billing.Trialing {
		s.TrialEnd = change.At
	}
	s.Price, s.Amount, s.Status = change.Price, change.Amount, billing.Active
	s.Pending, s.Scheduled = PriceChange{}, PriceChange{}
	if restartsPeriod {
		s.Anchor, s.PeriodStart = change.At, change.At
		s.PeriodEnd = PeriodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	}
	return s.withoutRetry()
}

// ScheduleChange makes Renew apply the change when the period or the trial ends. It replaces another scheduled change.
func (s Subscription) ScheduleChange(change PriceChange) Subscription {
	s.Scheduled = PriceChange{Price: change.Price, Amount: change.Amount, At: s.PeriodEnd}
	return s
}

// HasScheduledChange reports whether a change is scheduled.
func (s Subscription) HasScheduledChange() bool { return !s.Scheduled.At.IsZero() }

// CancelScheduledChange cancels the scheduled change.
func (s Subscription) CancelScheduledChange() Subscription {
	s.Scheduled = PriceChange{}
	return s
}

// CheckCancelPendingChange returns the reason why CancelPendingChange is refused, or nil. A payment that is processing
// can't be stopped.
func (s Subscription) CheckCancelPendingChange() error {
	if s.PaymentProcessing {
		return billing.ErrPaymentProcessing()
	}
	return nil
}

// CancelPendingChange cancels the pending change. The price, the period and a trial stay unchanged.
func (s Subscription) CancelPendingChange() Subscription {
	s.Pending = PriceChange{}
	return s
}
