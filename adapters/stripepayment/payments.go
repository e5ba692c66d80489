package stripepayment

import (
	"cmp"
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// The statuses of an invoice's payment.
const (
	paymentPaid     = "paid"
	paymentCanceled = "canceled"
)

// paymentOf rebuilds what an invoice's payment_intent used to be: nil when the invoice takes no
// payment. A payment that is over has nothing left for a browser to do, so its secret stays here.
func (p *Provider) paymentOf(ctx context.Context, inv *stripe.Invoice) (*billing.Intent, error) {
	payment := currentPayment(inv)
	if payment == nil {
		return nil, nil
	}
	out := &billing.Intent{ID: payment.Payment.PaymentIntent.ID}
	switch payment.Status {
	case paymentPaid:
		out.Status = billing.Succeeded
		return out, nil
	case paymentCanceled:
		out.Status = billing.IntentCanceled
		return out, nil
	}
	return out, p.howFar(ctx, out, inv)
}

// howFar asks how far a payment has come.
func (p *Provider) howFar(ctx context.Context, out *billing.Intent, inv *stripe.Invoice) error {
	intent, err := p.stripe.V1PaymentIntents.Retrieve(ctx, out.ID, nil)
	if err != nil {
		return p.fault(ctx, "read payment", err)
	}
	out.Status = billing.IntentStatus(intent.Status)
	if out.Status == billing.Succeeded || out.Status == billing.IntentCanceled {
		return nil
	}
	out.ClientSecret = intent.ClientSecret
	if inv.ConfirmationSecret != nil {
		out.ClientSecret = cmp.Or(inv.ConfirmationSecret.ClientSecret, out.ClientSecret)
	}
	return nil
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
