package stripeserver

import (
	"crypto/rand"
	"maps"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/payment"
)

const customerParams = "name email phone address description metadata invoice_settings"

var customerEndpoints = map[string]endpoint{
	"POST /v1/customers":        {objectType: "customer", params: customerParams, serve: (*call).createCustomer},
	"GET /v1/customers":         {objectType: "customer", isList: true, params: "email", serve: (*call).listCustomers},
	"GET /v1/customers/{id}":    newRetrieveEndpoint("customer", "id"),
	"POST /v1/customers/{id}":   {objectType: "customer", params: customerParams, serve: (*call).updateCustomer},
	"DELETE /v1/customers/{id}": {objectType: "customer", serve: (*call).deleteCustomer},
	"GET /v1/customers/{id}/balance_transactions": {
		objectType: "customer_balance_transaction", isList: true, serve: (*call).listBalanceTransactions,
	},
	"POST /v1/customers/{id}/balance_transactions": {
		objectType: "customer_balance_transaction", params: "amount currency description metadata",
		serve: (*call).createBalanceTransaction,
	},
}

func (c *call) createCustomer() (renderFunc, error) {
	if err := c.checkCustomerParams(); err != nil {
		return nil, err
	}
	if methodID := c.form.text(defaultMethodParam); methodID != "" {
		return nil, foreignMethodError(methodID)
	}
	metadata := c.form.hash("metadata")
	customer, err := c.provider.CreateCustomer(c.ctx(), payment.NewCustomer{
		Key: rand.Text(), OrganisationID: metadata["org_id"], Currency: metadata["currency"],
	})
	if err != nil {
		return nil, err
	}
	return newObjectRenderer("customer", customer.ID, "id"), c.saveCustomerFields(customer.ID)
}

// listCustomers lists all customers, or those with exactly the given email address.
func (c *call) listCustomers() (renderFunc, error) {
	return func(v view) (object, error) {
		var customers []object
		for _, record := range v.Customers() {
			if customer := v.renderCustomer(record); !c.form.has("email") || customer["email"] == c.form.text("email") {
				customers = append(customers, customer)
			}
		}
		return c.newListPage("customer", customers)
	}, nil
}

func (c *call) updateCustomer() (renderFunc, error) {
	id := c.pathValue("id")
	if err := c.checkCustomerParams(); err != nil {
		return nil, err
	}
	if err := c.read(func(v view) error { return v.checkCustomerExists(id, "id") }); err != nil {
		return nil, err
	}
	if err := c.saveDefaultPaymentMethod(id); err != nil {
		return nil, err
	}
	return newObjectRenderer("customer", id, "id"), c.saveCustomerFields(id)
}

// checkCustomerExists returns an error for an unknown or deleted customer. The error is a 404 if the customer is
// unknown and param is "id", which stands for the id in the path. Otherwise it is a 400.
func (v view) checkCustomerExists(id, param string) error {
	_, found := v.Customer(id)
	switch {
	case found:
		return nil
	case param == "id" && !v.isDeleted(id):
		return notFoundError("customer", id, param)
	}
	return unknownReferenceError("customer", id, param)
}

const defaultMethodParam = "invoice_settings[default_payment_method]"

// saveDefaultPaymentMethod makes the given payment method the customer's default.
func (c *call) saveDefaultPaymentMethod(id string) error {
	methodID := c.form.text(defaultMethodParam)
	if !c.form.has(defaultMethodParam) {
		return nil
	}
	if methodID == "" {
		return unsupportedError(defaultMethodParam, "")
	}
	if _, err := c.provider.SetDefaultCard(c.ctx(),
		payment.SavedCardRequest{Key: rand.Text(), CustomerID: id, MethodID: methodID}); err != nil {
		return foreignMethodError(methodID)
	}
	return nil
}

func foreignMethodError(methodID string) error {
	return invalidRequestError("", defaultMethodParam, "The customer does not have a payment method with the ID "+methodID+
		". The payment method must be attached to the customer.")
}

func (c *call) deleteCustomer() (renderFunc, error) {
	id := c.pathValue("id")
	_, err := readRecord(c, notFoundError("customer", id, "id"),
		func(v view) (fakepayment.CustomerRecord, bool) { return v.Customer(id) })
	if err != nil {
		return nil, err
	}
	if err := c.provider.DeleteCustomer(c.ctx(), id); err != nil {
		return nil, err
	}
	return newObjectRenderer("customer", id, "id"), nil
}

// createBalanceTransaction changes the customer's balance, in which Stripe counts credit as a negative amount.
func (c *call) createBalanceTransaction() (renderFunc, error) {
	id := c.pathValue("id")
	if err := c.read(func(v view) error { return v.checkCustomerExists(id, "id") }); err != nil {
		return nil, err
	}
	amount, err := c.requiredAmount(c.form.text("currency"))
	if err != nil {
		return nil, err
	}
	credit, err := amount.Mul(-1)
	if err == nil {
		err = c.checkMetadata()
	}
	if err != nil {
		return nil, err
	}
	newCredit, err := c.provider.AdjustCredit(c.ctx(), id, credit)
	if err != nil {
		return nil, err
	}
	transaction := object{
		"id": "cbtxn_" + rand.Text(), "object": "customer_balance_transaction", "livemode": false, "type": "adjustment",
		"customer": id, "created": c.provider.Now().Unix(),
		"amount": amount.Minor(), "currency": c.form.text("currency"), "ending_balance": -newCredit.Minor(),
		"description": textOrNull(c.form.text("description")), "metadata": c.form.hash("metadata"),
	}
	c.state.balanceTransactions[id] = append([]object{transaction}, c.state.balanceTransactions[id]...)
	return func(view) (object, error) { return transaction, nil }, nil
}

// listBalanceTransactions lists the transactions that were created with the API, newest first. Stripe also lists those of
// invoices.
func (c *call) listBalanceTransactions() (renderFunc, error) {
	id := c.pathValue("id")
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(id, "id"); err != nil {
			return nil, err
		}
		return c.newListPage("customer_balance_transaction", v.state.balanceTransactions[id])
	}, nil
}

// isDeleted reports whether the customer existed and was deleted.
func (v view) isDeleted(id string) bool {
	_, found := v.Customer(id)
	_, isKnown := v.state.customers[id]
	return isKnown && !found
}

// maxPhoneLength is Stripe's limit for phone numbers.
const maxPhoneLength = 20

// checkCustomerParams refuses parameters of a customer that Stripe would refuse.
func (c *call) checkCustomerParams() error {
	email := c.form.text("email")
	if email != "" && !strings.Contains(email, "@") {
		return invalidRequestError("email_invalid", "email", "Invalid email address: "+email)
	}
	if len(c.form.text("phone")) > maxPhoneLength {
		return invalidRequestError("", "phone", "Invalid string: must be at most 20 characters")
	}
	return c.checkMetadata()
}

// saveCustomerFields stores the fields that the request contains, and keeps the others.
func (c *call) saveCustomerFields(id string) error {
	fields := object{}
	maps.Copy(fields, c.state.customers[id])
	for _, name := range []string{"name", "email", "phone", "description"} {
		if c.form.has(name) {
			fields[name] = textOrNull(c.form.text(name))
		}
	}
	if address := c.form.hash("address"); len(address) > 0 {
		fields["address"] = renderAddress(address)
	} else if c.form.has("address") {
		fields["address"] = nil
	}
	c.state.customers[id] = fields
	c.saveMetadata(id)
	const purchaseOrderParam = "invoice_settings[custom_fields][0][value]"
	hasPurchaseOrder := c.form.has("invoice_settings[custom_fields]") || c.form.has(purchaseOrderParam)
	if hasPurchaseOrder {
		c.state.purchaseOrders[id] = c.form.text(purchaseOrderParam)
	}
	if hasPurchaseOrder || len(c.form.hash("address")) > 0 || c.form.has("name") {
		return c.saveBillingDetails(id)
	}
	return nil
}

// saveBillingDetails stores the customer's billing details at the provider, which prints them on invoices.
func (c *call) saveBillingDetails(id string) error {
	customer := c.state.customers[id]
	text := func(o object, name string) string { value, _ := o[name].(string); return value }
	address, _ := customer["address"].(object)
	req := payment.CustomerUpdate{Key: rand.Text(), CustomerID: id, Details: account.BillingDetails{
		LegalName: text(customer, "name"), Phone: text(customer, "phone"), PurchaseOrder: c.state.purchaseOrders[id],
		BillingEmail: c.state.metadata[id]["billing_email"],
		Address: account.Address{
			Line1: text(address, "line1"), Line2: text(address, "line2"), City: text(address, "city"),
			State: text(address, "state"), PostalCode: text(address, "postal_code"), Country: text(address, "country"),
		},
	}}
	if ids := c.state.taxIDs[id]; len(ids) > 0 {
		req.Details.TaxID = &account.TaxID{Type: ids[0].taxIDType, Value: ids[0].value}
	}
	_, err := c.provider.UpdateCustomer(c.ctx(), req)
	return err
}

func renderAddress(params map[string]string) object {
	address := object{}
	for _, name := range []string{"city", "country", "line1", "line2", "postal_code", "state"} {
		address[name] = textOrNull(params[name])
	}
	return address
}

// customerObject returns the customer object, or nil. A deleted customer has only an id and the field deleted.
func (v view) customerObject(id string) object {
	c, found := v.Customer(id)
	switch {
	case found:
		return v.renderCustomer(c)
	case v.isDeleted(id):
		return object{"id": id, "object": "customer", "deleted": true}
	}
	return nil
}

func (v view) renderCustomer(c fakepayment.CustomerRecord) object {
	customer := object{
		"id": c.ID, "object": "customer", "livemode": false, "balance": -c.Credit,
		"created":        c.Created.Unix(),
		"currency":       textOrNull(stripeCurrency(c.Currency)),
		"default_source": nil, "delinquent": false, "metadata": v.state.metadataOf(c.ID), "tax_exempt": "none",
		"invoice_settings": object{"custom_fields": v.customFields(c.ID), "default_payment_method": textOrNull(c.DefaultCardID),
			"footer": nil},
		"name": nil, "email": nil, "phone": nil, "address": nil, "description": nil, "shipping": nil,
	}
	maps.Copy(customer, v.state.customers[c.ID])
	return customer
}

// customFields returns the fields that are printed on invoices, or null.
func (v view) customFields(id string) any {
	if v.state.purchaseOrders[id] == "" {
		return nil
	}
	return []any{object{"name": "Purchase order", "value": v.state.purchaseOrders[id]}}
}

// subscriptionsOf lists the customer's subscriptions that have not ended.
func (v view) subscriptionsOf(id string) any {
	c, _ := v.Customer(id)
	return newListObject("/v1/customers/"+id+"/subscriptions",
		v.filterSubscriptions(c.SubscriptionIDs, func(s fakepayment.SubscriptionRecord) bool {
			return s.Status != "canceled" && s.Status != "incomplete_expired"
		}))
}
