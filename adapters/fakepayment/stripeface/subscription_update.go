package stripeface

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/ports/payment"
)

func (c *call) updateSubscription() (show, error) {
	id := c.id("id")
	if err := c.checkUnpinned(); err != nil {
		return nil, err
	}
	var s fakepayment.SubscriptionRecord
	err := c.books(func(v view) error {
		var found bool
		if s, found = v.Subscription(id); !found {
			return missing("subscription", id, "id")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.changePrice(s); err != nil {
		return nil, err
	}
	c.noteMetadata(id)
	return one("subscription", id, "id"), nil
}

// changePrice moves the subscription to another price, when one is named.
func (c *call) changePrice(s fakepayment.SubscriptionRecord) error {
	if !c.form.has("items[0][price]") {
		return c.form.only("trial_end", "")
	}
	if err := c.mayChangePrice(s); err != nil {
		return err
	}
	price, err := c.priceOf("items[0][price]", s.Price.Currency)
	if err != nil {
		return err
	}
	ref := price.ref(s.Price.Currency)
	err = c.provider.Reprice(c.ctx(), payment.PlanChange{SubscriptionID: s.ID, Price: ref},
		price.amounts[small(ref.Currency)], c.form.text("trial_end") == "now")
	if err == nil {
		c.notes.prices[s.ID] = price.id
	}
	return err
}

func (c *call) mayChangePrice(s fakepayment.SubscriptionRecord) error {
	switch item := c.form.text("items[0][id]"); {
	case s.Status == "canceled" || s.Status == "incomplete_expired":
		return invalidRequest("", "", "A canceled subscription can only update its cancellation_details and metadata.")
	case s.Status == "incomplete":
		return invalidRequest("", "", "Subscription update is not allowed while the subscription is incomplete.")
	case item == "":
		// Stripe would add a second item and bill both, which is never what was meant.
		return unsupported("items[0][id]", "")
	case item != itemOf(s.ID):
		return missingParam("subscription_item", item, "items[0][id]")
	case s.Status != "trialing" && c.form.text("trial_end") == "now":
		return unsupported("trial_end", "now")
	case c.form.text(prorationParam) != "always_invoice":
		return unsupported(prorationParam, c.form.text(prorationParam))
	}
	return c.form.only("trial_end", "now")
}
