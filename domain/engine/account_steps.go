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
			if first := earlierStep(next, a.collection().nextStep(a, s)); !first.at.Equal(next.at) {
				next, due = first, s
			}
		}
		if next.at.IsZero() || next.at.After(now) {
			return changed
		}
		next.do(a, due, next.at)
	}
}

// NextStepAt returns when the next step of a subscription is due, or the zero time.
func (a *Account) NextStepAt() time.Time {
	var next accountStep
	for _, s := range a.Subscriptions {
		next = earlierStep(next, a.collection().nextStep(a, s))
	}
	return next.at
}

// NextAt returns when the next step is due, or something to do at the provider, see Due. It is zero for never.
func (a *Account) NextAt() time.Time {
	return earlierStep(accountStep{at: a.NextStepAt()}, accountStep{at: a.nextDueAt()}).at
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
	a.void(a.Invoice(s.Invoice))
	a.put(s.withEnd(billing.IncompleteExpired, at))
}

// renew starts the next period and bills it, unless it is prepaid. A change at the end of a trial
// replaces the prepaid invoice.
func (a *Account) renew(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	prepaid, changes := a.Invoice(s.Prepaid), s.IsScheduled()
	s.Subscription, s.Prepaid = s.Renew(), ""
	a.put(s)
	if prepaid.ID == "" || changes {
		a.release(prepaid)
		inv := a.bill(&s, Invoice{RenewalOf: s.PeriodStart, Created: at, DueAt: a.due(at), Lines: s.PeriodLines()})
		a.collection().collectRenewal(a, inv)
	}
}

// endPeriod ends the subscription with its last period or its trial.
func (a *Account) endPeriod(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	a.releasePrepaid(&s)
	a.put(s.withEnd(billing.Canceled, at))
}

func (s AccountSubscription) withEnd(status billing.Status, at time.Time) AccountSubscription {
	s.Subscription, s.EndedAt = s.End(status), at
	return s
}
