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
		kind: "subscription_schedule", serve: (*call).createSchedule, params: "from_subscription end_behavior metadata phases", //nolint:misspell // Stripe's spelling
	},
	"GET /v1/subscription_schedules/{id}": retrieve("subscription_schedule", "schedule"),
	"POST /v1/subscription_schedules/{id}": {
		kind: "subscription_schedule", serve: (*call).updateSchedule, params: "phases end_behavior metadata " + prorationParam, //nolint:misspell // Stripe's spelling
	},
	"POST /v1/subscription_schedules/{id}/release": {kind: "subscription_schedule", serve: (*call).releaseSchedule},
}

// schedule is a subscription schedule with its current phase and, after an update, a next one.
type schedule struct {
	id, subscription string
	created          time.Time
	phases           []phase
	isReleased       bool
}

// phase is a period of time with one price.
type phase struct {
	start, end, trialEnd time.Time
	price                string
}

// createSchedule creates a schedule with the current period of the subscription as its only phase.
func (c *call) createSchedule() (renderFunc, error) {
	id, err := c.form.requiredText("from_subscription")
	if err != nil {
		return nil, unsupported("from_subscription", "")
	}
	for name := range c.form.values {
		if name != "from_subscription" {
			return nil, invalidRequest("", name, "You cannot set `"+name+"` if `from_subscription` is set.")
		}
	}
	sched := schedule{id: "sub_sched_" + rand.Text(), subscription: id}
	err = c.read(func(v view) error {
		s, found := v.Subscription(id)
		switch {
		case !found:
			return noSuchObject("subscription", id, "from_subscription")
		case !s.Status.Live():
			return invalidRequest("", "", "You can't create a schedule from a subscription that is "+string(s.Status)+".")
		case v.scheduleOf(s) != nil:
			return invalidRequest("", "", "This subscription is already attached to a schedule.")
		}
		sched.created = v.Now()
		sched.phases = []phase{{start: s.PeriodStart, end: s.PeriodEnd, price: v.priceIDOf(s.ID, s.Price)}}
		if s.Status == billing.Trialing {
			sched.phases[0].trialEnd = s.TrialEnd
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.extras.schedules[sched.id] = &sched
	return renderObject("subscription_schedule", sched.id, "schedule"), nil
}

// updateSchedule adds a phase with another price after the current one, or replaces that phase.
func (c *call) updateSchedule() (renderFunc, error) {
	var s fakepayment.SubscriptionRecord
	var now time.Time
	sched, err := c.activeSchedule(func(v view, record fakepayment.SubscriptionRecord) { s, now = record, v.Now() })
	if err != nil {
		return nil, err
	}
	current, next, err := c.parsePhases(sched, s, now)
	if err != nil {
		return nil, err
	}
	price, err := c.activePrice("phases[1][items][0][price]", s.Price.Currency)
	if err != nil {
		return nil, err
	}
	ref := price.ref(s.Price.Currency)
	next.price = price.id
	next.end = engine.PeriodEnd(next.start, next.start, ref.Interval)
	req := fakepayment.PriceChange{SubscriptionID: s.ID, To: ref, Amount: price.amounts[stripeCurrency(ref.Currency)]}
	if err := c.provider.SchedulePrice(c.ctx(), req); err != nil {
		return nil, err
	}
	c.extras.setPrice(s.ID, ref, price.id)
	sched.phases = []phase{current, next}
	return renderObject("subscription_schedule", sched.id, "schedule"), nil
}

// parsePhases returns the schedule's current phase, which the update must repeat unchanged, and the start of the next one. It
// refuses other updates, which Stripe accepts.
func (c *call) parsePhases(
	sched *schedule, s fakepayment.SubscriptionRecord, now time.Time,
) (current, next phase, err error) {
	i := slices.IndexFunc(sched.phases, func(p phase) bool { return now.Before(p.end) })
	current = sched.phases[max(i, 0)]
	start, _, _ := c.form.number("phases[0][start_date]")
	end, _, _ := c.form.number("phases[0][end_date]")
	trialEnd, hasTrialEnd, _ := c.form.number("phases[0][trial_end]")
	switch {
	case start != current.start.Unix():
		err = invalidRequest("", "phases[0][start_date]", "You can not modify the start date of the current phase.")
	case end != s.PeriodEnd.Unix():
		err = unsupported("phases[0][end_date]", c.form.text("phases[0][end_date]"))
	case hasTrialEnd == current.trialEnd.IsZero(), hasTrialEnd && trialEnd != current.trialEnd.Unix():
		err = unsupported("phases[0][trial_end]", c.form.text("phases[0][trial_end]"))
	case c.form.text("phases[0][items][0][price]") != current.price:
		err = unsupported("phases[0][items][0][price]", c.form.text("phases[0][items][0][price]"))
	case c.form.text("phases[0]["+prorationParam+"]") != "none", c.form.text("phases[1]["+prorationParam+"]") != "none":
		err = unsupported("phases[0]["+prorationParam+"]", c.form.text("phases[0]["+prorationParam+"]"))
	case c.form.text("phases[1][duration][interval_count]") != "1", c.form.has("phases[2][items][0][price]"):
		err = unsupported("phases[1][duration]", c.form.text("phases[1][duration][interval_count]"))
	case !slices.Equal(c.form.nestedForm("phases[1]").list("default_tax_rates"), c.extras.subscriptionTaxRates[s.ID]):
		err = invalidRequest("", "phases[1][default_tax_rates]", "The next phase loses the tax rates of the subscription.")
	default:
		err = c.form.allowOnly("end_behavior", "release") //nolint:misspell // Stripe's spelling
	}
	return current, phase{start: current.end}, err
}

// releaseSchedule detaches a schedule from its subscription, which it leaves unchanged.
func (c *call) releaseSchedule() (renderFunc, error) {
	sched, err := c.activeSchedule(func(view, fakepayment.SubscriptionRecord) {})
	if err != nil {
		return nil, err
	}
	if err := c.provider.UnschedulePrice(c.ctx(), sched.subscription); err != nil {
		return nil, err
	}
	sched.isReleased = true
	return renderObject("subscription_schedule", sched.id, "schedule"), nil
}

// activeSchedule returns the schedule in the path, which must be active, and calls fn with its subscription.
func (c *call) activeSchedule(fn func(view, fakepayment.SubscriptionRecord)) (*schedule, error) {
	sched, found := c.extras.schedules[c.id("id")]
	if !found {
		return nil, notFound("subscription_schedule", c.id("id"), "schedule")
	}
	return sched, c.read(func(v view) error {
		s, _ := v.Subscription(sched.subscription)
		if status := v.scheduleStatus(sched); status != "active" {
			return invalidRequest("", "",
				"You cannot change a subscription schedule that is currently in the `"+status+"` status.")
		}
		fn(v, s)
		return nil
	})
}

// scheduleOf returns the schedule that owns the subscription, or nil.
func (v view) scheduleOf(s fakepayment.SubscriptionRecord) *schedule {
	for _, sched := range v.extras.schedules {
		if sched.subscription == s.ID && v.scheduleStatus(sched) == "active" {
			return sched
		}
	}
	return nil
}

// scheduleStatus returns the status of a schedule. It is released at the end of its last phase.
func (v view) scheduleStatus(sched *schedule) string {
	s, _ := v.Subscription(sched.subscription)
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

func (v view) subscriptionSchedule(id string) object {
	sched, found := v.extras.schedules[id]
	if !found {
		return nil
	}
	fields := object{
		"id": id, "object": "subscription_schedule", "livemode": false, "status": v.scheduleStatus(sched),
		"created":      sched.created.Unix(),
		"subscription": sched.subscription, "end_behavior": "release", "current_phase": nil, "metadata": v.extras.metadataOf(id), //nolint:misspell // Stripe's spelling
	}
	phases := []any{}
	for _, p := range sched.phases {
		phases = append(phases, object{
			"start_date": p.start.Unix(), "end_date": p.end.Unix(), "trial_end": unixOrNull(p.trialEnd),
			prorationParam:      "none",
			"items":             []any{object{"price": p.price, "plan": p.price, "quantity": 1}},
			"default_tax_rates": v.taxRatesOf(v.extras.subscriptionTaxRates[sched.subscription]),
		})
		if now := v.Now(); !now.Before(p.start) && now.Before(p.end) {
			fields["current_phase"] = object{"start_date": p.start.Unix(), "end_date": p.end.Unix()}
		}
	}
	fields["phases"] = phases
	return fields
}
