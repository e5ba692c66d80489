package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// Decline states what can be done after a failed payment. The values are those of ports/gateway.
type Decline string

// The kinds of declines.
const (
	SoftDecline    Decline = ""
	HardDecline    Decline = "hard"
	MethodGone     Decline = "method_gone"
	CustomerNeeded Decline = "customer_needed"
)

// Report is the state of a payment at the provider.
type Report struct {
	State      AttemptState // open, processing, paid, failed, canceled or returned
	Ref        string
	Method     *AccountMethod // nil while unknown
	Until      time.Time      // when an open payment ends by itself; zero if it does not
	ExpectedBy time.Time      // when the money of a processing payment arrives; zero if unknown
	Decline    Decline
	Reason     string // for the customer
	Refunds    []ReportedRefund
	// Announced is that of the attempt when the provider was asked. If more changes were announced since, the report may be
	// older than them, and the provider is asked again.
	Announced int
}

// Report changes the account after the provider has reported the state of an attempt. Reports can be late, repeated and in
// any order. It does the steps that have waited for the attempt. NotFound for an unknown key.
func (a *Account) Report(key string, r Report) error {
	before, err := a.Attempt(key)
	if err != nil {
		return err
	}
	if before.Amount == 0 && r.State == AttemptPaid && r.Method != nil && r.Method.Pending {
		r.State = AttemptProcessing // the method is saved, and its bank has to confirm it
	}
	a.saveReportedMethod(before, r)
	after := before.withReport(r, a.Now)
	a.putAttempt(after)
	if after.State != before.State {
		a.react(before, after, r)
	}
	a.reportRefunds(after, r.Refunds)
	a.Advance(a.Now)
	return nil
}

// saveReportedMethod saves the method of a payment that was accepted.
func (a *Account) saveReportedMethod(attempt Attempt, r Report) {
	if r.Method == nil || r.State != AttemptProcessing && r.State != AttemptPaid {
		return
	}
	saved := *r.Method
	saved.Pending = saved.Pending && r.State == AttemptProcessing // a bank that has paid has confirmed the mandate
	a.learnMethod(attempt, saved)
}

// withReport returns the attempt after a report. The state of an older report is ignored.
func (a Attempt) withReport(r Report, now time.Time) Attempt {
	before := a.State
	if a = a.Report(r.State); a.State != r.State && before != AttemptCanceling {
		a.CheckAt = a.checkAfterOldReport(r, now)
		return a
	}
	if r.Ref != "" {
		a.Ref = r.Ref
	}
	if r.Method != nil {
		a.Method, a.With = r.Method.Ref, withoutFingerprints(r.Method.Details)
	}
	a.MissingSince = time.Time{}
	a.Token, a.Until, a.ExpectedBy, a.Reason = "", r.Until, r.ExpectedBy, r.Reason
	a.HardDecline = r.Decline == HardDecline || r.Decline == MethodGone
	a.CustomerNeeded = r.Decline == CustomerNeeded
	if a.CheckAt = a.nextCheck(now); a.Announced > r.Announced {
		a.CheckAt = now
	}
	if a.PaidAt.IsZero() && attemptRanks[a.State] >= attemptRanks[AttemptPaid] {
		a.PaidAt = now
	}
	return a
}

// checkAfterOldReport returns when to ask the provider for the attempt after a report that was ignored. A check that was due
// is repeated an hour later, unless both states are final.
func (a Attempt) checkAfterOldReport(r Report, now time.Time) time.Time {
	switch {
	case a.CheckAt.After(now), a.CheckAt.IsZero(), a.Announced > r.Announced:
		return a.CheckAt
	case a.IsOver() && attemptRanks[r.State] >= attemptRanks[AttemptFailed]:
		return time.Time{}
	}
	return now.Add(checkInterval)
}

// nextCheck returns when to ask the provider for the attempt if it reports nothing; zero if nothing more is expected.
func (a Attempt) nextCheck(now time.Time) time.Time {
	switch a.State {
	case AttemptCanceling:
		return now.Add(cancelInterval)
	case AttemptOpen:
		return now.Add(checkInterval)
	case AttemptProcessing:
		return later(a.ExpectedBy, now.Add(checkInterval))
	}
	return time.Time{}
}

// failsLate reports whether a failure that is reported now comes after the customer has left: a payment that was accepted, or
// whose outcome was unknown.
func (a Attempt) failsLate(now time.Time) bool {
	return a.State == AttemptProcessing || a.State == AttemptClaimed && now.After(a.SendBy)
}

// react changes invoices and subscriptions after an attempt has got another state.
func (a *Account) react(before, after Attempt, r Report) {
	if r.Decline == MethodGone {
		a.methodGone(after.Method)
	}
	if after.Amount == 0 {
		a.reactToSaving(after)
		return
	}
	switch after.State {
	case AttemptOpen, AttemptCanceled:
		a.failPayment(after, false)
	case AttemptProcessing:
		a.cancelStored(after)
	case AttemptFailed:
		a.failPayment(after, before.failsLate(a.Now))
	case AttemptPaid:
		a.receivePayment(after)
	case AttemptReturned:
		if before.State != AttemptPaid {
			after = a.receivePayment(after)
		}
		a.returnPayment(after)
	}
}

// methodGone removes a method that has ended at the provider. What waits for it has failed.
func (a *Account) methodGone(ref string) {
	if ref == "" {
		return
	}
	a.Forgotten(ref)
	for _, attempt := range a.Attempts {
		if attempt.Method == ref && attempt.State == AttemptStored {
			attempt.State, attempt.HardDecline, attempt.Reason = AttemptFailed, true, "The payment method can't be charged any more."
			a.putAttempt(attempt)
			a.failPayment(attempt, true)
		}
	}
}

// reactToSaving changes the trial for which an attempt saves a method. If it fails, the trial continues.
func (a *Account) reactToSaving(attempt Attempt) {
	switch attempt.State {
	case AttemptFailed, AttemptReturned:
		a.methodGone(attempt.Method)
	case AttemptPaid, AttemptProcessing:
		for _, s := range a.Subscriptions {
			if s.Setup == attempt.Key {
				s.Setup = ""
				a.put(s)
			}
		}
	}
}

// failPayment changes the subscription whose latest invoice was not paid by an attempt.
func (a *Account) failPayment(attempt Attempt, late bool) {
	s, err := a.Subscription(a.Invoice(attempt.Invoice).Subscription)
	if err == nil && s.Invoice == attempt.Invoice && a.Invoice(attempt.Invoice).Status == billing.InvoiceOpen {
		a.paymentFailed(s, a.Now, late)
	}
}

// cancelStored cancels the attempts that have waited until another one is over.
func (a *Account) cancelStored(won Attempt) {
	for _, attempt := range a.attemptsOf(won.Invoice) {
		if attempt.Key != won.Key && attempt.State == AttemptStored {
			attempt.State = AttemptCanceled
			a.putAttempt(attempt)
		}
	}
}

// receivePayment records the payment for the invoice and returns the attempt. What the invoice does not need becomes credit.
func (a *Account) receivePayment(attempt Attempt) Attempt {
	a.cancelStored(attempt)
	attempt.Surplus = attempt.Amount - a.Receive(attempt.Invoice, attempt.Amount)
	a.putAttempt(attempt)
	return attempt
}

// returnPayment accounts for a payment that went back to the customer after it was paid. If a bank has returned the
// payment of the latest invoice of an active subscription, the invoice is open again. Otherwise it is a lost dispute.
func (a *Account) returnPayment(attempt Attempt) {
	inv := a.Invoice(attempt.Invoice)
	s, err := a.Subscription(inv.Subscription)
	isUntouched := inv.Refunded == 0 && inv.Dispute.Amount == 0 && attempt.Surplus == 0
	isCurrent := err == nil && s.Invoice == inv.ID && s.Status == billing.Active
	if attempt.With.Kind == billing.CardMethod || !isCurrent || !isUntouched {
		a.loseDispute(attempt)
		return
	}
	inv.Status, inv.PaidAt = billing.InvoiceOpen, time.Time{}
	inv.Paid, inv.BankReturned = inv.Paid-attempt.Amount, inv.BankReturned+attempt.Amount
	a.putInvoice(inv)
	s.Subscription = s.PaymentReturned(a.Now)
	a.put(s)
}
