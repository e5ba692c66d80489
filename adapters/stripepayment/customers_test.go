package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	readCustomerRoute  = "GET /v1/customers/cus_1"
	listCustomersRoute = "GET /v1/customers"
)

var owner = payment.Owner{OrganisationID: "org_1", Email: "ann@clinic.example"}

func TestCreateCustomer_SendsEveryField(t *testing.T) {
	s := newStub(t).respond(createCustomerRoute, okResponse(customerWithoutCard))
	c, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{
		Key: "key-1", OrganisationID: "org_1", Name: "Northside Clinic", Email: "ann@clinic.example",
		Phone: "+61 2 5550 1234", Currency: "AUD",
		Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "New South Wales", PostalCode: "2000",
			Country: "AU"},
	})
	require.NoError(t, err)
	assert.Equal(t, billing.Customer{ID: "cus_1", OrganisationID: "org_1", PreferredCurrency: "AUD"}, c)
	assert.Equal(t, url.Values{
		"name": {"Northside Clinic"}, "email": {"ann@clinic.example"}, "phone": {"+61 2 5550 1234"},
		"metadata[org_id]": {"org_1"}, "metadata[currency]": {"AUD"},
		"address[line1]": {"1 High Street"}, "address[city]": {"Sydney"}, "address[state]": {"New South Wales"},
		"address[postal_code]": {"2000"}, "address[country]": {"AU"},
	}, s.lastRequest(createCustomerRoute).params)
}

func TestCreateCustomer_OmitsEmptyFields(t *testing.T) {
	s := newStub(t).respond(createCustomerRoute, okResponse(customerWithoutCard))
	_, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{Key: "key-1", OrganisationID: "org_1"})
	require.NoError(t, err)
	assert.Equal(t, url.Values{"metadata[org_id]": {"org_1"}}, s.lastRequest(createCustomerRoute).params)
}

func TestCreateCustomer_ShortensPhoneNumbersToStripesLimit(t *testing.T) {
	for phone, want := range map[string]string{
		"+61 2 5550 1234":        "+61 2 5550 1234",
		"+1 2 3 4 5 6 7 8 9 0 1": "+12345678901",
		"+12345678901234567890":  "",
	} {
		s := newStub(t).respond(createCustomerRoute, okResponse(customerWithoutCard))
		_, err := s.provider().CreateCustomer(t.Context(), payment.NewCustomer{Key: "key-1", Phone: phone})
		require.NoError(t, err)
		assert.Equal(t, want, s.lastRequest(createCustomerRoute).params.Get("phone"))
	}
}

func TestCustomerOf_ReturnsTheOldestCustomerOfTheOrganisation(t *testing.T) {
	otherCustomer := customer.withFields(object{"id": "cus_other", "metadata": object{"org_id": "org_2"}})
	s := newStub(t).
		respond(listCustomersRoute, okResponse(list(customer.withFields(object{"id": "cus_newer"}), otherCustomer, customer)))

	foundCustomer, err := s.provider().CustomerOf(t.Context(), owner)

	require.NoError(t, err)
	assert.Equal(t, "cus_1", foundCustomer.ID)
	assert.Equal(t, "org_1", foundCustomer.OrganisationID)
	assert.NotNil(t, foundCustomer.Default)
	assert.Equal(t, "ann@clinic.example", s.lastRequest(listCustomersRoute).params.Get("email"))
}

func TestCustomerOf_OutageIsUnavailable(t *testing.T) {
	s := newStub(t).respond(listCustomersRoute, errorResponse(500, object{}))
	_, err := s.provider().CustomerOf(t.Context(), owner)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestCustomerOf_WithoutOrganisationOrEmailIsNotFound(t *testing.T) {
	s := newStub(t)
	for _, incompleteOwner := range []payment.Owner{{OrganisationID: "org_1"}, {Email: "ann@clinic.example"}} {
		_, err := s.provider().CustomerOf(t.Context(), incompleteOwner)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	}
	assert.Empty(t, s.routes())
}
