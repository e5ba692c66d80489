package stripepayment

import (
	"context"
	"time"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// SetEndAtPeriodEnd sets or clears cancel_at_period_end. Resuming also clears a cancel_at that was set in the dashboard
// or in Stripe's portal. Stripe refuses these updates while a schedule owns the subscription, so a schedule without a
// next phase is released first.
func (p *Provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if err := checkEndRequest(sub, req); err != nil {
		return billing.Subscription{}, err
	}
	if hasEndDate := !endsAt(sub).IsZero(); hasEndDate == req.End {
		return p.subscriptionOf(ctx, sub)
	}
	if err := p.releaseFinishedSchedule(ctx, req.Key, sub); err != nil {
		return billing.Subscription{}, err
	}
	params := &stripe.SubscriptionUpdateParams{Expand: subscriptionExpand("")}
	if req.End || sub.CancelAtPeriodEnd {
		params.CancelAtPeriodEnd = &req.End
	} else {
		params.AddUnsetField(stripe.SubscriptionUpdateParamsUnsetFieldCancelAt)
	}
	params.SetIdempotencyKey(req.Key)
	updatedSub, err := p.stripe.V1Subscriptions.Update(ctx, sub.ID, params)
	if err != nil {
		return billing.Subscription{}, p.logKeyFault(ctx, "set end", sub.Customer.ID, req.Key, err)
	}
	return p.subscriptionOf(ctx, updatedSub)
}

// checkEndRequest refuses to end or resume a subscription that is not active or trialing, and to end one with a pending
// or scheduled change.
func checkEndRequest(s *stripe.Subscription, req payment.EndRequest) error {
	switch {
	case statusOf(s).Ended():
		return fault.New(fault.Conflict, "It has ended. Subscribe again.")
	case statusOf(s) != billing.Active && statusOf(s) != billing.Trialing:
		return billing.ErrInvoiceOpen()
	case req.End && s.PendingUpdate != nil:
		return errChangePending()
	case req.End && hasScheduledChange(s):
		return errChangeScheduled()
	}
	return nil
}

// endsAt returns when the subscription has ended, or when it will end because the customer ended it. Otherwise it
// returns the zero time. Stripe may process an end a moment after cancel_at; the result is then cancel_at.
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
	return scheduledEnd(s.Schedule)
}

// scheduledEnd returns when the schedule of an operator ends the subscription, or the zero time.
func scheduledEnd(s *stripe.SubscriptionSchedule) time.Time {
	if !ownsSubscription(s) || s.EndBehavior != stripe.SubscriptionScheduleEndBehaviorCancel {
		return time.Time{}
	}
	var end int64
	for _, phase := range s.Phases {
		end = max(end, phase.EndDate)
	}
	return timeOf(end)
}

// dunningEndsAt returns when Stripe ends a subscription whose invoice is overdue. Stripe does not report this time, so it is
// calculated from the configured DunningPeriod. dunningEndsAt returns the zero time if the period is not configured, and if
// Stripe will charge the invoice again after the calculated time. After a failed bank debit it returns the zero time too,
// because Stripe does not document whether the days until the failure count.
func (p *Provider) dunningEndsAt(s *stripe.Subscription, lastDecline decline) time.Time {
	if p.DunningPeriod == 0 || lastDecline.isDelayedMethod || statusOf(s) != billing.PastDue || !isOpen(s.LatestInvoice) {
		return time.Time{}
	}
	finalizedAt := s.LatestInvoice.Created
	if t := s.LatestInvoice.StatusTransitions; t != nil && t.FinalizedAt != 0 {
		finalizedAt = t.FinalizedAt
	}
	end := timeOf(finalizedAt).Add(p.DunningPeriod)
	if timeOf(s.LatestInvoice.NextPaymentAttempt).After(end) {
		return time.Time{}
	}
	return end
}
