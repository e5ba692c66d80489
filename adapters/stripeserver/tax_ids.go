package stripeserver

import (
	"crypto/rand"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/payment"
)

var taxIDEndpoints = map[string]endpoint{
	"POST /v1/customers/{id}/tax_ids":         {kind: "tax_id", params: "type value", serve: (*call).createTaxID},
	"GET /v1/customers/{id}/tax_ids":          {kind: "tax_id", list: true, serve: (*call).listTaxIDs},
	"DELETE /v1/customers/{id}/tax_ids/{txi}": {kind: "tax_id", serve: (*call).deleteTaxID},
}

// taxIDTypes contains the types that the server accepts. Stripe accepts about a hundred.
var taxIDTypes = []string{"au_abn", "eu_vat", "gb_vat", "nz_gst"}

// maxTaxIDs is Stripe's limit for a customer.
const maxTaxIDs = 5

type taxID struct{ id, kind, value string }

func (c *call) createTaxID() (renderFunc, error) {
	id := c.id("id")
	if err := c.read(func(v view) error { return v.checkCustomerExists(id, "id") }); err != nil {
		return nil, err
	}
	kind, value := c.form.text("type"), c.form.text("value")
	switch {
	case !slices.Contains(taxIDTypes, kind):
		return nil, invalidRequest("", "type", "Invalid type: must be one of au_abn, eu_vat, …")
	case value == "":
		return nil, invalidRequest("tax_id_invalid", "value", "Invalid value for "+kind+".")
	case len(c.extras.taxIDs[id]) >= maxTaxIDs:
		return nil, invalidRequest("customer_tax_ids_max", "", "A customer can have up to 5 tax ids.")
	}
	newTaxID := taxID{id: "txi_" + rand.Text(), kind: kind, value: value}
	c.extras.taxIDs[id] = append([]taxID{newTaxID}, c.extras.taxIDs[id]...)
	return func(view) (object, error) { return newTaxID.object(id), nil }, c.saveDetails(id)
}

func (c *call) listTaxIDs() (renderFunc, error) {
	return func(v view) (object, error) { return v.listOfTaxIDs(c.id("id")), nil }, nil
}

func (c *call) deleteTaxID() (renderFunc, error) {
	id, customer := c.id("txi"), c.id("id")
	remaining := slices.DeleteFunc(slices.Clone(c.extras.taxIDs[customer]), func(t taxID) bool { return t.id == id })
	if len(remaining) == len(c.extras.taxIDs[customer]) {
		return nil, notFound("tax_id", id, "id")
	}
	c.extras.taxIDs[customer] = remaining
	deletion := object{"id": id, "object": "tax_id", "deleted": true}
	return func(view) (object, error) { return deletion, nil }, c.saveDetails(customer)
}

func (t taxID) object(customer string) object {
	return object{
		"id": t.id, "object": "tax_id", "livemode": false, "customer": customer, "type": t.kind, "value": t.value,
		"verification": object{"status": "pending", "verified_address": nil, "verified_name": nil},
	}
}

func (v view) listOfTaxIDs(customer string) object {
	var taxIDs []object
	for _, t := range v.extras.taxIDs[customer] {
		taxIDs = append(taxIDs, t.object(customer))
	}
	return listObject("/v1/customers/"+customer+"/tax_ids", taxIDs)
}

// taxIDsOf returns the expanded field tax_ids of a customer.
func (v view) taxIDsOf(customer string) any { return v.listOfTaxIDs(customer) }

// saveDetails stores the customer's billing details at the provider, which prints them on invoices.
func (c *call) saveDetails(id string) error {
	customer := c.extras.customers[id]
	text := func(o object, name string) string { value, _ := o[name].(string); return value }
	address, _ := customer["address"].(object)
	req := payment.CustomerUpdate{Key: rand.Text(), CustomerID: id, Details: account.BillingDetails{
		LegalName: text(customer, "name"), Phone: text(customer, "phone"), PurchaseOrder: c.extras.purchaseOrders[id],
		BillingEmail: c.extras.metadata[id]["billing_email"],
		Address: account.Address{
			Line1: text(address, "line1"), Line2: text(address, "line2"), City: text(address, "city"),
			State: text(address, "state"), PostalCode: text(address, "postal_code"), Country: text(address, "country"),
		},
	}}
	if ids := c.extras.taxIDs[id]; len(ids) > 0 {
		req.Details.TaxID = &account.TaxID{Type: ids[0].kind, Value: ids[0].value}
	}
	_, err := c.provider.UpdateCustomer(c.ctx(), req)
	return err
}
