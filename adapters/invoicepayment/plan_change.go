package invoicepayment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// ChangePlan implements payment.Provider. A change now that costs something waits for its payment.
func (p *Provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	return p.updateOnce(ctx, "change plan", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		order, err := r.ChangeOrder(req)
		if err != nil {
			return err
		}
		return unsupportedIfCheaper(r.Account.ChangePrice(order))
	})
}

func unsupportedIfCheaper(err error) error {
	if errors.Is(err, engine.ErrCheaperNow) {
		return payment.Unsupported(payment.CheaperNow)
	}
	return err
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, req payment.PendingCancellation) (billing.Subscription, error) {
	with := ledger.Scope{Invoice: req.InvoiceID}
	return p.updateOnce(ctx, "cancel pending change", req.Key, req.SubscriptionID, req, with, func(r *ledger.Record) error {
		return r.Account.DropPendingChange(req.SubscriptionID, req.InvoiceID)
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, req payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.updateOnce(ctx, "cancel scheduled change", req.Key, req.SubscriptionID, req, ledger.Scope{}, func(r *ledger.Record) error {
		return r.Account.DropScheduledChange(req.SubscriptionID)
	})
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	q, err := p.Ledger.QuoteChange(ctx, req)
	return q, unsupportedIfCheaper(err)
}
