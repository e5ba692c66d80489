package fakepayment

import (
	"container/heap"
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// retryAfter lists the delays between attempts to collect a renewal.
var retryAfter = []time.Duration{3 * day, 5 * day, 7 * day}

// incompleteFor is the time limit for the first payment.
const incompleteFor = 23 * time.Hour

// nextAt returns when the subscription changes by itself, zero for never.
func (s subscription) nextAt() time.Time {
	switch s.Status {
	case billing.Incomplete:
		return s.Created.Add(incompleteFor)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			return s.Pending.Expires // at the latest the end of the period
		}
		return s.PeriodEnd
	case billing.PastDue:
		return s.RetryAt
	}
	return time.Time{}
}

// scheduled is an entry of the schedule. It is obsolete when the subscription's nextAt has changed;
// obsolete entries are skipped rather than searched and removed.
type scheduled struct {
	at time.Time
	id string // of the subscription
}

// schedule is a heap of entries ordered by time and id.
type schedule struct{ entries []scheduled }

// add schedules the subscription's next change, if any.
func (h *schedule) add(s subscription) {
	if at := s.nextAt(); !at.IsZero() {
		heap.Push(h, scheduled{at: at, id: s.ID})
	}
}

// popDue removes and returns the first entry that is due by now.
func (h *schedule) popDue(now time.Time) (scheduled, bool) {
	if len(h.entries) == 0 || h.entries[0].at.After(now) {
		return scheduled{}, false
	}
	return heap.Pop(h).(scheduled), true //nolint:forcetypeassert // add pushes nothing else
}

// Len implements heap.Interface.
func (h *schedule) Len() int { return len(h.entries) }

// Less implements heap.Interface.
func (h *schedule) Less(i, j int) bool {
	x, y := h.entries[i], h.entries[j]
	if x.at.Equal(y.at) {
		return x.id < y.id
	}
	return x.at.Before(y.at)
}

// Swap implements heap.Interface.
func (h *schedule) Swap(i, j int) { h.entries[i], h.entries[j] = h.entries[j], h.entries[i] }

// Push implements heap.Interface.
func (h *schedule) Push(x any) {
	h.entries = append(h.entries, x.(scheduled)) //nolint:forcetypeassert // add pushes nothing else
}

// Pop implements heap.Interface.
func (h *schedule) Pop() any {
	last := h.entries[len(h.entries)-1]
	h.entries = h.entries[:len(h.entries)-1]
	return last
}

// processDue does what the entry stands for, unless it is obsolete.
func (t *tx) processDue(e scheduled) {
	s, found := t.subscriptions.get(e.id)
	if !found || !s.nextAt().Equal(e.at) {
		return
	}
	switch s.Status {
	case billing.Incomplete:
		t.end(s, billing.IncompleteExpired)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			s = t.dropPendingChange(s)
		}
		if s.nextAt().Equal(e.at) {
			t.renew(s)
		}
	case billing.PastDue:
		t.retry(s)
	}
}

// renew starts and bills the next period. After a trial it is the first paid one.
func (t *tx) renew(s subscription) {
	s = t.cancelSetup(s)
	s.Status = billing.Active
	s.PeriodStart = s.PeriodEnd
	s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	t.bill(s, s.Amount)
}

// retry charges the open invoice again. If the last retry fails, the subscription ends or becomes
// unpaid, as configured.
func (t *tx) retry(s subscription) {
	s.Retries++
	s.RetryAt = time.Time{}
	last := s.Retries == len(retryAfter)
	if !last {
		s.RetryAt = t.now.Add(retryAfter[s.Retries])
	}
	t.saveSubscription(s)
	inv := t.invoices.rows[s.Invoice]
	if in, found := t.intents.get(inv.Payment); found && inv.Status == invoiceOpen {
		t.settle(t.attempt(in, t.customers.rows[s.Customer].Default))
	}
	if s = t.subscriptions.rows[s.ID]; last && s.Status == billing.PastDue {
		t.giveUp(s)
	}
}

func (t *tx) giveUp(s subscription) {
	if t.afterRetries == billing.Canceled {
		t.end(s, billing.Canceled)
		return
	}
	s.Status = t.afterRetries
	t.saveSubscription(withoutRetry(s))
}

// paymentFailed returns the subscription after a failed payment. Only an active or trialing
// subscription without a pending change becomes past due; others keep their status and retry time.
func (t *tx) paymentFailed(s subscription) subscription {
	if s.Pending.Invoice == "" && (s.Status == billing.Active || s.Status == billing.Trialing) {
		s.Status, s.Retries, s.RetryAt = billing.PastDue, 0, t.now.Add(retryAfter[0])
	}
	return s
}

func withoutRetry(s subscription) subscription {
	s.Retries, s.RetryAt = 0, time.Time{}
	return s
}
