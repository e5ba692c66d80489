package stripeserver

import (
	"cmp"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	paymentBehaviourParam   = "payment_behavior"   //nolint:misspell // Stripe's spelling
	prorationBehaviourParam = "proration_behavior" //nolint:misspell // Stripe's spelling
	endBehaviourParam       = "end_behavior"       //nolint:misspell // Stripe's spelling

	pendingIfIncomplete = "pending_if_incomplete"
)

var subscriptionEndpoints = map[string]endpoint{
	"POST /v1/subscriptions": {
		objectType: "subscription", serve: (*call).createSubscription,
		params: "customer items currency " + paymentBehaviourParam +
			" payment_settings billing_mode trial_period_days default_payment_method off_session collection_method " +
			"default_tax_rates metadata",
	},
	"GET /v1/subscriptions": {objectType: "subscription", isList: true, params: "customer status",
		serve: (*call).listSubscriptions},
	"GET /v1/subscriptions/{id}": newRetrieveEndpoint("subscription", "id"),
	"POST /v1/subscriptions/{id}": {
		objectType: "subscription", serve: (*call).updateSubscription,
		params: "items add_invoice_items trial_end cancel_at cancel_at_period_end proration_date billing_cycle_anchor " + prorationBehaviourParam +
			" " + paymentBehaviourParam + " payment_settings default_payment_method default_source off_session metadata",
	},
	"DELETE /v1/subscriptions/{id}": {objectType: "subscription", serve: (*call).cancelSubscription},
}

func (c *call) createSubscription() (renderFunc, error) {
	req, p, err := c.parseSubscription()
	if err != nil {
		return nil, err
	}
	rates := c.form.list("default_tax_rates")
	if err := c.checkTaxRates(rates, "default_tax_rates"); err != nil {
		return nil, err
	}
	unconfirmed := c.form.text(paymentBehaviourParam) == "default_incomplete" && req.TrialDays == 0
	id, err := c.provider.StartSubscription(c.ctx(), req, p.amounts[stripeCurrency(req.Price.Currency)], unconfirmed)
	if err != nil {
		return nil, c.subscribeError(req, err)
	}
	c.state.setSoldPrice(id, req.Price, p.id)
	c.state.subscriptionTaxRates[id] = rates
	c.saveMethodTypes(id)
	c.saveMetadata(id)
	return newObjectRenderer("subscription", id, "id"), nil
}

func (c *call) listSubscriptions() (renderFunc, error) {
	customerID, err := c.form.requiredText("customer")
	if err != nil {
		return nil, unsupportedError("customer", "")
	}
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(customerID, "customer"); err != nil {
			return nil, err
		}
		customer, _ := v.Customer(customerID)
		return c.newListPage("subscription", v.filterSubscriptions(customer.SubscriptionIDs, c.matchesStatus))
	}, nil
}

// matchesStatus reports whether the subscription matches the filter status. Without the filter all subscriptions match
// except canceled ones.
func (c *call) matchesStatus(s fakepayment.SubscriptionRecord) bool {
	switch status := c.form.text("status"); status {
	case "all":
		return true
	case "":
		return s.Status != "canceled"
	case "ended":
		return s.Status == "canceled" || s.Status == "incomplete_expired"
	default:
		return string(s.Status) == status
	}
}

// cancelSubscription returns 404 for a subscription that has ended, as Stripe does.
func (c *call) cancelSubscription() (renderFunc, error) {
	id := c.pathValue("id")
	if err := c.provider.CancelKeepingInvoice(c.ctx(), id); err != nil {
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			err = notFoundError("subscription", id, "id")
		}
		return nil, err
	}
	return newObjectRenderer("subscription", id, "id"), nil
}

// parseSubscription returns the subscription that the request starts, and its price. It refuses parameters that the
// provider does not support.
func (c *call) parseSubscription() (req payment.NewSubscription, p *price, err error) {
	if err := c.checkSupportedParams(); err != nil {
		return req, nil, err
	}
	req.CustomerID, err = c.form.requiredText("customer")
	if err != nil {
		return req, nil, err
	}
	if err := c.read(func(v view) error { return v.checkCustomerExists(req.CustomerID, "customer") }); err != nil {
		return req, nil, err
	}
	if err := c.form.allowOnly(paymentBehaviourParam, "allow_incomplete", "default_incomplete"); err != nil {
		return req, nil, err
	}
	days, _, err := c.form.number("trial_period_days")
	if err != nil {
		return req, nil, err
	}
	req.TrialDays = int(days)
	p, err = c.findActivePrice("items[0][price]", c.form.text("currency"))
	if err == nil {
		req.Price = p.ref(c.form.text("currency"))
	}
	return req, p, err
}

// checkSupportedParams refuses several items, and parameter values that the provider does not support.
func (c *call) checkSupportedParams() error {
	checks := []error{ // nil for passed checks
		c.form.allowOnly("billing_mode[type]", "classic"),
		c.form.allowOnly("collection_method", "charge_automatically"), c.form.allowOnly("default_payment_method", ""),
		c.form.allowOnly("default_source", ""), c.form.allowOnly("items[0][quantity]", "1"), c.checkMetadata(),
	}
	if c.form.has("items[1][price]") || c.form.has("items[1][id]") {
		checks = append(checks, unsupportedError("items[1]", "anything"))
	}
	return cmp.Or(checks...)
}

// subscribeError returns Stripe's error for a subscription that the provider refused.
func (c *call) subscribeError(req payment.NewSubscription, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	var customer fakepayment.CustomerRecord
	if err := c.read(func(v view) error { customer, _ = v.Customer(req.CustomerID); return nil }); err != nil {
		return err
	}
	switch {
	case customer.Currency != "" && customer.Currency != req.Price.Currency:
		return invalidRequestError("", "",
			"You cannot combine currencies on a single customer. This customer has an active subscription, "+
				"subscription schedule, discount, quote, or invoice item with currency "+stripeCurrency(customer.Currency)+".")
	case customer.DefaultCardID == "":
		return invalidRequestError("resource_missing", "",
			"This customer has no attached payment source or default payment method. "+
				"Please consider adding a default payment method. For more information, visit "+
				"https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.")
	}
	return err
}

// itemID returns the id of the subscription's only item.
func itemID(subscriptionID string) string {
	return "si_" + strings.TrimPrefix(subscriptionID, "sub_")
}

// filterSubscriptions returns the objects of the subscriptions that match.
func (v view) filterSubscriptions(ids []string, matches func(fakepayment.SubscriptionRecord) bool) []object {
	var subscriptions []object
	for _, id := range ids {
		if s, found := v.Subscription(id); found && matches(s) {
			subscriptions = append(subscriptions, v.renderSubscription(s))
		}
	}
	return subscriptions
}

func (v view) subscriptionObject(id string) object {
	s, found := v.Subscription(id)
	if !found {
		return nil
	}
	return v.renderSubscription(s)
}

func (v view) renderSubscription(s fakepayment.SubscriptionRecord) object {
	return object{
		"id": s.ID, "object": "subscription", "livemode": false, "status": string(s.Status), "customer": s.CustomerID,
		"created": s.Created.Unix(), "start_date": s.Created.Unix(), "billing_cycle_anchor": s.Anchor.Unix(),
		"billing_mode": object{"type": "classic"}, "collection_method": "charge_automatically",
		"currency":    stripeCurrency(s.Price.Currency),
		"trial_start": unixOrNull(trialStart(s)), "trial_end": unixOrNull(s.TrialEnd),
		"cancel_at_period_end": s.EndsAtPeriodEnd, "cancel_at": unixOrNull(s.EndsAt()), "canceled_at": unixOrNull(s.CanceledAt),
		"ended_at": unixOrNull(s.EndedAt), "pause_collection": nil, "schedule": v.scheduleIDOf(s),
		"default_tax_rates":      v.taxRateObjects(v.state.subscriptionTaxRates[s.ID]),
		"payment_settings":       object{"payment_method_types": v.state.methodTypes[s.ID], "payment_method_options": nil},
		"default_payment_method": nil, "default_source": nil, "latest_invoice": textOrNull(s.LatestInvoiceID),
		"pending_setup_intent": textOrNull(s.SetupID), "metadata": v.state.metadataOf(s.ID),
		"items":          newListObject("/v1/subscription_items?subscription="+s.ID, []object{v.renderItem(s, s.Price)}),
		"pending_update": v.pendingUpdate(s), "discounts": []any{}, "automatic_tax": disabledAutomaticTax(),
		"cancellation_details": object{"comment": nil, "feedback": nil, "reason": cancellationReason(s)},
		"invoice_settings":     object{"account_tax_ids": nil, "issuer": object{"type": "self"}},
	}
}

// cancellationReason returns why the subscription has ended or ends, or null.
func cancellationReason(s fakepayment.SubscriptionRecord) any {
	switch {
	case s.CanceledAt.IsZero(), s.Status == billing.IncompleteExpired:
		return nil
	case s.EndedUnpaid:
		return "payment_failed"
	}
	return "cancellation_requested"
}

// scheduleIDOf returns the id of the schedule that owns the subscription, or null.
func (v view) scheduleIDOf(s fakepayment.SubscriptionRecord) any {
	if sched := v.scheduleOf(s); sched != nil {
		return sched.id
	}
	return nil
}

// pendingUpdate returns the change that waits for the payment of the latest invoice, or null.
func (v view) pendingUpdate(s fakepayment.SubscriptionRecord) any {
	change := s.Pending
	if change.Invoice == "" {
		return nil
	}
	update := object{
		"expires_at": change.Expires.Unix(), "subscription_items": []object{v.renderItem(s, change.Price)},
		"billing_cycle_anchor": nil, "trial_end": nil, "trial_from_plan": nil,
	}
	if change.EndTrial {
		update["trial_end"] = change.At.Unix()
	}
	if change.EndTrial || change.Price.Interval != s.Price.Interval {
		update["billing_cycle_anchor"] = change.At.Unix()
	}
	return update
}

func trialStart(s fakepayment.SubscriptionRecord) time.Time {
	if s.TrialEnd.IsZero() {
		return time.Time{}
	}
	return s.Created
}

// renderItem returns the subscription item with the price. Since API version 2025-03-31 the period is a field of the
// item.
func (v view) renderItem(s fakepayment.SubscriptionRecord, ref catalogue.PriceRef) object {
	return object{
		"id": itemID(s.ID), "object": "subscription_item", "subscription": s.ID, "quantity": 1, "metadata": object{}, "discounts": []any{},
		"created": s.Created.Unix(), "current_period_start": s.PeriodStart.Unix(), "current_period_end": s.PeriodEnd.Unix(),
		"price": v.priceObject(v.priceIDOf(s.ID, ref)),
	}
}

// priceIDOf returns the id of the price that a request has named for the subscription, or else of the price with the
// lookup key.
func (v view) priceIDOf(subscriptionID string, ref catalogue.PriceRef) string {
	if id, known := v.state.soldPriceIDs[subscriptionPrice{subscriptionID, ref}]; known {
		return id
	}
	return v.prices.priceIDForKey(ref.PriceID())
}
