package stripeserver

import (
	"crypto/rand"
	"slices"
)

var taxIDEndpoints = map[string]endpoint{
	"POST /v1/customers/{id}/tax_ids":         {objectType: "tax_id", params: "type value", serve: (*call).createTaxID},
	"GET /v1/customers/{id}/tax_ids":          {objectType: "tax_id", isList: true, serve: (*call).listTaxIDs},
	"DELETE /v1/customers/{id}/tax_ids/{txi}": {objectType: "tax_id", serve: (*call).deleteTaxID},
}

// taxIDTypes contains the types that the server accepts. Stripe accepts about a hundred.
var taxIDTypes = []string{"au_abn", "eu_vat", "gb_vat", "nz_gst"}

// maxTaxIDs is Stripe's limit for a customer.
const maxTaxIDs = 5

type taxID struct {
	id, taxIDType, value string
	createdAt            int64
}

func (c *call) createTaxID() (renderFunc, error) {
	id := c.pathValue("id")
	if err := c.read(func(v view) error { return v.checkCustomerExists(id, "id") }); err != nil {
		return nil, err
	}
	taxIDType, value := c.form.text("type"), c.form.text("value")
	switch {
	case !slices.Contains(taxIDTypes, taxIDType):
		return nil, invalidRequestError("", "type", "Invalid type: must be one of au_abn, eu_vat, …")
	case value == "":
		return nil, invalidRequestError("tax_id_invalid", "value", "Invalid value for "+taxIDType+".")
	case len(c.state.taxIDs[id]) >= maxTaxIDs:
		return nil, invalidRequestError("customer_tax_ids_max", "", "A customer can have up to 5 tax ids.")
	}
	newTaxID := taxID{id: "txi_" + rand.Text(), taxIDType: taxIDType, value: value,
		createdAt: c.provider.Now().Unix()}
	c.state.taxIDs[id] = append([]taxID{newTaxID}, c.state.taxIDs[id]...)
	return func(view) (object, error) { return newTaxID.render(id), nil }, c.saveBillingDetails(id)
}

func (c *call) listTaxIDs() (renderFunc, error) {
	return func(v view) (object, error) { return v.taxIDList(c.pathValue("id")), nil }, nil
}

func (c *call) deleteTaxID() (renderFunc, error) {
	id, customerID := c.pathValue("txi"), c.pathValue("id")
	remainingTaxIDs := slices.DeleteFunc(slices.Clone(c.state.taxIDs[customerID]), func(t taxID) bool { return t.id == id })
	if len(remainingTaxIDs) == len(c.state.taxIDs[customerID]) {
		return nil, notFoundError("tax_id", id, "id")
	}
	c.state.taxIDs[customerID] = remainingTaxIDs
	deletion := object{"id": id, "object": "tax_id", "deleted": true}
	return func(view) (object, error) { return deletion, nil }, c.saveBillingDetails(customerID)
}

func (t taxID) render(customerID string) object {
	return object{
		"id": t.id, "object": "tax_id", "livemode": false, "customer": customerID, "type": t.taxIDType, "value": t.value,
		"created":      t.createdAt,
		"verification": object{"status": "pending", "verified_address": nil, "verified_name": nil},
	}
}

func (v view) taxIDList(customerID string) object {
	var taxIDs []object
	for _, t := range v.state.taxIDs[customerID] {
		taxIDs = append(taxIDs, t.render(customerID))
	}
	return newListObject("/v1/customers/"+customerID+"/tax_ids", taxIDs)
}

// taxIDsOf returns the value of a customer's expanded field tax_ids.
func (v view) taxIDsOf(customerID string) any { return v.taxIDList(customerID) }
