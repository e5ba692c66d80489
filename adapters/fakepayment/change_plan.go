package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan moves a live subscription to another price and bills the difference at once.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return once(ctx, p, "change plan", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		amount, err := t.mayChange(s, in)
		if err != nil {
			return billing.Subscription{}, err
		}
		return t.showSubscription(t.change(s, in, amount)), nil
	})
}

func (t *tx) mayChange(s subscription, in payment.PlanChange) (int64, error) {
	if err := changeable(s, in); err != nil {
		return 0, err
	}
	return t.amount(in.Price)
}

func changeable(s subscription, in payment.PlanChange) error {
	if !s.Status.Live() {
		return fault.New(fault.Conflict, "Only a running subscription can be changed.")
	}
	if in.Price.Currency != s.Price.Currency {
		return fault.Newf(fault.Invalid, "The subscription is paid in %s and can't be changed to %s.", s.Price.Currency, in.Price.Currency)
	}
	return nil
}

// change bills what the new price costs more than was paid for already. A bill that was still
// open goes into the new one, so that the time it stands for is neither lost nor given away.
func (t *tx) change(s subscription, in payment.PlanChange, amount int64) subscription {
	open := t.voidInvoice(s)
	due := t.difference(s, in, amount)
	restart := s.Status == billing.Trialing || in.Price.Interval != s.Price.Interval
	if s.Status == billing.Trialing {
		s.TrialEnd = t.now
	}
	s = t.dropSetup(s)
	s.Price, s.Amount, s.Status = in.Price, amount, billing.Active
	s = calm(s)
	if restart {
		s.Anchor, s.PeriodStart = t.now, t.now
		s.PeriodEnd = periodEnd(s.Anchor, s.PeriodStart, s.Price.Interval)
	}
	return t.bill(s, open+due)
}

// difference is what the change costs, negative when more was paid than is used. A trial has paid
// nothing. Another interval begins a new period, so that only the rest of the old one counts.
func (t *tx) difference(s subscription, in payment.PlanChange, amount int64) int64 {
	unused := share(s.Amount, t.now, s.PeriodStart, s.PeriodEnd)
	switch {
	case s.Status == billing.Trialing:
		return amount
	case in.Price.Interval != s.Price.Interval:
		return amount - unused
	}
	return share(amount, t.now, s.PeriodStart, s.PeriodEnd) - unused
}
