package fakepayment

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
)

// retryAfter is how long after the last try a payment that failed is tried again.
var retryAfter = []time.Duration{3 * day, 5 * day, 7 * day}

// notPaid is the subscription after a payment did not go through: one that never was paid stays
// incomplete, one that is past due already keeps its next retry, and a plan change goes on waiting.
func (t *tx) notPaid(s subscription) subscription {
	if s.Pending.Invoice != "" {
		return s
	}
	if s.Status == billing.Active || s.Status == billing.Trialing {
		s.Status, s.Retries, s.RetryAt = billing.PastDue, 0, t.now.Add(retryAfter[0])
	}
	return s
}

// calm is the subscription without a retry to come.
func calm(s subscription) subscription {
	s.Retries, s.RetryAt = 0, time.Time{}
	return s
}

// comeDue does what the entry is there for, unless it is out of date.
func (t *tx) comeDue(e entry) {
	s, found := t.subscriptions.get(e.id)
	if !found || !s.nextAt().Equal(e.at) {
		return
	}
	switch s.Status {
	case billing.Incomplete:
		t.end(s, billing.IncompleteExpired)
	case billing.Trialing, billing.Active:
		if s.Pending.Invoice != "" {
			s = t.discard(s)
		}
		if s.nextAt().Equal(e.at) {
			t.renew(s)
		}
	case billing.PastDue:
		t.retry(s)
	}
}

// renew begins the next period, which after a trial is the first one to be paid.
func (t *tx) renew(s subscription) {
	s = t.dropSetup(s)
	s.Status = billing.Active
	s.PeriodStart = s.PeriodEnd
	s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	t.bill(s, s.Amount)
}

// retry tries the open invoice once more. After the last try that fails it is given up.
func (t *tx) retry(s subscription) {
	s.Retries++
	s.RetryAt = time.Time{}
	last := s.Retries == len(retryAfter)
	if !last {
		s.RetryAt = t.now.Add(retryAfter[s.Retries])
	}
	t.saveSubscription(s)
	t.payOpen(s)
	if s = t.subscriptions.rows[s.ID]; last && s.Status == billing.PastDue {
		t.giveUp(s)
	}
}

// giveUp ends a subscription nobody pays for.
func (t *tx) giveUp(s subscription) {
	if t.afterRetries == billing.Canceled {
		t.end(s, billing.Canceled)
		return
	}
	s.Status = t.afterRetries
	t.saveSubscription(calm(s))
}

// payOpen tries the open invoice with the customer's default card.
func (t *tx) payOpen(s subscription) {
	inv := t.invoices.rows[s.Invoice]
	if in, found := t.intents.get(inv.Payment); found && inv.Status == invoiceOpen {
		t.settle(t.attempt(in, t.customers.rows[s.Customer].Default))
	}
}
