package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// checkInterval is the time between two checks of a payment if the provider sends no reports.
	checkInterval = time.Hour
	// missingInterval is the time for which a payment must be unknown to the provider before the payment fails.
	missingInterval = time.Hour
	// cancelInterval is the time between two requests to cancel a payment that the provider still reports as open.
	cancelInterval = time.Minute
)

// Outbox contains the requests to send to the provider now.
type Outbox struct {
	Send           []Attempt       // claim each with Claim, send it with its key, and report the result with ReportPayment
	Find           []Attempt       // read each at the provider, and report the result with ReportPayment or ReportMissing
	Cancel         []Attempt       // cancel each at the provider, and report the result with ReportPayment
	Refund         []RefundAttempt // claim each with ClaimRefund, send it with its key, and report the result with ReportRefund
	RemovedMethods []string        // references of methods; delete each at the provider, and call ReportMethodDeleted
}

// Outbox returns the requests to send to the provider now. It returns each request again until the caller has reported
// the result. It omits a claimed request while another server may still send it.
func (a *Account) Outbox() Outbox {
	var out Outbox
	now := a.claimNow()
	for _, attempt := range slices.Backward(a.Attempts) {
		switch {
		case a.canSend(attempt, now, now):
			out.Send = append(out.Send, attempt)
		case attempt.mustCancel(a.Now):
			out.Cancel = append(out.Cancel, attempt)
		case a.mustFind(attempt):
			out.Find = append(out.Find, attempt)
		}
	}
	for _, r := range slices.Backward(a.Refunds) {
		if a.canSendRefund(r, now, now) {
			out.Refund = append(out.Refund, r)
		}
	}
	for _, m := range a.Methods {
		if m.Removed && !a.isInUse(m) {
			out.RemovedMethods = append(out.RemovedMethods, m.Ref)
		}
	}
	return out
}

// mustCancel reports whether a request to cancel the attempt is due.
func (a Attempt) mustCancel(now time.Time) bool {
	return a.State == AttemptCanceling && (!now.Before(a.CheckAt) || a.isCheckTooLate(now))
}

// mustFind reports whether the attempt or one of its refunds has to be read at the provider.
func (a *Account) mustFind(attempt Attempt) bool {
	now := a.claimNow()
	return a.isCheckDue(attempt) || slices.ContainsFunc(a.Refunds, func(r RefundAttempt) bool {
		return r.PaymentKey == attempt.Key && a.isCheckDue(r.Attempt) && !a.canSendRefund(r, now, now)
	})
}

// isInUse reports whether an attempt with the method is not over.
func (a *Account) isInUse(m AccountMethod) bool {
	return slices.ContainsFunc(a.Attempts, func(attempt Attempt) bool { return attempt.Method == m.Ref && !attempt.IsOver() })
}

func (a *Account) isCheckDue(attempt Attempt) bool {
	return !attempt.CheckAt.IsZero() && (!a.Now.Before(attempt.CheckAt) || attempt.isCheckTooLate(a.Now))
}

// MaxCheckDelay is the longest time for which an account with an open payment or refund waits for its next work.
const MaxCheckDelay = day

// maxExpectation limits how far ahead a plausible ExpectedBy can be. Every payment arrives earlier.
const maxExpectation = 35 * day

// isCheckTooLate reports whether the next check was computed while the clock was wrong. A correct check lies at most
// MaxCheckDelay ahead, or at the time by which the provider expects the payment.
func (a Attempt) isCheckTooLate(now time.Time) bool {
	latest := now.Add(MaxCheckDelay)
	if !a.ExpectedBy.After(now.Add(maxExpectation)) {
		latest = laterTime(latest, a.ExpectedBy)
	}
	return a.CheckAt.After(latest)
}

// IsComplete reports whether the attempt is over and is not read at the provider again.
func (a Attempt) IsComplete() bool { return a.IsOver() && a.CheckAt.IsZero() }

// IsEmpty reports whether there is no request to make.
func (o Outbox) IsEmpty() bool {
	return len(o.Send)+len(o.Find)+len(o.Cancel)+len(o.Refund)+len(o.RemovedMethods) == 0
}

// nextOutboxAt returns when the Outbox has the next request to the provider, or the zero time. While a payment or refund
// is not complete, the time is at most MaxCheckDelay ahead. A stored time that is later was computed while the clock was
// wrong.
func (a *Account) nextOutboxAt() time.Time {
	if !a.Outbox().IsEmpty() {
		return a.Now
	}
	attempts := slices.Clone(a.Attempts)
	for _, r := range a.Refunds {
		attempts = append(attempts, r.Attempt)
	}
	var checkTimes []time.Time
	for _, attempt := range attempts {
		if !attempt.IsComplete() {
			checkTimes = append(checkTimes, attempt.CheckAt, a.Now.Add(MaxCheckDelay))
		}
	}
	return earliestTime(checkTimes...)
}

// claimNow returns the time of the clock of claims; see ClaimNow.
func (a *Account) claimNow() time.Time {
	if a.ClaimNow.IsZero() {
		return a.Now
	}
	return a.ClaimNow
}

// canSend reports whether a server that sends the attempt before sendBy may do so. It returns true for a stored attempt
// if the method can be charged and all other attempts to collect the invoice are over. It returns true for a claimed
// attempt if canSendAgain does.
func (a *Account) canSend(attempt Attempt, now, sendBy time.Time) bool {
	switch attempt.State {
	case AttemptStored:
		m, err := a.Method(attempt.Method)
		return (err != nil || !m.Pending) && !a.waitsForOtherAttempt(attempt)
	case AttemptClaimed:
		return a.canSendAgain(attempt, now, sendBy)
	}
	return false
}

func (a *Account) waitsForOtherAttempt(attempt Attempt) bool {
	return slices.ContainsFunc(a.invoiceAttempts(attempt.Invoice), func(other Attempt) bool {
		return other.Key != attempt.Key && !other.IsOver()
	})
}

// canSendAgain reports whether a claimed attempt can be sent again before sendBy. No other server may still be sending
// the attempt, and the provider must remember its key for as long as a request that is sent at sendBy can take. If the
// attempt was first claimed while the clock of claims was wrong, the age of the key is unknown, and the attempt is not sent
// again. A retired attempt is not sent again either.
func (a *Account) canSendAgain(attempt Attempt, now, sendBy time.Time) bool {
	c := a.Terms.ChargeTerms
	isKeyRemembered := sendBy.Add(c.LongestRequest).Before(attempt.FirstClaimedAt.Add(c.KeyRetention))
	return !attempt.Retired && !attempt.IsBeingSent(now) && isKeyRemembered && !isTooLate(attempt.FirstClaimedAt, now)
}

// Claim claims an attempt of Outbox.Send for a server that will send it before sendBy, and returns the attempt. now and
// sendBy are times of the clock of claims. Claim returns Conflict if another server may still send the attempt, and if the
// attempt must not be sent now.
func (a *Account) Claim(key string, now, sendBy time.Time) (Attempt, error) {
	attempt, err := a.Attempt(key)
	if err != nil {
		return attempt, err
	}
	if !a.canSend(attempt, now, sendBy) {
		return attempt, fault.New(fault.Conflict, "The payment can't be sent now.")
	}
	if attempt, err = attempt.Claim(now, sendBy); err != nil {
		return attempt, err
	}
	attempt.CheckAt = a.Now.Add(sendBy.Sub(now))
	a.putAttempt(attempt)
	return attempt, nil
}

// ReleaseClaim ends the claim of an attempt or a refund that was sent without a known result, so that it can be sent again
// immediately with its key. claimed is what Claim returned. ReleaseClaim has no effect if the attempt has another state
// now or was claimed again.
func (a *Account) ReleaseClaim(claimed Attempt) {
	isHeld := func(attempt Attempt) bool {
		return attempt.Key == claimed.Key && attempt.State == AttemptClaimed && attempt.SendBy.Equal(claimed.SendBy)
	}
	if i := slices.IndexFunc(a.Attempts, isHeld); i >= 0 {
		attempt := a.Attempts[i]
		attempt.SendBy, attempt.CheckAt = a.claimNow(), a.Now
		a.putAttempt(attempt)
	}
	if i := slices.IndexFunc(a.Refunds, func(r RefundAttempt) bool { return isHeld(r.Attempt) }); i >= 0 {
		r := a.Refunds[i]
		r.SendBy, r.CheckAt = a.claimNow(), a.Now
		a.putRefund(r)
	}
}

// RecordAnnouncedChange records that the provider has announced a change of an attempt. Outbox.Find then contains the
// attempt. RecordAnnouncedChange returns NotFound for an unknown key.
func (a *Account) RecordAnnouncedChange(key string) error {
	attempt, err := a.Attempt(key)
	if err != nil || attempt.State == AttemptStored || attempt.State == AttemptCanceling {
		return err
	}
	attempt.CheckAt = a.Now
	attempt.AnnouncedChanges++
	a.putAttempt(attempt)
	return nil
}

// ReportMissing records that the provider does not know an attempt of Outbox.Find or Outbox.Cancel. The attempt fails
// after two such reports that are at least an hour apart, if no request for it can still be in transit. An attempt that
// is processing does not fail because of such reports.
func (a *Account) ReportMissing(key string) error {
	attempt, err := a.Attempt(key)
	if err != nil {
		return err
	}
	for _, r := range a.Refunds {
		if r.PaymentKey == key && a.isCheckDue(r.Attempt) {
			r.CheckAt = a.Now.Add(checkInterval)
			a.putRefund(r)
		}
	}
	attempt, hasFailed := a.applyMissingReport(attempt)
	if hasFailed {
		reason := "The payment could not be made. Please try again."
		if attempt.Amount == 0 {
			reason = "The payment method could not be saved. Please try again."
		}
		return a.ReportPayment(key, PaymentReport{
			State: AttemptFailed, Reason: reason, AnnouncedChanges: attempt.AnnouncedChanges,
		})
	}
	a.putAttempt(attempt)
	return nil
}

// applyMissingReport returns the attempt after a report that the provider does not know the attempt. hasFailed reports
// whether the attempt has failed because of the report. An attempt that is over is checked once more.
func (a *Account) applyMissingReport(attempt Attempt) (updated Attempt, hasFailed bool) {
	attempt.CheckAt = a.Now.Add(checkInterval)
	now, lastArrival := a.claimNow(), attempt.SendBy.Add(a.Terms.ChargeTerms.LongestRequest)
	switch {
	case attempt.IsOver():
		if !attempt.MissingSince.IsZero() {
			attempt.CheckAt = time.Time{}
		}
		attempt.MissingSince = a.Now
	case attempt.State == AttemptStored, attempt.State == AttemptProcessing:
	case now.Before(lastArrival) && !isTooLate(attempt.SendBy, now):
		attempt.CheckAt = a.Now.Add(lastArrival.Sub(now))
	case attempt.MissingSince.IsZero():
		attempt.MissingSince = a.Now
	default:
		hasFailed = !a.Now.Before(attempt.MissingSince.Add(missingInterval))
	}
	return attempt, hasFailed
}
