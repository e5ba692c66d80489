package stripepayment

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// SetEndAtPeriodEnd sets or clears cancel_at_period_end. Resuming also clears cancel_at, which only
// the dashboard and Stripe's portal set. Stripe refuses both while a schedule owns the subscription,
// so a schedule without a future change is released first.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	switch err := checkEnd(found, req.End); {
	case err != nil:
		return billing.Subscription{}, err
	case endsAt(found).IsZero() != req.End:
		return p.subscriptionOf(ctx, found)
	}
	if err := p.releaseFinished(ctx, req.Key, found); err != nil {
		return billing.Subscription{}, err
	}
	params := &stripe.SubscriptionUpdateParams{Expand: subscriptionExpand("")}
	if req.End || found.CancelAtPeriodEnd {
		params.CancelAtPeriodEnd = &req.End
	} else {
		params.AddUnsetField(stripe.SubscriptionUpdateParamsUnsetFieldCancelAt)
	}
	params.SetIdempotencyKey(req.Key)
	changed, err := p.stripe.V1Subscriptions.Update(ctx, found.ID, params)
	if err != nil {
		return billing.Subscription{}, p.keyFault(ctx, "set end", found.Customer.ID, req.Key, err)
	}
	return p.subscriptionOf(ctx, changed)
}

func checkEnd(s *stripe.Subscription, end bool) error {
	switch {
	case statusOf(s).Ended():
		return fault.New(fault.Conflict, "It has ended. Subscribe again.")
	case statusOf(s) != billing.Active && statusOf(s) != billing.Trialing:
		return billing.ErrInvoiceOpen()
	case end && s.PendingUpdate != nil:
		return errChangePending()
	case end && hasScheduledChange(s):
		return errChangeScheduled()
	}
	return nil
}

// endsAt returns when the subscription ends because the customer ended it, or when it has ended, or the zero
// time. The code sets no cancel_at, but reads one that was set in the dashboard. Stripe may process an end a moment
// after cancel_at.
func endsAt(s *stripe.Subscription) time.Time {
	switch {
	case statusOf(s).Ended() && s.CancelAt != 0 && s.CancelAt <= s.EndedAt:
		return timeOf(s.CancelAt)
	case statusOf(s).Ended():
		return timeOf(s.EndedAt)
	case s.CancelAt != 0:
		return timeOf(s.CancelAt)
	case s.CancelAtPeriodEnd:
		return periodEnd(s)
	}
	return time.Time{}
}

// planEndsAt returns when Stripe ends a subscription whose invoice is overdue, or the zero time.
// Stripe does not report it, so it is calculated from the account's retry settings.
func (p *Provider) planEndsAt(s *stripe.Subscription) time.Time {
	if p.DunningPeriod == 0 || statusOf(s) != billing.PastDue || !isOpen(s.LatestInvoice) {
		return time.Time{}
	}
	due := s.LatestInvoice.Created
	if t := s.LatestInvoice.StatusTransitions; t != nil && t.FinalizedAt != 0 {
		due = t.FinalizedAt
	}
	return timeOf(due).Add(p.DunningPeriod)
}
