package invoicepayment

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// Subscribe implements payment.Provider. The subscription is active at once, and its first invoice open.
func (p *Provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if req.MethodID != "" {
		return billing.Subscription{}, payment.Unsupported(payment.SavedMethods)
	}
	return runOnce(ctx, p, "subscribe", req.Key, req, func(tx plugin.Tx) (billing.Subscription, error) {
		id := newID(subscriptionPrefix)
		return p.changeSubscription(ctx, tx, req.CustomerID, id, scope{}, func(l *ledger) error {
			order, err := l.order(id, req)
			if err != nil {
				return err
			}
			return l.account.Subscribe(order)
		})
	})
}

// order returns the order of a subscription with an id, or why the request is refused.
func (l *ledger) order(id string, req payment.NewSubscription) (engine.Order, error) {
	amount, err := l.price(req.Price)
	if err == nil {
		err = req.Check(l.account.Currency, l.account.Statuses())
	}
	return engine.Order{ID: id, MadeBy: req.Key, Price: req.Price, Amount: amount, TrialDays: req.TrialDays}, err
}

// price returns the amount of one period.
func (l *ledger) price(ref catalogue.PriceRef) (int64, error) {
	amount, err := l.Catalogue.Price(ref)
	if err != nil {
		return 0, fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	return amount.Minor(), nil
}

// Subscription implements payment.Provider.
func (p *Provider) Subscription(ctx context.Context, id string) (out billing.Subscription, err error) {
	customerID, err := p.readOwner(ctx, id)
	if err != nil {
		return out, err
	}
	err = p.read(ctx, customerID, func(l *ledger) error {
		out, err = l.billingSubscription(id)
		return err
	})
	return out, err
}

// ListSubscriptions implements payment.Provider.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) (out []billing.Subscription, err error) {
	err = p.read(ctx, customerID, func(l *ledger) error {
		out = []billing.Subscription{}
		for _, s := range l.account.Subscriptions {
			if len(statuses) == 0 || slices.Contains(statuses, s.Status) {
				out = append(out, l.toBilling(s))
			}
		}
		return nil
	})
	return out, err
}

// updateOnce changes the account of a subscription once per key, and returns the subscription afterwards.
func (p *Provider) updateOnce(
	ctx context.Context, name, key, id string, request any, with scope, update func(*ledger) error,
) (billing.Subscription, error) {
	return runOnce(ctx, p, name, key, request, func(tx plugin.Tx) (billing.Subscription, error) {
		customerID, err := ownerOf(ctx, tx, id)
		if err != nil {
			return billing.Subscription{}, err
		}
		return p.changeSubscription(ctx, tx, customerID, id, with, update)
	})
}

// changeSubscription changes a customer's ledger and returns the subscription.
func (p *Provider) changeSubscription(
	ctx context.Context, tx plugin.Tx, customerID, id string, with scope, do func(*ledger) error,
) (billing.Subscription, error) {
	l, err := p.change(ctx, tx, customerID, with, do)
	if err != nil {
		return billing.Subscription{}, err
	}
	return l.billingSubscription(id)
}

// CancelSubscription implements payment.Provider. What the customer owes for the current period stays
// owed, unless it is voided.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel", req.Key, req.SubscriptionID, req, scope{}, func(l *ledger) error {
		s, err := l.account.Subscription(req.SubscriptionID)
		if err != nil || req.Keeps(s.Status) {
			return err
		}
		return l.account.End(s.ID, req.VoidInvoices)
	})
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.updateOnce(ctx, "end", req.Key, req.SubscriptionID, req, scope{}, func(l *ledger) error {
		return l.account.SetEnding(req.SubscriptionID, req.End)
	})
}

// ExtendTrial implements payment.Provider. The first invoice is due later by the same time.
func (p *Provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.updateOnce(ctx, "extend trial", req.Key, req.SubscriptionID, req, scope{}, func(l *ledger) error {
		return l.account.ExtendTrial(req.SubscriptionID, req.Until.UTC().Truncate(time.Second))
	})
}

// billingSubscription returns the subscription with the id.
func (l *ledger) billingSubscription(id string) (billing.Subscription, error) {
	s, err := l.account.Subscription(id)
	if err != nil {
		return billing.Subscription{}, err
	}
	return l.toBilling(s), nil
}

func (l *ledger) toBilling(s engine.AccountSubscription) billing.Subscription {
	out := billing.Subscription{
		ID: s.ID, CustomerID: l.customer.ID, Status: s.Status, Price: s.Price, Amount: amountOf(s.Amount, s.Price.Currency),
		Renewal: amountOf(s.RenewalTotal(), s.Price.Currency), CreatedAt: s.Created, PeriodStart: s.PeriodStart,
		CurrentPeriodEnd: s.PeriodEnd, TrialEnd: s.TrialEnd, EndsAt: cmp.Or(s.EndedAt, s.EndsAt()), MadeBy: s.MadeBy, ChangedBy: s.ChangedBy,
		Next: l.nextAction(s),
	}
	if inv := l.invoice(s.Invoice); inv.ID != "" {
		out.LatestInvoice = &billing.Invoice{
			ID: inv.ID, Status: inv.Status, Total: amountOf(inv.Total, inv.Currency), CreditUsed: amountOf(inv.Credit, inv.Currency),
			Tax: amountOf(inv.Tax, inv.Currency), AmountDue: amountOf(inv.Due, inv.Currency), AmountPaid: amountOf(inv.Paid, inv.Currency),
			CreatedAt: inv.Created,
		}
	}
	if inv, open := l.account.OpenInvoice(s); open && s.Status == billing.PastDue {
		out.PlanEndsAt = l.account.EndsUnpaid(inv)
	}
	if to := s.Pending; to.Invoice != "" {
		out.Pending = &billing.PendingChange{
			To: to.Price, InvoiceID: to.Invoice, Amount: amountOf(l.account.Invoice(to.Invoice).Balance(), to.Price.Currency), ExpiresAt: to.Expires,
		}
	}
	if s.IsScheduled() {
		out.SetScheduled(&billing.ScheduledChange{
			To: s.Scheduled.Price, Amount: amountOf(s.Scheduled.Amount, s.Scheduled.Price.Currency), At: s.Scheduled.At,
		})
	}
	return out
}

// nextAction returns the instructions for the transfer: the account, the reference and the amount. An
// unpaid invoice is owed also after the end of the subscription.
func (l *ledger) nextAction(s engine.AccountSubscription) billing.NextAction {
	if s.Status == billing.Incomplete {
		return billing.NextAction{
			Kind: billing.Wait, Until: s.ApprovalEnds(),
			Reason: "We check your order before your plan starts. You need not do anything.",
		}
	}
	id := s.Pending.Invoice
	if open, found := l.account.OpenInvoice(s); found && id == "" {
		id = open.ID
	}
	if id == "" {
		return billing.NextAction{}
	}
	inv := l.invoice(id)
	return billing.NextAction{Kind: billing.Wait, InvoiceID: inv.ID, Until: inv.DueAt, Instructions: l.instructions(inv)}
}
