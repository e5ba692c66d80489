package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFieldsAreIdsUntilTheyAreExpanded(t *testing.T) {
	s := newStripe(t)
	customer, card := s.payer(good)
	id := s.subscribe(customer).text("id")

	plain := s.ask("GET", "/v1/subscriptions/"+id)
	assert.Equal(t, customer, plain.at("customer"))
	assert.Regexp(t, "^in_", plain.at("latest_invoice"))

	full := s.ask("GET", "/v1/subscriptions/"+id, "expand[]", "customer.invoice_settings.default_payment_method", "expand[]", "latest_invoice.payments")
	assert.Equal(t, customer, full.at("customer.id"))
	assert.Equal(t, card, full.at("customer.invoice_settings.default_payment_method.id"))
	assert.Regexp(t, "^pi_", full.at("latest_invoice.payments.data.0.payment.payment_intent"))
	assert.NotContains(t, full.at("latest_invoice"), "confirmation_secret", "nobody asked for it")
}

func TestListsExpandEachOfTheirObjects(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	s.subscribe(customer)
	all := s.ask("GET", "/v1/subscriptions", "customer", customer, "expand[]", "data.latest_invoice.payments")
	assert.Equal(t, "paid", all.at("data.0.latest_invoice.payments.data.0.status"))
}

func TestWhatCannotBeExpanded(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	path := "/v1/subscriptions/" + s.subscribe(customer).text("id")
	tests := []struct{ name, path, expand, code string }{
		{name: "five levels", path: path, expand: "latest_invoice.payments.data.payment.payment_intent", code: "property_expansion_max_depth"},
		{name: "what is gone since basil", path: path, expand: "latest_invoice.payment_intent"},
		{name: "what is no object", path: path, expand: "status"},
		{name: "a list's own field", path: "/v1/prices", expand: "product"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := s.ask("GET", tt.path, "expand[]", tt.expand)
			answer.t = t
			answer.refused(400, badRequest, tt.code)
		})
	}
	four := s.ask("GET", path, "expand[]", "latest_invoice.payments.data.payment")
	assert.Equal(t, 200, four.status)
}
