package stripepayment

import (
	"cmp"
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// PayInvoice charges an open invoice to the named card or to the customer's default. The result is
// the subscription as it is afterwards, whatever the response to the payment was.
func (p *Provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	inv, err := p.invoice(ctx, req.InvoiceID)
	if err != nil {
		return billing.Subscription{}, err
	}
	subscription := subscriptionOfInvoice(inv)
	if subscription == nil {
		return billing.Subscription{}, errNotFound("invoice") // a one-off invoice
	}
	if inv.Status != stripe.InvoiceStatusPaid {
		if err := p.chargeInvoice(ctx, req, inv, subscription); err != nil {
			return billing.Subscription{}, err
		}
	}
	return p.Subscription(ctx, subscription.ID)
}

// invoice reads an invoice with its customer, including the default card, and its subscription.
func (p *Provider) invoice(ctx context.Context, id string, more ...string) (*stripe.Invoice, error) {
	if err := checkID(id, "invoice"); err != nil {
		return nil, err
	}
	params := &stripe.InvoiceRetrieveParams{}
	params.AddExpand("customer")
	params.AddExpand("parent.subscription_details.subscription")
	for _, path := range more {
		params.AddExpand(path)
	}
	found, err := p.stripe.V1Invoices.Retrieve(ctx, id, params)
	return found, p.fault(ctx, "read invoice", err)
}

// subscriptionOfInvoice returns the subscription that the invoice bills, or nil.
func subscriptionOfInvoice(inv *stripe.Invoice) *stripe.Subscription {
	if inv.Parent == nil || inv.Parent.SubscriptionDetails == nil {
		return nil
	}
	return inv.Parent.SubscriptionDetails.Subscription
}

// chargeInvoice pays the invoice. off_session=false says that the customer is present; otherwise Stripe
// would decline a card that needs authentication. A declined card, a required authentication and an
// invoice paid meanwhile are not errors; an invoice that was voided meanwhile is a Conflict.
func (p *Provider) chargeInvoice(
	ctx context.Context, req payment.InvoicePayment, inv *stripe.Invoice, subscription *stripe.Subscription,
) error {
	switch {
	case !isOpen(inv), !req.Allows(statusOf(subscription)):
		return errNotPayable()
	case invoiceOf(inv, nil).Remaining() != req.Amount:
		return fault.New(fault.Conflict, "Another amount is due.")
	}
	card := req.MethodID
	if card == "" {
		defaultCard := defaultCardOf(inv.Customer)
		if defaultCard == nil {
			return errNoCard()
		}
		card = defaultCard.ID
	} else if err := p.checkOwnCard(ctx, inv.Customer.ID, card); err != nil {
		return err
	}
	params := &stripe.InvoicePayParams{PaymentMethod: &card, OffSession: new(false)}
	params.SetIdempotencyKey(req.Key)
	_, err := p.stripe.V1Invoices.Pay(ctx, inv.ID, params)
	if err == nil {
		return nil
	}
	f := failureOf(err)
	out := p.keyFault(ctx, "pay invoice", inv.Customer.ID, req.Key, err)
	switch {
	case f.kind == stripe.ErrorTypeCard:
		return nil
	case f.isRefused() || f.isMissing():
		return p.checkPayable(ctx, inv.ID)
	}
	return out
}

// checkPayable returns Conflict if Stripe has refused to charge the invoice because it was voided or given up, for example
// because the subscription has ended since the invoice was read, or because its payment is on its way.
func (p *Provider) checkPayable(ctx context.Context, id string) error {
	inv, err := p.invoice(ctx, id, "payments")
	switch {
	case err != nil:
		return err
	case isOpen(inv):
		return p.checkNotProcessing(ctx, inv)
	case inv.Status != stripe.InvoiceStatusPaid:
		return errNotPayable()
	}
	return nil
}

func errNotPayable() error { return fault.New(fault.Conflict, "The invoice can't be paid any more.") }

func isOpen(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusOpen }

// Statuses of an invoice payment.
const (
	paymentPaid     = "paid"
	paymentCanceled = "canceled"
)

// paymentOf returns the invoice's payment, or nil if it needs none, and why the last attempt
// failed, in Stripe's words for the card's holder. It leaves out the client secret of a completed
// payment.
func (p *Provider) paymentOf(ctx context.Context, inv *stripe.Invoice) (*billing.Intent, string, error) {
	payment := currentPayment(inv)
	if payment == nil {
		return nil, "", nil
	}
	out := &billing.Intent{ID: payment.Payment.PaymentIntent.ID}
	switch payment.Status {
	case paymentPaid:
		out.Status = billing.Succeeded
		return out, "", nil
	case paymentCanceled:
		out.Status = billing.IntentCanceled
		return out, "", nil
	}
	reason, err := p.readPayment(ctx, out, inv)
	return out, reason, err
}

// readPayment reads the payment intent's status and why its last attempt failed.
func (p *Provider) readPayment(ctx context.Context, out *billing.Intent, inv *stripe.Invoice) (reason string, err error) {
	params := &stripe.PaymentIntentRetrieveParams{}
	params.AddExpand("latest_charge")
	intent, err := p.stripe.V1PaymentIntents.Retrieve(ctx, out.ID, params)
	if err != nil {
		return "", p.fault(ctx, "read payment", err)
	}
	if intent.LastPaymentError != nil && intent.LastPaymentError.Type == stripe.ErrorTypeCard {
		reason = intent.LastPaymentError.Msg
	}
	out.Status, out.HardDecline = billing.IntentStatus(intent.Status), isHardDecline(intent.LastPaymentError)
	if out.Status == billing.Processing {
		setProcessing(out, intent.LatestCharge)
	}
	if out.Status == billing.Succeeded || out.Status == billing.IntentCanceled {
		return "", nil
	}
	out.ClientSecret = intent.ClientSecret
	if inv.ConfirmationSecret != nil {
		out.ClientSecret = cmp.Or(inv.ConfirmationSecret.ClientSecret, out.ClientSecret)
	}
	return reason, nil
}

// currentPayment returns the invoice's default payment, or its only one.
func currentPayment(inv *stripe.Invoice) *stripe.InvoicePayment {
	if inv.Payments == nil {
		return nil
	}
	var found *stripe.InvoicePayment
	for _, payment := range inv.Payments.Data {
		if payment.Payment == nil || payment.Payment.PaymentIntent == nil {
			continue
		}
		if found == nil || payment.IsDefault {
			found = payment
		}
	}
	return found
}

// hardDeclineCodes are the decline codes that Stripe documents as hard, except
// authentication_required, which the customer can satisfy, together with those that say that the
// account or the consent is gone.
var hardDeclineCodes = []stripe.DeclineCode{
	"lost_card", "stolen_card", "pickup_card", "incorrect_number", "highest_risk_level", "fraudulent",
	"revocation_of_authorization", "revocation_of_all_authorizations", "stop_payment_order",
	"transaction_not_allowed", "invalid_account", "expired_card",
}

// isHardDecline reports whether the card will never be accepted.
func isHardDecline(e *stripe.Error) bool {
	return e != nil && (e.Code == stripe.ErrorCodeExpiredCard || slices.Contains(hardDeclineCodes, e.DeclineCode))
}
