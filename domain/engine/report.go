package engine

import "time"

// Decline states how a failed payment can be made again. ports/gateway has the same values.
type Decline string

// The kinds of declines.
const (
	SoftDecline    Decline = ""                // a retry can succeed
	HardDecline    Decline = "hard"            // the method is declined permanently
	MethodGone     Decline = "method_gone"     // the method no longer exists at the provider
	CustomerNeeded Decline = "customer_needed" // only the customer can make the payment
)

// PaymentReport is the state of a payment at the provider.
type PaymentReport struct {
	State      AttemptState // open, processing, paid, failed, canceled or returned
	Ref        string
	Method     *AccountMethod // nil while unknown
	OpenUntil  time.Time      // when an open payment expires; zero if it does not
	OnPage     bool           // the customer completes the open payment on a page of the provider
	ExpectedBy time.Time      // when the money of a processing payment arrives; zero if unknown
	Decline    Decline
	Reason     string // for the customer
	Refunds    []RefundReport
	// AnnouncedChanges is the value of Attempt.AnnouncedChanges when the state was requested. If more changes were
	// announced since then, the report may be outdated, and the attempt is read again.
	AnnouncedChanges int
}

// applyReport returns the attempt after a report. A report of an older state changes only CheckAt.
func (a Attempt) applyReport(r PaymentReport, now time.Time) Attempt {
	isCanceling := a.State == AttemptCanceling // the provider reports a canceling payment as open
	if a = a.AdvanceTo(r.State); a.State != r.State && !isCanceling {
		a.CheckAt = a.nextCheckAtAfterOldReport(r, now)
		return a
	}
	if r.Ref != "" {
		a.Ref = r.Ref
	}
	if r.Method != nil {
		a.Method, a.MethodDetails = r.Method.Ref, withoutFingerprints(r.Method.Details)
	}
	a.MissingSince = time.Time{}
	a.Token, a.OpenUntil, a.OnPage, a.ExpectedBy, a.Reason = "", r.OpenUntil, r.OnPage, r.ExpectedBy, r.Reason
	a.HardDecline = r.Decline == HardDecline || r.Decline == MethodGone
	a.MethodGone, a.CustomerNeeded = r.Decline == MethodGone, r.Decline == CustomerNeeded
	if a.CheckAt = a.nextCheckAt(now); a.AnnouncedChanges > r.AnnouncedChanges {
		a.CheckAt = now
	}
	return a.withTimeOfOutcome(now)
}

// withTimeOfOutcome returns the attempt with the time at which it was first reported as paid or failed.
func (a Attempt) withTimeOfOutcome(now time.Time) Attempt {
	if a.PaidAt.IsZero() && attemptRanks[a.State] >= attemptRanks[AttemptPaid] {
		a.PaidAt = now
	}
	if a.FailedAt.IsZero() && (a.State == AttemptFailed || a.State == AttemptReturned) {
		a.FailedAt = now
	}
	return a
}

// nextCheckAtAfterOldReport returns when to read the attempt at the provider again after a report of an older state. If a
// check was due, the next check is an hour later, unless both states are final.
func (a Attempt) nextCheckAtAfterOldReport(r PaymentReport, now time.Time) time.Time {
	switch {
	case a.CheckAt.After(now), a.CheckAt.IsZero(), a.AnnouncedChanges > r.AnnouncedChanges:
		return a.CheckAt
	case a.IsOver() && attemptRanks[r.State] >= attemptRanks[AttemptFailed]:
		return time.Time{}
	}
	return now.Add(checkInterval)
}

// nextCheckAt returns when to read the attempt at the provider unless a report arrives before; zero for never.
func (a Attempt) nextCheckAt(now time.Time) time.Time {
	switch a.State {
	case AttemptCanceling:
		return now.Add(cancelInterval)
	case AttemptOpen:
		return now.Add(checkInterval)
	case AttemptProcessing:
		return laterTime(a.ExpectedBy, now.Add(checkInterval))
	}
	return time.Time{}
}

// failsLate reports whether the customer did not see immediately that the payment failed, because it had been accepted or
// its outcome was unknown. now is the time of the clock of claims at which the failure is reported.
func (a Attempt) failsLate(now time.Time) bool {
	return a.State == AttemptProcessing || a.State == AttemptClaimed && !a.IsBeingSent(now)
}
