package former

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan implements payment.Provider. A change now that costs something waits for its payment.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PriceChange) (billing.Subscription, error) {
	return p.updateOnce(ctx, "change plan", in.Key, in.SubscriptionID, in, func(l *ledger, s subscription) (subscription, error) {
		to, err := l.prepareChange(s, in)
		if err != nil {
			return s, err
		}
		s.ChangedBy = in.Key
		if in.When == payment.AtRenewal {
			s.Subscription = s.Schedule(to)
			return s, nil
		}
		return l.changeNow(s, to), nil
	})
}

// prepareChange returns the change, or why it is refused.
func (l *ledger) prepareChange(s subscription, in payment.PriceChange) (engine.PriceChange, error) {
	amount, err := l.price(in.To)
	to := engine.PriceChange{Price: in.To, Amount: amount, At: in.At.UTC(), EndTrial: in.EndTrial}
	if in.At.IsZero() {
		to.At = l.now
	}
	_, open := l.openInvoice(s)
	switch {
	case err != nil:
		return to, err
	case in.From != s.Price:
		return to, fault.New(fault.Conflict, "The subscription has another price by now.")
	case in.When == payment.AtRenewal:
		return to, s.CheckSchedule(to, open)
	case in.EndTrial != (s.Status == billing.Trialing):
		return to, fault.New(fault.Conflict, "The trial of the subscription has begun or ended by now.")
	}
	if err := s.CheckChange(to, open); err != nil {
		return to, err
	}
	if engine.Total(l.changeLines(s, to)) <= 0 {
		return to, payment.Unsupported(payment.CheaperNow)
	}
	return to, nil
}

// changeLines returns the lines of the change's invoice. In a trial, the prepaid invoice is credited.
func (l *ledger) changeLines(s subscription, to engine.PriceChange) []engine.Line {
	lines := s.ChangeLines(to)
	prepaid := l.invoice(s.Prepaid)
	if prepaid.ID == "" {
		return lines
	}
	for _, line := range prepaid.Lines {
		line.Amount, line.Proration, line.Unused = -line.Amount, true, true
		lines = append(lines, line)
	}
	return lines
}

// changeNow makes the change when nothing is due after credit. Otherwise it waits until its invoice is
// due, at most until the period ends.
func (l *ledger) changeNow(s subscription, to engine.PriceChange) subscription {
	expires := l.due(l.now)
	if s.PeriodEnd.Before(expires) {
		expires = s.PeriodEnd
	}
	inv := l.bill(s, invoice{Created: l.now, DueAt: expires, Lines: l.changeLines(s, to)})
	s.Invoice = inv.ID
	if inv.Status == billing.InvoicePaid {
		s.Subscription, s.Prepaid = s.Apply(to), ""
		return s
	}
	s.Subscription = s.Await(to, inv.ID, l.now)
	s.Pending.Expires = expires
	return s
}

// dropChange drops the pending change and voids its invoice.
func (l *ledger) dropChange(s subscription) {
	l.void(l.invoice(s.Pending.Invoice))
	s.Subscription = s.DropChange()
	l.put(s)
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel pending change", in.Key, in.SubscriptionID, in, func(l *ledger, s subscription) (subscription, error) {
		switch {
		case l.invoice(in.InvoiceID).Subscription != s.ID, s.Pending.Invoice != "" && s.Pending.Invoice != in.InvoiceID:
			return s, fault.New(fault.Conflict, "Another plan change is pending.")
		case s.Pending.Invoice == in.InvoiceID:
			l.dropChange(s)
			return l.subscription(s.ID)
		}
		return s, nil
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, in payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel scheduled change", in.Key, in.SubscriptionID, in, func(_ *ledger, s subscription) (subscription, error) {
		s.Subscription = s.Unschedule()
		return s, nil
	})
}

// QuoteSubscription implements payment.Provider. DueNow is the total of the first invoice, which is
// issued now.
func (p *Provider) QuoteSubscription(ctx context.Context, in payment.NewSubscription) (out billing.Quote, err error) {
	err = p.read(ctx, in.CustomerID, func(l *ledger) error {
		amount, err := l.checkSubscribe(in)
		if err != nil {
			return err
		}
		s := subscription{TrialDays: in.TrialDays, Subscription: engine.Subscription{Price: in.Price, Amount: amount}}
		started, inv := l.firstInvoice(s)
		if started.Status == billing.Trialing {
			started = started.Renew()
		}
		out = l.quote(engine.NewBill(inv.Lines, l.customer.Credit, 0), started)
		out.At = l.now
		return nil
	})
	return out, err
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, in payment.PriceChange) (out billing.Quote, err error) {
	current, err := p.Subscription(ctx, in.SubscriptionID)
	if err != nil {
		return out, err
	}
	err = p.read(ctx, current.CustomerID, func(l *ledger) error {
		s, err := l.subscription(in.SubscriptionID)
		if err != nil {
			return err
		}
		to, err := l.prepareChange(s, in)
		if err != nil {
			return err
		}
		if in.When == payment.AtRenewal {
			out = l.quoteSchedule(s, to)
			return nil
		}
		out = l.quote(engine.NewBill(l.changeLines(s, to), l.customer.Credit, 0), s.Apply(to))
		out.At, out.EndsTrial = to.At, in.EndTrial
		return nil
	})
	return out, err
}

// quoteSchedule quotes a change at the renewal. The prepaid invoice of a trial is credited then.
func (l *ledger) quoteSchedule(s subscription, to engine.PriceChange) billing.Quote {
	credit := l.customer.Credit
	if prepaid := l.invoice(s.Prepaid); prepaid.ID != "" {
		credit += l.released(prepaid)
	}
	after := s.Schedule(to).Renew()
	out := l.quote(engine.NewBill(after.PeriodLines(), credit, 0), after)
	out.At, out.Next = s.PeriodEnd, billing.Charge{Amount: out.DueNow, At: s.PeriodEnd}
	currency := s.Price.Currency
	out.DueNow, out.CreditBefore, out.CreditAfter = amountOf(0, currency), amountOf(l.customer.Credit, currency), amountOf(l.customer.Credit, currency)
	return out
}

// quote returns the quote of a bill that leads to the subscription.
func (l *ledger) quote(b engine.Bill, after engine.Subscription) billing.Quote {
	currency := after.Price.Currency
	total := amountOf(b.Total, currency)
	next := engine.NewBill(after.Renew().PeriodLines(), b.CreditAfter, 0)
	return billing.Quote{
		Lines: engine.BillingLines(b.Lines, l.Catalogue.PlanName), Tax: l.Catalogue.TaxIncluded(total), Total: total, DueNow: amountOf(b.Due, currency),
		CreditBefore: amountOf(b.CreditBefore, currency), CreditAfter: amountOf(b.CreditAfter, currency),
		Next: billing.Charge{Amount: amountOf(next.Due, currency), At: after.PeriodEnd},
	}
}
