package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
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
	if in.IfUnpaid {
		found, err = p.unpayable(ctx, in, found)
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	if over(found) || in.IfUnpaid && statusOf(found).Live() {
		return p.subscriptionOf(ctx, found)
	}
	ended, err := p.end(ctx, in.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.voided(ctx, in, ended)
}

// unpayable sees to it that nobody can pay the open bill any more, and returns the subscription as
// it then is. Stripe voids a bill or has it paid, never both, which is what ending a subscription
// on condition that it was not paid comes down to: the request that ends one knows no conditions.
func (p *Provider) unpayable(ctx context.Context, in payment.Cancellation, found *stripe.Subscription) (*stripe.Subscription, error) {
	if over(found) || statusOf(found).Live() || !payable(found.LatestInvoice) {
		return found, nil
	}
	if err := p.void(ctx, in, found.LatestInvoice.ID); err != nil {
		return nil, err
	}
	after, err := p.subscription(ctx, found.ID)
	if err == nil && !statusOf(after).Live() && payable(after.LatestInvoice) {
		err = fault.New(fault.Conflict, "A payment is on its way. Please try again in a moment.")
	}
	return after, err
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
	if err := p.void(ctx, in, ended.LatestInvoice.ID); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, in.SubscriptionID)
}

// void has nobody pay the bill any more. That it was paid meanwhile, or is void, is no failure.
func (p *Provider) void(ctx context.Context, in payment.Cancellation, invoiceID string) error {
	params := &stripe.InvoiceVoidInvoiceParams{}
	params.IdempotencyKey = keyFor(in.Key, "void")
	_, err := p.stripe.V1Invoices.VoidInvoice(ctx, invoiceID, params)
	out := p.fault(ctx, "void invoice", err)
	if err != nil && failureOf(err).refused() {
		return nil
	}
	return out
}
