package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// metaCancellation is the key under which a subscription was canceled.
const metaCancellation = "cancellation"

// CancelSubscription ends the subscription now, and what was still to be paid is not to be paid
// any more.
func (p *Provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.claim(ctx, in)
	if err != nil {
		return billing.Subscription{}, err
	}
	if over(found) {
		return p.subscriptionOf(ctx, found)
	}
	ended, err := p.end(ctx, in.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.voided(ctx, in, ended)
}

// claim writes the key down on the subscription. Stripe heeds no key on the request that cancels,
// and by this one it refuses a key that was used for another subscription. Where the subscription
// lets nothing be written any more it is only read.
func (p *Provider) claim(ctx context.Context, in payment.Cancellation) (*stripe.Subscription, error) {
	if err := known(in.SubscriptionID, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionUpdateParams{Metadata: metadata(metaCancellation, in.Key), Expand: shown("")}
	params.SetIdempotencyKey(in.Key)
	found, err := p.stripe.V1Subscriptions.Update(ctx, in.SubscriptionID, params)
	if err == nil {
		return found, nil
	}
	return p.alreadyOver(ctx, in.SubscriptionID, "claim cancellation", err)
}

// alreadyOver is the subscription when it is over, which explains why Stripe refused to work on
// it: an earlier try ended it, or somebody else. Else it is the refusal.
func (p *Provider) alreadyOver(ctx context.Context, id, doing string, refusal error) (*stripe.Subscription, error) {
	why := failureOf(refusal)
	out := p.fault(ctx, doing, refusal)
	if !why.missing() && !why.refused() {
		return nil, out
	}
	found, err := p.subscription(ctx, id)
	if err == nil && !over(found) {
		err = out
	}
	return found, err
}

// over reports whether there is nothing left to cancel. An unpaid subscription still goes on.
func over(s *stripe.Subscription) bool {
	return s.Status == stripe.SubscriptionStatusCanceled || s.Status == stripe.SubscriptionStatusIncompleteExpired
}

// end cancels the subscription.
func (p *Provider) end(ctx context.Context, id string) (*stripe.Subscription, error) {
	ended, err := p.stripe.V1Subscriptions.Cancel(ctx, id, &stripe.SubscriptionCancelParams{Expand: shown("")})
	if err == nil {
		return ended, nil
	}
	return p.alreadyOver(ctx, id, "cancel", err)
}

// voided makes the last bill one that can't be paid any more: Stripe leaves it open unless it was
// the first one, and money for an ended subscription would buy nothing.
func (p *Provider) voided(ctx context.Context, in payment.Cancellation, ended *stripe.Subscription) (billing.Subscription, error) {
	if !payable(ended.LatestInvoice) {
		return p.subscriptionOf(ctx, ended)
	}
	params := &stripe.InvoiceVoidInvoiceParams{}
	params.IdempotencyKey = keyFor(in.Key, "void")
	if _, err := p.stripe.V1Invoices.VoidInvoice(ctx, ended.LatestInvoice.ID, params); err != nil {
		out := p.fault(ctx, "void invoice", err)
		if !failureOf(err).refused() {
			return billing.Subscription{}, out
		}
	}
	return p.Subscription(ctx, in.SubscriptionID)
}
