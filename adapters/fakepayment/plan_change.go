package fakepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan moves a subscription to another price. When money is due, the change is pending until
// it is paid.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return once(ctx, p, "change plan", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		to := engine.PlanChange{Price: in.To, At: t.prorationInstant(in.At), EndTrial: in.EndTrial}
		if err := t.checkChange(s, to); err != nil {
			return billing.Subscription{}, err
		}
		if s.Price != in.From || (s.Status == billing.Trialing) != in.EndTrial {
			return billing.Subscription{}, fault.New(fault.Conflict, "The subscription has changed meanwhile.")
		}
		if to.Amount, err = t.amount(in.To); err != nil {
			return billing.Subscription{}, err
		}
		s.ChangedBy = in.Key
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

func (t *tx) checkChange(s subscription, to engine.PlanChange) error {
	return s.CheckChange(to, t.invoices.rows[s.Invoice].Status == invoiceOpen)
}

// prorationInstant returns at in whole seconds, or now for the zero time.
func (t *tx) prorationInstant(at time.Time) time.Time {
	if at.IsZero() {
		return t.now
	}
	return at.UTC().Truncate(time.Second)
}

// change bills the difference. The change is made at once if nothing is due, and otherwise when the
// invoice is paid.
func (t *tx) change(s subscription, to engine.PlanChange) subscription {
	inv := t.newInvoice(s, s.ChangeLines(to))
	s.Invoice = inv.ID
	if inv.Amount == 0 {
		s = t.cancelSetup(s)
		s.Subscription = s.Apply(to)
		return t.billZero(s, inv)
	}
	s.Subscription = s.Await(to, inv.ID, t.now)
	return t.charge(s, inv)
}

// dropPendingChange voids the invoice of the pending change.
func (t *tx) dropPendingChange(s subscription) subscription {
	t.voidLatestInvoice(s)
	s.Subscription = s.DropChange()
	t.saveSubscription(s)
	return s
}
