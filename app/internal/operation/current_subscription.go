package operation

import (
	"context"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// CurrentSubscription returns the subscription as the provider reports it. If the customer has to pay on the provider's
// page, it opens the page.
func (r *Runner) CurrentSubscription(ctx context.Context, id string) (billing.Subscription, error) {
	return r.sender.currentSubscription(ctx, id)
}

// currentSubscription returns the subscription as the provider reports it. If the customer has to pay on the provider's
// page, it requests the page with PayInvoice, because the subscription may lack the page's URL. If the customer has to
// wait, it does the same, because an earlier request for the page may have failed.
func (s actionSender) currentSubscription(ctx context.Context, id string) (billing.Subscription, error) {
	sub, err := s.provider.Subscription(ctx, id)
	inv := sub.LatestInvoice
	needsPage := sub.Next.Kind == billing.Redirect && sub.Next.URL == "" || sub.Next.Kind == billing.Wait
	if err != nil || !s.redirects() || !needsPage || inv == nil || inv.ID != sub.Next.InvoiceID {
		return sub, err
	}
	openedSub, err := s.provider.PayInvoice(ctx, payment.InvoicePayment{
		Key: ids.New("page"), InvoiceID: inv.ID, Amount: inv.AmountRemaining(), ReturnTo: s.returnURL,
		Ended: sub.Status == billing.Canceled,
	})
	switch {
	case fault.Is(err, fault.Conflict): // the payment is in progress
		return sub, nil
	case err != nil:
		s.log.WarnContext(ctx, "the page of an open payment can't be opened", "subscription", id, "error", err)
		return sub, nil
	}
	return openedSub, nil
}
