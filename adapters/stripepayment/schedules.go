package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// changeAtRenewal creates a schedule from the subscription, or takes the one that it has, and gives
// it a second phase with the new price. Stripe accepts no phases together with from_subscription, so
// a crash can leave a schedule with a single phase. A repeated request continues with that schedule,
// because its key for the creation is used; other requests release it.
func (p *Provider) changeAtRenewal(
	ctx context.Context, found *stripe.Subscription, req payment.PriceChange, price string,
) (billing.Subscription, error) {
	schedule, repeated := found.Schedule, found.Metadata[metaChange] == req.Key
	if !ownsSubscription(schedule) || futurePhase(schedule) == nil && !repeated {
		if err := p.releaseFinished(ctx, req.Key, found); err != nil {
			return billing.Subscription{}, err
		}
		params := &stripe.SubscriptionScheduleCreateParams{FromSubscription: &found.ID}
		params.IdempotencyKey = keyFor(req.Key, "schedule")
		created, err := p.stripe.V1SubscriptionSchedules.Create(ctx, params)
		if err != nil {
			return billing.Subscription{}, p.keyFault(ctx, "create schedule", found.Customer.ID, *params.IdempotencyKey, err)
		}
		schedule = created
	}
	params, err := scheduleParams(schedule, req, price)
	if err != nil {
		return billing.Subscription{}, err
	}
	if _, err := p.stripe.V1SubscriptionSchedules.Update(ctx, schedule.ID, params); err != nil {
		return billing.Subscription{}, p.saleError(req.To.PriceID(), err,
			p.keyFault(ctx, "schedule plan change", found.Customer.ID, req.Key, err))
	}
	return p.Subscription(ctx, found.ID)
}

// scheduleParams returns the schedule's current phase as it is, followed by one period of the new
// price, after which the subscription continues without the schedule. Nothing is prorated. When the
// interval changes, Stripe starts the new period at the new phase. Discounts are kept.
func scheduleParams(
	s *stripe.SubscriptionSchedule, req payment.PriceChange, price string,
) (*stripe.SubscriptionScheduleUpdateParams, error) {
	current := currentPhase(s)
	if current == nil {
		return nil, fault.New(fault.Conflict, "The subscription has changed meanwhile.")
	}
	first := &stripe.SubscriptionScheduleUpdatePhaseParams{
		StartDate: &current.StartDate, EndDate: &current.EndDate, ProrationBehavior: new("none"),
	}
	if current.TrialEnd != 0 {
		first.TrialEnd = &current.TrialEnd
	}
	for _, item := range current.Items {
		first.Items = append(first.Items,
			&stripe.SubscriptionScheduleUpdatePhaseItemParams{Price: &item.Price.ID, Quantity: new(max(item.Quantity, 1))})
	}
	next := &stripe.SubscriptionScheduleUpdatePhaseParams{
		Items:             []*stripe.SubscriptionScheduleUpdatePhaseItemParams{{Price: &price, Quantity: new(int64(1))}},
		Duration:          &stripe.SubscriptionScheduleUpdatePhaseDurationParams{Interval: stripe.String(string(stripeInterval(req.To.Interval))), IntervalCount: new(int64(1))},
		ProrationBehavior: new("none"),
	}
	for _, rate := range current.DefaultTaxRates {
		first.DefaultTaxRates = append(first.DefaultTaxRates, &rate.ID)
		next.DefaultTaxRates = append(next.DefaultTaxRates, &rate.ID)
	}
	first.Discounts, next.Discounts = phaseDiscounts(current), phaseDiscounts(current)
	params := &stripe.SubscriptionScheduleUpdateParams{
		EndBehavior: new("release"), ProrationBehavior: new("none"),
		Phases: []*stripe.SubscriptionScheduleUpdatePhaseParams{first, next},
	}
	params.SetIdempotencyKey(req.Key)
	return params, nil
}

// phaseDiscounts returns the discounts of the phase, which a phase without the parameter would lose.
func phaseDiscounts(phase *stripe.SubscriptionSchedulePhase) (kept []*stripe.SubscriptionScheduleUpdatePhaseDiscountParams) {
	for _, d := range phase.Discounts {
		params := &stripe.SubscriptionScheduleUpdatePhaseDiscountParams{}
		switch {
		case d.Discount != nil:
			params.Discount = &d.Discount.ID
		case d.Coupon != nil:
			params.Coupon = &d.Coupon.ID
		case d.PromotionCode != nil:
			params.PromotionCode = &d.PromotionCode.ID
		}
		kept = append(kept, params)
	}
	return kept
}

// CancelScheduledChange releases the schedule, which leaves the subscription as it is. A change that was released to
// be replaced is forgotten before.
func (p *Provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduleCancellation,
) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	found, err := p.subscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if found.Metadata[metaReplaces] != "" {
		if err := p.writeMetadata(ctx, found, req.Key, map[string]string{metaReplaces: ""}); err != nil {
			return billing.Subscription{}, err
		}
		delete(found.Metadata, metaReplaces)
	}
	if !ownsSubscription(found.Schedule) {
		return p.subscriptionOf(ctx, found)
	}
	if err := p.release(ctx, req.Key, found); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, found.ID)
}

// releaseFinished releases a schedule without a future phase. Such a schedule has made its change
// and owns the subscription until its last phase ends, or never got a second phase.
func (p *Provider) releaseFinished(ctx context.Context, key string, s *stripe.Subscription) error {
	if futurePhase(s.Schedule) != nil {
		return nil
	}
	return p.releaseAny(ctx, key, s)
}

// releaseAny releases the schedule that the subscription has, if any.
func (p *Provider) releaseAny(ctx context.Context, key string, s *stripe.Subscription) error {
	if !ownsSubscription(s.Schedule) {
		return nil
	}
	return p.release(ctx, *keyFor(key, "release"), s)
}

// release releases the subscription's schedule. It is not an error if Stripe has released it already.
func (p *Provider) release(ctx context.Context, key string, s *stripe.Subscription) error {
	params := &stripe.SubscriptionScheduleReleaseParams{}
	params.SetIdempotencyKey(key)
	_, err := p.stripe.V1SubscriptionSchedules.Release(ctx, s.Schedule.ID, params)
	if err != nil && failureOf(err).isRefused() {
		_ = p.fault(ctx, "release schedule", err) // it logs the error
		return nil
	}
	return p.keyFault(ctx, "release schedule", s.Customer.ID, key, err)
}

// ownsSubscription reports whether the schedule still controls its subscription.
func ownsSubscription(s *stripe.SubscriptionSchedule) bool {
	return s != nil && (s.Status == stripe.SubscriptionScheduleStatusActive ||
		s.Status == stripe.SubscriptionScheduleStatusNotStarted)
}

// currentPhase returns the phase that the schedule is in, or nil.
func currentPhase(s *stripe.SubscriptionSchedule) *stripe.SubscriptionSchedulePhase {
	if !ownsSubscription(s) || s.CurrentPhase == nil {
		return nil
	}
	for _, phase := range s.Phases {
		if phase.StartDate == s.CurrentPhase.StartDate {
			return phase
		}
	}
	return nil
}

// futurePhase returns the phase that follows the current one, or nil.
func futurePhase(s *stripe.SubscriptionSchedule) *stripe.SubscriptionSchedulePhase {
	current := currentPhase(s)
	if current == nil {
		return nil
	}
	for _, phase := range s.Phases {
		if phase.StartDate >= current.EndDate {
			return phase
		}
	}
	return nil
}

// scheduledChangeOf returns the change that the schedule makes at the renewal, one that has lapsed, or nil. A phase
// has only the id of its price: expanding it in a list would take five levels, and Stripe allows four.
func (p *Provider) scheduledChangeOf(ctx context.Context, s *stripe.Subscription) (*billing.ScheduledChange, error) {
	change := changeToReplace(s)
	if change == nil {
		return nil, nil //nolint:nilnil // no change is not an error
	}
	out := &billing.ScheduledChange{At: timeOf(change.at), Lapsed: futurePhase(s.Schedule) == nil}
	price, err := p.priceByID(ctx, &stripe.Price{ID: change.to})
	if err != nil {
		return nil, err
	}
	if product, interval, ours := p.parsePriceName(price); ours {
		out.To = catalogue.PriceRef{Product: product, Interval: interval, Currency: currencyCode(s.Currency)}
		out.Amount, err = p.amountOf(ctx, price, 1, out.To.Currency)
	}
	return out, err
}

func errChangePending() error { return fault.New(fault.Conflict, "Another plan change is pending.") }

func errChangeScheduled() error {
	return fault.New(fault.Conflict, "A plan change is scheduled. Please cancel it first.")
}

func errEnding() error {
	return fault.New(fault.Conflict, "The subscription is ending. Please resume it first.")
}
