package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// returnGracePeriod is the time for which a subscription stays past due after its payment was returned. It is as long as
// all retries of a failed payment.
const returnGracePeriod = 15 * day

// retryDelays are the delays before the retries of a failed renewal payment.
var retryDelays = []time.Duration{3 * day, 5 * day, 7 * day}

// PaymentAccepted returns the subscription after a payment that takes days, such as a bank debit, was accepted for its
// latest invoice. The subscription waits for PaymentSucceeded or PaymentFailed; see NextStep.
func (s Subscription) PaymentAccepted() Subscription {
	s.PaymentProcessing = true
	return s
}

// PaymentFailed returns the subscription after a failed payment. An active or trialing subscription becomes
// past due, unless the payment was for a pending change. Any other subscription keeps its status.
//
// If the payment was accepted before it failed, the customer gets the whole time again to make a first payment, or to
// pay for a pending change, but not beyond the end of the period. The delay of a renewal's next retry then begins with
// the failure. If RetriesExhausted returns true for the result, the caller ends the subscription.
func (s Subscription) PaymentFailed(now time.Time) Subscription {
	wasAccepted := s.PaymentProcessing
	s.PaymentProcessing = false
	if s.Pending.Invoice == "" && (s.Status == billing.Active || s.Status == billing.Trialing) {
		s.Status, s.Retries, s.RetryAt = billing.PastDue, 0, now.Add(retryDelays[0])
		return s
	}
	if wasAccepted {
		return s.withLateFailure(now)
	}
	return s
}

// withLateFailure returns the subscription after an accepted payment has failed without a change of the subscription's
// status.
func (s Subscription) withLateFailure(now time.Time) Subscription {
	switch {
	case s.Pending.Invoice != "":
		s.Pending.Expires = laterTime(s.Pending.Expires, earlierTime(now.Add(changeLimit), s.PeriodEnd))
	case s.Status == billing.Incomplete:
		s.PayUntil = now.Add(firstPaymentLimit)
	case s.Status == billing.PastDue && !s.PayUntil.IsZero():
		s.PayUntil = laterTime(s.PayUntil, now.Add(firstPaymentLimit))
	case s.Status == billing.PastDue && s.Retries < len(retryDelays):
		s.RetryAt = now.Add(retryDelays[s.Retries])
	}
	return s
}

// PaymentReturned returns the subscription, now past due, after the customer's bank has returned the payment of its
// latest invoice. This can happen days or weeks after PaymentSucceeded. No retry charges the returned amount. If the
// customer does not pay it by PayUntil, StepEndUnpaid follows.
func (s Subscription) PaymentReturned(now time.Time) Subscription {
	s = s.withoutRetry()
	s.Status, s.PayUntil = billing.PastDue, now.Add(returnGracePeriod)
	return s
}

// PaymentSucceeded returns the subscription after its latest invoice was paid. The invoice of a pending change
// makes the change. The payment of an unpaid subscription starts a new period now, because no invoice
// was issued since it ended. A canceled subscription stays canceled.
func (s Subscription) PaymentSucceeded(invoice string, now time.Time) Subscription {
	switch {
	case s.Status == billing.Canceled:
		return s.withoutRetry()
	case s.Pending.Invoice != "" && s.Pending.Invoice == invoice:
		return s.ApplyChange(s.Pending)
	case s.Status == billing.Unpaid:
		s.PeriodStart, s.PeriodEnd = now, PeriodEnd(s.Anchor, now, s.Price.Interval)
	}
	s.Status = billing.Active
	return s.withoutRetry()
}

// RecordRetry returns the subscription after the open invoice was charged again, with the time of the next retry, if any
// is left.
func (s Subscription) RecordRetry(now time.Time) Subscription {
	s.Retries++
	s.RetryAt = time.Time{}
	if s.Retries < len(retryDelays) {
		s.RetryAt = now.Add(retryDelays[s.Retries])
	}
	return s
}

// NextAttemptAt returns when the open latest invoice is charged again automatically; zero for never.
func (s Subscription) NextAttemptAt() time.Time {
	if s.Status != billing.PastDue || s.PaymentProcessing {
		return time.Time{}
	}
	return s.RetryAt
}

// RetriesExhausted reports whether the last retry has failed. The caller ends the subscription, as canceled or unpaid.
func (s Subscription) RetriesExhausted() bool {
	return s.Status == billing.PastDue && !s.PaymentProcessing && s.Retries >= len(retryDelays)
}

// UnpaidEndsAt returns when a past due subscription ends if it is not paid. It ends at the last retry, or when the time to
// pay a returned payment is over. The time is zero if the subscription is not past due, and while a payment is
// processing.
func (s Subscription) UnpaidEndsAt() time.Time {
	if s.Status != billing.PastDue {
		return time.Time{}
	}
	step, at := s.nextOverdueStep()
	switch {
	case s.PaymentProcessing, step == StepNone:
		return time.Time{}
	case step == StepEndUnpaid:
		return at
	}
	for _, delay := range retryDelays[s.Retries+1:] {
		at = at.Add(delay)
	}
	return at
}

// withoutRetry returns the subscription without the values that a failed, returned or accepted payment has set.
func (s Subscription) withoutRetry() Subscription {
	s.Retries, s.RetryAt, s.PaymentProcessing, s.PayUntil = 0, time.Time{}, false, time.Time{}
	return s
}
