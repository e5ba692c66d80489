package flakypayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// CreateCustomer may go wrong.
func (p *Provider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return through(ctx, p, "CreateCustomer", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CreateCustomer(ctx, in)
	})
}

// Customer may go wrong.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return through(ctx, p, "Customer", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.Customer(ctx, id)
	})
}

// CustomerOf may go wrong.
func (p *Provider) CustomerOf(ctx context.Context, of payment.Owner) (billing.Customer, error) {
	return through(ctx, p, "CustomerOf", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CustomerOf(ctx, of)
	})
}

// Cards may go wrong.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return through(ctx, p, "Cards", "", func(ctx context.Context) ([]billing.PaymentMethod, error) {
		return p.Provider.Cards(ctx, customerID)
	})
}

// AddCard may go wrong.
func (p *Provider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return through(ctx, p, "AddCard", in.Key, func(ctx context.Context) (billing.PaymentMethod, error) {
		return p.Provider.AddCard(ctx, in)
	})
}

// SetDefaultCard may go wrong.
func (p *Provider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	return through(ctx, p, "SetDefaultCard", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.SetDefaultCard(ctx, in)
	})
}

// DeleteCard may go wrong.
func (p *Provider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	_, err := through(ctx, p, "DeleteCard", in.Key, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, p.Provider.DeleteCard(ctx, in)
	})
	return err
}

// Retire may go wrong. Its plan sees no key: what a key is told again is about the request that is
// to be retired.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	_, err := through(ctx, p, "Retire", "", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, p.Provider.Retire(ctx, in)
	})
	return err
}

// Subscribe may go wrong.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return through(ctx, p, "Subscribe", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscribe(ctx, in)
	})
}

// Subscription may go wrong.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return through(ctx, p, "Subscription", "", func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscription(ctx, id)
	})
}

// ListSubscriptions may go wrong.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, of ...billing.Status) ([]billing.Subscription, error) {
	return through(ctx, p, "ListSubscriptions", "", func(ctx context.Context) ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, customerID, of...)
	})
}

// PayInvoice may go wrong.
func (p *Provider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	return through(ctx, p, "PayInvoice", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.PayInvoice(ctx, in)
	})
}

// ChangePlan may go wrong.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return through(ctx, p, "ChangePlan", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.ChangePlan(ctx, in)
	})
}

// CancelPendingChange may go wrong.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return through(ctx, p, "CancelPendingChange", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelPendingChange(ctx, in)
	})
}

// CancelSubscription may go wrong.
func (p *Provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return through(ctx, p, "CancelSubscription", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, in)
	})
}
