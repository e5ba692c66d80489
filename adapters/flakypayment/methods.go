package flakypayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// CreateCustomer implements payment.Provider.
func (p *Provider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return send(ctx, p, "CreateCustomer", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CreateCustomer(ctx, in)
	})
}

// Customer implements payment.Provider.
func (p *Provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return send(ctx, p, "Customer", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.Customer(ctx, id)
	})
}

// CustomerOf implements payment.Provider.
func (p *Provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return send(ctx, p, "CustomerOf", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CustomerOf(ctx, owner)
	})
}

// Cards implements payment.Provider.
func (p *Provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return send(ctx, p, "Cards", "", func(ctx context.Context) ([]billing.PaymentMethod, error) {
		return p.Provider.Cards(ctx, customerID)
	})
}

// AddCard implements payment.Provider.
func (p *Provider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return send(ctx, p, "AddCard", in.Key, func(ctx context.Context) (billing.PaymentMethod, error) {
		return p.Provider.AddCard(ctx, in)
	})
}

// SetDefaultCard implements payment.Provider.
func (p *Provider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	return send(ctx, p, "SetDefaultCard", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.SetDefaultCard(ctx, in)
	})
}

// DeleteCard implements payment.Provider.
func (p *Provider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	_, err := send(ctx, p, "DeleteCard", in.Key, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, p.Provider.DeleteCard(ctx, in)
	})
	return err
}

// Retire implements payment.Provider. It passes no key to the plan, because the key belongs to the request
// that is retired.
func (p *Provider) Retire(ctx context.Context, in payment.Retirement) error {
	_, err := send(ctx, p, "Retire", "", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, p.Provider.Retire(ctx, in)
	})
	return err
}

// Subscribe implements payment.Provider.
func (p *Provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return send(ctx, p, "Subscribe", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscribe(ctx, in)
	})
}

// Subscription implements payment.Provider.
func (p *Provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return send(ctx, p, "Subscription", "", func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscription(ctx, id)
	})
}

// ListSubscriptions implements payment.Provider.
func (p *Provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	return send(ctx, p, "ListSubscriptions", "", func(ctx context.Context) ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	})
}

// PayInvoice implements payment.Provider.
func (p *Provider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	return send(ctx, p, "PayInvoice", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.PayInvoice(ctx, in)
	})
}

// ChangePlan implements payment.Provider.
func (p *Provider) ChangePlan(ctx context.Context, in payment.PriceChange) (billing.Subscription, error) {
	return send(ctx, p, "ChangePlan", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.ChangePlan(ctx, in)
	})
}

// CancelPendingChange implements payment.Provider.
func (p *Provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return send(ctx, p, "CancelPendingChange", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelPendingChange(ctx, in)
	})
}

// CancelSubscription implements payment.Provider.
func (p *Provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return send(ctx, p, "CancelSubscription", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, in)
	})
}

// UpdateCustomer implements payment.Provider.
func (p *Provider) UpdateCustomer(ctx context.Context, in payment.CustomerUpdate) (billing.Customer, error) {
	return send(ctx, p, "UpdateCustomer", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.UpdateCustomer(ctx, in)
	})
}

// QuoteSubscription implements payment.Provider.
func (p *Provider) QuoteSubscription(ctx context.Context, in payment.NewSubscription) (billing.Quote, error) {
	return send(ctx, p, "QuoteSubscription", "", func(ctx context.Context) (billing.Quote, error) {
		return p.Provider.QuoteSubscription(ctx, in)
	})
}

// QuoteChange implements payment.Provider.
func (p *Provider) QuoteChange(ctx context.Context, in payment.PriceChange) (billing.Quote, error) {
	return send(ctx, p, "QuoteChange", "", func(ctx context.Context) (billing.Quote, error) {
		return p.Provider.QuoteChange(ctx, in)
	})
}

// CancelScheduledChange implements payment.Provider.
func (p *Provider) CancelScheduledChange(ctx context.Context, in payment.ScheduleCancellation) (billing.Subscription, error) {
	return send(ctx, p, "CancelScheduledChange", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelScheduledChange(ctx, in)
	})
}

// SetEndAtPeriodEnd implements payment.Provider.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, in payment.EndRequest) (billing.Subscription, error) {
	return send(ctx, p, "SetEndAtPeriodEnd", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.SetEndAtPeriodEnd(ctx, in)
	})
}

// ListInvoices implements payment.Provider.
func (p *Provider) ListInvoices(ctx context.Context, in payment.InvoicePage) (payment.InvoiceList, error) {
	return send(ctx, p, "ListInvoices", "", func(ctx context.Context) (payment.InvoiceList, error) {
		return p.Provider.ListInvoices(ctx, in)
	})
}

// AddCredit implements payment.Provider.
func (p *Provider) AddCredit(ctx context.Context, in payment.Credit) (billing.Customer, error) {
	return send(ctx, p, "AddCredit", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.AddCredit(ctx, in)
	})
}

// ExtendTrial implements payment.Provider.
func (p *Provider) ExtendTrial(ctx context.Context, in payment.TrialExtension) (billing.Subscription, error) {
	return send(ctx, p, "ExtendTrial", in.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.ExtendTrial(ctx, in)
	})
}

// Refund implements payment.Provider.
func (p *Provider) Refund(ctx context.Context, in payment.Refund) (billing.Invoice, error) {
	return send(ctx, p, "Refund", in.Key, func(ctx context.Context) (billing.Invoice, error) {
		return p.Provider.Refund(ctx, in)
	})
}

// LiftHold implements payment.Provider.
func (p *Provider) LiftHold(ctx context.Context, in payment.HoldLift) (billing.Customer, error) {
	return send(ctx, p, "LiftHold", in.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.LiftHold(ctx, in)
	})
}

// ReturnedPayments implements payment.Provider.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error) {
	return send(ctx, p, "ReturnedPayments", "", func(ctx context.Context) ([]billing.ReturnedPayment, error) {
		return p.Provider.ReturnedPayments(ctx, customerID)
	})
}

// InvoicePDF implements payment.Provider.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	return send(ctx, p, "InvoicePDF", "", func(ctx context.Context) (payment.InvoiceDocument, error) {
		return p.Provider.InvoicePDF(ctx, customerID, invoiceID)
	})
}
