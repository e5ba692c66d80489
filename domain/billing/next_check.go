package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/money"
)

const (
	// staleInterval is the time between checks of a stale copy. It can be long, because use cases
	// that read a stale copy refresh it anyway.
	staleInterval = time.Hour
	// MaxCheckInterval is the longest time without a check.
	MaxCheckInterval = 7 * 24 * time.Hour
	// chargeDelay is the time after the end of a period by which the next period has been charged. Providers charge an
	// invoice about an hour after they create it.
	chargeDelay = 2 * time.Hour
	// invoiceDelay is the time after which a new invoice in the response to a request is read in full. Within this time
	// a provider with events has usually sent one, which makes the check unnecessary.
	invoiceDelay = 30 * time.Second
	// checkTolerance is the time by which a scheduled check may precede the computed one.
	checkTolerance = 10 * time.Minute
	// expiryDelay is the time that a provider needs to act after a date of a subscription, such as the expiry of a plan
	// change.
	expiryDelay = time.Minute
)

// IsStale reports whether the copy may be out of date although the provider sent no event:
//   - the customer's browser may have completed a first payment, a plan change, an authentication or the payment of
//     an owed invoice;
//   - a period or a pause has ended;
//   - a payment is processing, or is overdue and retried on the provider's schedule;
//   - the amount of the renewal is unknown, for example because the provider could not preview it.
func (a *Account) IsStale(now time.Time) bool {
	if a.OpenSubscription() != nil {
		return true
	}
	liveSub := a.LiveSubscription()
	if liveSub == nil {
		return a.PaymentInProgress()
	}
	return liveSub.isChangeExpectedBy(now) || liveSub.PendingSetup != nil || liveSub.Pending != nil ||
		liveSub.Status == PastDue || liveSub.Next.isProcessing() || liveSub.Renewal == (money.Amount{})
}

// isChangeExpectedBy reports whether the provider should have changed the subscription at or before now.
func (s *Subscription) isChangeExpectedBy(now time.Time) bool {
	return isReached(s.CurrentPeriodEnd, now) || isReached(s.EndsAt, now) ||
		s.Scheduled != nil && isReached(s.Scheduled.At, now) || s.Pause != nil && isReached(s.Pause.Until, now)
}

func isReached(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// NextCheck returns when to read the provider again after a refresh at now. If the copy is stale or a scheduled change
// has lapsed, the next check is soon. Otherwise it follows the next time at which the provider changes something or a
// reminder is due. It is at most a week away, because an event may be lost and an operator may create a subscription at
// the provider by hand. NextCheck returns the zero time for an account without a customer.
func (a *Account) NextCheck(now time.Time) time.Time {
	if a.CustomerID == "" {
		return time.Time{}
	}
	next, isStale := now.Add(MaxCheckInterval), a.IsStale(now)
	if isStale {
		next = now.Add(staleInterval)
	}
	liveSub := a.LiveSubscription()
	if liveSub == nil {
		return next
	}
	checkTimes := append(liveSub.changeTimes(), liveSub.reminderAt(), a.CardReminderAt(),
		a.TransferReport.RemindersPausedUntil(liveSub.Next.InvoiceID))
	if !isStale {
		checkTimes = append(checkTimes, liveSub.CurrentPeriodEnd.Add(chargeDelay))
	}
	if a.ScheduleLapsed {
		checkTimes = append(checkTimes, now.Add(invoiceDelay))
	}
	for _, at := range checkTimes {
		next = earlierCheck(now, next, at)
	}
	return next
}

// changeTimes returns the times by which the provider has ended, changed, charged or resumed the subscription.
func (s *Subscription) changeTimes() []time.Time {
	times := []time.Time{s.EndsAt.Add(expiryDelay)}
	if s.Pending != nil {
		times = append(times, s.Pending.ExpiresAt.Add(expiryDelay))
	}
	if s.Scheduled != nil {
		times = append(times, s.Scheduled.At.Add(expiryDelay))
	}
	if s.Pause != nil {
		times = append(times, s.Pause.Until.Add(expiryDelay))
	}
	if s.Next.Kind == Wait {
		times = append(times, s.Next.Until.Add(expiryDelay))
	}
	return times
}

// ScheduleCheck sets CheckAt to NextCheck after a refresh. It keeps a check that is scheduled up to checkTolerance
// earlier, so that the many events about one purchase do not each store the account. It also keeps a check that is due
// shortly before a charge, because only that check compares the expiry of the card with the date of the charge.
func (a *Account) ScheduleCheck(now time.Time) {
	if isReached(a.CheckAt, now) && isReached(a.CardReminderAt(), now) {
		return
	}
	next := a.NextCheck(now)
	lead := next.Sub(a.CheckAt)
	if a.CheckAt.After(now) && lead >= 0 && lead <= checkTolerance {
		return
	}
	a.CheckAt = next
}

// ScheduleInvoiceCheck schedules a check soon if a subscription is new or has another latest invoice than in the
// previous account. The notices about the subscription and the invoice need a full report. The response to a request
// contains only the amounts of the invoice, and a provider without events does not cause a refresh.
func (a *Account) ScheduleInvoiceCheck(previous *Account, now time.Time) {
	for _, s := range a.Subscriptions {
		isKnown := func(old Subscription) bool {
			return old.ID == s.ID &&
				(s.LatestInvoice == nil || old.LatestInvoice != nil && old.LatestInvoice.ID == s.LatestInvoice.ID)
		}
		if !slices.ContainsFunc(previous.Subscriptions, isKnown) {
			a.CheckAt = earlierCheck(now, a.CheckAt, now.Add(invoiceDelay))
		}
	}
}

// earlierCheck returns the time at if it is between now and next, otherwise next.
func earlierCheck(now, next, at time.Time) time.Time {
	if at.After(now) && at.Before(next) {
		return at
	}
	return next
}
