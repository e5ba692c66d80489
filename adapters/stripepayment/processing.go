package stripepayment

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// settlementDays are the business days within which Stripe reports the success or failure of a payment, by the type of its
// method, see https://docs.stripe.com/payments/bank-debits.
var settlementDays = map[string]int{"acss_debit": 5, "au_becs_debit": 3, "bacs_debit": 7, "sepa_debit": 14,
	"us_bank_account": 4}

// setProcessing adds the method and the expected date to a payment that takes days.
func setProcessing(out *billing.Intent, charge *stripe.Charge) {
	if charge == nil || charge.PaymentMethodDetails == nil {
		return
	}
	out.ChargedMethod = chargedMethod(charge.PaymentMethodDetails)
	if days, known := settlementDays[string(charge.PaymentMethodDetails.Type)]; known {
		out.ExpectedBy = addBusinessDays(timeOf(charge.Created), days)
	}
}

// addBusinessDays adds days other than Saturday and Sunday.
func addBusinessDays(t time.Time, days int) time.Time {
	for days > 0 {
		t = t.AddDate(0, 0, 1)
		if t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			days--
		}
	}
	return t
}

// isProcessing reports whether the payment of the invoice is on its way. It reads the payment of an open invoice.
func (p *Provider) isProcessing(ctx context.Context, inv *stripe.Invoice) (bool, error) {
	if !isOpen(inv) {
		return false, nil
	}
	payment, _, err := p.paymentOf(ctx, inv)
	return payment != nil && payment.Status == billing.Processing, err
}

// checkNotProcessing returns Conflict while the payment of the open invoice is on its way.
func (p *Provider) checkNotProcessing(ctx context.Context, inv *stripe.Invoice) error {
	processing, err := p.isProcessing(ctx, inv)
	if err == nil && processing {
		err = billing.ErrPaymentProcessing()
	}
	return err
}

// withoutDeadlines returns the subscription whose payment is on its way without the times at which Stripe would charge
// again, discard the change or end the plan: none of this happens before the payment has arrived or failed.
func withoutDeadlines(s billing.Subscription) billing.Subscription {
	s.PlanEndsAt, s.LatestInvoice.NextAttemptAt = time.Time{}, time.Time{}
	if s.Pending != nil {
		s.Pending.ExpiresAt = time.Time{}
	}
	return s
}

func errPaymentUnderWay() error {
	return fault.New(fault.Conflict, "A payment is on its way. Please try again in a moment.")
}
