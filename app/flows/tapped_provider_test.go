package flows

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// tappedProvider taps the calls that use cases make of the provider.
type tappedProvider struct {
	payment.Provider
	tap *tap
}

// CreateCustomer is tapped.
func (p *tappedProvider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return through(p.tap, "CreateCustomer", func() (billing.Customer, error) { return p.Provider.CreateCustomer(ctx, in) })
}

// Customer is tapped.
func (p *tappedProvider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return through(p.tap, "Customer", func() (billing.Customer, error) { return p.Provider.Customer(ctx, id) })
}

// AddCard is tapped.
func (p *tappedProvider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return through(p.tap, "AddCard", func() (billing.PaymentMethod, error) { return p.Provider.AddCard(ctx, in) })
}

// Subscribe is tapped.
func (p *tappedProvider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return through(p.tap, "Subscribe", func() (billing.Subscription, error) { return p.Provider.Subscribe(ctx, in) })
}

// Subscription is tapped.
func (p *tappedProvider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return through(p.tap, "Subscription", func() (billing.Subscription, error) { return p.Provider.Subscription(ctx, id) })
}

// ListSubscriptions is tapped.
func (p *tappedProvider) ListSubscriptions(ctx context.Context, id string, of ...billing.Status) ([]billing.Subscription, error) {
	return through(p.tap, "ListSubscriptions", func() ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, id, of...)
	})
}

// ContinueSubscription is tapped.
func (p *tappedProvider) ContinueSubscription(ctx context.Context, in payment.Continuation) (billing.Subscription, error) {
	return through(p.tap, "ContinueSubscription", func() (billing.Subscription, error) {
		return p.Provider.ContinueSubscription(ctx, in)
	})
}

// ChangePlan is tapped.
func (p *tappedProvider) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	return through(p.tap, "ChangePlan", func() (billing.Subscription, error) { return p.Provider.ChangePlan(ctx, in) })
}

// CancelSubscription is tapped.
func (p *tappedProvider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return through(p.tap, "CancelSubscription", func() (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, in)
	})
}
