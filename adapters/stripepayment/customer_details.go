package stripepayment

import (
	"context"
	"errors"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaBillingEmail holds the billing email. Stripe's API has no field for it: the customer's email field has the address
	// of the longest-standing owner.
	metaBillingEmail = "billing_email"
	// purchaseOrderField names the custom field of invoices that contains the purchase order number.
	purchaseOrderField = "Purchase order"

	expandTaxIDs = "tax_ids"
)

// UpdateCustomer sets the billing details of the next invoices. It creates a new tax id first, because Stripe may
// refuse it, and deletes the earlier ones last, so that the customer is never without one. Stripe verifies some tax ids
// after the request; the adapter ignores the result.
func (p *Provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	customer, err := p.readCustomer(ctx, req.CustomerID, expandTaxIDs)
	if err != nil {
		return billing.Customer{}, err
	}
	savedObjectID, err := p.saveTaxID(ctx, req, customer)
	if err != nil {
		return billing.Customer{}, err
	}
	updatedCustomer, err := p.stripe.V1Customers.Update(ctx, req.CustomerID, billingDetailsParams(req))
	if err != nil {
		return billing.Customer{}, p.logKeyFault(ctx, "update customer", req.CustomerID, req.Key, err)
	}
	if updatedCustomer.Deleted {
		return billing.Customer{}, errCustomerDeleted()
	}
	return customerOf(updatedCustomer), p.deleteTaxIDsExcept(ctx, customer, savedObjectID)
}

// billingDetailsParams returns the parameters that set every detail. An empty detail is cleared. If the request has no
// email address, the customer keeps the current one, which staff may have changed.
func billingDetailsParams(req payment.CustomerUpdate) *stripe.CustomerUpdateParams {
	d := req.Details
	params := &stripe.CustomerUpdateParams{
		Name: &d.LegalName, Email: optionalString(req.Email), Phone: stripe.String(shortenPhone(d.Phone)),
		Metadata:        map[string]string{metaBillingEmail: d.BillingEmail},
		InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{},
	}
	if d.Address == (account.Address{}) {
		params.AddUnsetField(stripe.CustomerUpdateParamsUnsetFieldAddress)
	} else {
		params.Address = &stripe.AddressParams{
			Line1: &d.Address.Line1, Line2: &d.Address.Line2, City: &d.Address.City,
			State: &d.Address.State, PostalCode: &d.Address.PostalCode, Country: &d.Address.Country,
		}
	}
	if d.PurchaseOrder == "" {
		params.InvoiceSettings.AddUnsetField(stripe.CustomerUpdateInvoiceSettingsParamsUnsetFieldCustomFields)
	} else {
		params.InvoiceSettings.CustomFields = []*stripe.CustomerUpdateInvoiceSettingsCustomFieldParams{
			{Name: new(purchaseOrderField), Value: &d.PurchaseOrder},
		}
	}
	params.AddExpand(expandDefaultMethod)
	params.SetIdempotencyKey(req.Key)
	return params
}

// erasedName replaces the name of an erased customer, which must not be empty for a customer with invoices.
const erasedName = "Erased customer"

// EraseCustomer detaches all payment methods, deletes the tax ids, and replaces the details of the customer. Stripe keeps
// the details on invoices and in its own logs and events.
func (p *Provider) EraseCustomer(ctx context.Context, id string) error {
	customer, err := p.readCustomer(ctx, id, expandTaxIDs)
	switch {
	case errors.Is(err, payment.ErrCustomerDeleted):
		return nil
	case err != nil:
		return err
	}
	methods, err := p.Cards(ctx, id)
	if err != nil {
		return err
	}
	for _, method := range methods {
		_, err := p.stripe.V1PaymentMethods.Detach(ctx, method.ID, nil)
		if err != nil && !failureOf(err).isRefused() && !failureOf(err).isMissing() {
			return p.logFault(ctx, "detach method", err)
		}
	}
	params := &stripe.CustomerUpdateParams{
		Name: new(erasedName), Email: new(""), Phone: new(""), Description: new(""),
		Metadata:        map[string]string{metaBillingEmail: "", metaOrganisation: ""},
		InvoiceSettings: &stripe.CustomerUpdateInvoiceSettingsParams{},
	}
	params.AddUnsetField(stripe.CustomerUpdateParamsUnsetFieldAddress)
	params.InvoiceSettings.AddUnsetField(stripe.CustomerUpdateInvoiceSettingsParamsUnsetFieldCustomFields)
	if _, err := p.stripe.V1Customers.Update(ctx, id, params); err != nil {
		return p.logFault(ctx, "erase customer", err)
	}
	return p.deleteTaxIDsExcept(ctx, customer, "")
}

// saveTaxID creates the tax id of the request unless the customer has it, and returns the id of Stripe's object. It
// returns "" if the request has no tax id.
func (p *Provider) saveTaxID(ctx context.Context, req payment.CustomerUpdate, c *stripe.Customer) (string, error) {
	taxID := req.Details.TaxID
	if taxID == nil {
		return "", nil
	}
	for _, customerTaxID := range taxIDsOf(c) {
		if string(customerTaxID.Type) == taxID.Type && normalizeTaxID(customerTaxID.Value) == normalizeTaxID(taxID.Value) {
			return customerTaxID.ID, nil
		}
	}
	taxIDKey := stepKey(req.Key, "tax-id")
	params := &stripe.TaxIDCreateParams{Customer: &req.CustomerID, Type: &taxID.Type, Value: &taxID.Value}
	params.SetIdempotencyKey(taxIDKey)
	stripeTaxID, err := p.stripe.V1TaxIDs.Create(ctx, params)
	if err == nil {
		return stripeTaxID.ID, nil
	}
	keyErr := p.logKeyFault(ctx, "create tax id", req.CustomerID, taxIDKey, err)
	if failureOf(err).isRefused() {
		var fields fault.Fields
		fields.Add("taxId", "This tax id is not valid")
		return "", fields.Err()
	}
	return "", keyErr
}

// deleteTaxIDsExcept deletes the customer's tax ids except the one with the id. A tax id that is already deleted is not
// an error: DELETE has no idempotency key, so a repeated request deletes it again.
func (p *Provider) deleteTaxIDsExcept(ctx context.Context, c *stripe.Customer, id string) error {
	for _, taxID := range taxIDsOf(c) {
		if taxID.ID == id {
			continue
		}
		_, err := p.stripe.V1TaxIDs.Delete(ctx, taxID.ID, &stripe.TaxIDDeleteParams{Customer: &c.ID})
		if err != nil && !failureOf(err).isMissing() {
			return p.logFault(ctx, "delete tax id", err)
		}
	}
	return nil
}

func taxIDsOf(c *stripe.Customer) []*stripe.TaxID {
	if c.TaxIDs == nil {
		return nil
	}
	return c.TaxIDs.Data
}

// normalizeTaxID returns the tax id in capitals and without separators, so that its spellings are equal.
func normalizeTaxID(value string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "").Replace(value))
}

// buyerOf returns the customer's details that Stripe copied to the invoice when it was finalised, or nil if there are
// none.
func buyerOf(inv *stripe.Invoice) *billing.Buyer {
	b := billing.Buyer{Name: inv.CustomerName}
	if a := inv.CustomerAddress; a != nil {
		b.Line1, b.Line2, b.City, b.State, b.PostalCode, b.Country = a.Line1, a.Line2, a.City, a.State, a.PostalCode, a.Country
	}
	if len(inv.CustomerTaxIDs) > 0 && inv.CustomerTaxIDs[0].Type != nil {
		b.TaxIDType, b.TaxID = string(*inv.CustomerTaxIDs[0].Type), inv.CustomerTaxIDs[0].Value
	}
	for _, field := range inv.CustomFields {
		if field.Name == purchaseOrderField {
			b.PurchaseOrder = field.Value
		}
	}
	if b == (billing.Buyer{}) {
		return nil
	}
	return &b
}

// nextBuyerOf returns the details of the customer that Stripe will copy to the next invoice.
func nextBuyerOf(c *stripe.Customer) *billing.Buyer {
	b := billing.Buyer{Name: c.Name}
	if a := c.Address; a != nil {
		b.Line1, b.Line2, b.City, b.State, b.PostalCode, b.Country = a.Line1, a.Line2, a.City, a.State, a.PostalCode, a.Country
	}
	if ids := taxIDsOf(c); len(ids) > 0 {
		b.TaxIDType, b.TaxID = string(ids[0].Type), ids[0].Value
	}
	if c.InvoiceSettings != nil {
		for _, field := range c.InvoiceSettings.CustomFields {
			if field.Name == purchaseOrderField {
				b.PurchaseOrder = field.Value
			}
		}
	}
	return &b
}
