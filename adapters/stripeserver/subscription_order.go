package stripeserver

import (
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// order reads what is wanted, and refuses what the provider can't do.
func (c *call) order() (in payment.NewSubscription, price *price, err error) {
	if err := c.checkUnpinned(); err != nil {
		return in, nil, err
	}
	in.CustomerID, err = c.form.required("customer")
	if err != nil {
		return in, nil, err
	}
	if err := c.books(func(v view) error { return v.mustHaveCustomer(in.CustomerID, "customer") }); err != nil {
		return in, nil, err
	}
	if err := c.form.only(behaviourParam, "allow_incomplete"); err != nil {
		return in, nil, err
	}
	days, _, err := c.form.number("trial_period_days")
	if err != nil {
		return in, nil, err
	}
	in.TrialDays = int(days)
	price, err = c.priceOf("items[0][price]", c.form.text("currency"))
	if err == nil {
		in.Price = price.ref(c.form.text("currency"))
	}
	return in, price, err
}

// checkUnpinned refuses settings that the provider has no other way of handling.
func (c *call) checkUnpinned() error {
	checks := []error{
		c.form.only("billing_mode[type]", "classic"),
		c.form.only("collection_method", "charge_automatically"), c.form.only("default_payment_method", ""),
		c.form.only("default_source", ""), c.form.only("items[0][quantity]", "1"), c.checkMetadata(),
	}
	if c.form.has("items[1][price]") || c.form.has("items[1][id]") {
		checks = append(checks, unsupported("items[1]", "anything"))
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// notSold is what Stripe says to an order that the provider refuses.
func (c *call) notSold(in payment.NewSubscription, err error) error {
	if !fault.Is(err, fault.Invalid) {
		return err
	}
	var owner fakepayment.CustomerRecord
	if err := c.books(func(v view) error { owner, _ = v.Customer(in.CustomerID); return nil }); err != nil {
		return err
	}
	switch {
	case owner.Currency != "" && owner.Currency != in.Price.Currency:
		return invalidRequest("", "", "You cannot combine currencies on a single customer. This customer has an active subscription, "+
			"subscription schedule, discount, quote, or invoice item with currency "+small(owner.Currency)+".")
	case owner.Default == "":
		return invalidRequest("resource_missing", "", "This customer has no attached payment source or default payment method. "+
			"Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.")
	}
	return err
}
