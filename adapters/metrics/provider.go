package metrics

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// Provider returns a payment.Provider that counts and times the calls to next, and counts webhook events.
func (m *Metrics) Provider(next payment.Provider) payment.Provider { return provider{next, m.calls} }

type provider struct {
	payment.Provider
	calls calls
}

// CreateCustomer counts and times the call.
func (p provider) CreateCustomer(ctx context.Context, in payment.NewCustomer) (billing.Customer, error) {
	return callFor(p.calls, "CreateCustomer", func() (billing.Customer, error) { return p.Provider.CreateCustomer(ctx, in) })
}

// Customer counts and times the call.
func (p provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return callFor(p.calls, "Customer", func() (billing.Customer, error) { return p.Provider.Customer(ctx, id) })
}

// CustomerOf counts and times the call.
func (p provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return callFor(p.calls, "CustomerOf", func() (billing.Customer, error) { return p.Provider.CustomerOf(ctx, owner) })
}

// Cards counts and times the call.
func (p provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return callFor(p.calls, "Cards", func() ([]billing.PaymentMethod, error) { return p.Provider.Cards(ctx, customerID) })
}

// AddCard counts and times the call.
func (p provider) AddCard(ctx context.Context, in payment.NewCard) (billing.PaymentMethod, error) {
	return callFor(p.calls, "AddCard", func() (billing.PaymentMethod, error) { return p.Provider.AddCard(ctx, in) })
}

// SetDefaultCard counts and times the call.
func (p provider) SetDefaultCard(ctx context.Context, in payment.SavedCard) (billing.Customer, error) {
	return callFor(p.calls, "SetDefaultCard", func() (billing.Customer, error) { return p.Provider.SetDefaultCard(ctx, in) })
}

// DeleteCard counts and times the call.
func (p provider) DeleteCard(ctx context.Context, in payment.SavedCard) error {
	return p.calls.call("DeleteCard", func() error { return p.Provider.DeleteCard(ctx, in) })
}

// Retire counts and times the call.
func (p provider) Retire(ctx context.Context, in payment.Retirement) error {
	return p.calls.call("Retire", func() error { return p.Provider.Retire(ctx, in) })
}

// Subscribe counts and times the call.
func (p provider) Subscribe(ctx context.Context, in payment.NewSubscription) (billing.Subscription, error) {
	return callFor(p.calls, "Subscribe", func() (billing.Subscription, error) { return p.Provider.Subscribe(ctx, in) })
}

// Subscription counts and times the call.
func (p provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return callFor(p.calls, "Subscription", func() (billing.Subscription, error) { return p.Provider.Subscription(ctx, id) })
}

// ListSubscriptions counts and times the call.
func (p provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	return callFor(p.calls, "ListSubscriptions", func() ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	})
}

// PayInvoice counts and times the call.
func (p provider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	return callFor(p.calls, "PayInvoice", func() (billing.Subscription, error) { return p.Provider.PayInvoice(ctx, in) })
}

// ChangePlan counts and times the call.
func (p provider) ChangePlan(ctx context.Context, in payment.PriceChange) (billing.Subscription, error) {
	return callFor(p.calls, "ChangePlan", func() (billing.Subscription, error) { return p.Provider.ChangePlan(ctx, in) })
}

// CancelPendingChange counts and times the call.
func (p provider) CancelPendingChange(ctx context.Context, in payment.PendingCancellation) (billing.Subscription, error) {
	return callFor(p.calls, "CancelPendingChange", func() (billing.Subscription, error) {
		return p.Provider.CancelPendingChange(ctx, in)
	})
}

// CancelSubscription counts and times the call.
func (p provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	return callFor(p.calls, "CancelSubscription", func() (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, in)
	})
}

// ParseEvents counts the events, or the delivery that it refuses. It is not timed, because most
// providers call no API.
func (p provider) ParseEvents(ctx context.Context, in payment.Delivery) ([]payment.Event, error) {
	events, err := p.Provider.ParseEvents(ctx, in)
	if err != nil {
		p.calls.events.WithLabelValues("unknown", outcomeOf(err)).Inc()
	}
	for _, event := range events {
		p.calls.events.WithLabelValues(string(event.Kind), outcomeOf(nil)).Inc()
	}
	return events, err
}

// UpdateCustomer counts and times the call.
func (p provider) UpdateCustomer(ctx context.Context, in payment.CustomerUpdate) (billing.Customer, error) {
	return callFor(p.calls, "UpdateCustomer", func() (billing.Customer, error) { return p.Provider.UpdateCustomer(ctx, in) })
}

// QuoteSubscription counts and times the call.
func (p provider) QuoteSubscription(ctx context.Context, in payment.NewSubscription) (billing.Quote, error) {
	return callFor(p.calls, "QuoteSubscription", func() (billing.Quote, error) { return p.Provider.QuoteSubscription(ctx, in) })
}

// QuoteChange counts and times the call.
func (p provider) QuoteChange(ctx context.Context, in payment.PriceChange) (billing.Quote, error) {
	return callFor(p.calls, "QuoteChange", func() (billing.Quote, error) { return p.Provider.QuoteChange(ctx, in) })
}

// CancelScheduledChange counts and times the call.
func (p provider) CancelScheduledChange(ctx context.Context, in payment.ScheduleCancellation) (billing.Subscription, error) {
	return callFor(p.calls, "CancelScheduledChange", func() (billing.Subscription, error) { return p.Provider.CancelScheduledChange(ctx, in) })
}

// SetEndAtPeriodEnd counts and times the call.
func (p provider) SetEndAtPeriodEnd(ctx context.Context, in payment.EndRequest) (billing.Subscription, error) {
	return callFor(p.calls, "SetEndAtPeriodEnd", func() (billing.Subscription, error) { return p.Provider.SetEndAtPeriodEnd(ctx, in) })
}

// ListInvoices counts and times the call.
func (p provider) ListInvoices(ctx context.Context, in payment.InvoicePage) (payment.InvoiceList, error) {
	return callFor(p.calls, "ListInvoices", func() (payment.InvoiceList, error) { return p.Provider.ListInvoices(ctx, in) })
}

// AddCredit counts and times the call.
func (p provider) AddCredit(ctx context.Context, in payment.Credit) (billing.Customer, error) {
	return callFor(p.calls, "AddCredit", func() (billing.Customer, error) { return p.Provider.AddCredit(ctx, in) })
}

// ExtendTrial counts and times the call.
func (p provider) ExtendTrial(ctx context.Context, in payment.TrialExtension) (billing.Subscription, error) {
	return callFor(p.calls, "ExtendTrial", func() (billing.Subscription, error) { return p.Provider.ExtendTrial(ctx, in) })
}

// Refund counts and times the call.
func (p provider) Refund(ctx context.Context, in payment.Refund) (billing.Invoice, error) {
	return callFor(p.calls, "Refund", func() (billing.Invoice, error) { return p.Provider.Refund(ctx, in) })
}

// LiftHold counts and times the call.
func (p provider) LiftHold(ctx context.Context, in payment.HoldLift) (billing.Customer, error) {
	return callFor(p.calls, "LiftHold", func() (billing.Customer, error) { return p.Provider.LiftHold(ctx, in) })
}

// ReturnedPayments counts and times the call.
func (p provider) ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error) {
	return callFor(p.calls, "ReturnedPayments", func() ([]billing.ReturnedPayment, error) {
		return p.Provider.ReturnedPayments(ctx, customerID)
	})
}

// InvoicePDF counts and times the call.
func (p provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	return callFor(p.calls, "InvoicePDF", func() (payment.InvoiceDocument, error) { return p.Provider.InvoicePDF(ctx, customerID, invoiceID) })
}
