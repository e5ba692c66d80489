package stripeserver

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

var scheduleEndpoints = map[string]endpoint{
	"POST /v1/subscription_schedules": {
		objectType: "subscription_schedule", serve: (*call).createSchedule,
		params: "from_subscription metadata phases " + endBehaviourParam,
	},
	"GET /v1/subscription_schedules/{id}": newRetrieveEndpoint("subscription_schedule", "schedule"),
	"POST /v1/subscription_schedules/{id}": {
		objectType: "subscription_schedule", serve: (*call).updateSchedule,
		params: "phases metadata " + endBehaviourParam + " " + prorationBehaviourParam,
	},
	"POST /v1/subscription_schedules/{id}/release": {objectType: "subscription_schedule", serve: (*call).releaseSchedule},
}

// schedule is a subscription schedule with its current phase and, after an update, a next one.
type schedule struct {
	id, subscriptionID string
	createdAt          time.Time
	phases             []phase
	isReleased         bool
}

// phase is a period of time with one price.
type phase struct {
	start, end, trialEnd time.Time
	priceID              string
}

// createSchedule creates a schedule with the current period of the subscription as its only phase.
func (c *call) createSchedule() (renderFunc, error) {
	id, err := c.form.requiredText("from_subscription")
	if err != nil {
		return nil, unsupportedError("from_subscription", "")
	}
	for name := range c.form.values {
		if name != "from_subscription" {
			return nil, invalidRequestError("", name, "You cannot set `"+name+"` if `from_subscription` is set.")
		}
	}
	sched := schedule{id: "sub_sched_" + rand.Text(), subscriptionID: id}
	err = c.read(func(v view) error {
		s, found := v.Subscription(id)
		switch {
		case !found:
			return unknownReferenceError("subscription", id, "from_subscription")
		case !s.Status.Live():
			return invalidRequestError("", "", "You can't create a schedule from a subscription that is "+string(s.Status)+".")
		case v.scheduleOf(s) != nil:
			return invalidRequestError("", "", "This subscription is already attached to a schedule.")
		}
		sched.createdAt = v.Now()
		sched.phases = []phase{{start: s.PeriodStart, end: s.PeriodEnd, priceID: v.priceIDOf(s.ID, s.Price)}}
		if s.Status == billing.Trialing {
			sched.phases[0].trialEnd = s.TrialEnd
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.state.schedules[sched.id] = &sched
	return newObjectRenderer("subscription_schedule", sched.id, "schedule"), nil
}

// updateSchedule adds a phase with another price after the current one, or replaces that phase.
func (c *call) updateSchedule() (renderFunc, error) {
	var s fakepayment.SubscriptionRecord
	var now time.Time
	sched, err := c.readActiveSchedule(func(v view, record fakepayment.SubscriptionRecord) { s, now = record, v.Now() })
	if err != nil {
		return nil, err
	}
	currentPhase, nextPhase, err := c.parsePhases(sched, s, now)
	if err != nil {
		return nil, err
	}
	p, err := c.findActivePrice("phases[1][items][0][price]", s.Price.Currency)
	if err != nil {
		return nil, err
	}
	ref := p.ref(s.Price.Currency)
	nextPhase.priceID = p.id
	nextPhase.end = engine.PeriodEnd(nextPhase.start, nextPhase.start, ref.Interval)
	req := fakepayment.PriceChange{SubscriptionID: s.ID, To: ref, Amount: p.amounts[stripeCurrency(ref.Currency)]}
	if err := c.provider.SchedulePriceChange(c.ctx(), req); err != nil {
		return nil, err
	}
	c.state.setSoldPrice(s.ID, ref, p.id)
	sched.phases = []phase{currentPhase, nextPhase}
	return newObjectRenderer("subscription_schedule", sched.id, "schedule"), nil
}

// parsePhases returns the schedule's current phase and the start of the next one. It refuses an update that does not
// repeat the current phase unchanged. Stripe accepts such updates.
func (c *call) parsePhases(
	sched *schedule, s fakepayment.SubscriptionRecord, now time.Time,
) (currentPhase, nextPhase phase, err error) {
	i := slices.IndexFunc(sched.phases, func(p phase) bool { return now.Before(p.end) })
	currentPhase = sched.phases[max(i, 0)]
	start, _, _ := c.form.number("phases[0][start_date]")
	end, _, _ := c.form.number("phases[0][end_date]")
	trialEnd, hasTrialEnd, _ := c.form.number("phases[0][trial_end]")
	switch {
	case start != currentPhase.start.Unix():
		err = invalidRequestError("", "phases[0][start_date]", "You can not modify the start date of the current phase.")
	case end != s.PeriodEnd.Unix():
		err = unsupportedError("phases[0][end_date]", c.form.text("phases[0][end_date]"))
	case hasTrialEnd == currentPhase.trialEnd.IsZero(), hasTrialEnd && trialEnd != currentPhase.trialEnd.Unix():
		err = unsupportedError("phases[0][trial_end]", c.form.text("phases[0][trial_end]"))
	case c.form.text("phases[0][items][0][price]") != currentPhase.priceID:
		err = unsupportedError("phases[0][items][0][price]", c.form.text("phases[0][items][0][price]"))
	case c.form.text("phases[0]["+prorationBehaviourParam+"]") != "none",
		c.form.text("phases[1]["+prorationBehaviourParam+"]") != "none":
		err = unsupportedError("phases[0]["+prorationBehaviourParam+"]", c.form.text("phases[0]["+prorationBehaviourParam+"]"))
	case c.form.text("phases[1][duration][interval_count]") != "1", c.form.has("phases[2][items][0][price]"):
		err = unsupportedError("phases[1][duration]", c.form.text("phases[1][duration][interval_count]"))
	case !slices.Equal(c.form.nestedForm("phases[1]").list("default_tax_rates"), c.state.subscriptionTaxRates[s.ID]):
		err = invalidRequestError("", "phases[1][default_tax_rates]", "The next phase loses the tax rates of the subscription.")
	default:
		err = c.form.allowOnly(endBehaviourParam, "release")
	}
	return currentPhase, phase{start: currentPhase.end}, err
}

// releaseSchedule detaches a schedule from its subscription and leaves the subscription unchanged.
func (c *call) releaseSchedule() (renderFunc, error) {
	sched, err := c.readActiveSchedule(func(view, fakepayment.SubscriptionRecord) {})
	if err != nil {
		return nil, err
	}
	if err := c.provider.CancelScheduledPriceChange(c.ctx(), sched.subscriptionID); err != nil {
		return nil, err
	}
	sched.isReleased = true
	return newObjectRenderer("subscription_schedule", sched.id, "schedule"), nil
}

// readActiveSchedule returns the schedule in the path, which must be active, and calls fn with its subscription.
func (c *call) readActiveSchedule(fn func(view, fakepayment.SubscriptionRecord)) (*schedule, error) {
	sched, found := c.state.schedules[c.pathValue("id")]
	if !found {
		return nil, notFoundError("subscription_schedule", c.pathValue("id"), "schedule")
	}
	return sched, c.read(func(v view) error {
		s, _ := v.Subscription(sched.subscriptionID)
		if status := v.scheduleStatus(sched); status != "active" {
			return invalidRequestError("", "",
				"You cannot change a subscription schedule that is currently in the `"+status+"` status.")
		}
		fn(v, s)
		return nil
	})
}

// scheduleOf returns the schedule that owns the subscription, or nil.
func (v view) scheduleOf(s fakepayment.SubscriptionRecord) *schedule {
	for _, sched := range v.state.schedules {
		if sched.subscriptionID == s.ID && v.scheduleStatus(sched) == "active" {
			return sched
		}
	}
	return nil
}

// scheduleStatus returns the status of a schedule. A schedule is released at the end of its last phase.
func (v view) scheduleStatus(sched *schedule) string {
	s, _ := v.Subscription(sched.subscriptionID)
	switch {
	case sched.isReleased:
		return "released"
	case !s.Status.Live():
		return "canceled"
	case !v.Now().Before(sched.phases[len(sched.phases)-1].end):
		return "released"
	}
	return "active"
}

func (v view) scheduleObject(id string) object {
	sched, found := v.state.schedules[id]
	if !found {
		return nil
	}
	s, _ := v.Subscription(sched.subscriptionID)
	fields := object{
		"id": id, "object": "subscription_schedule", "livemode": false, "status": v.scheduleStatus(sched),
		"created":      sched.createdAt.Unix(),
		"subscription": sched.subscriptionID, "customer": s.CustomerID,
		"billing_mode": object{"type": "classic"},
		"default_settings": object{"automatic_tax": disabledAutomaticTax(), "collection_method": "charge_automatically",
			"billing_cycle_anchor": "automatic", "invoice_settings": object{"account_tax_ids": nil, "days_until_due": nil,
				"issuer": object{"type": "self"}}},
		endBehaviourParam: "release", "current_phase": nil, "metadata": v.state.metadataOf(id),
	}
	phases := []any{}
	for _, p := range sched.phases {
		phases = append(phases, object{
			"start_date": p.start.Unix(), "end_date": p.end.Unix(), "trial_end": unixOrNull(p.trialEnd),
			prorationBehaviourParam: "none",
			"items":                 []any{object{"price": p.priceID, "plan": p.priceID, "quantity": 1, "discounts": []any{}}},
			"add_invoice_items":     []any{}, "discounts": []any{}, "currency": stripeCurrency(s.Price.Currency),
			"default_tax_rates": v.taxRateObjects(v.state.subscriptionTaxRates[sched.subscriptionID]),
		})
		if now := v.Now(); !now.Before(p.start) && now.Before(p.end) {
			fields["current_phase"] = object{"start_date": p.start.Unix(), "end_date": p.end.Unix()}
		}
	}
	fields["phases"] = phases
	return fields
}
