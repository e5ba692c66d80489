package invoicepayment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan implements payment.Provider. A change now that costs something waits for its payment.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PriceChange) (billing.Subscription, error) {
	return p.updateOnce(ctx, "change plan", in.Key, in.SubscriptionID, in, scope{}, func(l *ledger) error {
		order, err := l.changeOrder(in)
		if err != nil {
			return err
		}
		return unsupportedIfCheaper(l.account.ChangePrice(order))
	})
}

// changeOrder returns the order of a change, or Invalid for an unknown price.
func (l *ledger) changeOrder(in payment.PriceChange) (engine.ChangeOrder, error) {
	amount, err := l.price(in.To)
	return engine.ChangeOrder{
		Subscription: in.SubscriptionID, ChangedBy: in.Key, From: in.From, To: in.To, Amount: amount, At: in.At.UTC(),
		EndTrial: in.EndTrial, AtRenewal: in.When == payment.AtRenewal,
	}, err
}

func unsupportedIfCheaper(err error) error {
	if errors.Is(err, engine.ErrCheaperNow) {
		return payment.Unsupported(payment.CheaperNow)
	}
	return err
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	with := scope{invoice: in.InvoiceID}
	return p.updateOnce(ctx, "cancel pending change", in.Key, in.SubscriptionID, in, with, func(l *ledger) error {
		return l.account.DropPendingChange(in.SubscriptionID, in.InvoiceID)
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, in payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel scheduled change", in.Key, in.SubscriptionID, in, scope{}, func(l *ledger) error {
		return l.account.DropScheduledChange(in.SubscriptionID)
	})
}

// QuoteSubscription implements payment.Provider. DueNow is the total of the first invoice, which is
// issued now.
func (p *Provider) QuoteSubscription(ctx context.Context, in payment.NewSubscription) (out billing.Quote, err error) {
	err = p.read(ctx, in.CustomerID, func(l *ledger) error {
		order, err := l.order("", in)
		if err != nil {
			return err
		}
		q, err := l.account.QuoteSubscribe(order)
		if err != nil {
			return err
		}
		out = q.Billing(in.Price.Currency, l.Catalogue)
		return nil
	})
	return out, err
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, in payment.PriceChange) (out billing.Quote, err error) {
	customerID, err := p.readOwner(ctx, in.SubscriptionID)
	if err != nil {
		return out, err
	}
	err = p.read(ctx, customerID, func(l *ledger) error {
		order, err := l.changeOrder(in)
		if err != nil {
			return err
		}
		q, err := l.account.QuoteChange(order)
		if err != nil {
			return unsupportedIfCheaper(err)
		}
		out = q.Billing(in.To.Currency, l.Catalogue)
		return nil
	})
	return out, err
}
