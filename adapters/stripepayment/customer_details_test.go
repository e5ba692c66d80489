package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	createTaxIDRoute = "POST /v1/customers/cus_1/tax_ids"
	deleteTaxIDRoute = "DELETE /v1/customers/cus_1/tax_ids/txi_0"
)

var billingDetails = account.BillingDetails{
	LegalName: "Northside Pty Ltd", BillingEmail: "bills@clinic.example", Phone: "+61 2 5550 1234", PurchaseOrder: "PO 7",
	Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	TaxID:   &account.TaxID{Type: "au_abn", Value: "51 824 753 556"},
}

func customerUpdate(d account.BillingDetails) payment.CustomerUpdate {
	return payment.CustomerUpdate{Key: "key-1", CustomerID: "cus_1", Details: d}
}

// stubForCustomerUpdate responds to an update of a customer with the tax ids.
func stubForCustomerUpdate(t *testing.T, taxIDs ...any) *stub {
	return newStub(t).respond(readCustomerRoute, okResponse(customer.withFields(object{"tax_ids": list(taxIDs...)}))).
		respond(updateCustomerRoute, okResponse(customer)).respond(createTaxIDRoute, okResponse(object{"id": "txi_1"})).
		respond(deleteTaxIDRoute, okResponse(object{"id": "txi_0", "deleted": true}))
}

func TestUpdateCustomer_SetsAndClearsEveryDetail(t *testing.T) {
	s := stubForCustomerUpdate(t)
	p := s.provider()
	_, err := p.UpdateCustomer(t.Context(), customerUpdate(billingDetails))
	require.NoError(t, err)
	assert.Equal(t, url.Values{
		"name": {"Northside Pty Ltd"}, "phone": {"+61 2 5550 1234"}, "metadata[billing_email]": {"bills@clinic.example"},
		"address[line1]": {"1 High Street"}, "address[line2]": {""}, "address[city]": {"Sydney"}, "address[state]": {"NSW"},
		"address[postal_code]": {"2000"}, "address[country]": {"AU"},
		"invoice_settings[custom_fields][0][name]":  {"Purchase order"},
		"invoice_settings[custom_fields][0][value]": {"PO 7"},
		"expand[0]": {"invoice_settings.default_payment_method"},
	}, s.lastRequest(updateCustomerRoute).params, "the customer keeps its email address")
	assert.Equal(t, "key-1", s.lastRequest(updateCustomerRoute).key())

	update := customerUpdate(billingDetails)
	update.Email = "owner@clinic.example"
	_, err = p.UpdateCustomer(t.Context(), update)
	require.NoError(t, err)
	assert.Equal(t, []string{"owner@clinic.example"}, s.lastRequest(updateCustomerRoute).params["email"])

	_, err = p.UpdateCustomer(t.Context(), customerUpdate(account.BillingDetails{}))
	require.NoError(t, err)
	assert.Equal(t, url.Values{
		"name": {""}, "phone": {""}, "metadata[billing_email]": {""}, "address": {""},
		"invoice_settings[custom_fields]": {""},
		"expand[0]":                       {"invoice_settings.default_payment_method"},
	}, s.lastRequest(updateCustomerRoute).params)
}

func TestUpdateCustomer_LeavesOnlyTheTaxIDOfTheRequest(t *testing.T) {
	oldTaxID := object{"id": "txi_0", "type": "au_abn", "value": "1"}
	sameTaxID := object{"id": "txi_1", "type": "au_abn", "value": "51824753556"}
	detailsWithoutTaxID := billingDetails
	detailsWithoutTaxID.TaxID = nil
	for name, c := range map[string]struct {
		details account.BillingDetails
		taxIDs  []any
		want    []string
	}{
		"first tax id": {billingDetails, nil, []string{readCustomerRoute, createTaxIDRoute, updateCustomerRoute}},
		"same tax id":  {billingDetails, []any{sameTaxID}, []string{readCustomerRoute, updateCustomerRoute}},
		"another tax id": {billingDetails, []any{oldTaxID},
			[]string{readCustomerRoute, createTaxIDRoute, updateCustomerRoute, deleteTaxIDRoute}},
		"repeat after an interruption": {billingDetails, []any{sameTaxID, oldTaxID},
			[]string{readCustomerRoute, updateCustomerRoute, deleteTaxIDRoute}},
		"tax id removed": {detailsWithoutTaxID, []any{oldTaxID},
			[]string{readCustomerRoute, updateCustomerRoute, deleteTaxIDRoute}},
		"still no tax id": {detailsWithoutTaxID, nil, []string{readCustomerRoute, updateCustomerRoute}},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForCustomerUpdate(t, c.taxIDs...)
			_, err := s.provider().UpdateCustomer(t.Context(), customerUpdate(c.details))
			require.NoError(t, err)
			assert.Equal(t, c.want, s.routes())
		})
	}
}

func TestUpdateCustomer_RefusedTaxIDChangesNothing(t *testing.T) {
	s := stubForCustomerUpdate(t).
		respond(createTaxIDRoute, invalidRequestResponse(object{"code": "tax_id_invalid", "param": "value"}))
	_, err := s.provider().UpdateCustomer(t.Context(), customerUpdate(billingDetails))
	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	assert.Equal(t, "taxId", fault.FieldsOf(err)[0].Name)
	assert.NotContains(t, s.routes(), updateCustomerRoute)
}
