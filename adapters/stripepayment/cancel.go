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

// CancelSubscription ends the subscription now. Stripe accepts no key with the request that ends
// it, so what may be charged still is voided first, under a key: a request whose key was retired
// goes no further.
func (p *Provider) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.claim(ctx, in)
	if err != nil {
		return billing.Subscription{}, err
	}
	spare := in.IfUnpaid && statusOf(found).Live()
	if !spare {
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

// unpayable voids the open invoice and returns the subscription as it then is. Stripe either voids
// an invoice or has it paid, so one that is void can be ended without taking away what somebody has
// just paid for. An invoice that was paid instead is a Conflict, unless that spares the subscription.
func (p *Provider) unpayable(ctx context.Context, in payment.Cancellation, found *stripe.Subscription) (*stripe.Subscription, error) {
	if over(found) || !payable(found.LatestInvoice) {
		return found, nil
	}
	if err := p.void(ctx, *keyFor(in.Key, "void"), found); err != nil {
		return nil, err
	}
	after, err := p.subscription(ctx, found.ID)
	if err != nil || over(after) {
		return after, err
	}
	return after, mayEnd(in, after)
}

// mayEnd refuses to end a subscription whose invoice could not be voided.
func mayEnd(in payment.Cancellation, s *stripe.Subscription) error {
	isSpared := in.IfUnpaid && statusOf(s).Live()
	switch {
	case payable(s.LatestInvoice) && !isSpared:
		return errPaymentUnderWay()
	case isPaid(s.LatestInvoice) && !in.IfUnpaid:
		return fault.New(fault.Conflict, "The bill has just been paid. Please look at it again before you end the subscription.")
	}
	return nil
}

func isPaid(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusPaid }

// claim writes the key down on the subscription, so that Stripe refuses a key that was used for
// another subscription or was retired. A subscription that can't be changed any more is only read.
func (p *Provider) claim(ctx context.Context, in payment.Cancellation) (*stripe.Subscription, error) {
	if err := known(in.SubscriptionID, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionUpdateParams{Metadata: metadata(metaCancellation, in.Key), Expand: shown("")}
	params.SetIdempotencyKey(in.Key)
	found, err := p.stripe.V1Subscriptions.Update(ctx, in.SubscriptionID, params)
	switch {
	case err == nil:
		return found, nil
	case failureOf(err).kind == stripe.ErrorTypeIdempotency:
		return nil, p.keyFaultOf(ctx, "claim cancellation", in.SubscriptionID, in.Key, err)
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
	if err := p.void(ctx, *keyFor(in.Key, "void"), ended); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, in.SubscriptionID)
}

// void voids the latest invoice. That it was paid meanwhile, or is void already, is no error here.
func (p *Provider) void(ctx context.Context, key string, of *stripe.Subscription) error {
	params := &stripe.InvoiceVoidInvoiceParams{}
	params.SetIdempotencyKey(key)
	_, err := p.stripe.V1Invoices.VoidInvoice(ctx, of.LatestInvoice.ID, params)
	if err == nil {
		return nil
	}
	if failureOf(err).refused() {
		_ = p.fault(ctx, "void invoice", err) // logged; the subscription is read afterwards
		return nil
	}
	return p.keyFaultOf(ctx, "void invoice", of.ID, key, err)
}
