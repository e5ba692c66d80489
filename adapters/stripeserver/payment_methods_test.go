package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPaymentMethods_OfAnotherCustomerAreRefused(t *testing.T) {
	s := newTestServer(t)
	_, card := s.newCustomerWithCard(visa)
	other, _ := s.newCustomerWithCard(visa)
	s.do("POST", "/v1/payment_methods/"+card+"/attach", "customer", other).assertError(400, badRequest, "")
	s.do("POST", "/v1/customers/"+other, "invoice_settings[default_payment_method]", card).assertError(400, badRequest, "")
	s.do("GET", "/v1/customers/"+other+"/payment_methods/"+card).assertError(404, badRequest, "resource_missing")
}

func TestPaymentMethods_DeclinedCardIsACardError(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	tests := []struct{ token, code, decline, message string }{
		{"pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."},
		{"pm_card_chargeDeclinedExpiredCard", "expired_card", "", "Your card has expired."},
	}
	for _, tt := range tests {
		res := s.do("POST", "/v1/payment_methods/"+tt.token+"/attach", "customer", customer)
		res.assertError(402, "card_error", tt.code)
		assert.Equal(t, tt.message, res.field("error.message"))
		if tt.decline != "" {
			assert.Equal(t, tt.decline, res.field("error.decline_code"))
		}
	}
	typed := s.do("POST", "/v1/payment_methods", "type", "card", "card[number]", "4242424242424241", "card[exp_month]",
		"12", "card[exp_year]", "2034", "card[cvc]", "123")
	typed.assertError(402, "card_error", "invalid_number")
	assert.Equal(t, "number", typed.field("error.param"))
}

func TestPaymentMethods_TestCardIsNewEachTime(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	for range 2 {
		assert.NotEqual(t, "pm_card_visa",
			s.post("/v1/payment_methods/pm_card_visa/attach", "customer", customer).field("id"))
	}
	assert.Len(t, s.do("GET", "/v1/payment_methods", "customer", customer, "type", "card").ids(), 2)
}
