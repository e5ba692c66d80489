package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaCancellation holds the key of the request that cancels the subscription.
const metaCancellation = "cancellation"

// CancelSubscription ends the subscription now. Stripe's DELETE accepts no idempotency key, so the
// requests before it have the key: recording it, releasing a schedule and voiding open invoices. A
// request whose key was retired stops there.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.recordCancellation(ctx, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	if keepsPaid(req, found) {
		return p.subscriptionOf(ctx, found)
	}
	found, owed, err := p.voidUnlessOwed(ctx, req, found)
	if err != nil {
		return billing.Subscription{}, err
	}
	if hasEnded(found) || req.IfUnpaid && statusOf(found).Live() {
		return p.subscriptionOf(ctx, found)
	}
	ended, err := p.cancel(ctx, req, found)
	if err != nil {
		return billing.Subscription{}, err
	}
	return p.voidLastInvoice(ctx, req, ended, owed)
}

// keepsPaid reports whether the request leaves the subscription as it is, because nothing is overdue. Once
// the overdue invoices are void Stripe reports active too, so call it before that.
func keepsPaid(req payment.Cancellation, s *stripe.Subscription) bool {
	return (req.IfOverdue || req.VoidInvoices) && (statusOf(s) == billing.Active || statusOf(s) == billing.Trialing)
}

// voidUnlessOwed reports whether the open invoices of the subscription stay owed, and otherwise voids what must not be paid
// any more. It returns the subscription as it is afterwards.
func (p *Provider) voidUnlessOwed(
	ctx context.Context, req payment.Cancellation, found *stripe.Subscription,
) (after *stripe.Subscription, owed bool, err error) {
	if owed, err = p.staysOwed(ctx, req, found); err != nil || owed {
		return found, owed, err
	}
	after, err = p.voidBefore(ctx, req, found)
	return after, false, err
}

// staysOwed reports whether the open invoices of the subscription stay owed when it ends: those of a past due one without
// VoidInvoices, and that of a renewal whose payment is on its way.
func (p *Provider) staysOwed(ctx context.Context, req payment.Cancellation, found *stripe.Subscription) (bool, error) {
	switch {
	case statusOf(found) == billing.PastDue:
		return !req.VoidInvoices, nil
	case statusOf(found) != billing.Active || found.PendingUpdate != nil || req.IfUnpaid:
		return false, nil
	}
	return p.isProcessing(ctx, found.LatestInvoice)
}

// voidBefore voids what must not be paid any more once the subscription has ended, and returns the
// subscription as it is afterwards.
func (p *Provider) voidBefore(
	ctx context.Context, req payment.Cancellation, found *stripe.Subscription,
) (*stripe.Subscription, error) {
	switch {
	case req.IfUnpaid && statusOf(found).Live():
		return found, nil
	case statusOf(found) == billing.PastDue:
		return p.voidAllInvoices(ctx, req, found)
	}
	return p.voidOpenInvoice(ctx, req, found)
}

// voidAllInvoices voids every open invoice of a past due subscription and returns the subscription as
// it is afterwards. If one was paid instead, the subscription is not ended.
func (p *Provider) voidAllInvoices(
	ctx context.Context, req payment.Cancellation, found *stripe.Subscription,
) (*stripe.Subscription, error) {
	params := &stripe.InvoiceListParams{Subscription: &found.ID, Status: stripe.String(string(stripe.InvoiceStatusOpen))}
	params.Limit = new(int64(pageSize))
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list invoices", err)
		}
		if err := p.voidInvoice(ctx, *keyFor(req.Key, "void-"+inv.ID), found, inv.ID); err != nil {
			return nil, err
		}
	}
	after, err := p.subscription(ctx, found.ID)
	if err != nil || hasEnded(after) {
		return after, err
	}
	return after, checkEndable(req, after)
}

// voidOpenInvoice voids the open invoice and returns the subscription as it is afterwards. Stripe
// either voids an invoice or has it paid, so a subscription whose invoice is void can be ended
// without taking away something just paid for. If the invoice was paid instead, the result is a
// Conflict, unless req.IfUnpaid keeps the subscription.
func (p *Provider) voidOpenInvoice(
	ctx context.Context, req payment.Cancellation, found *stripe.Subscription,
) (*stripe.Subscription, error) {
	if hasEnded(found) || !isOpen(found.LatestInvoice) {
		return found, nil
	}
	if err := p.voidInvoice(ctx, *keyFor(req.Key, "void"), found, found.LatestInvoice.ID); err != nil {
		return nil, err
	}
	after, err := p.subscription(ctx, found.ID)
	if err != nil || hasEnded(after) {
		return after, err
	}
	return after, checkEndable(req, after)
}

// checkEndable refuses to end a subscription whose invoice could not be voided.
func checkEndable(req payment.Cancellation, s *stripe.Subscription) error {
	keep := req.IfUnpaid && statusOf(s).Live()
	switch {
	case isOpen(s.LatestInvoice) && !keep:
		return errPaymentUnderWay()
	case isPaid(s.LatestInvoice) && !req.IfUnpaid:
		return fault.New(fault.Conflict,
			"The bill has just been paid. Please look at it again before you end the subscription.")
	}
	return nil
}

func isPaid(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusPaid }

// recordCancellation writes the key to the subscription's metadata, so that Stripe refuses a key
// that was retired or used for another subscription. A subscription that can't be changed any more
// is only read.
func (p *Provider) recordCancellation(ctx context.Context, req payment.Cancellation) (*stripe.Subscription, error) {
	if err := checkID(req.SubscriptionID, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionUpdateParams{Metadata: metadata(metaCancellation, req.Key), Expand: subscriptionExpand("")}
	params.SetIdempotencyKey(req.Key)
	found, err := p.stripe.V1Subscriptions.Update(ctx, req.SubscriptionID, params)
	switch {
	case err == nil:
		return found, nil
	case failureOf(err).kind == stripe.ErrorTypeIdempotency:
		return nil, p.keyFaultOf(ctx, "record cancellation", req.SubscriptionID, req.Key, err)
	}
	return p.readEnded(ctx, req.SubscriptionID, "record cancellation", err)
}

// readEnded returns the subscription if it has ended, which explains why Stripe refused the
// request. Otherwise it returns the refusal.
func (p *Provider) readEnded(ctx context.Context, id, operation string, refusal error) (*stripe.Subscription, error) {
	f := failureOf(refusal)
	out := p.fault(ctx, operation, refusal)
	if !f.isMissing() && !f.isRefused() {
		return nil, out
	}
	found, err := p.subscription(ctx, id)
	if err == nil && !hasEnded(found) {
		err = out
	}
	return found, err
}

// hasEnded reports whether there is nothing left to cancel. An unpaid subscription continues.
func hasEnded(s *stripe.Subscription) bool {
	return s.Status == stripe.SubscriptionStatusCanceled || s.Status == stripe.SubscriptionStatusIncompleteExpired
}

// cancel ends the subscription at Stripe, after releasing a schedule that owns it.
func (p *Provider) cancel(
	ctx context.Context, req payment.Cancellation, found *stripe.Subscription,
) (*stripe.Subscription, error) {
	id := req.SubscriptionID
	if ownsSubscription(found.Schedule) {
		if err := p.release(ctx, *keyFor(req.Key, "release"), found); err != nil {
			return nil, err
		}
	}
	ended, err := p.stripe.V1Subscriptions.Cancel(ctx, id, &stripe.SubscriptionCancelParams{Expand: subscriptionExpand("")})
	if err == nil {
		return ended, nil
	}
	return p.readEnded(ctx, id, "cancel", err)
}

// voidLastInvoice voids the invoice that Stripe leaves open when a subscription ends, unless it was
// the first one or stays owed.
func (p *Provider) voidLastInvoice(
	ctx context.Context, req payment.Cancellation, ended *stripe.Subscription, owed bool,
) (billing.Subscription, error) {
	if owed || !isOpen(ended.LatestInvoice) {
		return p.subscriptionOf(ctx, ended)
	}
	if err := p.voidInvoice(ctx, *keyFor(req.Key, "void"), ended, ended.LatestInvoice.ID); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, req.SubscriptionID)
}

// voidInvoice voids an invoice. It is not an error if the invoice was paid meanwhile or is
// void already; the caller reads the subscription afterwards.
func (p *Provider) voidInvoice(ctx context.Context, key string, subscription *stripe.Subscription, id string) error {
	params := &stripe.InvoiceVoidInvoiceParams{}
	params.SetIdempotencyKey(key)
	params.AddExpand("customer")
	void, err := p.stripe.V1Invoices.VoidInvoice(ctx, id, params)
	if err == nil {
		return p.reclaim(ctx, void)
	}
	if failureOf(err).isRefused() {
		_ = p.fault(ctx, "void invoice", err) // it logs the error
		return nil
	}
	return p.keyFaultOf(ctx, "void invoice", subscription.ID, key, err)
}
