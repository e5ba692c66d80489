package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// pendingFor is how long a plan change may be pending before it is dropped.
const pendingFor = 23 * time.Hour

// ChangePlan moves a subscription to another price. When money is due, the change is pending until
// it is paid.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return once(ctx, p, "change plan", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if err := t.checkPlanChange(s, in); err != nil {
			return billing.Subscription{}, err
		}
		amount, err := t.amount(in.To)
		if err != nil {
			return billing.Subscription{}, err
		}
		s.ChangedBy = in.Key
		to := planChange{Price: in.To, Amount: amount, At: t.prorationInstant(in.At), EndTrial: in.EndTrial}
		return t.billingSubscription(t.change(s, to)), nil
	})
}

// CancelPendingChange drops a pending plan change.
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
			s = t.dropPendingChange(s)
		}
		return t.billingSubscription(s), nil
	})
}

// checkPlanChange also compares the subscription with the one that the caller expects.
func (t *tx) checkPlanChange(s subscription, in payment.PlanChange) error {
	if err := t.checkChangeable(s, in.To.Currency, in.EndTrial, t.prorationInstant(in.At)); err != nil {
		return err
	}
	if s.Price != in.From || (s.Status == billing.Trialing) != in.EndTrial {
		return fault.New(fault.Conflict, "The subscription has changed meanwhile.")
	}
	return nil
}

// checkChangeable returns why the subscription can't change its price now, or nil.
func (t *tx) checkChangeable(s subscription, currency string, endTrial bool, at time.Time) error {
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

// prorationInstant returns at in whole seconds, or now for the zero time.
func (t *tx) prorationInstant(at time.Time) time.Time {
	if at.IsZero() {
		return t.now
	}
	return at.UTC().Truncate(time.Second)
}

// change bills the difference. The change takes effect at once if nothing is due, and otherwise
// when the invoice is paid.
func (t *tx) change(s subscription, to planChange) subscription {
	inv := t.newInvoice(s, difference(s, to))
	s.Invoice = inv.ID
	if inv.Amount == 0 {
		return t.billZero(t.changed(s, to), inv)
	}
	to.Invoice, to.Expires = inv.ID, earlier(t.now.Add(pendingFor), s.PeriodEnd)
	s.Pending = to
	return t.charge(s, inv)
}

// changed returns the subscription on the new price. A new period starts at the proration instant
// when the interval changes or a trial ends.
func (t *tx) changed(s subscription, to planChange) subscription {
	restart := s.Status == billing.Trialing || to.Price.Interval != s.Price.Interval
	if s.Status == billing.Trialing {
		s.TrialEnd = to.At
	}
	s = t.cancelSetup(s)
	s.Price, s.Amount, s.Status, s.Pending = to.Price, to.Amount, billing.Active, planChange{}
	if restart {
		s.Anchor, s.PeriodStart = to.At, to.At
		s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	}
	return withoutRetry(s)
}

// dropPendingChange voids the invoice of the pending change.
func (t *tx) dropPendingChange(s subscription) subscription {
	t.voidLatestInvoice(s)
	s.Pending = planChange{}
	t.saveSubscription(s)
	return s
}

// difference returns what the change costs; negative amounts become credit. The unused part of the
// present period is deducted, except in a trial, where nothing was paid.
func difference(s subscription, to planChange) int64 {
	unused := prorate(s.Amount, to.At, s.PeriodStart, s.PeriodEnd)
	switch {
	case s.Status == billing.Trialing:
		return to.Amount
	case to.Price.Interval != s.Price.Interval:
		return to.Amount - unused
	}
	return prorate(to.Amount, to.At, s.PeriodStart, s.PeriodEnd) - unused
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
