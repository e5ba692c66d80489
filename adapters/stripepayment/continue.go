package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ContinueSubscription pays the open invoice with the customer's default card. How that went is
// told by the subscription as it then is, not by what the payment was answered.
func (p *Provider) ContinueSubscription(ctx context.Context, in payment.Continuation) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, in.SubscriptionID, "customer")
	if err != nil {
		return billing.Subscription{}, err
	}
	switch {
	case statusOf(found).Ended():
		return billing.Subscription{}, fault.New(fault.Conflict, "The subscription has ended.")
	case !payable(found.LatestInvoice):
		return p.subscriptionOf(ctx, found)
	case defaultOf(found.Customer) == nil:
		return billing.Subscription{}, errNoCard()
	}
	if err := p.pay(ctx, in.Key, found); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, in.SubscriptionID)
}

func payable(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusOpen }

// pay has the invoice paid while the card's holder is at hand: without saying so, Stripe would
// decline a card that wants authentication. A declined card, an authentication that is wanted, and
// an invoice that somebody has paid meanwhile are no failures here.
func (p *Provider) pay(ctx context.Context, key string, s *stripe.Subscription) error {
	params := &stripe.InvoicePayParams{
		PaymentMethod: stripe.String(defaultOf(s.Customer).ID), OffSession: new(false),
	}
	params.SetIdempotencyKey(key)
	_, err := p.stripe.V1Invoices.Pay(ctx, s.LatestInvoice.ID, params)
	if err == nil {
		return nil
	}
	why := failureOf(err)
	out := p.fault(ctx, "pay invoice", err)
	if why.kind == stripe.ErrorTypeCard || why.refused() || why.missing() {
		return nil
	}
	return out
}
