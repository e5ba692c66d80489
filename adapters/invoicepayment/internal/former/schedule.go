package former

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// step is a scheduled transition of a subscription.
type step struct {
	at time.Time
	do func(*ledger, subscription, time.Time)
}

// earlierStep returns the step that happens first. A step without a time never happens.
func earlierStep(a, b step) step {
	if b.at.IsZero() || !a.at.IsZero() && !b.at.Before(a.at) {
		return a
	}
	return b
}

// nextStep returns what happens to the subscription next if nothing else does.
func (l *ledger) nextStep(s subscription) step {
	switch s.Status {
	case billing.Incomplete:
		return step{s.Created.Add(approvalLimit), (*ledger).expire}
	case billing.Trialing, billing.Active, billing.PastDue:
	default:
		return step{}
	}
	next := l.nextRenewal(s)
	if inv, open := l.openInvoice(s); open && s.Status == billing.PastDue {
		next = earlierStep(next, step{l.endsAt(inv), (*ledger).endUnpaid})
	} else if open {
		next = earlierStep(next, step{inv.DueAt, (*ledger).becomePastDue})
	}
	return next
}

func (l *ledger) nextRenewal(s subscription) step {
	kind, at := s.NextStep()
	switch kind {
	case engine.StepDropChange:
		return step{at, func(l *ledger, s subscription, _ time.Time) { l.dropChange(s) }}
	case engine.StepRenew:
		return step{at, (*ledger).renew}
	case engine.StepEnd:
		return step{at, (*ledger).end}
	}
	return step{}
}

// nextAt returns when the next step of any subscription happens, or the zero time.
func (l *ledger) nextAt() time.Time {
	var next step
	for _, s := range l.subscriptions {
		next = earlierStep(next, l.nextStep(s))
	}
	return next.at
}

// advance makes all steps that are due, in their order and each at its time.
func (l *ledger) advance() {
	for ; ; l.report = true {
		var next step
		var due subscription
		for _, s := range l.subscriptions {
			if first := earlierStep(next, l.nextStep(s)); !first.at.Equal(next.at) {
				next, due = first, s
			}
		}
		if next.at.IsZero() || next.at.After(l.now) {
			return
		}
		next.do(l, due, next.at)
	}
}

func (l *ledger) expire(s subscription, at time.Time) {
	s.Subscription, s.EndedAt = s.End(billing.IncompleteExpired), at
	l.put(s)
}

func (l *ledger) becomePastDue(s subscription, _ time.Time) {
	s.Status = billing.PastDue
	l.put(s)
}

// endUnpaid ends the subscription. Its invoice stays owed.
func (l *ledger) endUnpaid(s subscription, at time.Time) {
	s.Subscription, s.EndedAt = s.End(billing.Canceled), at
	l.put(s)
}

// renew starts the next period and bills it, unless it is prepaid. A change at the end of a trial
// replaces the prepaid invoice.
func (l *ledger) renew(s subscription, at time.Time) {
	prepaid, changes := l.invoice(s.Prepaid), s.IsScheduled()
	s.Subscription, s.Prepaid = s.Renew(), ""
	l.put(s)
	start := s.PeriodStart.Unix()
	switch {
	case prepaid.ID == "":
		l.bill(s, invoice{RenewalOf: &start, Created: at, DueAt: l.due(at), Lines: s.PeriodLines()})
	case changes:
		l.release(prepaid)
		l.bill(s, invoice{RenewalOf: &start, Created: at, DueAt: prepaid.DueAt, Lines: s.PeriodLines()})
	}
}

// end ends the subscription with its last period or its trial.
func (l *ledger) end(s subscription, at time.Time) {
	l.releasePrepaid(&s)
	s.Subscription, s.EndedAt = s.End(billing.Canceled), at
	l.put(s)
}
