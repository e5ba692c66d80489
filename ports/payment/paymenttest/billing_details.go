package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var detailsBehaviours = []behaviour{
	{name: "a customer can be found by its organisation after an update", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		updatedCustomer, err := t.updateCustomer(c.ID, billingDetails())
		require.NoError(t, err)
		assert.Equal(t, c, updatedCustomer)
		foundCustomer, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))
		require.NoError(t, err)
		assert.Equal(t, c, foundCustomer)
	}},
	{name: "a customer has the email address that was sent last", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		for _, email := range []string{"new-owner@example.com", ""} { // without an address the customer keeps its own
			updatedCustomer, err := t.Provider.UpdateCustomer(t.Context(), payment.CustomerUpdate{
				Key: newKey(), CustomerID: c.ID, Details: billingDetails(), Email: email,
			})
			require.NoError(t, err)
			assert.Equal(t, c, updatedCustomer)
			foundCustomer, err := t.Provider.CustomerOf(t.Context(),
				payment.Owner{OrganisationID: req.OrganisationID, Email: "new-owner@example.com"})
			require.NoError(t, err)
			assert.Equal(t, c, foundCustomer)
		}
	}},
	{name: "new details do not change card, currency and credit", check: func(t *env) {
		c := t.customerWithCurrency()
		updatedCustomer, err := t.updateCustomer(c.ID, billingDetails())
		require.NoError(t, err)
		assert.Equal(t, c, updatedCustomer)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "new details do not change earlier invoices and their time zones", check: func(t *env) {
		c := t.customerWithCurrency()
		invoices := t.listInvoices(c.ID)
		details := billingDetails()
		details.Address.Country, details.Address.State, details.TaxID = "US", "Hawaii", nil
		_, err := t.updateCustomer(c.ID, details)
		require.NoError(t, err)
		assert.Equal(t, invoices, t.listInvoices(c.ID))
	}},
	{name: "details can be changed and removed", check: func(t *env) {
		c := t.createCustomer()
		otherDetails := billingDetails()
		otherDetails.LegalName = "Southside Clinic Pty Ltd"
		otherDetails.TaxID = &account.TaxID{Type: "nz_gst", Value: "49-091-850"}
		for _, details := range []account.BillingDetails{billingDetails(), otherDetails, otherDetails, {}, billingDetails()} {
			updatedCustomer, err := t.updateCustomer(c.ID, details)
			require.NoError(t, err)
			assert.Equal(t, c, updatedCustomer)
		}
	}},
	{name: "a tax id of an unknown type is Invalid", check: func(t *env) {
		c := t.createCustomer()
		details := billingDetails()
		details.TaxID = &account.TaxID{Type: "no_such_type", Value: "1"}
		_, err := t.updateCustomer(c.ID, details)
		t.assertFault(err, fault.Invalid)
	}},
	{name: "details of a deleted customer are NotFound", check: func(t *env) {
		c := t.createCustomer()
		t.DeleteCustomer(t.T, c.ID)
		_, err := t.updateCustomer(c.ID, billingDetails())
		t.assertFault(err, fault.NotFound)
	}},
	{name: "an invoice keeps the details with which it was issued", check: func(t *env) {
		c := t.payingCustomer()
		details := billingDetails()
		_, err := t.updateCustomer(c.ID, details)
		require.NoError(t, err)
		t.subscribe(c.ID, 0)
		if t.onlyInvoice(c.ID).Buyer == nil {
			t.Skip("the provider does not report the recipient")
		}
		want := details.Buyer("")

		details.LegalName, details.Address.City = "Southside Clinic Pty Ltd", "Perth"
		details.PurchaseOrder, details.TaxID = "", nil
		_, err = t.updateCustomer(c.ID, details)
		require.NoError(t, err)

		assert.Equal(t, want, t.onlyInvoice(c.ID).Buyer)
	}},
	{name: "an erased customer keeps only its invoices", needs: payment.Erasure, check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.saveMethodIfSupported(c.ID)
		_, err = t.updateCustomer(c.ID, billingDetails())
		require.NoError(t, err)
		t.cancel(t.subscribe(c.ID, 0).ID)
		invoices := t.listInvoices(c.ID)

		for range 2 { // a repeat changes nothing
			require.NoError(t, t.Provider.EraseCustomer(t.Context(), c.ID))

			assert.Equal(t, invoices, t.listInvoices(c.ID))
			erasedCustomer, err := t.Provider.Customer(t.Context(), c.ID)
			require.NoError(t, err)
			assert.Empty(t, erasedCustomer.OrganisationID)
			assert.Nil(t, erasedCustomer.Default)
			assert.Empty(t, erasedCustomer.Phone)
			if b := erasedCustomer.Buyer; b != nil {
				assert.Equal(t, billing.Buyer{Name: b.Name}, *b)
				assert.NotEqual(t, billingDetails().LegalName, b.Name)
			}
			_, err = t.Provider.CustomerOf(t.Context(), ownerOf(req))
			t.assertFault(err, fault.NotFound)
			if t.Provider.Capabilities().Has(payment.SavedMethods) {
				assert.Empty(t, t.listMethods(c.ID))
			}
		}
	}},
	{name: "erasing a deleted customer changes nothing", needs: payment.Erasure, check: func(t *env) {
		c := t.createCustomer()
		t.DeleteCustomer(t.T, c.ID)
		require.NoError(t, t.Provider.EraseCustomer(t.Context(), c.ID))
	}},
}

// billingDetails returns complete details.
func billingDetails() account.BillingDetails {
	return account.BillingDetails{
		LegalName: "Northside Clinic Pty Ltd", BillingEmail: "accounts@northside.example", Phone: "+61 2 5550 9876",
		PurchaseOrder: "PO 4711",
		Address: account.Address{
			Line1: "2 Low Street", City: "Sydney", State: "New South Wales", PostalCode: "2001", Country: "AU",
		},
		TaxID: &account.TaxID{Type: "au_abn", Value: "51824753556"},
	}
}

func (t *env) updateCustomer(id string, details account.BillingDetails) (billing.Customer, error) {
	t.Helper()
	return t.Provider.UpdateCustomer(t.Context(), payment.CustomerUpdate{Key: newKey(), CustomerID: id, Details: details})
}
