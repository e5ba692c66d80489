package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// pendingFor is how long a plan change may wait for its payment.
const pendingFor = 23 * time.Hour

// ChangePlan moves a subscription to another price once the difference is paid.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return once(ctx, p, "change plan", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if err := t.mayChange(s, in); err != nil {
			return billing.Subscription{}, err
		}
		amount, err := t.amount(in.To)
		if err != nil {
			return billing.Subscription{}, err
		}
		s.ChangedBy = in.Key
		to := planChange{Price: in.To, Amount: amount, At: t.instant(in.At), EndTrial: in.EndTrial}
		return t.showSubscription(t.change(s, to)), nil
	})
}

// CancelPendingChange discards a plan change that is not paid yet.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return once(ctx, p, "cancel pending change", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if s.Pending.Invoice != "" {
			if s.Pending.Invoice != in.InvoiceID {
				return billing.Subscription{}, fault.New(fault.Conflict, "Another plan change is pending.")
			}
			s = t.discard(s)
		}
		return t.showSubscription(s), nil
	})
}

func (t *tx) mayChange(s subscription, in payment.PlanChange) error {
	if err := t.changeable(s, in.To.Currency, in.EndTrial, t.instant(in.At)); err != nil {
		return err
	}
	if s.Price != in.From || (s.Status == billing.Trialing) != in.EndTrial {
		return fault.New(fault.Conflict, "The subscription has changed meanwhile.")
	}
	return nil
}

// changeable refuses what no provider could do, whatever the caller believes the subscription to be.
func (t *tx) changeable(s subscription, currency string, endTrial bool, at time.Time) error {
	switch {
	case !s.Status.Live():
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	case currency != s.Price.Currency:
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.", s.Price.Currency, currency)
	case s.Pending.Invoice != "":
		return fault.New(fault.Conflict, "Another plan change is pending.")
	case s.Status == billing.PastDue, t.invoices.rows[s.Invoice].Status == invoiceOpen:
		return billing.ErrBillCollected()
	case !endTrial && (at.Before(s.PeriodStart) || at.After(s.PeriodEnd)):
		return fault.New(fault.Invalid, "The change must be calculated for an instant within the period.")
	}
	return nil
}

// instant is the instant itself, to the second, or now for the zero time.
func (t *tx) instant(at time.Time) time.Time {
	if at.IsZero() {
		return t.now
	}
	return at.UTC().Truncate(time.Second)
}

// change bills what the new price costs more than was paid for already. When something is due the
// change waits for it.
func (t *tx) change(s subscription, to planChange) subscription {
	inv := t.nextInvoice(s, t.difference(s, to))
	s.Invoice = inv.ID
	if inv.Amount == 0 {
		return t.billNothing(t.changed(s, to), inv)
	}
	to.Invoice, to.Expires = inv.ID, earlier(t.now.Add(pendingFor), s.PeriodEnd)
	s.Pending = to
	return t.charge(s, inv)
}

// changed returns the subscription with the change made. A new period begins with another interval
// and at the end of a trial, at the instant for which the change was calculated.
func (t *tx) changed(s subscription, to planChange) subscription {
	restart := s.Status == billing.Trialing || to.Price.Interval != s.Price.Interval
	if s.Status == billing.Trialing {
		s.TrialEnd = to.At
	}
	s = t.dropSetup(s)
	s.Price, s.Amount, s.Status, s.Pending = to.Price, to.Amount, billing.Active, planChange{}
	if restart {
		s.Anchor, s.PeriodStart = to.At, to.At
		s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	}
	return calm(s)
}

// discard drops the pending change and voids its invoice.
func (t *tx) discard(s subscription) subscription {
	t.voidInvoice(s)
	s.Pending = planChange{}
	t.saveSubscription(s)
	return s
}

// difference is what the change costs, negative when more was paid than is used. A trial has paid
// nothing. Another interval begins a new period, so that only the rest of the old one counts.
func (t *tx) difference(s subscription, to planChange) int64 {
	unused := share(s.Amount, to.At, s.PeriodStart, s.PeriodEnd)
	switch {
	case s.Status == billing.Trialing:
		return to.Amount
	case to.Price.Interval != s.Price.Interval:
		return to.Amount - unused
	}
	return share(to.Amount, to.At, s.PeriodStart, s.PeriodEnd) - unused
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
