package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// changeAtRenewal gives the subscription's schedule a second phase with the new price. It creates the schedule first if
// there is none. Stripe accepts no phases together with from_subscription, so a crash can leave a schedule with a single
// phase. A repetition of the same request continues with that schedule; other requests release it.
func (p *Provider) changeAtRenewal(
	ctx context.Context, sub *stripe.Subscription, req payment.PriceChange, priceID string,
) (billing.Subscription, error) {
	schedule, isRepeat := sub.Schedule, sub.Metadata[metaChangeKey] == req.Key
	if !ownsSubscription(schedule) || nextPhase(schedule) == nil && !isRepeat {
		var err error
		if schedule, err = p.createSchedule(ctx, req.Key, sub); err != nil {
			return billing.Subscription{}, err
		}
	}
	params, err := scheduleParams(schedule, req, priceID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if _, err := p.stripe.V1SubscriptionSchedules.Update(ctx, schedule.ID, params); err != nil {
		return billing.Subscription{}, p.convertPurchaseRefusal(req.To.PriceID(), err,
			p.logKeyFault(ctx, "schedule plan change", sub.Customer.ID, req.Key, err))
	}
	return p.Subscription(ctx, sub.ID)
}

// createSchedule creates a schedule from the subscription, after releasing one without a next phase.
func (p *Provider) createSchedule(
	ctx context.Context, key string, sub *stripe.Subscription,
) (*stripe.SubscriptionSchedule, error) {
	if err := p.releaseFinishedSchedule(ctx, key, sub); err != nil {
		return nil, err
	}
	scheduleKey := stepKey(key, "schedule")
	params := &stripe.SubscriptionScheduleCreateParams{FromSubscription: &sub.ID}
	params.SetIdempotencyKey(scheduleKey)
	schedule, err := p.stripe.V1SubscriptionSchedules.Create(ctx, params)
	if err != nil {
		return nil, p.logKeyFault(ctx, "create schedule", sub.Customer.ID, scheduleKey, err)
	}
	return schedule, nil
}

// scheduleParams returns the parameters that keep the schedule's current phase and add one period of the new price. The
// schedule releases the subscription after that period. Nothing is prorated.
func scheduleParams(
	s *stripe.SubscriptionSchedule, req payment.PriceChange, priceID string,
) (*stripe.SubscriptionScheduleUpdateParams, error) {
	phase := currentPhase(s)
	if phase == nil {
		return nil, errSubscriptionChanged()
	}
	params := &stripe.SubscriptionScheduleUpdateParams{
		EndBehavior: new("release"), ProrationBehavior: new("none"),
		Phases: []*stripe.SubscriptionScheduleUpdatePhaseParams{
			currentPhaseParams(phase), nextPhaseParams(phase, priceID, req.To.Interval),
		},
	}
	params.SetIdempotencyKey(req.Key)
	return params, nil
}

// currentPhaseParams returns the parameters that leave the phase, which must be the current one, unchanged.
func currentPhaseParams(phase *stripe.SubscriptionSchedulePhase) *stripe.SubscriptionScheduleUpdatePhaseParams {
	params := &stripe.SubscriptionScheduleUpdatePhaseParams{
		StartDate: &phase.StartDate, EndDate: &phase.EndDate, ProrationBehavior: new("none"),
		DefaultTaxRates: phaseTaxRates(phase), Discounts: phaseDiscounts(phase),
	}
	if phase.TrialEnd != 0 {
		params.TrialEnd = &phase.TrialEnd
	}
	for _, item := range phase.Items {
		params.Items = append(params.Items,
			&stripe.SubscriptionScheduleUpdatePhaseItemParams{Price: &item.Price.ID, Quantity: new(max(item.Quantity, 1))})
	}
	return params
}

// nextPhaseParams returns the parameters of one period of the new price, with the discounts and tax rates of the previous
// phase. If the interval changes, Stripe starts the new period at this phase.
func nextPhaseParams(
	previousPhase *stripe.SubscriptionSchedulePhase, priceID string, interval catalogue.Interval,
) *stripe.SubscriptionScheduleUpdatePhaseParams {
	return &stripe.SubscriptionScheduleUpdatePhaseParams{
		Items: []*stripe.SubscriptionScheduleUpdatePhaseItemParams{{Price: &priceID, Quantity: new(int64(1))}},
		Duration: &stripe.SubscriptionScheduleUpdatePhaseDurationParams{
			Interval: stripe.String(string(stripeInterval(interval))), IntervalCount: new(int64(1)),
		},
		ProrationBehavior: new("none"), DefaultTaxRates: phaseTaxRates(previousPhase), Discounts: phaseDiscounts(previousPhase),
	}
}

// phaseTaxRates returns the ids of the phase's tax rates.
func phaseTaxRates(phase *stripe.SubscriptionSchedulePhase) []*string {
	var ids []*string
	for _, rate := range phase.DefaultTaxRates {
		ids = append(ids, &rate.ID)
	}
	return ids
}

// phaseDiscounts returns the discounts of the phase as parameters. Stripe removes those that an update does not repeat.
func phaseDiscounts(phase *stripe.SubscriptionSchedulePhase) []*stripe.SubscriptionScheduleUpdatePhaseDiscountParams {
	var discounts []*stripe.SubscriptionScheduleUpdatePhaseDiscountParams
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
		discounts = append(discounts, params)
	}
	return discounts
}

// CancelScheduledChange releases the schedule, which leaves the subscription unchanged. Before that it removes the record
// of a scheduled change that an immediate change replaces, see metaReplacedChange.
func (p *Provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduledChangeCancellation,
) (billing.Subscription, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Subscription{}, err
	}
	sub, err := p.readSubscription(ctx, req.SubscriptionID)
	if err != nil {
		return billing.Subscription{}, err
	}
	if sub.Metadata[metaReplacedChange] != "" {
		if err := p.writeMetadata(ctx, sub, req.Key, map[string]string{metaReplacedChange: ""}); err != nil {
			return billing.Subscription{}, err
		}
		delete(sub.Metadata, metaReplacedChange)
	}
	if !ownsSubscription(sub.Schedule) {
		return p.subscriptionOf(ctx, sub)
	}
	if err := p.releaseSchedule(ctx, req.Key, sub); err != nil {
		return billing.Subscription{}, err
	}
	return p.Subscription(ctx, sub.ID)
}

// releaseFinishedSchedule releases a schedule without a next phase. Such a schedule either has made its change and owns
// the subscription until its last phase ends, or never got a second phase.
func (p *Provider) releaseFinishedSchedule(ctx context.Context, key string, s *stripe.Subscription) error {
	if nextPhase(s.Schedule) != nil {
		return nil
	}
	return p.releaseScheduleIfOwned(ctx, key, s)
}

// releaseScheduleIfOwned releases the schedule that owns the subscription, if there is one. The request to Stripe has a key
// that is derived from the given key.
func (p *Provider) releaseScheduleIfOwned(ctx context.Context, key string, s *stripe.Subscription) error {
	if !ownsSubscription(s.Schedule) {
		return nil
	}
	return p.releaseSchedule(ctx, stepKey(key, "release"), s)
}

// releaseSchedule releases the subscription's schedule. It returns nil also if the schedule was released before.
func (p *Provider) releaseSchedule(ctx context.Context, key string, s *stripe.Subscription) error {
	params := &stripe.SubscriptionScheduleReleaseParams{}
	params.SetIdempotencyKey(key)
	_, err := p.stripe.V1SubscriptionSchedules.Release(ctx, s.Schedule.ID, params)
	if err != nil && failureOf(err).isRefused() {
		_ = p.logFault(ctx, "release schedule", err)
		return nil
	}
	return p.logKeyFault(ctx, "release schedule", s.Customer.ID, key, err)
}

// ownsSubscription reports whether the schedule still controls its subscription.
func ownsSubscription(s *stripe.SubscriptionSchedule) bool {
	return s != nil && (s.Status == stripe.SubscriptionScheduleStatusActive ||
		s.Status == stripe.SubscriptionScheduleStatusNotStarted)
}

// currentPhase returns the phase that the schedule is in, or nil if the schedule does not own its subscription.
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

// nextPhase returns the phase that follows the current one, or nil.
func nextPhase(s *stripe.SubscriptionSchedule) *stripe.SubscriptionSchedulePhase {
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

// changesAfterRenewal reports whether the next phase begins after the current period, so that the next renewal has the
// current price.
func changesAfterRenewal(s *stripe.Subscription) bool {
	next := nextPhase(s.Schedule)
	return next != nil && next.StartDate > firstItem(s).CurrentPeriodEnd
}

// scheduledChangeOf returns the change that the schedule makes at the renewal, or a lapsed change, or nil. A phase
// contains only the id of its price, because expanding it in a list would take five levels, and Stripe allows four.
func (p *Provider) scheduledChangeOf(ctx context.Context, s *stripe.Subscription) (*billing.ScheduledChange, error) {
	priceChange := findScheduledPriceChange(s)
	if priceChange == nil || nextPhase(s.Schedule) != nil &&
		(priceChange.nextPriceID == priceChange.currentPriceID || changesAfterRenewal(s)) {
		return nil, nil //nolint:nilnil // no change is not an error
	}
	change := &billing.ScheduledChange{At: timeOf(priceChange.effectiveAt), Lapsed: nextPhase(s.Schedule) == nil}
	price, err := p.resolvePrice(ctx, &stripe.Price{ID: priceChange.nextPriceID})
	if err != nil {
		return nil, err
	}
	var inCatalogue bool
	if change.To, inCatalogue = p.catalogueRef(price, currencyCode(s.Currency)); !inCatalogue {
		change.To = p.operatorPriceRef(ctx, price, currencyCode(s.Currency))
	}
	change.Amount, err = p.priceAmount(ctx, price, priceChange.quantity, change.To.Currency)
	return change, err
}

func errSubscriptionChanged() error {
	return fault.New(fault.Conflict, "Your subscription has changed in the meantime. Please look at it again.")
}

func errChangePending() error { return fault.New(fault.Conflict, "Another plan change is pending.") }

func errChangeScheduled() error {
	return fault.New(fault.Conflict, "A plan change is scheduled. Please cancel it first.")
}

func errSubscriptionEnding() error {
	return fault.New(fault.Conflict, "The subscription is ending. Please resume it first.")
}
