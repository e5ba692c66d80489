package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// checkInterval is how often the provider is asked for a payment of which nothing is reported.
	checkInterval = time.Hour
	// missingInterval is how long the provider must not know a payment before it has failed.
	missingInterval = time.Hour
	// cancelInterval is how often an open payment is canceled again that the provider reports as open.
	cancelInterval = time.Minute
)

// Outbox is what has to be done at the provider. The account shows it until the result is reported.
type Outbox struct {
	Send          []Attempt       // Claim each, send it under its key, and Report the payment
	Find          []Attempt       // ask the provider for each, and Report the payment, or ReportMissing
	Cancel        []Attempt       // cancel each, and Report the payment
	Refund        []AccountRefund // ClaimRefund each, send it under its key, and ReportRefund
	ForgetMethods []string        // end each saved method, and call Forgotten
}

// Due returns what has to be done at the provider now.
func (a *Account) Due() Outbox {
	var out Outbox
	for _, attempt := range slices.Backward(a.Attempts) {
		switch {
		case a.canSend(attempt, a.Now, a.Now):
			out.Send = append(out.Send, attempt)
		case attempt.mustCancel(a.Now):
			out.Cancel = append(out.Cancel, attempt)
		case a.mustFind(attempt):
			out.Find = append(out.Find, attempt)
		}
	}
	for _, r := range slices.Backward(a.Refunds) {
		if a.canSendRefund(r, a.Now, a.Now) {
			out.Refund = append(out.Refund, r)
		}
	}
	for _, m := range a.Methods {
		if m.Removed && !a.isUsed(m) {
			out.ForgetMethods = append(out.ForgetMethods, m.Ref)
		}
	}
	return out
}

func (a Attempt) mustCancel(now time.Time) bool {
	return a.State == AttemptCanceling && !now.Before(a.CheckAt)
}

// mustFind reports whether the provider has to be asked for the attempt, or for a refund of it.
func (a *Account) mustFind(attempt Attempt) bool {
	return a.checkDue(attempt) || slices.ContainsFunc(a.Refunds, func(r AccountRefund) bool {
		return r.Payment == attempt.Key && a.checkDue(r.Attempt) && !a.canSendRefund(r, a.Now, a.Now)
	})
}

func (a *Account) isUsed(m AccountMethod) bool {
	return slices.ContainsFunc(a.Attempts, func(attempt Attempt) bool { return attempt.Method == m.Ref && !attempt.IsOver() })
}

func (a *Account) checkDue(attempt Attempt) bool {
	return !attempt.CheckAt.IsZero() && !a.Now.Before(attempt.CheckAt)
}

// IsEmpty reports whether there is nothing to do.
func (o Outbox) IsEmpty() bool {
	return len(o.Send)+len(o.Find)+len(o.Cancel)+len(o.Refund)+len(o.ForgetMethods) == 0
}

// nextDueAt returns when there is something to do at the provider, or the zero time.
func (a *Account) nextDueAt() time.Time {
	if !a.Due().IsEmpty() {
		return a.Now
	}
	var next time.Time
	checks := make([]time.Time, 0, len(a.Attempts)+len(a.Refunds))
	for _, attempt := range a.Attempts {
		checks = append(checks, attempt.CheckAt)
	}
	for _, r := range a.Refunds {
		checks = append(checks, r.CheckAt)
	}
	for _, at := range checks {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// canSend reports whether a server may send the attempt until a time: not before its method can be charged, nor while
// another attempt to collect the invoice is not over, nor again after the provider may have forgotten its key.
func (a *Account) canSend(attempt Attempt, now, sendBy time.Time) bool {
	switch attempt.State {
	case AttemptStored:
		m, err := a.Method(attempt.Method)
		return (err != nil || !m.Pending) && !a.waitsForOther(attempt)
	case AttemptClaimed:
		return !now.Before(attempt.SendBy) && a.remembersKey(attempt, sendBy)
	}
	return false
}

func (a *Account) waitsForOther(attempt Attempt) bool {
	return slices.ContainsFunc(a.attemptsOf(attempt.Invoice), func(other Attempt) bool { return other.Key != attempt.Key && !other.IsOver() })
}

// remembersKey reports whether the provider still knows the key of an attempt that was sent before, if it arrives as
// late as possible after a time.
func (a *Account) remembersKey(attempt Attempt, sendBy time.Time) bool {
	c := a.Terms.Charging
	return sendBy.Add(c.LongestRequest).Before(attempt.Sent.Add(c.KeyRetention))
}

// Claim claims an attempt of Outbox.Send for a server that sends it until a time, and returns it. Conflict if another server
// may still send it, or if it must not be sent any more.
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
	attempt.CheckAt = sendBy
	a.putAttempt(attempt)
	return attempt, nil
}

// Check makes Due list an attempt to be found now, because the provider has announced a change of it. NotFound for an
// unknown key.
func (a *Account) Check(key string) error {
	attempt, err := a.Attempt(key)
	if err != nil || attempt.State == AttemptStored || attempt.State == AttemptCanceling {
		return err
	}
	attempt.CheckAt = a.Now
	attempt.Announced++
	a.putAttempt(attempt)
	return nil
}

// ReportMissing records that the provider does not know an attempt of Outbox.Find or Outbox.Cancel. The attempt has failed
// when this is reported twice, at least an hour apart, and no request for it can be in transit any more. Money that is on its
// way is never given up.
func (a *Account) ReportMissing(key string) error {
	attempt, err := a.Attempt(key)
	if err != nil {
		return err
	}
	for _, r := range a.Refunds {
		if r.Payment == key && a.checkDue(r.Attempt) {
			r.CheckAt = a.Now.Add(checkInterval)
			a.putRefund(r)
		}
	}
	attempt, failed := a.missing(attempt)
	if failed {
		return a.Report(key, Report{
			State: AttemptFailed, Reason: "The payment could not be made. Please try again.", Announced: attempt.Announced,
		})
	}
	a.putAttempt(attempt)
	return nil
}

// missing returns an attempt that the provider does not know now, and whether it has failed. One that is over is checked
// once more.
func (a *Account) missing(attempt Attempt) (after Attempt, failed bool) {
	attempt.CheckAt = a.Now.Add(checkInterval)
	switch arrived := attempt.SendBy.Add(a.Terms.Charging.LongestRequest); {
	case attempt.IsOver():
		if !attempt.MissingSince.IsZero() {
			attempt.CheckAt = time.Time{}
		}
		attempt.MissingSince = a.Now
	case attempt.State == AttemptStored, attempt.State == AttemptProcessing:
	case a.Now.Before(arrived):
		attempt.CheckAt = arrived
	case attempt.MissingSince.IsZero():
		attempt.MissingSince = a.Now
	default:
		failed = !a.Now.Before(attempt.MissingSince.Add(missingInterval))
	}
	return attempt, failed
}
