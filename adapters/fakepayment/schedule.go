package fakepayment

import (
	"container/heap"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// scheduleEntry schedules a step of a subscription or payment. When the time of the next step changes, the entry becomes
// obsolete, and processEntry ignores it.
type scheduleEntry struct {
	at time.Time
	id string // of the subscription or payment
}

// schedule is a heap of entries ordered by time and id. At the same time, payments (pi_…) precede subscriptions (sub_…).
type schedule struct{ entries []scheduleEntry }

// addSubscription schedules the subscription's next step, if any.
func (h *schedule) addSubscription(s subscription) {
	if _, at := s.NextStep(); !at.IsZero() {
		heap.Push(h, scheduleEntry{at: at, id: s.ID})
	}
}

// addPayment schedules the time when a processing payment arrives or fails.
func (h *schedule) addPayment(pi intent) {
	if pi.Status == billing.Processing {
		heap.Push(h, scheduleEntry{at: pi.SettlesAt, id: pi.ID})
	}
}

// addPaymentReturn schedules the time when a payment is returned, unless it is zero.
func (h *schedule) addPaymentReturn(paymentID string, at time.Time) {
	if !at.IsZero() {
		heap.Push(h, scheduleEntry{at: at, id: paymentID})
	}
}

// popDue removes and returns the first entry that is due by now.
func (h *schedule) popDue(now time.Time) (scheduleEntry, bool) {
	if len(h.entries) == 0 || h.entries[0].at.After(now) {
		return scheduleEntry{}, false
	}
	return heap.Pop(h).(scheduleEntry), true //nolint:forcetypeassert // only entries are pushed
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
	h.entries = append(h.entries, x.(scheduleEntry)) //nolint:forcetypeassert // only entries are pushed
}

// Pop implements heap.Interface.
func (h *schedule) Pop() any {
	last := h.entries[len(h.entries)-1]
	h.entries = h.entries[:len(h.entries)-1]
	return last
}

// processEntry processes the step of a subscription or payment, unless the entry is obsolete.
func (t *tx) processEntry(e scheduleEntry) {
	if pi, ok := t.intents.get(e.id); ok {
		t.processPayment(pi, e.at)
		return
	}
	s := t.subscriptions.rows[e.id]
	step, at := s.NextStep()
	if step == engine.StepCancelPendingChange && at.Equal(e.at) {
		s = t.cancelPendingChange(s)
		step, at = s.NextStep() // the period may end at the same time
	}
	if !at.Equal(e.at) {
		return
	}
	switch step {
	case engine.StepExpire:
		t.endAndVoid(s, billing.IncompleteExpired)
	case engine.StepRenew:
		s = t.cancelSetup(s)
		s.Subscription = s.Renew()
		t.chargePeriod(s, t.customers.rows[s.CustomerID].DefaultCardID)
	case engine.StepEnd:
		t.endAndVoid(s, billing.Canceled)
	case engine.StepRetry:
		t.retry(s)
	case engine.StepEndUnpaid:
		t.endUnpaid(s)
	}
}

// retry charges the open invoice again.
func (t *tx) retry(s subscription) {
	s.Subscription = s.RecordRetry(t.now)
	t.saveSubscription(s)
	inv := t.invoices.rows[s.LatestInvoiceID]
	if pi, ok := t.intents.get(inv.PaymentID); ok && inv.Status == invoiceOpen {
		inv.AttemptCount++
		t.invoices.put(inv)
		t.applyResult(t.attempt(pi, t.customers.rows[s.CustomerID].DefaultCardID))
	}
	t.endUnpaidIfDue(t.subscriptions.rows[s.ID])
}

// endUnpaidIfDue ends the subscription if it was not paid and the time to pay is over.
func (t *tx) endUnpaidIfDue(s subscription) {
	if s.IsUnpaidEndDue(t.now) {
		t.endUnpaid(s)
	}
}

// endUnpaid ends a subscription that was not paid, or sets its status to Unpaid, see Config.StatusAfterRetries.
func (t *tx) endUnpaid(s subscription) {
	if t.config.StatusAfterRetries == billing.Canceled {
		s.EndedUnpaid = true
		t.endAndVoid(s, billing.Canceled)
	} else {
		t.endKeepingInvoice(s, t.config.StatusAfterRetries)
	}
}
