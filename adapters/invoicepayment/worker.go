package invoicepayment

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

// runOnce is tables.Once with the provider's keys.
func runOnce[T any](ctx context.Context, p *Provider, name, key string, request any, do func(plugin.Tx) (T, error)) (T, error) {
	out, err := tables.Once(ctx, p.keys, name, key, request, do)
	return out, unavailable(err)
}

// Retire implements payment.Fence.
func (p *Provider) Retire(ctx context.Context, req payment.Retirement) error {
	return unavailable(p.keys.Retire(ctx, req, func(tx plugin.Tx) error {
		_, err := p.load(ctx, tx, req.CustomerID, false, scope{})
		return err
	}))
}

// Tick implements payment.Worker.
func (p *Provider) Tick(ctx context.Context, report func(context.Context, payment.Event) error) (done int, err error) {
	done, err = p.customers.Tick(ctx, report)
	return done, errors.Join(err, p.keys.Forget(ctx))
}

// update processes what is due for a customer and changes its counts, which it returns. Only Tick reports the changes.
func (p *Provider) update(ctx context.Context, customerID string, change func(*tables.Reports)) (seen tables.Reports, err error) {
	err = p.Database.Write(ctx, func(tx plugin.Tx) error {
		l, err := p.change(ctx, tx, customerID, scope{}, func(l *ledger) error {
			change(&l.Reports)
			return nil
		})
		if err == nil {
			seen = l.Reports
		}
		return err
	})
	return seen, unavailable(err)
}
