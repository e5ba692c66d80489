package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// firstPaymentLimit is the time for which a subscription waits for its first payment.
const firstPaymentLimit = 23 * time.Hour

const day = 24 * time.Hour

// Subscription is the billing state of one subscription. It is comparable and can be stored as JSON.
type Subscription struct {
	Status          billing.Status     `json:"status"`
	Price           catalogue.PriceRef `json:"price"`
	Amount          int64              `json:"amount"` // the amount of one period when the price was chosen
	Created         time.Time          `json:"created"`
	Anchor          time.Time          `json:"anchor"` // every period ends whole months or years after Anchor
	PeriodStart     time.Time          `json:"period_start"`
	PeriodEnd       time.Time          `json:"period_end"`
	TrialEnd        time.Time          `json:"trial_end,omitzero"`
	Retries         int                `json:"retries,omitempty"` // the number of retries since the payment failed
	RetryAt         time.Time          `json:"retry_at,omitzero"`
	Pending         PriceChange        `json:"pending,omitzero"`             // Pending.Invoice is "" when no change is pending
	Scheduled       PriceChange        `json:"scheduled,omitzero"`           // made by Renew; Scheduled.At is zero if none is scheduled
	EndsAtPeriodEnd bool               `json:"ends_at_period_end,omitempty"` // it ends at PeriodEnd instead of being renewed
	// PaymentProcessing reports that the payment of the latest invoice is processing; see PaymentAccepted.
	PaymentProcessing bool `json:"payment_processing,omitempty"`
	// PayUntil is the time until which the customer can pay after a first payment failed late, a payment was returned, or
	// no retry is left. It is zero otherwise.
	PayUntil time.Time `json:"pay_until,omitzero"`
	// UnpaidEnd is when a past due subscription ends unless it is paid. It leaves each retry the time Processing, the
	// longest time after which a payment of the customer can fail, so retries do not postpone it. Both fields are zero
	// unless a renewal payment has failed.
	UnpaidEnd  time.Time     `json:"unpaid_end,omitzero"`
	Processing time.Duration `json:"processing,omitempty"`
}

// StartSubscription returns a new subscription. With a trial it is trialing. Without one it is incomplete until its
// first payment succeeds. In both cases the caller issues an invoice with PeriodLines.
func StartSubscription(price catalogue.PriceRef, amount int64, trial time.Duration, now time.Time) Subscription {
	s := Subscription{Price: price, Amount: amount, Created: now, PeriodStart: now}
	if trial > 0 {
		s.Status = billing.Trialing
		s.TrialEnd = now.Add(trial)
		s.Anchor, s.PeriodEnd = s.TrialEnd, s.TrialEnd
		return s
	}
	s.Status = billing.Incomplete
	s.Anchor = now
	s.PeriodEnd = PeriodEnd(s.Anchor, now, price.Interval)
	return s
}

// CheckTrialExtension returns the reason why ExtendTrial is refused, or nil.
func (s Subscription) CheckTrialExtension(until time.Time) error {
	switch {
	case s.Status != billing.Trialing:
		return fault.New(fault.Conflict, "Only a running trial can be extended.")
	case s.Pending.Invoice != "":
		return errChangePending()
	case s.HasScheduledChange():
		return errChangeScheduled()
	case s.EndsAtPeriodEnd:
		return errSubscriptionEnding()
	case !until.After(s.TrialEnd):
		return fault.New(fault.Invalid, "The trial must end later than now.")
	}
	return nil
}

// ExtendTrial postpones the end of the trial.
func (s Subscription) ExtendTrial(until time.Time) Subscription {
	s.TrialEnd, s.Anchor, s.PeriodEnd = until, until, until
	return s
}

// Step is a transition of a subscription that is due at a certain time.
type Step int

// The steps.
const (
	StepNone                Step = iota
	StepExpire                   // the time for the first payment is over: call End with billing.IncompleteExpired
	StepCancelPendingChange      // the time to pay the pending change is over: call CancelPendingChange, then NextStep again
	StepRenew                    // the period is over: call Renew and issue an invoice with PeriodLines
	StepRetry                    // charge the open invoice again: call RecordRetry, then PaymentSucceeded or PaymentFailed
	StepEnd                      // the last period is over: call End with billing.Canceled
	StepEndUnpaid                // the invoice was not paid in time, or a returned payment not made again: call End
)

// NextStep returns the next step and when the step is due. The time is zero for StepNone. While a payment is processing,
// NextStep returns StepNone: the subscription does not expire, renew or end, keeps its pending change, and is not
// charged again.
func (s Subscription) NextStep() (Step, time.Time) {
	if s.PaymentProcessing {
		return StepNone, time.Time{}
	}
	switch s.Status {
	case billing.Incomplete:
		return StepExpire, laterTime(s.Created.Add(firstPaymentLimit), s.PayUntil)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			return StepCancelPendingChange, s.Pending.Expires
		}
		if s.EndsAtPeriodEnd {
			return StepEnd, s.PeriodEnd
		}
		return StepRenew, s.PeriodEnd
	case billing.PastDue:
		return s.nextOverdueStep()
	}
	return StepNone, time.Time{}
}

// nextOverdueStep returns the next step of a past due subscription. Such a subscription is ending only if its payment
// was returned.
func (s Subscription) nextOverdueStep() (Step, time.Time) {
	switch {
	case !s.RetryAt.IsZero():
		return StepRetry, s.RetryAt
	case s.EndsAtPeriodEnd && s.PeriodEnd.Before(s.PayUntil):
		return StepEndUnpaid, s.PeriodEnd
	case !s.PayUntil.IsZero():
		return StepEndUnpaid, s.PayUntil
	}
	return StepNone, time.Time{}
}

// Renew starts the next period and makes the scheduled change. After a trial, the next period is the first paid one. If
// the change has another interval, later periods end whole intervals after the change.
func (s Subscription) Renew() Subscription {
	s.Status = billing.Active
	s.PeriodStart = s.PeriodEnd
	if change := s.Scheduled; s.HasScheduledChange() {
		if change.Price.Interval != s.Price.Interval {
			s.Anchor = s.PeriodStart
		}
		s.Price, s.Amount, s.Scheduled = change.Price, change.Amount, PriceChange{}
	}
	s.PeriodEnd = PeriodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	return s
}

func earlierTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// CheckEndAtPeriodEnd returns the reason why SetEndAtPeriodEnd is refused, or nil. Setting the current value is allowed.
func (s Subscription) CheckEndAtPeriodEnd(ending bool) error {
	switch {
	case s.Status == billing.PastDue:
		return billing.ErrInvoiceOpen()
	case s.Status != billing.Active && s.Status != billing.Trialing:
		return errNotLive()
	case ending && s.Pending.Invoice != "":
		return errChangePending()
	case ending && s.HasScheduledChange():
		return errChangeScheduled()
	}
	return nil
}

// SetEndAtPeriodEnd returns the subscription with EndsAtPeriodEnd set to the value.
func (s Subscription) SetEndAtPeriodEnd(ending bool) Subscription {
	s.EndsAtPeriodEnd = ending
	return s
}

// EndsAt returns when an ending subscription ends; zero if the subscription renews.
func (s Subscription) EndsAt() time.Time {
	if !s.EndsAtPeriodEnd {
		return time.Time{}
	}
	return s.PeriodEnd
}

// End returns the subscription after it has ended with the status, without a pending or scheduled change.
func (s Subscription) End(status billing.Status) Subscription {
	s.Status, s.Pending, s.Scheduled, s.EndsAtPeriodEnd = status, PriceChange{}, PriceChange{}, false
	return s.withoutRetry()
}

// PeriodEnd returns the end of the period that begins at start. Every period ends whole intervals after the anchor. An
// unknown interval counts as a month.
func PeriodEnd(anchor, start time.Time, interval catalogue.Interval) time.Time {
	if interval.Months() == 0 {
		interval = catalogue.Monthly
	}
	elapsedMonths := (start.Year()-anchor.Year())*12 + int(start.Month()) - int(anchor.Month())
	n := max(elapsedMonths/interval.Months(), 0)
	for !interval.AddTo(anchor, n).After(start) {
		n++
	}
	return interval.AddTo(anchor, n)
}

// Prorate returns the part of a non-negative amount for the rest of a period after now, rounded half
// up.
func Prorate(amount int64, now, start, end time.Time) int64 {
	period, rest := int64(end.Sub(start)/time.Second), int64(end.Sub(now)/time.Second)
	if period <= 0 || rest <= 0 {
		return 0
	}
	rest = min(rest, period)
	// Multiplying the quotient and the remainder separately keeps the products within an int64 for any amount.
	return amount/period*rest + (amount%period*rest*2+period)/(period*2)
}
