package stripeserver

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	behaviourParam = "payment_behavior"   //nolint:misspell // Stripe's spelling
	prorationParam = "proration_behavior" //nolint:misspell // Stripe's spelling

	pendingBehaviour = "pending_if_incomplete"
)

var subscriptionEndpoints = map[string]endpoint{
	"POST /v1/subscriptions": {
		kind: "subscription", do: (*call).createSubscription,
		params: "customer items currency " + behaviourParam + " payment_settings billing_mode trial_period_days default_payment_method off_session collection_method metadata",
	},
	"GET /v1/subscriptions":      {kind: "subscription", list: true, params: "customer status", do: (*call).listSubscriptions},
	"GET /v1/subscriptions/{id}": retrieve("subscription", "id"),
	"POST /v1/subscriptions/{id}": {
		kind: "subscription", do: (*call).updateSubscription,
		params: "items trial_end proration_date billing_cycle_anchor " + prorationParam + " " + behaviourParam + " default_payment_method default_source off_session metadata",
	},
	"DELETE /v1/subscriptions/{id}": {kind: "subscription", do: (*call).cancelSubscription},
}

func (c *call) createSubscription() (show, error) {
	in, price, err := c.order()
	if err != nil {
		return nil, err
	}
	id, err := c.provider.StartSubscription(c.ctx(), in, price.amounts[small(in.Price.Currency)])
	if err != nil {
		return nil, c.notSold(in, err)
	}
	c.notes.notePrice(id, in.Price, price.id)
	c.noteMetadata(id)
	return one("subscription", id, "id"), nil
}

func (c *call) listSubscriptions() (show, error) {
	customer, err := c.form.required("customer")
	if err != nil {
		return nil, unsupported("customer", "")
	}
	return func(v view) (object, error) {
		if err := v.mustHaveCustomer(customer, "customer"); err != nil {
			return nil, err
		}
		owner, _ := v.Customer(customer)
		return c.page("subscription", v.some(owner.Subscriptions, c.wanted))
	}, nil
}

// wanted reports whether a subscription is in the status asked for; canceled ones want asking for.
func (c *call) wanted(s fakepayment.SubscriptionRecord) bool {
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

// cancelSubscription does not find one that has ended, as Stripe does not.
func (c *call) cancelSubscription() (show, error) {
	id := c.id("id")
	if err := c.provider.EndSubscription(c.ctx(), id); err != nil {
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			err = missing("subscription", id, "id")
		}
		return nil, err
	}
	return one("subscription", id, "id"), nil
}
