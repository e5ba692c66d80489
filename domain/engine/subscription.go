package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// firstPaymentLimit limits how long a subscription may wait for its first payment.
const firstPaymentLimit = 23 * time.Hour

const day = 24 * time.Hour

// returnGrace limits how long a subscription stays past due after its payment was returned. It is as long as all retries
// of a failed payment take.
const returnGrace = 15 * day

// retryDelays are the delays between the attempts to collect a renewal.
var retryDelays = []time.Duration{3 * day, 5 * day, 7 * day}

// Subscription is the billing state of one subscription. It is comparable and can be stored as JSON.
type Subscription struct {
	Status      billing.Status     `json:"status"`
	Price       catalogue.PriceRef `json:"price"`
	Amount      int64              `json:"amount"` // of one period, as of when the price was chosen
	Created     time.Time          `json:"created"`
	Anchor      time.Time          `json:"anchor"` // periods end whole months or years after it
	PeriodStart time.Time          `json:"period_start"`
	PeriodEnd   time.Time          `json:"period_end"`
	TrialEnd    time.Time          `json:"trial_end,omitzero"`
	Retries     int                `json:"retries,omitempty"` // attempts since the payment failed
	RetryAt     time.Time          `json:"retry_at,omitzero"`
	Pending     PriceChange        `json:"pending,omitzero"`   // Invoice is "" when no change is pending
	Scheduled   PriceChange        `json:"scheduled,omitzero"` // made by Renew, dropped when a pending change is made; At is zero without one
	Ending      bool               `json:"ending,omitempty"`   // ends at PeriodEnd instead of being renewed
	// Processing is whether the payment of the latest invoice is on its way, see Accepted.
	Processing bool `json:"processing,omitempty"`
	// PayUntil is until when a first payment that has failed late, or one that was returned, can be made again; zero
	// without one.
	PayUntil time.Time `json:"pay_until,omitzero"`
}

// Start returns a new subscription. With a trial it is trialing; without, it is incomplete until its
// first period is Paid. Bill PeriodLines in both cases.
func Start(price catalogue.PriceRef, amount int64, trial time.Duration, now time.Time) Subscription {
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

// CheckTrialExtension returns why ExtendTrial is refused, or nil.
func (s Subscription) CheckTrialExtension(until time.Time) error {
	switch {
	case s.Status != billing.Trialing:
		return fault.New(fault.Conflict, "Only a running trial can be extended.")
	case s.Pending.Invoice != "":
		return errPending()
	case s.IsScheduled():
		return errScheduled()
	case s.Ending:
		return errEnding()
	case !until.After(s.TrialEnd):
		return fault.New(fault.Invalid, "The trial must end later than now.")
	}
	return nil
}

// ExtendTrial moves the end of the trial.
func (s Subscription) ExtendTrial(until time.Time) Subscription {
	s.TrialEnd, s.Anchor, s.PeriodEnd = until, until, until
	return s
}

// Step is a transition of a subscription that is due at a certain time.
type Step int

// The steps.
const (
	StepNone       Step = iota
	StepExpire          // the time for the first payment is over: End with billing.IncompleteExpired
	StepDropChange      // the time to pay the pending change is over: DropChange, then check NextStep again
	StepRenew           // the period is over: Renew and bill PeriodLines
	StepRetry           // charge the open invoice again: Retry, then Paid or PaymentFailed
	StepEnd             // the last period is over: End with billing.Canceled
	StepGiveUp          // the time to pay again what was returned is over: End as after the last retry
)

// NextStep returns what happens next if nothing else does, and when. The time is zero for StepNone. While a payment is on
// its way nothing happens: the subscription neither expires nor renews, ends, drops its change or is charged again.
func (s Subscription) NextStep() (Step, time.Time) {
	if s.Processing {
		return StepNone, time.Time{}
	}
	switch s.Status {
	case billing.Incomplete:
		return StepExpire, later(s.Created.Add(firstPaymentLimit), s.PayUntil)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			return StepDropChange, s.Pending.Expires
		}
		if s.Ending {
			return StepEnd, s.PeriodEnd
		}
		return StepRenew, s.PeriodEnd
	case billing.PastDue:
		return s.nextOverdueStep()
	}
	return StepNone, time.Time{}
}

// nextOverdueStep returns the next step of a past due subscription. Only one whose payment was returned can be ending.
func (s Subscription) nextOverdueStep() (Step, time.Time) {
	switch {
	case !s.RetryAt.IsZero():
		return StepRetry, s.RetryAt
	case s.Ending && s.PeriodEnd.Before(s.PayUntil):
		return StepGiveUp, s.PeriodEnd
	case !s.PayUntil.IsZero():
		return StepGiveUp, s.PayUntil
	}
	return StepNone, time.Time{}
}

// Renew starts the next period, which after a trial is the first paid one, and makes the scheduled
// change. With another interval, later periods end whole intervals after the change.
func (s Subscription) Renew() Subscription {
	s.Status = billing.Active
	s.PeriodStart = s.PeriodEnd
	if to := s.Scheduled; s.IsScheduled() {
		if to.Price.Interval != s.Price.Interval {
			s.Anchor = s.PeriodStart
		}
		s.Price, s.Amount, s.Scheduled = to.Price, to.Amount, PriceChange{}
	}
	s.PeriodEnd = PeriodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	return s
}

// Accepted returns the subscription after a payment of its latest invoice was accepted that takes time to arrive, such as
// a bank debit. It waits for Paid or PaymentFailed; see NextStep.
func (s Subscription) Accepted() Subscription {
	s.Processing = true
	return s
}

// PaymentFailed returns the subscription after a failed payment. An active or trialing one becomes
// past due, unless the payment was for a pending change. Others keep their status.
//
// After a payment that was Accepted, the first payment or that of a pending change can be made again for as long as at
// first, a change at most until the period ends, and the next retry follows its delay after the failure. If there is
// none left, see GivesUp, the caller ends the subscription.
func (s Subscription) PaymentFailed(now time.Time) Subscription {
	wasAccepted := s.Processing
	s.Processing = false
	if s.Pending.Invoice == "" && (s.Status == billing.Active || s.Status == billing.Trialing) {
		s.Status, s.Retries, s.RetryAt = billing.PastDue, 0, now.Add(retryDelays[0])
		return s
	}
	if wasAccepted {
		return s.withLateFailure(now)
	}
	return s
}

// withLateFailure returns the subscription after the failure of a payment that was Accepted and did not make it past due.
func (s Subscription) withLateFailure(now time.Time) Subscription {
	switch {
	case s.Pending.Invoice != "":
		s.Pending.Expires = later(s.Pending.Expires, earlier(now.Add(changeLimit), s.PeriodEnd))
	case s.Status == billing.Incomplete:
		s.PayUntil = now.Add(firstPaymentLimit)
	case s.Status == billing.PastDue && !s.PayUntil.IsZero():
		s.PayUntil = later(s.PayUntil, now.Add(firstPaymentLimit))
	case s.Status == billing.PastDue && s.Retries < len(retryDelays):
		s.RetryAt = now.Add(retryDelays[s.Retries])
	}
	return s
}

// PaymentReturned returns the subscription after the customer's bank has returned the payment of its latest invoice,
// days or weeks after it was Paid: it is past due. What was returned is never charged again by a retry; if it is not Paid
// in time, StepGiveUp follows.
func (s Subscription) PaymentReturned(now time.Time) Subscription {
	s = s.withoutRetry()
	s.Status, s.PayUntil = billing.PastDue, now.Add(returnGrace)
	return s
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Retry counts an attempt and schedules the next one. When the attempt has failed, see GivesUp.
func (s Subscription) Retry(now time.Time) Subscription {
	s.Retries++
	s.RetryAt = time.Time{}
	if s.Retries < len(retryDelays) {
		s.RetryAt = now.Add(retryDelays[s.Retries])
	}
	return s
}

// GivesUp reports whether the last retry has failed: End the subscription, as canceled or unpaid.
func (s Subscription) GivesUp() bool {
	return s.Status == billing.PastDue && !s.Processing && s.Retries >= len(retryDelays)
}

// Paid returns the subscription after its latest invoice was paid. The invoice of a pending change
// makes the change. Paying after the retries have ended starts a new period now, because nothing
// was billed since. A canceled subscription stays canceled.
func (s Subscription) Paid(invoice string, now time.Time) Subscription {
	switch {
	case s.Status == billing.Canceled:
		return s.withoutRetry()
	case s.Pending.Invoice != "" && s.Pending.Invoice == invoice:
		return s.Apply(s.Pending)
	case s.Status == billing.Unpaid:
		s.PeriodStart, s.PeriodEnd = now, PeriodEnd(s.Anchor, now, s.Price.Interval)
	}
	s.Status = billing.Active
	return s.withoutRetry()
}

// PlanEndsAt returns when a past due subscription ends unless it is paid: at the last retry, or when the time to pay a
// returned payment is over. The time is zero for others, and while a payment is on its way.
func (s Subscription) PlanEndsAt() time.Time {
	if s.Status != billing.PastDue {
		return time.Time{}
	}
	step, at := s.nextOverdueStep()
	switch {
	case s.Processing, step == StepNone:
		return time.Time{}
	case step == StepGiveUp:
		return at
	}
	for _, delay := range retryDelays[s.Retries+1:] {
		at = at.Add(delay)
	}
	return at
}

// CheckEnding returns why SetEnding is refused, or nil. It allows the value that Ending has already.
func (s Subscription) CheckEnding(ending bool) error {
	switch {
	case s.Status == billing.PastDue:
		return billing.ErrInvoiceOpen()
	case s.Status != billing.Active && s.Status != billing.Trialing:
		return errNotRunning()
	case ending && s.Pending.Invoice != "":
		return errPending()
	case ending && s.IsScheduled():
		return errScheduled()
	}
	return nil
}

// SetEnding makes the subscription end when its period or trial ends, or renew after all.
func (s Subscription) SetEnding(ending bool) Subscription {
	s.Ending = ending
	return s
}

// EndsAt returns when the subscription ends because of SetEnding; zero when it renews.
func (s Subscription) EndsAt() time.Time {
	if !s.Ending {
		return time.Time{}
	}
	return s.PeriodEnd
}

// End ends the subscription with the status and removes a pending or scheduled change.
func (s Subscription) End(status billing.Status) Subscription {
	s.Status, s.Pending, s.Scheduled, s.Ending = status, PriceChange{}, PriceChange{}, false
	return s.withoutRetry()
}

// withoutRetry returns the subscription without everything that a failed or accepted payment has set.
func (s Subscription) withoutRetry() Subscription {
	s.Retries, s.RetryAt, s.Processing, s.PayUntil = 0, time.Time{}, false, time.Time{}
	return s
}
