package stripepayment

import (
	"cmp"
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Statuses of Stripe's invoice payments.
const (
	invoicePaymentPaid     = "paid"
	invoicePaymentCanceled = "canceled"
)

// decline describes the last attempt of a payment if it was declined. Otherwise it is the zero value.
type decline struct {
	reason          string // Stripe's message for the cardholder
	isDelayedMethod bool   // settlementDays contains the method
}

// paymentOf returns the invoice's payment, or nil if there is none, and the decline of its last attempt. A completed
// payment has neither a decline nor a client secret.
func (p *Provider) paymentOf(ctx context.Context, inv *stripe.Invoice) (*billing.Intent, decline, error) {
	invoicePayment := currentPayment(inv)
	if invoicePayment == nil {
		return nil, decline{}, nil
	}
	id := invoicePayment.Payment.PaymentIntent.ID
	switch invoicePayment.Status {
	case invoicePaymentPaid:
		return &billing.Intent{ID: id, Status: billing.Succeeded}, decline{}, nil
	case invoicePaymentCanceled:
		return &billing.Intent{ID: id, Status: billing.IntentCanceled}, decline{}, nil
	}
	return p.readPayment(ctx, id, inv.ConfirmationSecret)
}

// readPayment reads a payment intent and returns it as paymentOf does. The client secret in the invoice's confirmation
// secret takes precedence over the client secret of the payment intent.
func (p *Provider) readPayment(
	ctx context.Context, id string, confirmation *stripe.InvoiceConfirmationSecret,
) (payment *billing.Intent, d decline, err error) {
	params := &stripe.PaymentIntentRetrieveParams{}
	params.AddExpand("latest_charge")
	pi, err := p.stripe.V1PaymentIntents.Retrieve(ctx, id, params)
	if err != nil {
		return nil, decline{}, p.logFault(ctx, "read payment", err)
	}
	payment = &billing.Intent{
		ID: id, Status: billing.IntentStatus(pi.Status), HardDecline: isHardDecline(pi),
	}
	switch payment.Status {
	case billing.Succeeded, billing.IntentCanceled:
		return payment, decline{}, nil
	case billing.Processing:
		setProcessingDetails(payment, pi.LatestCharge)
	}
	payment.ClientSecret = pi.ClientSecret
	if confirmation != nil {
		payment.ClientSecret = cmp.Or(confirmation.ClientSecret, pi.ClientSecret)
	}
	if pi.LastPaymentError != nil && pi.LastPaymentError.Type == stripe.ErrorTypeCard {
		d.reason, payment.LastFailure = pi.LastPaymentError.Msg, lastFailureOf(pi)
		if method := pi.LastPaymentError.PaymentMethod; method != nil {
			_, d.isDelayedMethod = settlementDays[string(method.Type)]
		}
	}
	return payment, d, nil
}

// lastFailureOf returns the failed attempt of a payment intent that has an error. Its time is unknown if the attempt failed
// before the charge.
func lastFailureOf(pi *stripe.PaymentIntent) billing.FailedAttempt {
	failure := billing.FailedAttempt{}
	if method := pi.LastPaymentError.PaymentMethod; method != nil && !needsAuthentication(pi.LastPaymentError) {
		failure.MethodID = method.ID
	}
	if c := lastFailedCharge(pi); c != nil {
		failure.At = timeOf(c.Created)
	}
	return failure
}

// currentPayment returns the invoice's default payment, or else the first one with a payment intent, or nil.
func currentPayment(inv *stripe.Invoice) *stripe.InvoicePayment {
	if inv.Payments == nil {
		return nil
	}
	var payment *stripe.InvoicePayment
	for _, invoicePayment := range inv.Payments.Data {
		if invoicePayment.Payment == nil || invoicePayment.Payment.PaymentIntent == nil {
			continue
		}
		if payment == nil || invoicePayment.IsDefault {
			payment = invoicePayment
		}
	}
	return payment
}

// settlementDays contains the number of business days within which Stripe reports the success or failure of a bank debit,
// by the type of the payment method, see https://docs.stripe.com/payments/bank-debits.
var settlementDays = map[string]int{"acss_debit": 5, "au_becs_debit": 3, "bacs_debit": 7, "sepa_debit": 14,
	"us_bank_account": 4}

// setProcessingDetails adds the charged method, and the date by which Stripe reports the outcome, to a payment that is
// processing.
func setProcessingDetails(payment *billing.Intent, charge *stripe.Charge) {
	if charge == nil || charge.PaymentMethodDetails == nil {
		return
	}
	payment.ChargedMethod = chargedMethodOf(charge.PaymentMethodDetails)
	if days, ok := settlementDays[string(charge.PaymentMethodDetails.Type)]; ok {
		payment.ExpectedBy = addBusinessDays(timeOf(charge.Created), days)
	}
}

// addBusinessDays returns t plus the number of days, not counting Saturdays and Sundays.
func addBusinessDays(t time.Time, days int) time.Time {
	for days > 0 {
		t = t.AddDate(0, 0, 1)
		if t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			days--
		}
	}
	return t
}

// isProcessing reports whether the payment of the invoice is processing. It reads the payment intent if the invoice can
// be paid.
func (p *Provider) isProcessing(ctx context.Context, inv *stripe.Invoice) (bool, error) {
	if !isPayable(inv) {
		return false, nil
	}
	payment, _, err := p.paymentOf(ctx, inv)
	return payment != nil && payment.Status == billing.Processing, err
}

// clearDeadlines clears the times at which Stripe would charge again, discard the pending change or end the plan. Stripe
// does none of this while the payment of the latest invoice is processing.
func clearDeadlines(s *billing.Subscription) {
	s.UnpaidEndsAt, s.LatestInvoice.NextAttemptAt = time.Time{}, time.Time{}
	if s.Pending != nil {
		s.Pending.ExpiresAt = time.Time{}
	}
}

func errPaymentInProgress() error {
	return fault.Wrap(billing.ErrInProgress, fault.Conflict, "A payment is on its way. Please try again in a moment.")
}
