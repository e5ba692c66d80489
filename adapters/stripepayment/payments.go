package stripepayment

import (
	"cmp"
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// The statuses of an invoice's payment.
const (
	paymentPaid     = "paid"
	paymentCanceled = "canceled"
)

// paymentOf rebuilds what an invoice's payment_intent used to be, nil when the invoice takes no
// payment, and why the last attempt failed, in Stripe's words for the card's holder. A payment that
// is over has nothing left for a browser to do, so its secret stays here.
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
	reason, err := p.howFar(ctx, out, inv)
	return out, reason, err
}

// howFar asks how far a payment has come, and why it failed the last time.
func (p *Provider) howFar(ctx context.Context, out *billing.Intent, inv *stripe.Invoice) (reason string, err error) {
	intent, err := p.stripe.V1PaymentIntents.Retrieve(ctx, out.ID, nil)
	if err != nil {
		return "", p.fault(ctx, "read payment", err)
	}
	if intent.LastPaymentError != nil && intent.LastPaymentError.Type == stripe.ErrorTypeCard {
		reason = intent.LastPaymentError.Msg
	}
	out.Status, out.HardDecline = billing.IntentStatus(intent.Status), isHardDecline(intent.LastPaymentError)
	if out.Status == billing.Succeeded || out.Status == billing.IntentCanceled {
		return "", nil
	}
	out.ClientSecret = intent.ClientSecret
	if inv.ConfirmationSecret != nil {
		out.ClientSecret = cmp.Or(inv.ConfirmationSecret.ClientSecret, out.ClientSecret)
	}
	return reason, nil
}

// currentPayment is the payment that settles the invoice, or is to: Stripe's default one.
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

// hardDeclineCodes are the decline codes that Stripe's documentation of retries lists as hard, except
// authentication_required, which the customer can satisfy, together with those that say that the
// account or the consent is gone.
var hardDeclineCodes = []stripe.DeclineCode{
	"lost_card", "stolen_card", "pickup_card", "incorrect_number", "highest_risk_level", "fraudulent",
	"revocation_of_authorization", "revocation_of_all_authorizations", "stop_payment_order",
	"transaction_not_allowed", "invalid_account", "expired_card",
}

// isHardDecline reports whether the error of a payment says that the card will never be accepted.
func isHardDecline(e *stripe.Error) bool {
	return e != nil && (e.Code == stripe.ErrorCodeExpiredCard || slices.Contains(hardDeclineCodes, e.DeclineCode))
}
