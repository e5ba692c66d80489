package billing

import (
	"slices"
	"strconv"
	"time"
)

// ChangeNotices returns the notices about the differences between two copies of the subscriptions. The caller queues the
// notices in the transaction that replaces the old copy by the new one, so each change is reported once. The revision
// distinguishes equal changes. A new subscription causes no such notices, because the notices about its beginning depend
// on its state.
func ChangeNotices(oldAccount, newAccount *Account) []DueNotice {
	if newAccount.DevLicense != nil {
		return nil
	}
	revision := strconv.FormatInt(newAccount.Revision, 10)
	var notices []DueNotice
	for i := range newAccount.Subscriptions {
		s := &newAccount.Subscriptions[i]
		previousIndex := slices.IndexFunc(oldAccount.Subscriptions, func(oldSub Subscription) bool { return oldSub.ID == s.ID })
		if previousIndex < 0 || s.CustomerID != newAccount.CustomerID {
			continue
		}
		previousSub := &oldAccount.Subscriptions[previousIndex]
		for _, kind := range s.changeNoticeKinds(previousSub) {
			d := DueNotice{
				Notice: Notice{Kind: kind, SubjectID: s.ID, Period: revision}, Subscription: *s, PreviousSubscription: *previousSub,
			}
			if kind == PlanEnded {
				d.Cause = newAccount.endCause(s)
			}
			notices = append(notices, d)
		}
	}
	return addLiftNotice(notices, oldAccount, newAccount)
}

// addLiftNotice adds the notice about a hold that was lifted.
func addLiftNotice(notices []DueNotice, oldAccount, newAccount *Account) []DueNotice {
	if oldAccount.Hold() == NoHold || newAccount.Hold() != NoHold {
		return notices
	}
	n := Notice{Kind: HoldLifted, SubjectID: newAccount.CustomerID, Period: strconv.FormatInt(newAccount.Revision, 10)}
	return append(notices, DueNotice{Notice: n})
}

// changeNoticeKinds returns the kinds of the notices about the changes since the previous report of the subscription.
func (s *Subscription) changeNoticeKinds(previousSub *Subscription) []NoticeKind {
	isLive, hasEnded := s.Status.Live(), s.Status.Ended()
	switch {
	case previousSub.awaitsStart() && isLive:
		return []NoticeKind{PlanStarted}
	case previousSub.awaitsOrderApproval() && hasEnded:
		return []NoticeKind{OrderEnded}
	case !previousSub.Status.Live():
		return nil
	case hasEnded && !previousSub.isOverdueTransfer():
		return []NoticeKind{PlanEnded}
	case isLive:
		return append(s.endNoticeKinds(previousSub), s.planNoticeKinds(previousSub)...)
	}
	return nil
}

// awaitsStart reports whether the subscription can still start. It returns true if the subscription waits for an
// approval or for a payment that takes days, or if it has ended unpaid and starts again when its invoice is paid.
func (s *Subscription) awaitsStart() bool {
	return s.Status == Incomplete && s.Next.Kind == Wait || s.Status == Unpaid
}

// isOverdueTransfer reports whether a bank transfer for the subscription is overdue. In this case PlanEndedUnpaid reports
// the end of the subscription.
func (s *Subscription) isOverdueTransfer() bool {
	return s.Status == PastDue && s.Next.isOutsideBrowser()
}

// endNoticeKinds returns the kind of the notice about an end of the live subscription that was requested or canceled.
func (s *Subscription) endNoticeKinds(previousSub *Subscription) []NoticeKind {
	isEnding, wasEnding := !s.EndsAt.IsZero(), !previousSub.EndsAt.IsZero()
	switch {
	case isEnding && !wasEnding:
		return []NoticeKind{PlanEndRequested}
	case wasEnding && !isEnding:
		return []NoticeKind{PlanResumed}
	}
	return nil
}

// planNoticeKinds returns the kinds of the notices about changes of the plan of a live subscription. It omits a change
// that was canceled by an end or replaced by another change.
//
// A scheduled change to the current price would be reported as dropped when it is made. CheckChange refuses such a change,
// so only an operator can schedule it, at the provider.
func (s *Subscription) planNoticeKinds(previousSub *Subscription) []NoticeKind {
	change, previousChange := s.RenewalChange(), previousSub.RenewalChange()
	isScheduled := change != nil && !change.hasSamePrice(previousChange)
	isDropped := previousChange != nil && change == nil || previousSub.Pending != nil && s.Pending == nil
	var kinds []NoticeKind
	if s.Price != previousSub.Price {
		kinds = append(kinds, PlanChanged)
	} else if isDropped && !isScheduled && s.EndsAt.IsZero() {
		kinds = append(kinds, ChangeDropped)
	}
	if isScheduled {
		kinds = append(kinds, ChangeScheduled)
	}
	return kinds
}

// hasSamePrice reports whether the other change exists and is to the same price.
func (c *ScheduledChange) hasSamePrice(other *ScheduledChange) bool {
	return other != nil && other.To == c.To
}

// DroppedChange returns the plan change that will not be made, and the time for which it was scheduled. The time is zero
// for an immediate change that was not paid. The change is zero if none was dropped. The emails of PlanEndRequested and
// PlanChanged also report a dropped change.
func (d DueNotice) DroppedChange() (droppedChange ScheduledChange, scheduledAt time.Time) {
	change, pending, currentPrice := d.PreviousSubscription.RenewalChange(), d.PreviousSubscription.Pending, d.Subscription.Price
	if change != nil && d.Subscription.RenewalChange() == nil && change.To != currentPrice {
		return *change, change.At
	}
	if pending != nil && d.Subscription.Pending == nil && pending.To != currentPrice {
		return ScheduledChange{To: pending.To, Amount: pending.Amount}, time.Time{}
	}
	return ScheduledChange{}, time.Time{}
}
