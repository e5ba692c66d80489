package stripeserver

import (
	"crypto/rand"

	"github.com/vc-admin/diy/ports/payment"
)

const customerParams = "name email phone address description metadata invoice_settings"

var customerEndpoints = map[string]endpoint{
	"POST /v1/customers":        {kind: "customer", params: customerParams, do: (*call).createCustomer},
	"GET /v1/customers":         {kind: "customer", list: true, params: "email", do: (*call).listCustomers},
	"GET /v1/customers/{id}":    retrieve("customer", "id"),
	"POST /v1/customers/{id}":   {kind: "customer", params: customerParams, do: (*call).updateCustomer},
	"DELETE /v1/customers/{id}": {kind: "customer", do: (*call).deleteCustomer},
}

func (c *call) createCustomer() (show, error) {
	if err := c.checkCustomer(); err != nil {
		return nil, err
	}
	if card := c.form.text(defaultParam); card != "" {
		return nil, notTheirCard(card)
	}
	meta := c.form.sub("metadata")
	made, err := c.provider.CreateCustomer(c.ctx(), payment.NewCustomer{
		Key: rand.Text(), OrganisationID: meta["org_id"], Currency: meta["currency"],
	})
	if err != nil {
		return nil, err
	}
	c.noteCustomer(made.ID)
	return one("customer", made.ID, "id"), nil
}

// listCustomers is all customers, or those whose e-mail address is exactly the one asked for.
func (c *call) listCustomers() (show, error) {
	return func(v view) (object, error) {
		var found []object
		for _, one := range v.Customers() {
			if shown := v.customerOf(one); !c.form.has("email") || shown["email"] == c.form.text("email") {
				found = append(found, shown)
			}
		}
		return c.page("customer", found)
	}, nil
}

func (c *call) updateCustomer() (show, error) {
	id := c.id("id")
	if err := c.checkCustomer(); err != nil {
		return nil, err
	}
	if err := c.books(func(v view) error { return v.mustHaveCustomer(id, "id") }); err != nil {
		return nil, err
	}
	if err := c.setDefault(id); err != nil {
		return nil, err
	}
	c.noteCustomer(id)
	return one("customer", id, "id"), nil
}

// mustHaveCustomer is for ids in the path when the parameter is called id, else among the parameters.
func (v view) mustHaveCustomer(id, param string) error {
	_, found := v.Customer(id)
	switch {
	case found:
		return nil
	case param == "id" && !v.deleted(id):
		return missing("customer", id, param)
	}
	return missingParam("customer", id, param)
}

const defaultParam = "invoice_settings[default_payment_method]"

func (c *call) setDefault(id string) error {
	card := c.form.text(defaultParam)
	if !c.form.has(defaultParam) {
		return nil
	}
	if card == "" {
		return unsupported(defaultParam, "")
	}
	if _, err := c.provider.SetDefaultCard(c.ctx(), payment.SavedCard{Key: rand.Text(), CustomerID: id, CardID: card}); err != nil {
		return notTheirCard(card)
	}
	return nil
}

func notTheirCard(card string) error {
	return invalidRequest("", defaultParam, "The customer does not have a payment method with the ID "+card+
		". The payment method must be attached to the customer.")
}

func (c *call) deleteCustomer() (show, error) {
	id := c.id("id")
	err := c.books(func(v view) error {
		if _, found := v.Customer(id); !found {
			return missing("customer", id, "id")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := c.provider.DeleteCustomer(c.ctx(), id); err != nil {
		return nil, err
	}
	return one("customer", id, "id"), nil
}

// deleted reports whether there was such a customer.
func (v view) deleted(id string) bool {
	_, found := v.Customer(id)
	_, known := v.notes.customers[id]
	return known && !found
}
