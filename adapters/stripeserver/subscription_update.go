package stripeserver

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

func (c *call) updateSubscription() (renderFunc, error) {
	id := c.pathValue("id")
	if err := c.checkSupportedParams(); err != nil {
		return nil, err
	}
	s, err := readRecord(c, notFoundError("subscription", id, "id"),
		func(v view) (fakepayment.SubscriptionRecord, bool) { return v.Subscription(id) })
	if err != nil {
		return nil, err
	}
	steps := []func(fakepayment.SubscriptionRecord) error{c.checkSchedule, c.changePrice, c.applyCancelParams, c.extendTrial}
	for _, step := range steps {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	c.saveMethodTypes(id)
	c.saveMetadata(id)
	return newObjectRenderer("subscription", id, "id"), nil
}

// checkSchedule refuses to set or clear the end of a subscription with a schedule, as Stripe does. It also refuses to
// change the price. Stripe allows this change, but the adapter never makes it.
func (c *call) checkSchedule(s fakepayment.SubscriptionRecord) error {
	return c.read(func(v view) error {
		sched := v.scheduleOf(s)
		switch {
		case sched == nil:
			return nil
		case c.form.has("cancel_at"), c.form.has("cancel_at_period_end"):
			return invalidRequestError("", "", "The subscription is managed by the subscription schedule `"+sched.id+
				"`, and updating any cancelation behavior directly is not allowed. "+ //nolint:misspell // Stripe's spelling
				"Please update the schedule instead.")
		case c.form.has("items[0][price]"):
			return unsupportedError("items", "with a schedule")
		}
		return nil
	})
}

// applyCancelParams applies the parameters cancel_at_period_end and cancel_at, if the request contains one of them.
func (c *call) applyCancelParams(s fakepayment.SubscriptionRecord) error {
	if err := cmp.Or(c.form.allowOnly("cancel_at", ""),
		c.form.allowOnly("cancel_at_period_end", "true", "false")); err != nil {
		return err
	}
	if !c.form.has("cancel_at") && !c.form.has("cancel_at_period_end") {
		return nil
	}
	return c.provider.SetCancelAtPeriodEnd(c.ctx(), s.ID, c.form.text("cancel_at_period_end") == "true")
}

// extendTrial moves the end of the trial, if the request has a trial_end and no other price.
func (c *call) extendTrial(s fakepayment.SubscriptionRecord) error {
	if !c.form.has("trial_end") || c.form.has("items[0][price]") {
		return nil
	}
	trialEnd, _, err := c.form.number("trial_end")
	if err != nil {
		return err
	}
	return c.provider.SetTrialEnd(c.ctx(), s.ID, time.Unix(trialEnd, 0))
}

// changePrice changes the subscription to another price, if the request contains a price. The change is a pending
// update, which applies once its invoice is paid.
func (c *call) changePrice(s fakepayment.SubscriptionRecord) error {
	if !c.form.has("items[0][price]") {
		return c.checkNoPriceChangeParams()
	}
	if err := c.checkPriceChange(s); err != nil {
		return err
	}
	p, err := c.findActivePrice("items[0][price]", s.Price.Currency)
	if err != nil {
		return err
	}
	ref := p.ref(s.Price.Currency)
	if err := c.form.checkBillingCycleAnchor(s, ref); err != nil {
		return err
	}
	date, _, err := c.form.number("proration_date")
	if err != nil {
		return err
	}
	req := fakepayment.PriceChange{
		SubscriptionID: s.ID, To: ref, Amount: p.amounts[stripeCurrency(ref.Currency)],
		EndTrial: c.form.text("trial_end") == "now",
	}
	if date != 0 {
		req.At = time.Unix(date, 0)
	}
	if req.Returned, err = c.parseAddedItem(); err != nil {
		return err
	}
	if err := c.provider.ChangePrice(c.ctx(), req); err != nil {
		return err
	}
	c.state.setSoldPrice(s.ID, ref, p.id)
	return c.saveAddedItem(s.ID)
}

// checkNoPriceChangeParams refuses the parameters of a price change.
func (c *call) checkNoPriceChangeParams() error {
	for _, name := range []string{"proration_date", "billing_cycle_anchor", "add_invoice_items[0][price_data][unit_amount]"} {
		if err := c.form.allowOnly(name, ""); err != nil {
			return err
		}
	}
	return c.form.allowOnly(paymentBehaviourParam, "allow_incomplete")
}

// checkPriceChange refuses a change that Stripe would refuse, or that the provider does not support.
func (c *call) checkPriceChange(s fakepayment.SubscriptionRecord) error {
	switch item := c.form.text("items[0][id]"); {
	case s.Status == "canceled" || s.Status == "incomplete_expired":
		return invalidRequestError("", "", "A canceled subscription can only update its cancellation_details and metadata.")
	case s.Status == "incomplete":
		return invalidRequestError("", "", "Subscription update is not allowed while the subscription is incomplete.")
	case item == "":
		return unsupportedError("items[0][id]", "") // Stripe would add a second item and bill both
	case item != itemID(s.ID):
		return unknownReferenceError("subscription_item", item, "items[0][id]")
	case s.Status != "trialing" && c.form.text("trial_end") == "now":
		return unsupportedError("trial_end", "now")
	case c.form.text(prorationBehaviourParam) != "always_invoice":
		return unsupportedError(prorationBehaviourParam, c.form.text(prorationBehaviourParam))
	case c.form.text(paymentBehaviourParam) != pendingIfIncomplete:
		return unsupportedError(paymentBehaviourParam, c.form.text(paymentBehaviourParam))
	}
	return cmp.Or(c.checkPendingUpdateParams(), c.form.allowOnly("trial_end", "now"))
}

// pendingUpdateParams contains the parameters that Stripe accepts for a pending update.
var pendingUpdateParams = []string{
	"items", "add_invoice_items", "trial_end", "proration_date", "billing_cycle_anchor", prorationBehaviourParam, paymentBehaviourParam,
	"off_session", "expand",
}

// checkPendingUpdateParams refuses parameters that are not among pendingUpdateParams.
func (c *call) checkPendingUpdateParams() error {
	for name := range c.form.values {
		topLevelName, _, _ := strings.Cut(name, "[")
		if !slices.Contains(pendingUpdateParams, topLevelName) {
			return invalidRequestError("", topLevelName,
				"When `"+paymentBehaviourParam+"` is set to `"+pendingIfIncomplete+"`, you can't update `"+topLevelName+"`.")
		}
	}
	return nil
}

// checkBillingCycleAnchor requires billing_cycle_anchor=now for a change of interval and refuses it otherwise, because
// the fake provider starts a new period only if the interval changes.
func (f form) checkBillingCycleAnchor(s fakepayment.SubscriptionRecord, newPrice catalogue.PriceRef) error {
	if err := f.allowOnly("billing_cycle_anchor", "now"); err != nil {
		return err
	}
	startsPeriod := s.Status != "trialing" && newPrice.Interval != s.Price.Interval
	if startsPeriod != f.has("billing_cycle_anchor") {
		return unsupportedError("billing_cycle_anchor", f.text("billing_cycle_anchor"))
	}
	return nil
}
