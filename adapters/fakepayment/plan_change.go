package fakepayment

import (
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan moves a subscription to another price. If an amount is due, the change is pending until
// it is paid. With AtRenewal, the change is made when the period or the trial ends.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return runOnce(ctx, p, "change plan", req.Key, req, func(t *tx) (billing.Subscription, error) {
		s, change, err := t.prepareChange(req)
		if err != nil {
			return billing.Subscription{}, err
		}
		if req.When == billing.ChangeNow {
			if err := req.Quoted.Check(t.quoteChange(s, change, req.When)); err != nil {
				return billing.Subscription{}, err
			}
		}
		s.ChangeKey = req.Key
		if req.When == billing.ChangeAtRenewal {
			return t.billingSubscription(t.changeAtRenewal(s, change)), nil
		}
		return t.billingSubscription(t.changeNow(s, change)), nil
	})
}

// QuoteChange returns the quote of the change that ChangePlan would make.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	return run(ctx, p, func(t *tx) (billing.Quote, error) {
		s, change, err := t.prepareChange(req)
		if err != nil {
			return billing.Quote{}, err
		}
		return t.quoteChange(s, change, req.When), nil
	})
}

func (t *tx) quoteChange(
	s subscription, change engine.PriceChange, when billing.ChangeTiming, extraLines ...engine.Line,
) billing.Quote {
	credit, minimum := t.customers.rows[s.CustomerID].Credit, engine.MinimumCharge(s.Price.Currency)
	if when == billing.ChangeAtRenewal {
		return s.QuoteSchedule(change, credit, minimum).BillingQuote(s.Price.Currency, t)
	}
	lines, deductions := t.changeLines(s, change)
	lines = append(lines, extraLines...)
	return s.QuoteChange(change, lines, credit, t.creditToWithdraw(s, deductions), minimum).BillingQuote(s.Price.Currency, t)
}

// prepareChange returns the subscription and the change with its amount, or the error of a refused request.
func (t *tx) prepareChange(req payment.PriceChange) (subscription, engine.PriceChange, error) {
	change := engine.PriceChange{Price: req.To, At: t.prorationDate(req.At), EndTrial: req.EndTrial}
	s, err := t.subscription(req.SubscriptionID)
	if err == nil {
		err = t.checkChange(s, change, req.When)
	}
	if err == nil && t.customers.rows[s.CustomerID].Hold != billing.NoHold {
		err = billing.HoldConflict()
	}
	if err != nil {
		return s, change, err
	}
	if s.Price != req.From || req.When == billing.ChangeNow && (s.Status == billing.Trialing) != req.EndTrial {
		return s, change, fault.New(fault.Conflict, "Your subscription has changed in the meantime. Please look at it again.")
	}
	change.Amount, err = t.priceAmount(req.To)
	return s, change, err
}

// CancelScheduledChange cancels a scheduled plan change, if any.
func (p *Provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduledChangeCancellation,
) (billing.Subscription, error) {
	cancel := func(t *tx, s subscription) (subscription, error) { return t.cancelScheduledChange(s), nil }
	return p.updateOnce(ctx, "cancel scheduled change", req.Key, req.SubscriptionID, req, cancel)
}

// CancelPendingChange cancels the pending plan change that has the invoice.
func (p *Provider) CancelPendingChange(
	ctx context.Context, req payment.PendingChangeCancellation,
) (billing.Subscription, error) {
	cancel := func(t *tx, s subscription) (subscription, error) {
		switch s.Pending.Invoice {
		case "":
			return s, nil
		case req.InvoiceID:
			if err := s.CheckCancelPendingChange(); err != nil {
				return s, err
			}
			return t.cancelPendingChange(s), nil
		}
		return s, fault.New(fault.Conflict, "Another plan change is pending.")
	}
	return p.updateOnce(ctx, "cancel pending change", req.Key, req.SubscriptionID, req, cancel)
}

func (t *tx) checkChange(s subscription, change engine.PriceChange, when billing.ChangeTiming) error {
	isOpen := t.invoices.rows[s.LatestInvoiceID].Status == invoiceOpen
	if when == billing.ChangeAtRenewal {
		return s.CheckSchedule(change, isOpen)
	}
	return s.CheckChange(change, isOpen)
}

// prorationDate returns the time in whole seconds, or now for the zero time.
func (t *tx) prorationDate(at time.Time) time.Time {
	if at.IsZero() {
		return t.now
	}
	return at.UTC().Truncate(time.Second)
}

// changeNow invoices the difference. It makes the change immediately if no amount is due. Otherwise the change is
// pending until the invoice is paid.
func (t *tx) changeNow(s subscription, change engine.PriceChange, extraLines ...engine.Line) subscription {
	lines, deductions := t.changeLines(s, change)
	inv := t.beginInvoice(s, append(lines, extraLines...), deductions...)
	inv.IsPlanChange = true
	s.LatestInvoiceID = inv.ID
	if inv.AmountDue == 0 {
		s = t.cancelSetup(s)
		s.Subscription = s.ApplyChange(change)
		return t.payZeroInvoice(s, inv)
	}
	s.Subscription = s.SetPendingChange(change, inv.ID, t.now)
	return t.charge(s, inv, t.customers.rows[s.CustomerID].DefaultCardID)
}

// changeLines returns the lines of the change's invoice, with the returned payments that they deduct.
func (t *tx) changeLines(s subscription, change engine.PriceChange) ([]engine.Line, []engine.Deduction) {
	var payments []engine.PeriodPayment
	for _, inv := range slices.Backward((Snapshot{t}).SubscriptionInvoices(s.ID)) {
		if inv.Status == invoicePaid {
			payments = append(payments, engine.PeriodPayment{
				Invoice: inv.ID, Lines: inv.Lines, Refund: inv.Refund, Dispute: inv.Dispute,
			})
		}
	}
	return s.DeductReturned(s.ChangeLines(change), payments, change.At)
}

// changeAtRenewal schedules the change.
func (t *tx) changeAtRenewal(s subscription, change engine.PriceChange) subscription {
	s.Subscription = s.ScheduleChange(change)
	t.saveSubscription(s)
	return s
}

// cancelScheduledChange cancels the scheduled change, if any.
func (t *tx) cancelScheduledChange(s subscription) subscription {
	s.Subscription = s.CancelScheduledChange()
	t.saveSubscription(s)
	return s
}

// cancelPendingChange cancels the pending change and voids its invoice.
func (t *tx) cancelPendingChange(s subscription) subscription {
	t.voidLatestInvoice(s)
	s.Subscription = s.CancelPendingChange()
	t.saveSubscription(s)
	return s
}
