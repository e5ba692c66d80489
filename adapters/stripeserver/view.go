package stripeserver

import (
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// view combines a consistent snapshot of the provider's state with the server's own state.
type view struct {
	fakepayment.Snapshot
	*Server

	host string // of the request's URL
}

// findObject returns the object with the type and the id, or nil.
func (v view) findObject(objectType, id string) object {
	render, found := map[string]func(view, string) object{
		"customer": view.customerObject, "payment_method": view.paymentMethodObject, "payment_intent": view.paymentIntentObject,
		"setup_intent": view.setupIntentObject, "subscription": view.subscriptionObject, "invoice": view.invoiceObject,
		"subscription_schedule": view.scheduleObject, "product": view.productObject, "price": view.priceObject,
		"tax_rate": view.taxRateObject, "charge": view.chargeObject,
	}[objectType]
	if !found {
		return nil
	}
	return render(v, id)
}

// newObjectRenderer returns a function that renders the object with the id. If there is no such object, the function
// returns a 404 error for the parameter.
func newObjectRenderer(objectType, id, param string) renderFunc {
	return func(v view) (object, error) {
		if o := v.findObject(objectType, id); o != nil {
			return o, nil
		}
		return nil, notFoundError(objectDisplayName(objectType), id, param)
	}
}

// objectDisplayName returns the name of the type in Stripe's message about a missing object.
func objectDisplayName(objectType string) string {
	if objectType == "payment_method" {
		return "PaymentMethod"
	}
	return objectType
}

// textOrNull returns nil, JSON null, for an empty string.
func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// unixOrNull returns nil, JSON null, for the zero time.
func unixOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}

// stripeCurrency returns Stripe's lower-case code of a currency.
func stripeCurrency(currency string) string { return strings.ToLower(currency) }

const (
	defaultPageSize = 10
	maxPageSize     = 100
)

// newListObject returns a list object that contains all the objects.
func newListObject(url string, objects []object) object {
	data := make([]any, 0, len(objects))
	for _, o := range objects {
		data = append(data, o)
	}
	return object{"object": "list", "url": url, "has_more": false, "data": data}
}

// newListPage returns a list object with one page of the objects. The parameters limit and starting_after select the
// page.
func (c *call) newListPage(objectType string, objects []object) (object, error) {
	objects, err := c.objectsAfterCursor(objectType, objects)
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
	hasMore := int64(len(objects)) > limit
	if hasMore {
		objects = objects[:limit]
	}
	list := newListObject(c.r.URL.Path, objects)
	list["has_more"] = hasMore
	return list, nil
}

// objectsAfterCursor returns the objects that follow the object with the id in starting_after.
func (c *call) objectsAfterCursor(objectType string, objects []object) ([]object, error) {
	cursor := c.form.text("starting_after")
	if cursor == "" {
		return objects, nil
	}
	for i, o := range objects {
		if o["id"] == cursor {
			return objects[i+1:], nil
		}
	}
	return nil, unknownReferenceError(objectType, cursor, "starting_after")
}

// maxExpandDepth is Stripe's limit for the number of fields in an expanded path.
const maxExpandDepth = 4

// expandableFields contains the fields that Stripe expands, by the type of object. The server checks only the first
// field of a path.
var expandableFields = map[string][]string{
	"customer":       {"default_source", "invoice_settings", "subscriptions", "sources", "tax", "tax_ids", "test_clock"},
	"payment_method": {"customer"},
	"payment_intent": {"customer", "latest_charge", "payment_method", "last_payment_error"},
	"setup_intent":   {"customer", "latest_attempt", "payment_method", "last_setup_error"},
	"subscription": {"customer", "default_payment_method", "default_source", "items", "latest_invoice",
		"pending_setup_intent", "schedule", "test_clock"},
	"invoice":               {"confirmation_secret", "customer", "default_payment_method", "lines", "parent", "payments"},
	"product":               {"default_price"},
	"charge":                {"customer", "payment_intent", "refunds"},
	"refund":                {"charge", "payment_intent"},
	"credit_note":           {"customer", "customer_balance_transaction", "invoice", "refunds"},
	"invoice_payment":       {"invoice", "payment"},
	"subscription_schedule": {"customer", "subscription"},
	"price":                 {"currency_options", "product", "tiers"},
}

// fieldObjectTypes contains the type of the object whose id a field holds, by the name of the field.
var fieldObjectTypes = map[string]string{
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
	if c.isList {
		if steps[0] != "data" || len(steps) == 1 {
			return cannotExpandError(steps[0])
		}
		steps = steps[1:]
	}
	if len(steps) > maxExpandDepth {
		return invalidRequestError("property_expansion_max_depth", "",
			"You cannot expand more than 4 levels of a property. Property: "+path)
	}
	if !slices.Contains(expandableFields[c.objectType], steps[0]) {
		return cannotExpandError(steps[0])
	}
	for i, step := range steps[1:] {
		if fieldObjectTypes[steps[i]] == "invoice" && slices.Contains(removedInvoiceFields, step) {
			return cannotExpandError(step)
		}
	}
	return nil
}

func cannotExpandError(step string) error {
	return invalidRequestError("", "", "This property cannot be expanded ("+step+").")
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
	objectType, _ := o["object"].(string)
	id, _ := o["id"].(string)
	if renderField, ok := hiddenFields[objectType+"."+field]; ok && o[field] == nil {
		o[field] = renderField(v, id)
		return
	}
	if id, ok := o[field].(string); ok && id != "" {
		if obj := v.findObject(fieldObjectTypes[field], id); obj != nil {
			o[field] = obj
		}
	}
}

// hiddenFields contains functions for the fields that Stripe includes only when they are expanded. Each function
// returns the value of a field.
var hiddenFields = map[string]func(view, string) any{
	"charge.refunds":              view.refundsOf,
	"customer.subscriptions":      view.subscriptionsOf,
	"customer.tax_ids":            view.taxIDsOf,
	"invoice.confirmation_secret": view.confirmationSecret,
	"invoice.payments":            view.paymentsOf,
	"price.currency_options":      view.currencyOptions,
}
