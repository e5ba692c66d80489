package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ContinueSubscription pays the open invoice with the customer's default card.
func (p *Provider) ContinueSubscription(ctx context.Context, in payment.Continuation) (billing.Subscription, error) {
	return once(ctx, p, "continue", in.Key, in, func(t *tx) (billing.Subscription, error) {
		s, err := t.subscription(in.SubscriptionID)
		if err != nil {
			return billing.Subscription{}, err
		}
		if s.Status.Ended() {
			return billing.Subscription{}, fault.New(fault.Conflict, "The subscription has ended.")
		}
		if t.invoices.rows[s.Invoice].Status == invoiceOpen && t.customers.rows[s.Customer].Default == "" {
			return billing.Subscription{}, errNoCard()
		}
		t.payOpen(s)
		return t.showSubscription(t.subscriptions.rows[s.ID]), nil
	})
}
