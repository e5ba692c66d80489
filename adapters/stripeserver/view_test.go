package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestExpand_ReplacesIDsByObjects(t *testing.T) {
	s := newTestServer(t)
	customer, card := s.newCustomerWithCard(visa)
	id := s.subscribe(customer).stringField("id")

	plain := s.do("GET", "/v1/subscriptions/"+id)
	assert.Equal(t, customer, plain.field("customer"))
	assert.Regexp(t, "^in_", plain.field("latest_invoice"))

	expanded := s.do("GET", "/v1/subscriptions/"+id, "expand[]", "customer.invoice_settings.default_payment_method",
		"expand[]", "latest_invoice.payments")
	assert.Equal(t, customer, expanded.field("customer.id"))
	assert.Equal(t, card, expanded.field("customer.invoice_settings.default_payment_method.id"))
	assert.Regexp(t, "^pi_", expanded.field("latest_invoice.payments.data.0.payment.payment_intent"))
	assert.NotContains(t, expanded.field("latest_invoice"), "confirmation_secret", "not expanded")
}

func TestExpand_RefusesFieldsThatStripeDoesNotExpand(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	path := "/v1/subscriptions/" + s.subscribe(customer).stringField("id")
	tests := []struct{ name, path, expand, code string }{
		{name: "five levels", path: path, expand: "latest_invoice.payments.data.payment.payment_intent",
			code: "property_expansion_max_depth"},
		{name: "removed field", path: path, expand: "latest_invoice.payment_intent"},
		{name: "text field", path: path, expand: "status"},
		{name: "path of a list without data", path: "/v1/prices", expand: "product"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.do("GET", tt.path, "expand[]", tt.expand)
			res.t = t
			res.assertError(400, badRequest, tt.code)
		})
	}
	fourLevels := s.do("GET", path, "expand[]", "latest_invoice.payments.data.payment")
	assert.Equal(t, 200, fourLevels.status)
}

func TestLists_HavePagesOfTenOrTheLimit(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	var newestFirst []string
	for range 12 {
		newestFirst = append([]string{s.subscribe(customer, "trial_period_days", "7").stringField("id")}, newestFirst...)
	}

	first := s.do("GET", "/v1/subscriptions", "customer", customer)
	assert.Equal(t, newestFirst[:10], first.ids())
	assert.Equal(t, true, first.field("has_more"))
	assert.Equal(t, "list", first.field("object"))

	rest := s.do("GET", "/v1/subscriptions", "customer", customer, "starting_after", newestFirst[9], "limit", "100")
	assert.Equal(t, newestFirst[10:], rest.ids())
	assert.Equal(t, false, rest.field("has_more"))
	s.do("GET", "/v1/subscriptions", "customer", customer, "starting_after", "sub_unknown").assertError(400, badRequest,
		"resource_missing")
}
