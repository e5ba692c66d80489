package stripepayment

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// metaHold holds why the subscription is on hold, followed by the ids of the charges: "refunded ch_1".
// It is written when the adapter refunds a charge, when an event reports a refunded or disputed charge,
// and when one is found before a plan change. An operator lifts a hold in Stripe's dashboard by
// replacing the first word with "lifted"; another charge sets it again.
const metaHold = "hold"

// maxHeldCharges limits the value of metaHold to Stripe's 500 characters.
const maxHeldCharges = 12

// holdOf returns the hold that was written to the subscription.
func holdOf(s *stripe.Subscription) billing.Hold {
	word, _, _ := strings.Cut(s.Metadata[metaHold], " ")
	if hold := billing.Hold(word); hold == billing.HoldDisputed || hold == billing.HoldRefunded {
		return hold
	}
	return billing.NoHold
}

// holdFor returns the hold that the charge is a reason for.
func holdFor(c *stripe.Charge) billing.Hold {
	switch {
	case c.Disputed:
		return billing.HoldDisputed
	case c.AmountRefunded > 0:
		return billing.HoldRefunded
	}
	return billing.NoHold
}

// isKnownHold reports whether the value of metaHold accounts for the charge, so that it does not set a
// hold again that was lifted. A refund does not account for a dispute.
func isKnownHold(value string, hold billing.Hold, chargeID string) bool {
	word, ids, _ := strings.Cut(value, " ")
	return slices.Contains(strings.Fields(ids), chargeID) && (word != string(billing.HoldRefunded) || hold != billing.HoldDisputed)
}

// addHold returns the value of metaHold with the charge added. A dispute takes precedence over a refund.
func addHold(value string, hold billing.Hold, chargeID string) string {
	word, ids, _ := strings.Cut(value, " ")
	charges := strings.Fields(ids)
	if word == string(billing.HoldDisputed) {
		hold = billing.HoldDisputed
	}
	charges = append(slices.DeleteFunc(charges, func(id string) bool { return id == chargeID }), chargeID)
	charges = charges[max(len(charges)-maxHeldCharges, 0):]
	return string(hold) + " " + strings.Join(charges, " ")
}

// saveHold writes the hold to the subscription. It may be repeated, so it has a key of its own.
func (p *Provider) saveHold(ctx context.Context, s *stripe.Subscription, hold billing.Hold, chargeID string) error {
	params := &stripe.SubscriptionUpdateParams{Metadata: metadata(metaHold, addHold(s.Metadata[metaHold], hold, chargeID))}
	params.SetIdempotencyKey(newKey())
	_, err := p.stripe.V1Subscriptions.Update(ctx, s.ID, params)
	return p.fault(ctx, "put on hold", err)
}

// checkCharges refuses a change if a charge for one of the invoices was refunded or disputed, and
// writes the hold. An event reports it too, but may be late or not delivered at all.
func (p *Provider) checkCharges(ctx context.Context, s *stripe.Subscription, invoices []*stripe.Invoice) error {
	payments := paymentsOf(invoices)
	if len(payments) == 0 {
		return nil // nothing was charged yet, as in a trial
	}
	params := &stripe.ChargeListParams{Customer: &s.Customer.ID}
	params.Limit = new(int64(pageSize))
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list charges", err)
		}
		hold := holdFor(charge)
		if hold == billing.NoHold || charge.PaymentIntent == nil || !slices.Contains(payments, charge.PaymentIntent.ID) {
			continue
		}
		if !isKnownHold(s.Metadata[metaHold], hold, charge.ID) {
			return cmp.Or(p.saveHold(ctx, s, hold, charge.ID), billing.ErrHold())
		}
	}
	return nil
}

// paymentsOf returns the ids of the payments of the invoices.
func paymentsOf(invoices []*stripe.Invoice) []string {
	var ids []string
	for _, inv := range invoices {
		if paid := currentPayment(inv); paid != nil {
			ids = append(ids, paid.Payment.PaymentIntent.ID)
		}
	}
	return ids
}

// holdByPayment puts the subscription on hold whose invoice was paid with the payment, and returns
// the invoice. It returns nil for a payment that was not for an invoice.
func (p *Provider) holdByPayment(ctx context.Context, hold billing.Hold, paymentID, chargeID string) (*stripe.Invoice, error) {
	params := &stripe.InvoicePaymentListParams{Payment: &stripe.InvoicePaymentListPaymentParams{Type: new("payment_intent"), PaymentIntent: &paymentID}}
	params.Limit = new(int64(1))
	for paid, err := range p.stripe.V1InvoicePayments.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "find invoice of payment", err)
		}
		inv, err := p.invoice(ctx, paid.Invoice.ID)
		if err != nil {
			return nil, err
		}
		if s := subscriptionOfInvoice(inv); s != nil && !hasEnded(s) && !isKnownHold(s.Metadata[metaHold], hold, chargeID) {
			err = p.saveHold(ctx, s, hold, chargeID)
		}
		return inv, err
	}
	return nil, nil //nolint:nilnil // see above
}
