package stripeserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestServer_SendsStripesHeaders(t *testing.T) {
	s := newTestServer(t)
	for _, path := range []string{"/v1/prices", "/v1/customers/cus_unknown", "/v1/unknown"} {
		res := s.send("GET", path)
		assert.Regexp(t, `^req_\w+$`, res.header.Get("Request-Id"))
		assert.Equal(t, "2026-03-25.dahlia", res.header.Get("Stripe-Version"))
		assert.Equal(t, "application/json", res.header.Get("Content-Type"))
	}
}

func TestServer_RefusesUnknownAPIKeys(t *testing.T) {
	s := newTestServer(t)
	tests := []struct {
		name, key, path string
		status          int
	}{
		{name: "no key", key: "", path: "/v1/prices", status: 401},
		{name: "key of another account", key: "Bearer sk_test_other_account", path: "/v1/prices", status: 401},
		{name: "publishable key", key: "Bearer " + publishableKey, path: "/v1/prices", status: 401},
		{name: "secret key", key: "Bearer " + secretKey, path: "/v1/prices", status: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.send("GET", tt.path, "Authorization:", tt.key)
			assert.Equal(t, tt.status, res.status)
			assert.NotContains(t, fmt.Sprint(res.body), "other_account")
		})
	}
}

func TestServer_PublishableKeyRequiresTheClientSecretOfAnIntent(t *testing.T) {
	s := newTestServer(t)
	s.mustPost("/v1/payment_methods", "Authorization:", "Bearer "+publishableKey, "type", "card", "card[token]", visaToken)
	customerID, _ := s.newCustomerWithCard(declinedChargeToken)
	secret := s.subscribe(customerID).stringField("latest_invoice.confirmation_secret.client_secret")
	intentPath := "/v1/payment_intents/" + secret[:len("pi_")+26]

	assert.Equal(t, 200, s.send("GET", intentPath, "Authorization:", "Bearer "+publishableKey, "client_secret", secret).status)
	s.send("GET", intentPath, "Authorization:", "Bearer "+publishableKey, "client_secret", "guessed").
		assertError(400, invalidRequestType, "payment_intent_invalid_parameter")
}

func TestServer_RefusesInvalidRequests(t *testing.T) {
	s := newTestServer(t)
	s.send("GET", "/v1/prices", "Stripe-Version:", "2020-08-27").assertError(400, invalidRequestType, "")
	s.send("GET", "/v1/unknown").assertError(404, invalidRequestType, "")
	s.send("POST", "/v1/customers", "first", "Ann").assertError(400, invalidRequestType, "parameter_unknown")
	s.send("POST", "/v1/products").assertError(400, invalidRequestType, "parameter_missing")
	s.send("GET", "/v1/prices", "limit", "many").assertError(400, invalidRequestType, "parameter_invalid_integer")
	s.send("GET", "/v1/customers/cus_unknown").assertError(404, invalidRequestType, "resource_missing")
}

func TestCustomers_UpdateMergesMetadataAndIsRefusedAfterADeletion(t *testing.T) {
	s := newTestServer(t)
	customer := s.mustPost("/v1/customers", "name", "Northside", "address[country]", "AU", "metadata[org_id]", "org_1",
		"metadata[currency]", "AUD")
	path := "/v1/customers/" + customer.stringField("id")
	customer = s.mustPost(path, "metadata[org_id]", "", "phone", "+61 2 5550 1234")
	assert.Equal(t, object{"currency": "AUD"}, customer.field("metadata"))
	assert.Equal(t, "Northside", customer.field("name"))
	assert.Equal(t, "AU", customer.field("address.country"))
	assert.Nil(t, customer.field("currency"))
	assert.NotContains(t, customer.body, "subscriptions")

	assert.Equal(t, true, s.send("DELETE", path).field("deleted"))
	deletedCustomer := s.send("GET", path)
	assert.Equal(t, 200, deletedCustomer.status)
	assert.Equal(t, object{"id": customer.field("id"), "object": "customer", "deleted": true}, deletedCustomer.body)
	s.send("POST", path, "name", "Ann").assertError(400, invalidRequestType, "resource_missing")
	s.send("DELETE", path).assertError(404, invalidRequestType, "resource_missing")
	s.send("POST", "/v1/customers", "email", "malformed").assertError(400, invalidRequestType, "email_invalid")
}
