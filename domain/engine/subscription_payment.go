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
// past due, unless the payment was for a pending change. Any other subscription keeps its status. processing is the
// longest time in which such a payment can fail after it was accepted; 0 if the outcome is known immediately.
//
// If the payment was accepted before it failed, the customer gets the whole time again to make a first payment, or to
// pay for a pending change, but not beyond the end of the period. The delay of a renewal's next retry then begins with
// the failure. After the last retry, StepEndUnpaid follows at UnpaidEnd.
func (s Subscription) PaymentFailed(now time.Time, processing time.Duration) Subscription {
	wasAccepted := s.PaymentProcessing
	s.PaymentProcessing = false
	switch {
	case s.Pending.Invoice == "" && (s.Status == billing.Active || s.Status == billing.Trialing):
		s.Status, s.Retries, s.Processing = billing.PastDue, 0, processing
		s.UnpaidEnd = s.afterAllRetries(now)
		return s.withNextRetry(now)
	case wasAccepted:
		return s.withLateFailure(now, processing)
	}
	return s
}

// withLateFailure returns the subscription after an accepted payment has failed without a change of the subscription's
// status.
func (s Subscription) withLateFailure(now time.Time, processing time.Duration) Subscription {
	switch {
	case s.Pending.Invoice != "":
		s.Pending.Expires = laterTime(s.Pending.Expires, earlierTime(now.Add(changeLimit), s.PeriodEnd))
	case s.Status == billing.Incomplete:
		s.PayUntil = now.Add(firstPaymentLimit)
	case s.Status == billing.PastDue && s.UnpaidEnd.IsZero():
		s = s.withLateFailureAfterReturn(now)
	case s.Status == billing.PastDue:
		if processing > s.Processing && s.Retries < len(retryDelays) {
			s.Processing = processing
			s.UnpaidEnd = laterTime(s.UnpaidEnd, s.afterAllRetries(now))
		}
		s = s.withNextRetry(now)
	}
	return s
}

// withLateFailureAfterReturn returns the subscription after the customer made a returned payment again and the new
// payment failed late. It extends the time to pay once.
func (s Subscription) withLateFailureAfterReturn(now time.Time) Subscription {
	extension := firstPaymentLimit
	if s.Retries > 0 {
		extension = 0
	}
	s.Retries++
	s.PayUntil = laterTime(s.PayUntil, now.Add(extension))
	return s
}

// afterAllRetries returns the latest time at which the last retry fails if each retry takes Processing to fail.
func (s Subscription) afterAllRetries(now time.Time) time.Time {
	for _, delay := range retryDelays[s.Retries:] {
		now = now.Add(delay + s.Processing)
	}
	return now
}

// withNextRetry returns the subscription with the time of its next retry. No retry is made that could fail after
// UnpaidEnd. Without a retry, the subscription ends at UnpaidEnd.
func (s Subscription) withNextRetry(now time.Time) Subscription {
	s.RetryAt, s.PayUntil = time.Time{}, laterTime(s.UnpaidEnd, now)
	if s.Retries < len(retryDelays) {
		if at := now.Add(retryDelays[s.Retries]); !at.Add(s.Processing).After(s.UnpaidEnd) {
			s.RetryAt, s.PayUntil = at, time.Time{}
		}
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
	return s.withNextRetry(now)
}

// NextAttemptAt returns when the open latest invoice is charged again automatically; zero for never.
func (s Subscription) NextAttemptAt() time.Time {
	if s.Status != billing.PastDue || s.PaymentProcessing {
		return time.Time{}
	}
	return s.RetryAt
}

// UnpaidEndsAt returns when a past due subscription ends if it is not paid: at UnpaidEnd, or when the time to pay a
// returned payment is over. The time is zero if the subscription is not past due, and while a payment is processing.
func (s Subscription) UnpaidEndsAt() time.Time {
	if s.Status != billing.PastDue || s.PaymentProcessing {
		return time.Time{}
	}
	step, at := s.nextOverdueStep()
	if step == StepRetry {
		return s.UnpaidEnd
	}
	return at
}

// IsUnpaidEndDue reports whether StepEndUnpaid is due: the subscription was not paid, and the time to pay is over.
func (s Subscription) IsUnpaidEndDue(now time.Time) bool {
	step, at := s.NextStep()
	return step == StepEndUnpaid && !at.After(now)
}

// withoutRetry returns the subscription without the values that a failed, returned or accepted payment has set.
func (s Subscription) withoutRetry() Subscription {
	s.Retries, s.RetryAt, s.PaymentProcessing, s.PayUntil = 0, time.Time{}, false, time.Time{}
	s.Processing, s.UnpaidEnd = 0, time.Time{}
	return s
}
