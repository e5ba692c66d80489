package stripepayment

import (
	"context"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// metaBillingEmail holds the address that gets copies. Stripe's API has no field for it, and the
	// customer's own address must stay, because CustomerOf finds the customer by it.
	metaBillingEmail = "billing_email"
	// purchaseOrderField is the name of the custom field on invoices.
	purchaseOrderField = "Purchase order"

	expandTaxIDs = "tax_ids"
)

// UpdateCustomer sets what the next invoices are addressed to. A new tax id is created before the
// others are deleted, and before anything else changes, because Stripe may refuse it. Stripe verifies
// some of them later, which does not matter here.
func (p *Provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	if err := checkKey(req.Key); err != nil {
		return billing.Customer{}, err
	}
	found, err := p.customer(ctx, req.CustomerID, expandTaxIDs)
	if err != nil {
		return billing.Customer{}, err
	}
	kept, err := p.saveTaxID(ctx, req, found)
	if err != nil {
		return billing.Customer{}, err
	}
	changed, err := p.stripe.V1Customers.Update(ctx, req.CustomerID, detailsParams(req))
	if err != nil {
		return billing.Customer{}, p.keyFault(ctx, "update customer", req.CustomerID, req.Key, err)
	}
	if changed.Deleted {
		return billing.Customer{}, errDeleted()
	}
	return customerOf(changed), p.deleteTaxIDs(ctx, found, kept)
}

// detailsParams sets every detail; "" clears it.
func detailsParams(req payment.CustomerUpdate) *stripe.CustomerUpdateParams {
	d := req.Details
	params := &stripe.CustomerUpdateParams{
		Name: &d.LegalName, Phone: stripe.String(shortenPhone(d.Phone)),
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
	params.AddExpand(expandDefaultCard)
	params.SetIdempotencyKey(req.Key)
	return params
}

// saveTaxID creates the tax id unless the customer has it, and returns its id, or "" if the customer
// is to have none.
func (p *Provider) saveTaxID(ctx context.Context, req payment.CustomerUpdate, c *stripe.Customer) (string, error) {
	wanted := req.Details.TaxID
	if wanted == nil {
		return "", nil
	}
	for _, id := range taxIDsOf(c) {
		if string(id.Type) == wanted.Type && compact(id.Value) == compact(wanted.Value) {
			return id.ID, nil
		}
	}
	params := &stripe.TaxIDCreateParams{Customer: &req.CustomerID, Type: &wanted.Type, Value: &wanted.Value}
	params.IdempotencyKey = keyFor(req.Key, "tax-id")
	created, err := p.stripe.V1TaxIDs.Create(ctx, params)
	if err == nil {
		return created.ID, nil
	}
	out := p.keyFault(ctx, "create tax id", req.CustomerID, *params.IdempotencyKey, err)
	if failureOf(err).isRefused() {
		var fields fault.Fields
		fields.Add("taxId", "This tax id is not valid")
		return "", fields.Err()
	}
	return "", out
}

// deleteTaxIDs deletes the customer's tax ids except one. DELETE ignores keys; one that is gone already
// is not an error.
func (p *Provider) deleteTaxIDs(ctx context.Context, c *stripe.Customer, kept string) error {
	for _, id := range taxIDsOf(c) {
		if id.ID == kept {
			continue
		}
		_, err := p.stripe.V1TaxIDs.Delete(ctx, id.ID, &stripe.TaxIDDeleteParams{Customer: &c.ID})
		if err != nil && !failureOf(err).isMissing() {
			return p.fault(ctx, "delete tax id", err)
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

// compact removes the separators in which two spellings of a tax id can differ.
func compact(value string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "").Replace(value))
}

// buyerOf returns what Stripe printed on the invoice when it was finalised.
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
