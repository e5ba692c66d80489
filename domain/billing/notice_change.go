package billing

import (
	"slices"
	"strconv"
	"time"
)

// ChangeNotices returns the notices about what is different between two copies of the subscriptions. The caller
// queues them in the transaction that replaces the one by the other, so each change is reported once; the revision
// distinguishes equal changes. A subscription that the copy before does not contain has none: the notices about its
// beginning follow from its state.
func ChangeNotices(before, after *Account) []DueNotice {
	if after.DevLicense != nil {
		return nil
	}
	revision := strconv.FormatInt(after.Revision, 10)
	var due []DueNotice
	for i := range after.Subscriptions {
		s := &after.Subscriptions[i]
		known := slices.IndexFunc(before.Subscriptions, func(b Subscription) bool { return b.ID == s.ID })
		if known < 0 || s.CustomerID != after.CustomerID {
			continue
		}
		was := &before.Subscriptions[known]
		for _, kind := range s.changesSince(was) {
			d := DueNotice{Notice: Notice{Kind: kind, About: s.ID, Period: revision}, Subscription: *s, Before: *was}
			if kind == PlanEnded {
				d.Cause = after.endCause(s)
			}
			due = append(due, d)
		}
	}
	if before.Hold() == NoHold && after.Hold() == HoldDisputed {
		due = paymentReturned(due, Notice{Kind: PaymentReturned, About: after.CustomerID, Period: revision})
	}
	return due
}

// paymentReturned adds the notice about the hold. It also reports the plan change that the hold has dropped, instead of
// a notice of its own.
func paymentReturned(due []DueNotice, n Notice) []DueNotice {
	returned := DueNotice{Notice: n}
	if i := slices.IndexFunc(due, func(d DueNotice) bool { return d.Kind == ChangeDropped }); i >= 0 {
		returned.Subscription, returned.Before = due[i].Subscription, due[i].Before
		due = slices.Delete(due, i, i+1)
	}
	return append(due, returned)
}

// changesSince returns the kinds of the changes between two reports of the subscription.
func (s *Subscription) changesSince(was *Subscription) []NoticeKind {
	isLive, hasEnded := s.Status.Live(), s.Status.Ended()
	switch {
	case was.awaitsStart() && isLive:
		return []NoticeKind{PlanStarted}
	case was.awaitsOperator() && hasEnded:
		return []NoticeKind{OrderEnded}
	case !was.Status.Live():
		return nil
	case hasEnded && !was.isOverdueTransfer():
		return []NoticeKind{PlanEnded}
	case isLive && !was.PeriodStart.IsZero(): // it is zero in a copy that lacks the end and the scheduled change, too
		return append(s.endChanges(was), s.planChanges(was)...)
	}
	return nil
}

// awaitsStart reports whether the subscription begins after an approval or a payment that takes days, or again after the
// payment of the bill because of which it has ended.
func (s *Subscription) awaitsStart() bool {
	return s.Status == Incomplete && s.Next.Kind == Wait || s.Status == Unpaid
}

// isOverdueTransfer reports whether the end of the subscription is reported by EndedUnpaid.
func (s *Subscription) isOverdueTransfer() bool {
	return s.Status == PastDue && s.Next.isOutsideBrowser()
}

// endChanges returns whether the live subscription was ended or resumed.
func (s *Subscription) endChanges(was *Subscription) []NoticeKind {
	isEnding, wasEnding := !s.EndsAt.IsZero(), !was.EndsAt.IsZero()
	switch {
	case isEnding && !wasEnding:
		return []NoticeKind{PlanEndRequested}
	case wasEnding && !isEnding:
		return []NoticeKind{PlanResumed}
	}
	return nil
}

// planChanges returns the changes of the plan of a live subscription. A change that was canceled by an end or replaced
// by another change is not reported beside it.
func (s *Subscription) planChanges(was *Subscription) []NoticeKind {
	to, before := s.RenewalChange(), was.RenewalChange()
	isScheduled := to != nil && !to.hasPriceOf(before)
	isDropped := before != nil && to == nil || was.Pending != nil && s.Pending == nil
	var kinds []NoticeKind
	if s.Price != was.Price {
		kinds = append(kinds, PlanChanged)
	} else if isDropped && !isScheduled && s.EndsAt.IsZero() {
		kinds = append(kinds, ChangeDropped)
	}
	if isScheduled {
		kinds = append(kinds, ChangeScheduled)
	}
	return kinds
}

// hasPriceOf reports whether the other change is one to the same price.
func (c *ScheduledChange) hasPriceOf(other *ScheduledChange) bool {
	return other != nil && other.To == c.To
}

// DroppedChange returns the plan change that will not be made, and when it would have been made: zero for a change now,
// which was not paid. It returns a zero change if there is none. PlanEndRequested and PlanChanged report it, too.
func (d DueNotice) DroppedChange() (dropped ScheduledChange, at time.Time) {
	change, pending, current := d.Before.RenewalChange(), d.Before.Pending, d.Subscription.Price
	if change != nil && d.Subscription.RenewalChange() == nil && change.To != current {
		return *change, change.At
	}
	if pending != nil && d.Subscription.Pending == nil && pending.To != current {
		return ScheduledChange{To: pending.To, Amount: pending.Amount}, time.Time{}
	}
	return ScheduledChange{}, time.Time{}
}
