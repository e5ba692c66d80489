package engine

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// approvalLimit limits how long an order waits for an approval.
const approvalLimit = 30 * day

// accountStep is a transition of a subscription at a certain time. The zero step means that no step follows.
type accountStep struct {
	at      time.Time
	perform func(*Account, AccountSubscription, time.Time)
}

// isBefore reports whether the step is performed before the other one. A step without a time is never performed.
func (s accountStep) isBefore(other accountStep) bool {
	return !s.at.IsZero() && (other.at.IsZero() || s.at.Before(other.at))
}

// Advance performs all steps that are due by now in chronological order, each at its own time. It reports whether it
// performed a step.
func (a *Account) Advance(now time.Time) (changed bool) {
	a.Now = now
	for ; ; changed = true {
		step, s := a.nextStep()
		if step.at.IsZero() || step.at.After(now) {
			return changed
		}
		step.perform(a, s, step.at)
	}
}

// nextStep returns the first upcoming step of all subscriptions, and its subscription; the zero step if there is none.
func (a *Account) nextStep() (next accountStep, sub AccountSubscription) {
	for _, s := range a.Subscriptions {
		if step := a.collector().nextStep(a, s); step.isBefore(next) {
			next, sub = step, s
		}
	}
	return next, sub
}

// NextStepAt returns when the next step of a subscription is due, or the zero time.
func (a *Account) NextStepAt() time.Time {
	next, _ := a.nextStep()
	return next.at
}

// NextWorkAt returns when the next step is due or the Outbox has the next request to the provider; zero for never.
func (a *Account) NextWorkAt() time.Time { return earliestTime(a.NextStepAt(), a.nextOutboxAt()) }

// earliestTime returns the earliest of the times that are not zero; zero if all are.
func earliestTime(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

// nextPeriodStep returns the next step if it ends the period or cancels a pending change, otherwise the zero step.
func nextPeriodStep(s AccountSubscription) accountStep {
	kind, at := s.NextStep()
	switch kind {
	case StepCancelPendingChange:
		return accountStep{at, func(a *Account, s AccountSubscription, _ time.Time) { a.voidPendingChange(s) }}
	case StepRenew:
		return accountStep{at, (*Account).renewAndInvoice}
	case StepEnd:
		return accountStep{at, (*Account).endAtPeriodEnd}
	}
	return accountStep{}
}

// ApprovalEndsAt returns when the order of an incomplete subscription expires without an approval.
func (s AccountSubscription) ApprovalEndsAt() time.Time { return s.Created.Add(approvalLimit) }

// expire ends a subscription that has not started, and voids its invoice.
func (a *Account) expire(s AccountSubscription, at time.Time) {
	a.voidInvoice(a.Invoice(s.LatestInvoice))
	a.putSubscription(s.withEnd(billing.IncompleteExpired, at))
}

// renewAndInvoice starts the next period and issues the invoice for that period, unless the period is prepaid. If the
// price changes at the end of a trial, the new invoice replaces the prepaid one.
func (a *Account) renewAndInvoice(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	prepaidInvoice, changesPrice := a.Invoice(s.PrepaidInvoice), s.HasScheduledChange()
	s.Subscription, s.PrepaidInvoice = s.Renew(), ""
	a.putSubscription(s)
	if prepaidInvoice.ID == "" || changesPrice {
		a.voidOrCreditInvoice(prepaidInvoice)
		inv := a.issueInvoice(&s, Invoice{
			RenewedPeriodStart: s.PeriodStart, Created: at, DueAt: a.dueDate(at), Lines: s.PeriodLines(),
		})
		a.collector().collectRenewal(a, inv)
	}
}

// endAtPeriodEnd ends the subscription together with its last period or its trial.
func (a *Account) endAtPeriodEnd(s AccountSubscription, at time.Time) {
	a.cancelSetup(&s)
	a.voidOrCreditPrepaidInvoice(&s)
	a.putSubscription(s.withEnd(billing.Canceled, at))
}

// withEnd returns the subscription after it has ended with the status.
func (s AccountSubscription) withEnd(status billing.Status, at time.Time) AccountSubscription {
	s.Subscription, s.EndedAt = s.End(status), at
	return s
}
