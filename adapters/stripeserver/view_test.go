package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestExpand_ReplacesIDsByObjects(t *testing.T) {
	s := newTestServer(t)
	customerID, cardID := s.newCustomerWithCard(visaToken)
	id := s.subscribe(customerID).stringField("id")

	sub := s.send("GET", "/v1/subscriptions/"+id)
	assert.Equal(t, customerID, sub.field("customer"))
	assert.Regexp(t, "^in_", sub.field("latest_invoice"))

	expandedSub := s.send("GET", "/v1/subscriptions/"+id, "expand[]", "customer.invoice_settings.default_payment_method",
		"expand[]", "latest_invoice.payments")
	assert.Equal(t, customerID, expandedSub.field("customer.id"))
	assert.Equal(t, cardID, expandedSub.field("customer.invoice_settings.default_payment_method.id"))
	assert.Regexp(t, "^pi_", expandedSub.field("latest_invoice.payments.data.0.payment.payment_intent"))
	assert.NotContains(t, expandedSub.field("latest_invoice"), "confirmation_secret", "the field was not expanded")
}

func TestExpand_RefusesFieldsThatStripeDoesNotExpand(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	path := "/v1/subscriptions/" + s.subscribe(customerID).stringField("id")
	tests := []struct{ name, path, expand, code string }{
		{name: "five levels", path: path, expand: "latest_invoice.payments.data.payment.payment_intent",
			code: "property_expansion_max_depth"},
		{name: "removed field", path: path, expand: "latest_invoice.payment_intent"},
		{name: "text field", path: path, expand: "status"},
		{name: "path of a list without data", path: "/v1/prices", expand: "product"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.send("GET", tt.path, "expand[]", tt.expand)
			res.t = t
			res.assertError(400, invalidRequestType, tt.code)
		})
	}
	res := s.send("GET", path, "expand[]", "latest_invoice.payments.data.payment")
	assert.Equal(t, 200, res.status)
}

func TestLists_HavePagesOfTenObjectsOrOfTheLimit(t *testing.T) {
	s := newTestServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	var newestFirstIDs []string
	for range 12 {
		newestFirstIDs = append([]string{s.subscribe(customerID, "trial_period_days", "7").stringField("id")}, newestFirstIDs...)
	}

	firstPage := s.send("GET", "/v1/subscriptions", "customer", customerID)
	assert.Equal(t, newestFirstIDs[:10], firstPage.ids())
	assert.Equal(t, true, firstPage.field("has_more"))
	assert.Equal(t, "list", firstPage.field("object"))

	secondPage := s.send("GET", "/v1/subscriptions", "customer", customerID, "starting_after", newestFirstIDs[9],
		"limit", "100")
	assert.Equal(t, newestFirstIDs[10:], secondPage.ids())
	assert.Equal(t, false, secondPage.field("has_more"))
	s.send("GET", "/v1/subscriptions", "customer", customerID, "starting_after", "sub_unknown").
		assertError(400, invalidRequestType,
			"resource_missing")
}
