package apptest

import (
	"context"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Provider is a payment provider with what customers, banks and operators do outside of the application.
type Provider interface {
	payment.Provider
	ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
	// CreatePaymentMethod creates a card or bank account, as the card form in a browser does.
	CreatePaymentMethod(ctx context.Context, entry fakepayment.CardEntry) (billing.PaymentMethod, error)
	// Confirm completes, fails or repeats the authentication of an intent, as the browser does.
	Confirm(ctx context.Context, req fakepayment.Confirmation) (billing.Intent, error)
	DeleteCustomer(ctx context.Context, id string) error
	Dispute(ctx context.Context, invoiceID string) error
	CloseDispute(ctx context.Context, invoiceID string, won bool) error
	// Tick processes everything that is due.
	Tick(ctx context.Context) error
	// Drain waits until all events are in the queue.
	Drain(ctx context.Context) error

	// The methods below are of the fake provider, and of the fake Stripe API, which serves its state.

	CancelKeepingInvoice(ctx context.Context, subscriptionID string) error
	ChargeInvoice(ctx context.Context, invoiceID, cardID string) error
	MarkPaidOutside(ctx context.Context, invoiceID string) error
	VoidInvoice(ctx context.Context, invoiceID string) error
	RefundKeepingCredit(ctx context.Context, invoiceID string, amount money.Amount) error
	OpenDisputeWithoutHold(ctx context.Context, invoiceID string) error
	CloseDisputeKeepingCredit(ctx context.Context, invoiceID string, won bool) error
	Read(ctx context.Context, fn func(fakepayment.Snapshot) error) error
}

var _ Provider = (*fakepayment.Provider)(nil)

// FakeProvider returns the fake provider, whose state the fake Stripe API serves. If the Env has another one, the fake
// replaces it, so call FakeProvider before the first user signs up.
func (e *Env) FakeProvider() *fakepayment.Provider {
	e.t.Helper()
	p, ok := e.Provider.(*fakepayment.Provider)
	if !ok {
		p = e.startProvider(nil)
		e.Provider = p
		e.App = e.NewApp(e.Store, p)
	}
	return p
}
