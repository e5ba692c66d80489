//go:build crashpoints

package main

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// crashingProvider comes by a point before and after everything it changes.
type crashingProvider struct {
	payment.Provider
	crash *crash
}

func (p *crashingProvider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return through(p.crash, "CreateCustomer", func() (billing.Customer, error) { return p.Provider.CreateCustomer(ctx, in) })
}

func (p *crashingProvider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return through(p.crash, "AddCard", func() (billing.PaymentMethod, error) { return p.Provider.AddCard(ctx, in) })
}

func (p *crashingProvider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	return through(p.crash, "SetDefaultCard", func() (billing.Customer, error) {
		return p.Provider.SetDefaultCard(ctx, in)
	})
}

func (p *crashingProvider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	return over(p.crash, "DeleteCard", func() error { return p.Provider.DeleteCard(ctx, in) })
}

func (p *crashingProvider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return through(p.crash, "Subscribe", func() (billing.Subscription, error) { return p.Provider.Subscribe(ctx, in) })
}

func (p *crashingProvider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	return through(p.crash, "PayInvoice", func() (billing.Subscription, error) { return p.Provider.PayInvoice(ctx, in) })
}

func (p *crashingProvider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return through(p.crash, "ChangePlan", func() (billing.Subscription, error) { return p.Provider.ChangePlan(ctx, in) })
}

func (p *crashingProvider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return through(p.crash, "CancelPendingChange", func() (billing.Subscription, error) {
		return p.Provider.CancelPendingChange(ctx, in)
	})
}

func (p *crashingProvider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return through(p.crash, "CancelSubscription", func() (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, in)
	})
}

func (p *crashingProvider) Retire(ctx context.Context, in payment.Retirement) error {
	return over(p.crash, "Retire", func() error { return p.Provider.Retire(ctx, in) })
}
