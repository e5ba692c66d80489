package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// approvalLimit limits how long an order waits for an approval.
const approvalLimit = 30 * day

// accountStep is a scheduled transition of a subscription in an account.
type accountStep struct {
	at time.Time
	do func(*Account, AccountSubscription, time.Time)
}

// earlierStep returns the step that happens first. A step without a time never happens.
func earlierStep(x, y accountStep) accountStep {
	if y.at.IsZero() || !x.at.IsZero() && !y.at.Before(x.at) {
		return x
	}
	return y
}

// Advance does all steps that are due by now, in their order and each at its own time. It reports whether there were
// any.
func (a *Account) Advance(now time.Time) (changed bool) {
	a.Now = now
	for ; ; changed = true {
		var next accountStep
		var due AccountSubscription
		for _, s := range a.Subscriptions {
			if first := earlierStep(next, a.nextStep(s)); !first.at.Equal(next.at) {
				next, due = first, s
			}
		}
		if next.at.IsZero() || next.at.After(now) {
			return changed
		}
		next.do(a, due, next.at)
	}
}

// NextAt returns when the next step is due, or the zero time.
func (a *Account) NextAt() time.Time {
	var next accountStep
	for _, s := range a.Subscriptions {
		next = earlierStep(next, a.nextStep(s))
	}
	return next.at
}

// nextStep returns what happens to the subscription next if nothing else does.
func (a *Account) nextStep(s AccountSubscription) accountStep {
	switch s.Status {
	case billing.Incomplete:
		return accountStep{s.ApprovalEnds(), (*Account).expire}
	case billing.Trialing, billing.Active, billing.PastDue:
	default:
		return accountStep{}
	}
	next := nextPeriodStep(s)
	if inv, open := a.OpenInvoice(s); open && s.Status == billing.PastDue {
		next = earlierStep(next, accountStep{a.EndsUnpaid(inv), (*Account).endUnpaid})
	} else if open {
		next = earlierStep(next, accountStep{inv.DueAt, (*Account).becomePastDue})
	}
	return next
}

func nextPeriodStep(s AccountSubscription) accountStep {
	kind, at := s.NextStep()
	switch kind {
	case StepDropChange:
		return accountStep{at, func(a *Account, s AccountSubscription, _ time.Time) { a.dropChange(s) }}
	case StepRenew:
		return accountStep{at, (*Account).renew}
	case StepEnd:
		return accountStep{at, (*Account).endPeriod}
	}
	return accountStep{}
}

// ApprovalEnds returns until when the order of an incomplete subscription can be approved.
func (s AccountSubscription) ApprovalEnds() time.Time { return s.Created.Add(approvalLimit) }

func (a *Account) expire(s AccountSubscription, at time.Time) {
	a.put(s.withEnd(billing.IncompleteExpired, at))
}

func (a *Account) becomePastDue(s AccountSubscription, _ time.Time) {
	s.Status = billing.PastDue
	a.put(s)
}

// endUnpaid ends the subscription. Its invoice stays owed.
func (a *Account) endUnpaid(s AccountSubscription, at time.Time) {
	a.put(s.withEnd(billing.Canceled, at))
}

// renew starts the next period and bills it, unless it is prepaid. A change at the end of a trial
// replaces the prepaid invoice.
func (a *Account) renew(s AccountSubscription, at time.Time) {
	prepaid, changes := a.Invoice(s.Prepaid), s.IsScheduled()
	s.Subscription, s.Prepaid = s.Renew(), ""
	a.put(s)
	if prepaid.ID == "" || changes {
		a.release(prepaid)
		a.bill(s, Invoice{RenewalOf: s.PeriodStart, Created: at, DueAt: a.due(at), Lines: s.PeriodLines()})
	}
}

// endPeriod ends the subscription with its last period or its trial.
func (a *Account) endPeriod(s AccountSubscription, at time.Time) {
	a.releasePrepaid(&s)
	a.put(s.withEnd(billing.Canceled, at))
}

func (s AccountSubscription) withEnd(status billing.Status, at time.Time) AccountSubscription {
	s.Subscription, s.EndedAt = s.End(status), at
	return s
}
