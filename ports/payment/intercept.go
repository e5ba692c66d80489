package payment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
)

// Call is a call to a method of Provider.
type Call struct {
	Method string // such as "Subscribe"
	Key    string // the idempotency key of a request that changes something; "" for Retire, which stops another request
}

// Interceptor handles one call. next sends the request to the provider and returns its error. The caller of the method
// gets the error of the interceptor or, if that is nil, the result of next. An interceptor that does not call next
// returns an error.
type Interceptor func(ctx context.Context, call Call, next func(context.Context) error) error

// Intercept returns a provider that passes each call to the interceptor, except those of Capabilities and ParseEvents,
// which send nothing to the provider.
func Intercept(p Provider, with Interceptor) Provider { return intercepted{p, with} }

type intercepted struct {
	Provider
	interceptor Interceptor
}

// intercept makes one call that returns a value.
func intercept[T any](ctx context.Context, p intercepted, method, key string, do func(context.Context) (T, error)) (T, error) {
	var out, zero T
	err := p.interceptor(ctx, Call{Method: method, Key: key}, func(ctx context.Context) (err error) {
		out, err = do(ctx)
		return err
	})
	if err != nil {
		return zero, err
	}
	return out, nil
}

// CreateCustomer implements Provider.
func (p intercepted) CreateCustomer(ctx context.Context, req NewCustomer) (billing.Customer, error) {
	return intercept(ctx, p, "CreateCustomer", req.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CreateCustomer(ctx, req)
	})
}

// Customer implements Provider.
func (p intercepted) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return intercept(ctx, p, "Customer", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.Customer(ctx, id)
	})
}

// CustomerOf implements Provider.
func (p intercepted) CustomerOf(ctx context.Context, owner Owner) (billing.Customer, error) {
	return intercept(ctx, p, "CustomerOf", "", func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.CustomerOf(ctx, owner)
	})
}

// Cards implements Provider.
func (p intercepted) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return intercept(ctx, p, "Cards", "", func(ctx context.Context) ([]billing.PaymentMethod, error) {
		return p.Provider.Cards(ctx, customerID)
	})
}

// AddCard implements Provider.
func (p intercepted) AddCard(ctx context.Context, req NewCard) (billing.PaymentMethod, error) {
	return intercept(ctx, p, "AddCard", req.Key, func(ctx context.Context) (billing.PaymentMethod, error) {
		return p.Provider.AddCard(ctx, req)
	})
}

// SetDefaultCard implements Provider.
func (p intercepted) SetDefaultCard(ctx context.Context, req SavedCard) (billing.Customer, error) {
	return intercept(ctx, p, "SetDefaultCard", req.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.SetDefaultCard(ctx, req)
	})
}

// DeleteCard implements Provider.
func (p intercepted) DeleteCard(ctx context.Context, req SavedCard) error {
	return p.interceptor(ctx, Call{Method: "DeleteCard", Key: req.Key}, func(ctx context.Context) error { return p.Provider.DeleteCard(ctx, req) })
}

// SetUpMethod implements Provider.
func (p intercepted) SetUpMethod(ctx context.Context, req MethodSetup) (billing.NextAction, error) {
	return intercept(ctx, p, "SetUpMethod", req.Key, func(ctx context.Context) (billing.NextAction, error) {
		return p.Provider.SetUpMethod(ctx, req)
	})
}

// Retire implements Provider.
func (p intercepted) Retire(ctx context.Context, req Retirement) error {
	return p.interceptor(ctx, Call{Method: "Retire"}, func(ctx context.Context) error { return p.Provider.Retire(ctx, req) })
}

// Subscribe implements Provider.
func (p intercepted) Subscribe(ctx context.Context, req NewSubscription) (billing.Subscription, error) {
	return intercept(ctx, p, "Subscribe", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscribe(ctx, req)
	})
}

// Subscription implements Provider.
func (p intercepted) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return intercept(ctx, p, "Subscription", "", func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.Subscription(ctx, id)
	})
}

// ListSubscriptions implements Provider.
func (p intercepted) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	return intercept(ctx, p, "ListSubscriptions", "", func(ctx context.Context) ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	})
}

// PayInvoice implements Provider.
func (p intercepted) PayInvoice(ctx context.Context, req InvoicePayment) (billing.Subscription, error) {
	return intercept(ctx, p, "PayInvoice", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.PayInvoice(ctx, req)
	})
}

// ChangePlan implements Provider.
func (p intercepted) ChangePlan(ctx context.Context, req PriceChange) (billing.Subscription, error) {
	return intercept(ctx, p, "ChangePlan", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.ChangePlan(ctx, req)
	})
}

// CancelPendingChange implements Provider.
func (p intercepted) CancelPendingChange(ctx context.Context, req PendingCancellation) (billing.Subscription, error) {
	return intercept(ctx, p, "CancelPendingChange", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelPendingChange(ctx, req)
	})
}

// CancelSubscription implements Provider.
func (p intercepted) CancelSubscription(ctx context.Context, req Cancellation) (billing.Subscription, error) {
	return intercept(ctx, p, "CancelSubscription", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelSubscription(ctx, req)
	})
}

// UpdateCustomer implements Provider.
func (p intercepted) UpdateCustomer(ctx context.Context, req CustomerUpdate) (billing.Customer, error) {
	return intercept(ctx, p, "UpdateCustomer", req.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.UpdateCustomer(ctx, req)
	})
}

// QuoteSubscription implements Provider.
func (p intercepted) QuoteSubscription(ctx context.Context, req NewSubscription) (billing.Quote, error) {
	return intercept(ctx, p, "QuoteSubscription", "", func(ctx context.Context) (billing.Quote, error) {
		return p.Provider.QuoteSubscription(ctx, req)
	})
}

// QuoteChange implements Provider.
func (p intercepted) QuoteChange(ctx context.Context, req PriceChange) (billing.Quote, error) {
	return intercept(ctx, p, "QuoteChange", "", func(ctx context.Context) (billing.Quote, error) {
		return p.Provider.QuoteChange(ctx, req)
	})
}

// CancelScheduledChange implements Provider.
func (p intercepted) CancelScheduledChange(ctx context.Context, req ScheduleCancellation) (billing.Subscription, error) {
	return intercept(ctx, p, "CancelScheduledChange", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.CancelScheduledChange(ctx, req)
	})
}

// SetEndAtPeriodEnd implements Provider.
func (p intercepted) SetEndAtPeriodEnd(ctx context.Context, req EndRequest) (billing.Subscription, error) {
	return intercept(ctx, p, "SetEndAtPeriodEnd", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.SetEndAtPeriodEnd(ctx, req)
	})
}

// ListInvoices implements Provider.
func (p intercepted) ListInvoices(ctx context.Context, req InvoicePage) (InvoiceList, error) {
	return intercept(ctx, p, "ListInvoices", "", func(ctx context.Context) (InvoiceList, error) {
		return p.Provider.ListInvoices(ctx, req)
	})
}

// AddCredit implements Provider.
func (p intercepted) AddCredit(ctx context.Context, req Credit) (billing.Customer, error) {
	return intercept(ctx, p, "AddCredit", req.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.AddCredit(ctx, req)
	})
}

// ExtendTrial implements Provider.
func (p intercepted) ExtendTrial(ctx context.Context, req TrialExtension) (billing.Subscription, error) {
	return intercept(ctx, p, "ExtendTrial", req.Key, func(ctx context.Context) (billing.Subscription, error) {
		return p.Provider.ExtendTrial(ctx, req)
	})
}

// Refund implements Provider.
func (p intercepted) Refund(ctx context.Context, req Refund) (billing.Invoice, error) {
	return intercept(ctx, p, "Refund", req.Key, func(ctx context.Context) (billing.Invoice, error) {
		return p.Provider.Refund(ctx, req)
	})
}

// LiftHold implements Provider.
func (p intercepted) LiftHold(ctx context.Context, req HoldLift) (billing.Customer, error) {
	return intercept(ctx, p, "LiftHold", req.Key, func(ctx context.Context) (billing.Customer, error) {
		return p.Provider.LiftHold(ctx, req)
	})
}

// ReturnedPayments implements Provider.
func (p intercepted) ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error) {
	return intercept(ctx, p, "ReturnedPayments", "", func(ctx context.Context) ([]billing.ReturnedPayment, error) {
		return p.Provider.ReturnedPayments(ctx, customerID)
	})
}

// InvoicePDF implements Provider.
func (p intercepted) InvoicePDF(ctx context.Context, customerID, invoiceID string) (InvoiceDocument, error) {
	return intercept(ctx, p, "InvoicePDF", "", func(ctx context.Context) (InvoiceDocument, error) {
		return p.Provider.InvoicePDF(ctx, customerID, invoiceID)
	})
}
