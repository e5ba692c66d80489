package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// PayInvoice charges an open or uncollectible invoice to the given payment method or to the customer's default one. It
// returns the resulting subscription, also if the payment was declined or needs authentication, or if the invoice was
// paid before.
func (p *Provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	inv, err := p.readInvoice(ctx, req.InvoiceID)
	if err != nil {
		return billing.Subscription{}, err
	}
	sub := subscriptionOfInvoice(inv)
	if sub == nil {
		return billing.Subscription{}, errNotFound("invoice") // an operator's invoice without a subscription
	}
	if inv.Status != stripe.InvoiceStatusPaid {
		if err := p.chargeInvoice(ctx, req, inv, sub); err != nil {
			return billing.Subscription{}, err
		}
	}
	return p.Subscription(ctx, sub.ID)
}

// readInvoice reads an invoice with its customer and its subscription, and expands further paths. The customer's default
// payment method contains only its id.
func (p *Provider) readInvoice(ctx context.Context, id string, expand ...string) (*stripe.Invoice, error) {
	if err := checkID(id, "invoice"); err != nil {
		return nil, err
	}
	params := &stripe.InvoiceRetrieveParams{}
	params.AddExpand("customer")
	params.AddExpand("parent.subscription_details.subscription")
	for _, path := range expand {
		params.AddExpand(path)
	}
	inv, err := p.stripe.V1Invoices.Retrieve(ctx, id, params)
	return inv, p.logFault(ctx, "read invoice", err)
}

// subscriptionOfInvoice returns the subscription that the invoice is for, or nil.
func subscriptionOfInvoice(inv *stripe.Invoice) *stripe.Subscription {
	if inv.Parent == nil || inv.Parent.SubscriptionDetails == nil {
		return nil
	}
	return inv.Parent.SubscriptionDetails.Subscription
}

// chargeInvoice charges the invoice. off_session=false means that the customer is present; otherwise Stripe would
// decline a card that needs authentication. chargeInvoice also returns nil if the card was declined or needs
// authentication, or if the invoice is already paid. It returns Conflict if the invoice can't be paid any more.
func (p *Provider) chargeInvoice(
	ctx context.Context, req payment.InvoicePayment, inv *stripe.Invoice, sub *stripe.Subscription,
) error {
	switch {
	case !isPayable(inv), !req.Allows(statusOf(sub)):
		return errNotPayable()
	case invoiceOf(inv, nil).AmountRemaining() != req.Amount:
		return fault.New(fault.Conflict, "Another amount is due.")
	}
	methodID, err := p.chooseMethodID(ctx, req, inv.Customer)
	if err != nil {
		return err
	}
	params := &stripe.InvoicePayParams{PaymentMethod: &methodID, OffSession: new(false)}
	params.SetIdempotencyKey(req.Key)
	if _, err = p.stripe.V1Invoices.Pay(ctx, inv.ID, params); err == nil {
		return nil
	}
	f := failureOf(err)
	keyErr := p.logKeyFault(ctx, "pay invoice", inv.Customer.ID, req.Key, err)
	switch {
	case f.errorType == stripe.ErrorTypeCard:
		return nil
	case f.isRefused() || f.isMissing():
		return p.checkRefusedInvoice(ctx, inv.ID)
	}
	return keyErr
}

// chooseMethodID returns the id of the request's payment method, which must be the customer's, or else the id of the
// customer's default one.
func (p *Provider) chooseMethodID(ctx context.Context, req payment.InvoicePayment, c *stripe.Customer) (string, error) {
	if req.MethodID != "" {
		return req.MethodID, p.checkMethodOfCustomer(ctx, c.ID, req.MethodID)
	}
	method := defaultMethodOf(c)
	if method == nil {
		return "", errNoCard()
	}
	return method.ID, nil
}

// checkRefusedInvoice reads an invoice that Stripe has refused to charge. It returns Conflict if the invoice can't be
// paid any more or its payment is processing. It returns nil if the invoice is paid or its payment waits for the
// customer's approval, and otherwise Declined, because another payment method may be accepted.
func (p *Provider) checkRefusedInvoice(ctx context.Context, id string) error {
	inv, err := p.readInvoice(ctx, id, "payments")
	switch {
	case err != nil:
		return err
	case inv.Status == stripe.InvoiceStatusPaid:
		return nil
	case !isPayable(inv):
		return errNotPayable()
	}
	intent, _, err := p.paymentOf(ctx, inv)
	switch {
	case err != nil:
		return err
	case intent != nil && intent.Status == billing.Processing:
		return billing.ErrPaymentProcessing()
	case intent != nil && slices.Contains(continuedStatuses, intent.Status):
		return nil
	}
	return fault.New(fault.Declined, "Your payment method was not accepted for this invoice, and nothing was charged. "+
		"Please use another one, or contact us.")
}

// continuedStatuses contains the statuses of a payment that the browser continues or that was just made.
var continuedStatuses = []billing.IntentStatus{billing.RequiresAction, billing.RequiresConfirmation, billing.Succeeded}

func errNotPayable() error { return fault.New(fault.Conflict, "The invoice can't be paid any more.") }

func isOpen(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusOpen }

// isPayable reports whether Stripe accepts a payment of the invoice. Stripe accepts it also for an uncollectible invoice.
func isPayable(inv *stripe.Invoice) bool {
	return inv != nil && billing.InvoiceStatus(inv.Status).IsPayable()
}

// invoiceOf converts an invoice without its lines and without returned payments.
func invoiceOf(inv *stripe.Invoice, payment *billing.Intent) *billing.Invoice {
	amount := func(units int64) money.Amount { return fromStripeUnits(units, currencyCode(inv.Currency)) }
	return &billing.Invoice{
		ID: inv.ID, Status: billing.InvoiceStatus(inv.Status), Total: amount(inv.Total),
		CreditUsed: amount(usedCreditOf(inv) - carriedForwardOf(inv)), CarriedForward: amount(carriedForwardOf(inv)),
		AmountDue: amount(inv.AmountDue), AmountPaid: amount(paidUnitsOf(inv)), Tax: taxOf(inv),
		CreatedAt: timeOf(inv.Created), NextAttemptAt: timeOf(inv.NextPaymentAttempt), Payment: payment,
	}
}

// carriedForwardOf returns the part of the total that is due with the next invoice, because it was too small to be charged.
func carriedForwardOf(inv *stripe.Invoice) int64 {
	if usedCreditOf(inv) <= 0 {
		return 0
	}
	return engine.CarriedForward(-inv.StartingBalance, -inv.EndingBalance)
}

// paidUnitsOf returns the amount that was paid, in Stripe's units. Stripe may leave amount_paid at 0 for an invoice that an
// operator has marked as paid outside of Stripe.
func paidUnitsOf(inv *stripe.Invoice) int64 {
	if inv.Status == stripe.InvoiceStatusPaid {
		return max(inv.AmountPaid, inv.AmountDue)
	}
	return inv.AmountPaid
}

// usedCreditOf returns the decrease of the customer's credit, which can become negative. Stripe counts credit as a
// negative balance. A void invoice has given its credit back, although Stripe still reports the balances of its
// finalisation.
func usedCreditOf(inv *stripe.Invoice) int64 {
	if inv.Status == stripe.InvoiceStatusVoid || inv.Status == stripe.InvoiceStatusDraft {
		return 0
	}
	return inv.EndingBalance - inv.StartingBalance
}
