package engine

import (
	"cmp"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

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
	Disputes   []DisputeReport // all disputes that can be won or lost
	// AnnouncedChanges is the value of Attempt.AnnouncedChanges when the state was requested. If more changes were
	// announced since then, the report may be outdated, and the attempt is read again.
	AnnouncedChanges int
}

// ReportPayment changes the account after the provider has reported the state of an attempt, and performs the steps that
// have waited for the report. Reports can be late, repeated and in any order. ReportPayment returns NotFound for an
// unknown key.
func (a *Account) ReportPayment(key string, r PaymentReport) error {
	previousAttempt, err := a.Attempt(key)
	if err != nil {
		return err
	}
	if previousAttempt.Amount == 0 && r.State == AttemptPaid && r.Method != nil && r.Method.Pending {
		r.State = AttemptProcessing // the bank has yet to confirm the saved method
	}
	a.saveReportedMethod(previousAttempt, r)
	attempt := previousAttempt.applyReport(r, a.Now)
	a.putAttempt(attempt)
	if attempt.State != previousAttempt.State {
		a.applyStateChange(previousAttempt, attempt, r)
	}
	a.applyRefundReports(attempt, r.Refunds)
	if previousAttempt.State != AttemptReturned { // the disputes of a returned payment change nothing any more
		a.applyDisputeReports(key, r.Disputes)
		if attempt.State == AttemptReturned && attempt.Amount > 0 {
			a.recordReturnedAttempt(key)
		}
		a.scheduleDisputeCheck(key)
	}
	a.Advance(a.Now)
	return nil
}

// saveReportedMethod saves the method of an attempt that was accepted. It does not save a method again that an earlier
// report of the attempt has saved and that was removed since.
func (a *Account) saveReportedMethod(attempt Attempt, r PaymentReport) {
	if r.Method == nil || !r.State.isAccepted() {
		return
	}
	method := *r.Method
	if _, err := a.Method(method.Ref); err != nil && attempt.State.isAccepted() && attempt.Method == method.Ref {
		return
	}
	method.Pending = method.Pending && r.State == AttemptProcessing // a payment confirms the mandate
	a.saveMethodOfAttempt(attempt, method)
}

// applyStateChange changes invoices and subscriptions after the report has changed the state of the previous attempt. A
// returned payment is first recorded as paid, because ReportPayment applies the refunds and disputes of a payment before
// its return.
func (a *Account) applyStateChange(previousAttempt, attempt Attempt, r PaymentReport) {
	if r.Decline == MethodGone {
		a.removeGoneMethod(attempt.Method)
	}
	if attempt.Amount == 0 {
		a.applySetupState(attempt)
		return
	}
	switch attempt.State {
	case AttemptOpen, AttemptCanceled:
		a.recordAttemptFailure(attempt, false, 0)
	case AttemptProcessing:
		a.cancelStoredAttempts(attempt)
	case AttemptFailed:
		a.recordAttemptFailure(attempt, previousAttempt.failsLate(a.claimNow()), a.longestProcessing(previousAttempt))
	case AttemptPaid:
		a.recordPaidAttempt(attempt)
	case AttemptReturned:
		if previousAttempt.State != AttemptPaid {
			a.recordPaidAttempt(attempt)
		}
	}
}

// removeGoneMethod removes a method that no longer exists at the provider. Attempts to charge the method that are not
// sent yet fail.
func (a *Account) removeGoneMethod(ref string) {
	if ref == "" {
		return
	}
	a.ReportMethodDeleted(ref)
	for _, attempt := range a.Attempts {
		if attempt.Method == ref && attempt.State == AttemptStored {
			attempt.State, attempt.HardDecline, attempt.FailedAt = AttemptFailed, true, a.Now
			attempt.Reason = "The payment method can't be charged any more."
			a.putAttempt(attempt)
			a.recordAttemptFailure(attempt, true, 0)
		}
	}
}

// applySetupState changes the trial for which an attempt saves a method. If the attempt fails, the trial continues.
func (a *Account) applySetupState(attempt Attempt) {
	switch attempt.State {
	case AttemptFailed, AttemptReturned:
		if m, err := a.Method(attempt.Method); err == nil && m.Pending {
			a.removeGoneMethod(m.Ref) // the bank has not confirmed the mandate
		}
	case AttemptPaid, AttemptProcessing:
		a.clearSetup(attempt.Key)
	}
}

// recordAttemptFailure changes the subscription after an attempt to collect its latest invoice has failed or needs the
// customer. See recordPaymentFailure for isLate and processing.
func (a *Account) recordAttemptFailure(attempt Attempt, isLate bool, processing time.Duration) {
	s, err := a.Subscription(a.Invoice(attempt.Invoice).Subscription)
	if err == nil && s.LatestInvoice == attempt.Invoice && a.Invoice(attempt.Invoice).Status == billing.InvoiceOpen {
		a.recordPaymentFailure(s, a.Now, isLate, processing)
	}
}

// longestProcessing returns the longest time after which a payment like the failed attempt can fail: the time that the
// provider declares, or else the time that the attempt took. It returns 0 if the attempt was not processing.
func (a *Account) longestProcessing(attempt Attempt) time.Duration {
	if attempt.State != AttemptProcessing || a.Terms.ChargeTerms == nil {
		return 0
	}
	return cmp.Or(a.Terms.ChargeTerms.settlementTime(attempt.MethodDetails.Kind), a.Now.Sub(attempt.Created))
}

// cancelStoredAttempts cancels the stored attempts that waited for the outcome of acceptedAttempt.
func (a *Account) cancelStoredAttempts(acceptedAttempt Attempt) {
	for _, attempt := range a.invoiceAttempts(acceptedAttempt.Invoice) {
		if attempt.Key != acceptedAttempt.Key && attempt.State == AttemptStored {
			attempt.State = AttemptCanceled
			a.putAttempt(attempt)
		}
	}
}

// recordPaidAttempt records the payment for the invoice. The part that exceeds the invoice becomes credit.
func (a *Account) recordPaidAttempt(attempt Attempt) {
	a.cancelStoredAttempts(attempt)
	attempt.Surplus = attempt.Amount - a.RecordPayment(attempt.Invoice, attempt.Amount)
	a.putAttempt(attempt)
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
	a.OpenUntil, a.OnPage, a.ExpectedBy, a.Reason = r.OpenUntil, r.OnPage, r.ExpectedBy, r.Reason
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
