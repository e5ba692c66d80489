package invoicepayment

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// tickBatch is the number of customers that Tick processes.
const tickBatch = 100

// selectDue also selects customers that are to be reported, see ledger.report.
const selectDue = "SELECT id FROM invoice_customers WHERE next_at BETWEEN 1 AND ? ORDER BY next_at LIMIT ?"

// Tick processes what is due for up to tickBatch customers; the next call continues. It reports each of
// them, and those that another request or an operator has changed.
func (p *Provider) Tick(ctx context.Context) ([]payment.Event, error) {
	var ids []string
	err := p.Database.Read(ctx, func(tx plugin.Tx) error {
		return tx.List(ctx, &ids, selectDue, p.now().Unix(), tickBatch)
	})
	var events []payment.Event
	for _, id := range ids {
		if failed := p.catchUp(ctx, id, false); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		events = append(events, payment.Event{
			ID: newID("ievt_"), Kind: payment.SubscriptionChanged, Type: "customer.due", CustomerID: id, CreatedAt: p.now(),
		})
	}
	return events, unavailable(err)
}

// catchUp processes what is due for a customer. report leaves it to Tick to report that.
func (p *Provider) catchUp(ctx context.Context, customerID string, report bool) error {
	err := p.Database.Write(ctx, func(tx plugin.Tx) error {
		l, err := p.load(ctx, tx, customerID, true)
		if err != nil {
			return err
		}
		l.advance()
		l.report = report
		return l.save(ctx, tx)
	})
	return unavailable(err)
}

// step is what happens to a subscription at a time.
type step struct {
	at time.Time
	do func(*ledger, subscription, time.Time)
}

// earlier returns the step that happens first. A step without a time never happens.
func earlier(a, b step) step {
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
		next = earlier(next, step{l.endsAt(inv), (*ledger).endUnpaid})
	} else if open {
		next = earlier(next, step{inv.DueAt, (*ledger).becomePastDue})
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
		next = earlier(next, l.nextStep(s))
	}
	return next.at
}

// advance makes all steps that are due, in their order and each at its time.
func (l *ledger) advance() {
	for ; ; l.report = true {
		var next step
		var of subscription
		for _, s := range l.subscriptions {
			if first := earlier(next, l.nextStep(s)); !first.at.Equal(next.at) {
				next, of = first, s
			}
		}
		if next.at.IsZero() || next.at.After(l.now) {
			return
		}
		next.do(l, of, next.at)
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
