package payment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
)

// Call is a call to a method of Provider.
type Call struct {
	Method string // such as "Subscribe"
	Key    string // the idempotency key of a change; "" for Retire, whose key belongs to another request
}

// Interceptor handles one call. next sends the request to the provider and returns its error. The caller of the method
// gets the error of the interceptor or, if that is nil, the result of next. An interceptor that does not call next
// must return an error.
type Interceptor func(ctx context.Context, call Call, next func(context.Context) error) error

// Intercept returns a provider that passes each call to the interceptor, except those of Capabilities and ParseEvents,
// which send nothing to the provider. Its method Unwrap returns p, for callers that need the type of p.
func Intercept(p Provider, interceptor Interceptor) Provider {
	return interceptedProvider{p, interceptor}
}

// interceptedProvider passes calls to the interceptor, which decides whether to send them to Provider.
type interceptedProvider struct {
	Provider
	interceptor Interceptor
}

// Unwrap returns the provider without the interceptor.
func (p interceptedProvider) Unwrap() Provider { return p.Provider }

// intercept passes the call of a method with one argument to the interceptor.
func intercept[Arg, Result any](
	ctx context.Context, i Interceptor, call Call, method func(context.Context, Arg) (Result, error), arg Arg,
) (Result, error) {
	var result, zero Result
	err := i(ctx, call, func(ctx context.Context) (err error) {
		result, err = method(ctx, arg)
		return err
	})
	if err != nil {
		return zero, err
	}
	return result, nil
}

// CreateCustomer implements Provider.
func (p interceptedProvider) CreateCustomer(ctx context.Context, req NewCustomer) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{"CreateCustomer", req.Key}, p.Provider.CreateCustomer, req)
}

// Customer implements Provider.
func (p interceptedProvider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{Method: "Customer"}, p.Provider.Customer, id)
}

// CustomerOf implements Provider.
func (p interceptedProvider) CustomerOf(ctx context.Context, owner Owner) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{Method: "CustomerOf"}, p.Provider.CustomerOf, owner)
}

// UpdateCustomer implements Provider.
func (p interceptedProvider) UpdateCustomer(ctx context.Context, req CustomerUpdate) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{"UpdateCustomer", req.Key}, p.Provider.UpdateCustomer, req)
}

// EraseCustomer implements Provider.
func (p interceptedProvider) EraseCustomer(ctx context.Context, id string) error {
	return p.interceptor(ctx, Call{Method: "EraseCustomer"}, func(ctx context.Context) error {
		return p.Provider.EraseCustomer(ctx, id)
	})
}

// Cards implements Provider.
func (p interceptedProvider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	return intercept(ctx, p.interceptor, Call{Method: "Cards"}, p.Provider.Cards, customerID)
}

// AddCard implements Provider.
func (p interceptedProvider) AddCard(ctx context.Context, req NewCard) (billing.PaymentMethod, error) {
	return intercept(ctx, p.interceptor, Call{"AddCard", req.Key}, p.Provider.AddCard, req)
}

// SetDefaultCard implements Provider.
func (p interceptedProvider) SetDefaultCard(ctx context.Context, req SavedCardRequest) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{"SetDefaultCard", req.Key}, p.Provider.SetDefaultCard, req)
}

// DeleteCard implements Provider.
func (p interceptedProvider) DeleteCard(ctx context.Context, req SavedCardRequest) error {
	return p.interceptor(ctx, Call{"DeleteCard", req.Key}, func(ctx context.Context) error {
		return p.Provider.DeleteCard(ctx, req)
	})
}

// SetUpMethod implements Provider.
func (p interceptedProvider) SetUpMethod(ctx context.Context, req MethodSetup) (billing.NextAction, error) {
	return intercept(ctx, p.interceptor, Call{"SetUpMethod", req.Key}, p.Provider.SetUpMethod, req)
}

// Subscribe implements Provider.
func (p interceptedProvider) Subscribe(ctx context.Context, req NewSubscription) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"Subscribe", req.Key}, p.Provider.Subscribe, req)
}

// Subscription implements Provider.
func (p interceptedProvider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{Method: "Subscription"}, p.Provider.Subscription, id)
}

// ListSubscriptions implements Provider.
func (p interceptedProvider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	list := func(ctx context.Context, customerID string) ([]billing.Subscription, error) {
		return p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	}
	return intercept(ctx, p.interceptor, Call{Method: "ListSubscriptions"}, list, customerID)
}

// ChangePlan implements Provider.
func (p interceptedProvider) ChangePlan(ctx context.Context, req PriceChange) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"ChangePlan", req.Key}, p.Provider.ChangePlan, req)
}

// CancelPendingChange implements Provider.
func (p interceptedProvider) CancelPendingChange(
	ctx context.Context, req PendingChangeCancellation,
) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"CancelPendingChange", req.Key}, p.Provider.CancelPendingChange, req)
}

// CancelScheduledChange implements Provider.
func (p interceptedProvider) CancelScheduledChange(
	ctx context.Context, req ScheduledChangeCancellation,
) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"CancelScheduledChange", req.Key}, p.Provider.CancelScheduledChange, req)
}

// SetEndAtPeriodEnd implements Provider.
func (p interceptedProvider) SetEndAtPeriodEnd(ctx context.Context, req EndRequest) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"SetEndAtPeriodEnd", req.Key}, p.Provider.SetEndAtPeriodEnd, req)
}

// CancelSubscription implements Provider.
func (p interceptedProvider) CancelSubscription(ctx context.Context, req Cancellation) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"CancelSubscription", req.Key}, p.Provider.CancelSubscription, req)
}

// QuoteSubscription implements Provider.
func (p interceptedProvider) QuoteSubscription(ctx context.Context, req NewSubscription) (billing.Quote, error) {
	return intercept(ctx, p.interceptor, Call{Method: "QuoteSubscription"}, p.Provider.QuoteSubscription, req)
}

// QuoteChange implements Provider.
func (p interceptedProvider) QuoteChange(ctx context.Context, req PriceChange) (billing.Quote, error) {
	return intercept(ctx, p.interceptor, Call{Method: "QuoteChange"}, p.Provider.QuoteChange, req)
}

// PayInvoice implements Provider.
func (p interceptedProvider) PayInvoice(ctx context.Context, req InvoicePayment) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"PayInvoice", req.Key}, p.Provider.PayInvoice, req)
}

// ListInvoices implements Provider.
func (p interceptedProvider) ListInvoices(ctx context.Context, req InvoiceQuery) (InvoiceList, error) {
	return intercept(ctx, p.interceptor, Call{Method: "ListInvoices"}, p.Provider.ListInvoices, req)
}

// InvoicePDF implements Provider.
func (p interceptedProvider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (InvoiceDocument, error) {
	read := func(ctx context.Context, invoiceID string) (InvoiceDocument, error) {
		return p.Provider.InvoicePDF(ctx, customerID, invoiceID)
	}
	return intercept(ctx, p.interceptor, Call{Method: "InvoicePDF"}, read, invoiceID)
}

// CreditNotePDF implements Provider.
func (p interceptedProvider) CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (InvoiceDocument, error) {
	read := func(ctx context.Context, number string) (InvoiceDocument, error) {
		return p.Provider.CreditNotePDF(ctx, customerID, invoiceID, number)
	}
	return intercept(ctx, p.interceptor, Call{Method: "CreditNotePDF"}, read, number)
}

// AddCredit implements Provider.
func (p interceptedProvider) AddCredit(ctx context.Context, req CreditGrant) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{"AddCredit", req.Key}, p.Provider.AddCredit, req)
}

// ExtendTrial implements Provider.
func (p interceptedProvider) ExtendTrial(ctx context.Context, req TrialExtension) (billing.Subscription, error) {
	return intercept(ctx, p.interceptor, Call{"ExtendTrial", req.Key}, p.Provider.ExtendTrial, req)
}

// Refund implements Provider.
func (p interceptedProvider) Refund(ctx context.Context, req RefundRequest) (billing.Invoice, error) {
	return intercept(ctx, p.interceptor, Call{"Refund", req.Key}, p.Provider.Refund, req)
}

// LiftHold implements Provider.
func (p interceptedProvider) LiftHold(ctx context.Context, req HoldLift) (billing.Customer, error) {
	return intercept(ctx, p.interceptor, Call{"LiftHold", req.Key}, p.Provider.LiftHold, req)
}

// ReturnedPayments implements Provider.
func (p interceptedProvider) ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error) {
	return intercept(ctx, p.interceptor, Call{Method: "ReturnedPayments"}, p.Provider.ReturnedPayments, customerID)
}

// Retire implements Provider.
func (p interceptedProvider) Retire(ctx context.Context, req Retirement) error {
	return p.interceptor(ctx, Call{Method: "Retire"}, func(ctx context.Context) error {
		return p.Provider.Retire(ctx, req)
	})
}
