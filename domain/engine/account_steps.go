package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// approvalLimit limits how long an order waits for an approval.
const approvalLimit = 30 * day

// accountStep is a transition of a subscription at a certain time.
type accountStep struct {
	at      time.Time
	perform func(*Account, AccountSubscription, time.Time)
}

// earlierStep returns the step that happens first. A step without a time never happens.
func earlierStep(x, y accountStep) accountStep {
	if y.at.IsZero() || !x.at.IsZero() && !y.at.Before(x.at) {
		return x
	}
	return y
}

// Advance performs all steps that are due by now in chronological order, each at its own time. It reports whether it
// performed a step.
func (a *Account) Advance(now time.Time) (changed bool) {
	a.Now = now
	for ; ; changed = true {
		var next accountStep
		var dueSub AccountSubscription
		for _, s := range a.Subscriptions {
			if step := earlierStep(next, a.collector().upcomingStep(a, s)); !step.at.Equal(next.at) {
				next, dueSub = step, s
			}
		}
		if next.at.IsZero() || next.at.After(now) {
			return changed
		}
		next.perform(a, dueSub, next.at)
	}
}

// NextStepAt returns when the next step of a subscription is due, or the zero time.
func (a *Account) NextStepAt() time.Time {
	var next accountStep
	for _, s := range a.Subscriptions {
		next = earlierStep(next, a.collector().upcomingStep(a, s))
	}
	return next.at
}

// NextAt returns when the next step is due or Due lists the next request to the provider; zero for never.
func (a *Account) NextAt() time.Time {
	return earlierStep(accountStep{at: a.NextStepAt()}, accountStep{at: a.nextOutboxAt()}).at
}

// nextPeriodStep returns the next step if it ends the period or drops a pending change, otherwise the zero step.
func nextPeriodStep(s AccountSubscription) accountStep {
	kind, at := s.NextStep()
	switch kind {
	case StepDropChange:
		return accountStep{at, func(a *Account, s AccountSubscription, _ time.Time) { a.voidPendingChange(s) }}
	case StepRenew:
		return accountStep{at, (*Account).renewAndBill}
	case StepEnd:
		return accountStep{at, (*Account).endPeriod}
	}
	return accountStep{}
}

// ApprovalEnds returns when the order of an incomplete subscription expires without an approval.
func (s AccountSubscription) ApprovalEnds() time.Time { return s.Created.Add(approvalLimit) }

// expire ends a subscription that has not started, and voids its invoice.
func (a *Account) expire(s AccountSubscription, at time.Time) {
	a.voidInvoice(a.Invoice(s.LatestInvoice))
	a.putSubscription(s.withEnd(billing.IncompleteExpired, at))
}

// renewAndBill starts the next period and bills it, unless it is prepaid. A change at the end of a trial
// replaces the prepaid invoice.
func (a *Account) renewAndBill(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	prepaidInvoice, changesPrice := a.Invoice(s.PrepaidInvoice), s.HasScheduledChange()
	s.Subscription, s.PrepaidInvoice = s.Renew(), ""
	a.putSubscription(s)
	if prepaidInvoice.ID == "" || changesPrice {
		a.releaseInvoice(prepaidInvoice)
		inv := a.issueInvoice(&s, Invoice{RenewalOf: s.PeriodStart, Created: at, DueAt: a.dueDate(at), Lines: s.PeriodLines()})
		a.collector().collectRenewal(a, inv)
	}
}

// endPeriod ends the subscription together with its last period or its trial.
func (a *Account) endPeriod(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	a.releasePrepaid(&s)
	a.putSubscription(s.withEnd(billing.Canceled, at))
}

// withEnd returns the subscription after it has ended with the status.
func (s AccountSubscription) withEnd(status billing.Status, at time.Time) AccountSubscription {
	s.Subscription, s.EndedAt = s.End(status), at
	return s
}
