package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// metaCancellationKey holds the key of the request that cancels the subscription.
const metaCancellationKey = "cancellation"

// CancelSubscription ends the subscription immediately. Stripe's DELETE accepts no idempotency key, so the requests
// before the DELETE use the key. They record the key in the metadata, release a schedule and void open invoices. If the
// key was retired, these requests fail and the subscription does not end.
func (p *Provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.recordCancellation(ctx, req)
	if err != nil {
		return billing.Subscription{}, err
	}
	// Check this before voiding, because Stripe reports an overdue subscription as active afterwards.
	if req.LeavesUnchanged(statusOf(sub)) {
		return p.subscriptionOf(ctx, sub)
	}
	stayOwed, err := p.invoicesStayOwed(ctx, req, sub)
	if err == nil && !stayOwed {
		sub, err = p.voidInvoicesBeforeEnd(ctx, req, sub)
	}
	if err != nil {
		return billing.Subscription{}, err
	}
	if hasEnded(sub) || mustKeepLive(req, sub) {
		return p.subscriptionOf(ctx, sub)
	}
	if sub, err = p.sendCancellation(ctx, req, sub); err != nil {
		return billing.Subscription{}, err
	}
	return p.voidLatestInvoiceAfterEnd(ctx, req, sub, stayOwed)
}

// mustKeepLive reports whether the request must not end the subscription, because IfUnpaid is set and the subscription
// is live.
func mustKeepLive(req payment.Cancellation, s *stripe.Subscription) bool {
	return req.IfUnpaid && statusOf(s).Live()
}

// invoicesStayOwed reports whether the open invoices of the subscription stay owed when the subscription ends. The
// invoices of a past due subscription stay owed unless VoidInvoices is set. The invoice of a renewal stays owed while its
// payment is processing.
func (p *Provider) invoicesStayOwed(ctx context.Context, req payment.Cancellation, sub *stripe.Subscription) (bool, error) {
	switch {
	case statusOf(sub) == billing.PastDue:
		return !req.VoidInvoices, nil
	case statusOf(sub) != billing.Active || sub.PendingUpdate != nil || req.IfUnpaid:
		return false, nil
	}
	return p.isProcessing(ctx, sub.LatestInvoice)
}

// voidInvoicesBeforeEnd voids every open invoice of a past due subscription. For any other subscription it voids only the
// latest invoice, if that is open. It returns the updated subscription.
func (p *Provider) voidInvoicesBeforeEnd(
	ctx context.Context, req payment.Cancellation, sub *stripe.Subscription,
) (*stripe.Subscription, error) {
	if statusOf(sub) == billing.PastDue {
		return p.voidOpenInvoices(ctx, req, sub)
	}
	return p.voidLatestInvoice(ctx, req, sub)
}

// voidOpenInvoices voids every open invoice and returns the updated subscription. It returns Conflict if the latest
// invoice was paid first.
func (p *Provider) voidOpenInvoices(
	ctx context.Context, req payment.Cancellation, sub *stripe.Subscription,
) (*stripe.Subscription, error) {
	params := &stripe.InvoiceListParams{Subscription: &sub.ID, Status: stripe.String(string(stripe.InvoiceStatusOpen))}
	params.Limit = new(int64(pageSize))
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list invoices", err)
		}
		if err := p.voidInvoice(ctx, stepKey(req.Key, "void-"+inv.ID), sub, inv.ID); err != nil {
			return nil, err
		}
	}
	return p.readAfterVoiding(ctx, req)
}

// voidLatestInvoice voids the latest invoice if it is open, and returns the updated subscription. A void invoice can't
// be paid any more, so the customer can't pay for a subscription that is about to end. voidLatestInvoice returns
// Conflict if the invoice was paid first, unless req.IfUnpaid is set.
func (p *Provider) voidLatestInvoice(
	ctx context.Context, req payment.Cancellation, sub *stripe.Subscription,
) (*stripe.Subscription, error) {
	if hasEnded(sub) || !isOpen(sub.LatestInvoice) {
		return sub, nil
	}
	if err := p.voidInvoice(ctx, stepKey(req.Key, "void"), sub, sub.LatestInvoice.ID); err != nil {
		return nil, err
	}
	return p.readAfterVoiding(ctx, req)
}

// readAfterVoiding reads the subscription after its open invoices were voided. It returns Conflict if Stripe has not
// voided the latest invoice, because it was paid or its payment is processing.
func (p *Provider) readAfterVoiding(ctx context.Context, req payment.Cancellation) (*stripe.Subscription, error) {
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil || hasEnded(sub) {
		return sub, err
	}
	switch {
	case isOpen(sub.LatestInvoice) && !mustKeepLive(req, sub):
		err = errPaymentInProgress()
	case isPaid(sub.LatestInvoice) && !req.IfUnpaid:
		err = fault.New(fault.Conflict,
			"The invoice has just been paid. Please look at it again before you end the subscription.")
	}
	return sub, err
}

func isPaid(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusPaid }

// recordCancellation writes the key to the subscription's metadata and returns the subscription. Stripe refuses a key
// that was retired or used for another subscription. A subscription that has ended can't be changed and is only read.
func (p *Provider) recordCancellation(ctx context.Context, req payment.Cancellation) (*stripe.Subscription, error) {
	if err := checkID(req.SubscriptionID, "subscription"); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionUpdateParams{
		Metadata: newMetadata(metaCancellationKey, req.Key), Expand: subscriptionExpand(""),
	}
	params.SetIdempotencyKey(req.Key)
	sub, err := p.stripe.V1Subscriptions.Update(ctx, req.SubscriptionID, params)
	switch {
	case err == nil:
		return sub, nil
	case failureOf(err).errorType == stripe.ErrorTypeIdempotency:
		return nil, p.logKeyFaultOfSubscription(ctx, "record cancellation", req.SubscriptionID, req.Key, err)
	}
	return p.readIfEnded(ctx, req.SubscriptionID, "record cancellation", err)
}

// readIfEnded returns the subscription if Stripe refused a request because the subscription has ended. Otherwise it
// returns the fault for the refusal.
func (p *Provider) readIfEnded(ctx context.Context, id, operation string, refusal error) (*stripe.Subscription, error) {
	f := failureOf(refusal)
	refusalFault := p.logFault(ctx, operation, refusal)
	if !f.isMissing() && !f.isRefused() {
		return nil, refusalFault
	}
	sub, err := p.readSubscription(ctx, id)
	if err == nil && !hasEnded(sub) {
		err = refusalFault
	}
	return sub, err
}

// hasEnded reports whether Stripe can't cancel the subscription any more. An unpaid subscription has not ended.
func hasEnded(s *stripe.Subscription) bool {
	return s.Status == stripe.SubscriptionStatusCanceled || s.Status == stripe.SubscriptionStatusIncompleteExpired
}

// sendCancellation releases a schedule that owns the subscription, and sends the DELETE.
func (p *Provider) sendCancellation(
	ctx context.Context, req payment.Cancellation, sub *stripe.Subscription,
) (*stripe.Subscription, error) {
	id := req.SubscriptionID
	if err := p.releaseScheduleIfOwned(ctx, req.Key, sub); err != nil {
		return nil, err
	}
	params := &stripe.SubscriptionCancelParams{Expand: subscriptionExpand("")}
	canceledSub, err := p.stripe.V1Subscriptions.Cancel(ctx, id, params)
	if err == nil {
		return canceledSub, nil
	}
	return p.readIfEnded(ctx, id, "cancel", err)
}

// voidLatestInvoiceAfterEnd voids the latest invoice of an ended subscription if it is still open, unless it stays owed.
func (p *Provider) voidLatestInvoiceAfterEnd(
	ctx context.Context, req payment.Cancellation, sub *stripe.Subscription, stayOwed bool,
) (billing.Subscription, error) {
	if stayOwed || !isOpen(sub.LatestInvoice) {
		return p.subscriptionOf(ctx, sub)
	}
	if err := p.voidInvoice(ctx, stepKey(req.Key, "void"), sub, sub.LatestInvoice.ID); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, req.SubscriptionID)
}

// voidInvoice voids an invoice. Stripe then gives the credit that the invoice has used back to the customer, and
// voidInvoice withdraws owed amounts from this credit. If Stripe refuses because the invoice is paid or void, voidInvoice
// returns nil, so the caller must read the subscription again.
func (p *Provider) voidInvoice(ctx context.Context, key string, sub *stripe.Subscription, id string) error {
	params := &stripe.InvoiceVoidInvoiceParams{}
	params.SetIdempotencyKey(key)
	params.AddExpand("customer")
	inv, err := p.stripe.V1Invoices.VoidInvoice(ctx, id, params)
	if err == nil {
		return p.withdrawOwedAmounts(ctx, inv)
	}
	if failureOf(err).isRefused() {
		_ = p.logFault(ctx, "void invoice", err)
		return nil
	}
	return p.logKeyFaultOfSubscription(ctx, "void invoice", sub.ID, key, err)
}
