package paymenttest

import (
	"context"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var customerBehaviours = []behaviour{
	{name: "a created customer can be read", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)

		assert.NotEmpty(t, c.ID)
		assert.Equal(t, req.OrganisationID, c.OrganisationID)
		assert.Equal(t, "AUD", c.PreferredCurrency)
		assert.Empty(t, c.Currency, "nothing has been charged yet")
		assert.Nil(t, c.Default)
		assert.Equal(t, c, t.readCustomer(c.ID))
	}},
	{name: "a customer can be created without a preferred currency", check: func(t *env) {
		req := customerRequest()
		req.Currency = ""
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		assert.Empty(t, c.PreferredCurrency)
	}},
	{name: "two organisations have different customers", check: func(t *env) {
		customer, otherCustomer := t.createCustomer(), t.createCustomer()
		assert.NotEqual(t, customer.ID, otherCustomer.ID)
	}},
	{name: "a deleted customer is reported as deleted", check: func(t *env) {
		c := t.createCustomer()
		t.DeleteCustomer(t.T, c.ID)
		_, err := t.Provider.Customer(t.Context(), c.ID)
		t.assertFault(err, fault.NotFound)
		assert.ErrorIs(t, err, payment.ErrCustomerDeleted)
	}},
	{name: "an unknown customer is not reported as deleted", check: func(t *env) {
		_, err := t.Provider.Customer(t.Context(), "cus_unknown123")
		t.assertFault(err, fault.NotFound)
		assert.NotErrorIs(t, err, payment.ErrCustomerDeleted)
	}},
	{name: "a customer is found by its organisation", check: func(t *env) {
		req := customerRequest()
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.createCustomer() // another organisation's, with the same email address
		t.saveMethodIfSupported(c.ID)

		foundCustomer, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))

		require.NoError(t, err)
		assert.Equal(t, t.readCustomer(c.ID), foundCustomer)
	}},
	{name: "an organisation without a customer, or with a deleted one, is NotFound", check: func(t *env) {
		req := customerRequest()
		_, err := t.Provider.CustomerOf(t.Context(), ownerOf(req))
		t.assertFault(err, fault.NotFound)
		c, err := t.Provider.CreateCustomer(t.Context(), req)
		require.NoError(t, err)
		t.DeleteCustomer(t.T, c.ID)
		for _, owner := range []payment.Owner{ownerOf(req), {Email: req.Email}, {}} {
			_, err := t.Provider.CustomerOf(t.Context(), owner)
			t.assertFault(err, fault.NotFound)
		}
	}},
}

// ownerOf returns the owner of the customer that the request creates.
func ownerOf(req payment.NewCustomer) payment.Owner {
	return payment.Owner{OrganisationID: req.OrganisationID, Email: req.Email}
}

var canceledContextBehaviours = []behaviour{
	{name: "a request with a canceled context returns Unavailable", check: func(t *env) {
		c := t.createCustomer()
		canceledCtx, cancel := context.WithCancel(t.Context())
		cancel()

		_, err := t.Provider.Customer(canceledCtx, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.ListSubscriptions(canceledCtx, c.ID)
		t.assertFault(err, fault.Unavailable)
		_, err = t.Provider.CreateCustomer(canceledCtx, customerRequest())
		t.assertFault(err, fault.Unavailable)
		if t.Provider.Capabilities().Has(payment.SavedMethods) {
			_, err = t.Provider.Cards(canceledCtx, c.ID)
			t.assertFault(err, fault.Unavailable)
		}
	}},
	{name: "a request can be repeated with its key after its context was canceled", check: func(t *env) {
		c := t.payingCustomer()
		req := payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: standard}
		canceledCtx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := t.Provider.Subscribe(canceledCtx, req)
		t.assertFault(err, fault.Unavailable)

		s, err := t.Provider.Subscribe(t.Context(), req)

		require.NoError(t, err)
		assert.Equal(t, billing.Active, t.completePayment(s).Status)
		assert.Equal(t, []string{s.ID}, t.subscriptionIDs(c.ID))
	}},
}
