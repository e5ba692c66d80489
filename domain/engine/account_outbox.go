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
	for _, at := range slices.Backward(a.Attempts) {
		switch {
		case a.canSend(at, a.Now, a.Now):
			out.Send = append(out.Send, at)
		case at.mustCancel(a.Now):
			out.Cancel = append(out.Cancel, at)
		case a.mustFind(at):
			out.Find = append(out.Find, at)
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
func (a *Account) mustFind(at Attempt) bool {
	return a.checkDue(at) || slices.ContainsFunc(a.Refunds, func(r AccountRefund) bool {
		return r.Payment == at.Key && a.checkDue(r.Attempt) && !a.canSendRefund(r, a.Now, a.Now)
	})
}

func (a *Account) isUsed(m AccountMethod) bool {
	return slices.ContainsFunc(a.Attempts, func(at Attempt) bool { return at.Method == m.Ref && !at.IsOver() })
}

func (a *Account) checkDue(at Attempt) bool { return !at.CheckAt.IsZero() && !a.Now.Before(at.CheckAt) }

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
	for _, at := range a.Attempts {
		checks = append(checks, at.CheckAt)
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
func (a *Account) canSend(at Attempt, now, sendBy time.Time) bool {
	switch at.State {
	case AttemptStored:
		m, err := a.Method(at.Method)
		return (err != nil || !m.Pending) && !a.waitsForOther(at)
	case AttemptClaimed:
		return !now.Before(at.SendBy) && a.remembersKey(at, sendBy)
	}
	return false
}

func (a *Account) waitsForOther(at Attempt) bool {
	return slices.ContainsFunc(a.attemptsOf(at.Invoice), func(other Attempt) bool { return other.Key != at.Key && !other.IsOver() })
}

// remembersKey reports whether the provider still knows the key of an attempt that was sent before, if it arrives as
// late as possible after a time.
func (a *Account) remembersKey(at Attempt, sendBy time.Time) bool {
	c := a.Terms.Charging
	return sendBy.Add(c.LongestRequest).Before(at.Sent.Add(c.KeyRetention))
}

// Claim claims an attempt of Outbox.Send for a server that sends it until a time, and returns it. Conflict if another server
// may still send it, or if it must not be sent any more.
func (a *Account) Claim(key string, now, sendBy time.Time) (Attempt, error) {
	at, err := a.Attempt(key)
	if err != nil {
		return at, err
	}
	if !a.canSend(at, now, sendBy) {
		return at, fault.New(fault.Conflict, "The payment can't be sent now.")
	}
	if at, err = at.Claim(now, sendBy); err != nil {
		return at, err
	}
	at.CheckAt = sendBy
	a.putAttempt(at)
	return at, nil
}

// Check makes Due list an attempt to be found now, because the provider has announced a change of it. NotFound for an
// unknown key.
func (a *Account) Check(key string) error {
	at, err := a.Attempt(key)
	if err != nil || at.State == AttemptStored || at.State == AttemptCanceling {
		return err
	}
	at.CheckAt = a.Now
	a.putAttempt(at)
	return nil
}

// ReportMissing records that the provider does not know an attempt of Outbox.Find or Outbox.Cancel. The attempt has failed
// when this is reported twice, at least an hour apart, and no request for it can be in transit any more. Money that is on its
// way is never given up.
func (a *Account) ReportMissing(key string) error {
	at, err := a.Attempt(key)
	if err != nil {
		return err
	}
	at, failed := a.missing(at)
	if failed {
		return a.Report(key, Report{State: AttemptFailed, Reason: "The payment could not be made. Please try again."})
	}
	a.putAttempt(at)
	return nil
}

// missing returns an attempt that the provider does not know now, and whether it has failed.
func (a *Account) missing(at Attempt) (after Attempt, failed bool) {
	at.CheckAt = a.Now.Add(checkInterval)
	switch arrived := at.SendBy.Add(a.Terms.Charging.LongestRequest); {
	case at.IsOver(), at.State == AttemptStored, at.State == AttemptProcessing:
	case a.Now.Before(arrived):
		at.CheckAt = arrived
	case at.MissingSince.IsZero():
		at.MissingSince = a.Now
	default:
		failed = !a.Now.Before(at.MissingSince.Add(missingInterval))
	}
	return at, failed
}
