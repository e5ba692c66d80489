package stripeserver

import (
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// view is a consistent snapshot of the provider's state together with the server's own.
type view struct {
	fakepayment.Snapshot
	*Server

	host string // of the request's URL
}

// find returns the object of the kind with the id, or nil.
func (v view) find(kind, id string) object {
	render, found := map[string]func(view, string) object{
		"customer": view.customer, "payment_method": view.paymentMethod, "payment_intent": view.paymentIntent,
		"setup_intent": view.setupIntent, "subscription": view.subscription, "invoice": view.invoice,
		"subscription_schedule": view.subscriptionSchedule, "product": view.product, "price": view.price,
		"tax_rate": view.taxRate, "charge": view.charge,
	}[kind]
	if !found {
		return nil
	}
	return render(v, id)
}

// renderObject returns a function that renders the object with the id, or else returns a 404 error for the parameter.
func renderObject(kind, id, param string) renderFunc {
	return func(v view) (object, error) {
		if o := v.find(kind, id); o != nil {
			return o, nil
		}
		return nil, notFound(displayName(kind), id, param)
	}
}

// displayName returns the name of the kind in Stripe's message about a missing object.
func displayName(kind string) string {
	if kind == "payment_method" {
		return "PaymentMethod"
	}
	return kind
}

// orNull returns nil, JSON null, for an empty string.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// unixOrNull returns nil, JSON null, for the zero time.
func unixOrNull(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.Unix()
}

// stripeCurrency returns Stripe's lower-case code of a currency.
func stripeCurrency(currency string) string { return strings.ToLower(currency) }

const (
	defaultPageSize = 10
	maxPageSize     = 100
)

// listObject returns a list object that contains all the objects.
func listObject(url string, objects []object) object {
	data := make([]any, 0, len(objects))
	for _, o := range objects {
		data = append(data, o)
	}
	return object{"object": "list", "url": url, "has_more": false, "data": data}
}

// page returns a list object with the page of the objects that limit and starting_after select.
func (c *call) page(kind string, data []object) (object, error) {
	data, err := c.afterCursor(kind, data)
	if err != nil {
		return nil, err
	}
	limit, found, err := c.form.number("limit")
	switch {
	case err != nil:
		return nil, err
	case !found:
		limit = defaultPageSize
	}
	limit = min(max(limit, 1), maxPageSize)
	hasMore := int64(len(data)) > limit
	if hasMore {
		data = data[:limit]
	}
	list := listObject(c.r.URL.Path, data)
	list["has_more"] = hasMore
	return list, nil
}

// afterCursor returns the objects that follow the object with the id in starting_after.
func (c *call) afterCursor(kind string, data []object) ([]object, error) {
	cursor := c.form.text("starting_after")
	if cursor == "" {
		return data, nil
	}
	for i, o := range data {
		if o["id"] == cursor {
			return data[i+1:], nil
		}
	}
	return nil, noSuchObject(kind, cursor, "starting_after")
}

// maxExpandDepth is Stripe's limit for the steps of a path.
const maxExpandDepth = 4

// expandable contains the fields that Stripe expands, by the type of object. Only the first step of a path is checked against
// it.
var expandable = map[string][]string{
	"customer":       {"default_source", "invoice_settings", "subscriptions", "sources", "tax", "tax_ids", "test_clock"},
	"payment_method": {"customer"},
	"payment_intent": {"customer", "latest_charge", "payment_method", "last_payment_error"},
	"setup_intent":   {"customer", "latest_attempt", "payment_method", "last_setup_error"},
	"subscription": {"customer", "default_payment_method", "default_source", "items", "latest_invoice",
		"pending_setup_intent", "schedule", "test_clock"},
	"invoice":               {"confirmation_secret", "customer", "default_payment_method", "lines", "parent", "payments"},
	"product":               {"default_price"},
	"charge":                {"customer", "payment_intent"},
	"refund":                {"charge", "payment_intent"},
	"invoice_payment":       {"invoice", "payment"},
	"subscription_schedule": {"customer", "subscription"},
	"price":                 {"currency_options", "product", "tiers"},
}

// fieldKinds contains the type of object whose id a field has, by the name of the field.
var fieldKinds = map[string]string{
	"customer": "customer", "default_payment_method": "payment_method", "payment_method": "payment_method",
	"latest_invoice": "invoice", "invoice": "invoice", "payment_intent": "payment_intent",
	"pending_setup_intent": "setup_intent", "product": "product", "subscription": "subscription", "price": "price",
	"schedule": "subscription_schedule", "latest_charge": "charge",
}

// removedInvoiceFields contains fields that invoices had before API version 2025-03-31.
var removedInvoiceFields = []string{"payment_intent", "charge", "subscription"}

// checkExpand refuses a request that expands a field that can't be expanded.
func (c *call) checkExpand() error {
	for _, path := range c.form.list("expand") {
		if err := c.checkExpandPath(path); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) checkExpandPath(path string) error {
	steps := strings.Split(path, ".")
	if c.list {
		if steps[0] != "data" || len(steps) == 1 {
			return errCannotExpand(steps[0])
		}
		steps = steps[1:]
	}
	if len(steps) > maxExpandDepth {
		return invalidRequest("property_expansion_max_depth", "",
			"You cannot expand more than 4 levels of a property. Property: "+path)
	}
	if !slices.Contains(expandable[c.kind], steps[0]) {
		return errCannotExpand(steps[0])
	}
	for i, step := range steps[1:] {
		if fieldKinds[steps[i]] == "invoice" && slices.Contains(removedInvoiceFields, step) {
			return errCannotExpand(step)
		}
	}
	return nil
}

func errCannotExpand(step string) error {
	return invalidRequest("", "", "This property cannot be expanded ("+step+").")
}

// expand replaces ids by objects along a path that begins at an object or at the elements of an array.
func (v view) expand(value any, path []string) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			v.expand(element, path)
		}
	case object:
		if len(path) > 0 {
			v.expandField(value, path[0])
			v.expand(value[path[0]], path[1:])
		}
	}
}

// expandField replaces the id in a field by its object, or adds a field that is hidden by default.
func (v view) expandField(o object, field string) {
	kind, _ := o["object"].(string)
	id, _ := o["id"].(string)
	if hidden, ok := hiddenFields[kind+"."+field]; ok && o[field] == nil {
		o[field] = hidden(v, id)
		return
	}
	if id, ok := o[field].(string); ok && id != "" {
		if expanded := v.find(fieldKinds[field], id); expanded != nil {
			o[field] = expanded
		}
	}
}

// hiddenFields contains the fields that Stripe includes only when they are expanded.
var hiddenFields = map[string]func(view, string) any{
	"customer.subscriptions":      view.subscriptionsOf,
	"customer.tax_ids":            view.taxIDsOf,
	"invoice.confirmation_secret": view.confirmationSecret,
	"invoice.payments":            view.paymentsOf,
	"price.currency_options":      view.currencyOptions,
}
