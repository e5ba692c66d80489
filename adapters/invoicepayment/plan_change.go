package invoicepayment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan implements payment.Provider. A change now that costs something waits for its payment.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return p.updateOnce(ctx, "change plan", req.Key, req.SubscriptionID, req, scope{}, func(l *ledger) error {
		order, err := l.changeOrder(req)
		if err != nil {
			return err
		}
		return unsupportedIfCheaper(l.account.ChangePrice(order))
	})
}

// changeOrder returns the order of a change, or Invalid for an unknown price.
func (l *ledger) changeOrder(req payment.PriceChange) (engine.ChangeOrder, error) {
	amount, err := l.price(req.To)
	return engine.ChangeOrder{
		Subscription: req.SubscriptionID, ChangedBy: req.Key, From: req.From, To: req.To, Amount: amount, At: req.At.UTC(),
		EndTrial: req.EndTrial, AtRenewal: req.When == payment.AtRenewal,
	}, err
}

func unsupportedIfCheaper(err error) error {
	if errors.Is(err, engine.ErrCheaperNow) {
		return payment.Unsupported(payment.CheaperNow)
	}
	return err
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingCancellation) (billing.Subscription, error) {
	with := scope{invoice: req.InvoiceID}
	return p.updateOnce(ctx, "cancel pending change", req.Key, req.SubscriptionID, req, with, func(l *ledger) error {
		return l.account.DropPendingChange(req.SubscriptionID, req.InvoiceID)
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, req payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel scheduled change", req.Key, req.SubscriptionID, req, scope{}, func(l *ledger) error {
		return l.account.DropScheduledChange(req.SubscriptionID)
	})
}

// QuoteSubscription implements payment.Provider. DueNow is the total of the first invoice, which is
// issued now.
func (p *Provider) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (out billing.Quote, err error) {
	err = p.read(ctx, req.CustomerID, func(l *ledger) error {
		order, err := l.order("", req)
		if err != nil {
			return err
		}
		q, err := l.account.QuoteSubscribe(order)
		if err != nil {
			return err
		}
		out = q.Billing(req.Price.Currency, l.Catalogue)
		return nil
	})
	return out, err
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (out billing.Quote, err error) {
	customerID, err := p.readOwner(ctx, req.SubscriptionID)
	if err != nil {
		return out, err
	}
	err = p.read(ctx, customerID, func(l *ledger) error {
		order, err := l.changeOrder(req)
		if err != nil {
			return err
		}
		q, err := l.account.QuoteChange(order)
		if err != nil {
			return unsupportedIfCheaper(err)
		}
		out = q.Billing(req.To.Currency, l.Catalogue)
		return nil
	})
	return out, err
}
