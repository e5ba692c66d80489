package stripeserver

import (
	"slices"
	"strings"
)

// deepest is how many levels Stripe expands.
const deepest = 4

// expandable is what each kind of object can show more of: the first step of a path is checked.
var expandable = map[string][]string{
	"customer":       {"default_source", "invoice_settings", "subscriptions", "sources", "tax", "tax_ids", "test_clock"},
	"payment_method": {"customer"},
	"payment_intent": {"customer", "latest_charge", "payment_method", "last_payment_error"},
	"setup_intent":   {"customer", "latest_attempt", "payment_method", "last_setup_error"},
	"subscription": {"customer", "default_payment_method", "default_source", "items", "latest_invoice",
		"pending_setup_intent", "schedule", "test_clock"},
	"invoice": {"confirmation_secret", "customer", "default_payment_method", "lines", "parent", "payments"},
	"product": {"default_price"},
	"price":   {"currency_options", "product", "tiers"},
}

// kinds is what stands behind a field that holds an id.
var kinds = map[string]string{
	"customer": "customer", "default_payment_method": "payment_method", "payment_method": "payment_method",
	"latest_invoice": "invoice", "invoice": "invoice", "payment_intent": "payment_intent",
	"pending_setup_intent": "setup_intent", "product": "product", "subscription": "subscription", "price": "price",
}

// gone is what invoices had until API version 2025-03-31.
var gone = []string{"payment_intent", "charge", "subscription"}

// checkExpand refuses what can't be expanded, before anything happens.
func (c *call) checkExpand() error {
	for _, path := range c.form.list("expand") {
		if err := c.checkPath(path); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) checkPath(path string) error {
	steps := strings.Split(path, ".")
	if c.list {
		if steps[0] != "data" || len(steps) == 1 {
			return cannotExpand(steps[0])
		}
		steps = steps[1:]
	}
	if len(steps) > deepest {
		return invalidRequest("property_expansion_max_depth", "", "You cannot expand more than 4 levels of a property. Property: "+path)
	}
	if !slices.Contains(expandable[c.kind], steps[0]) {
		return cannotExpand(steps[0])
	}
	for i, step := range steps[1:] {
		if kinds[steps[i]] == "invoice" && slices.Contains(gone, step) {
			return cannotExpand(step)
		}
	}
	return nil
}

func cannotExpand(step string) error {
	return invalidRequest("", "", "This property cannot be expanded ("+step+").")
}

// expand puts objects in the place of ids along the path.
func (v view) expand(at any, path []string) {
	switch at := at.(type) {
	case []any:
		for _, each := range at {
			v.expand(each, path)
		}
	case object:
		if len(path) > 0 {
			v.reveal(at, path[0])
			v.expand(at[path[0]], path[1:])
		}
	}
}

// reveal shows one field of an object in full, or one that is hidden until it is asked for.
func (v view) reveal(o object, field string) {
	kind, _ := o["object"].(string)
	id, _ := o["id"].(string)
	if hidden, is := hiddenFields[kind+"."+field]; is && o[field] == nil {
		o[field] = hidden(v, id)
		return
	}
	if id, is := o[field].(string); is && id != "" {
		if found := v.find(kinds[field], id); found != nil {
			o[field] = found
		}
	}
}

// hiddenFields are those that Stripe leaves out until they are asked for.
var hiddenFields = map[string]func(view, string) any{
	"customer.subscriptions":      view.subscriptionsOf,
	"invoice.confirmation_secret": view.confirmationSecret,
	"invoice.payments":            view.paymentsOf,
	"price.currency_options":      view.currencyOptions,
}
