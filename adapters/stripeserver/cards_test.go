package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestACardIsSavedAndTakenOff(t *testing.T) {
	s := newStripe(t)
	customer, card := s.payer(good)
	path := "/v1/customers/" + customer + "/payment_methods"
	assert.Equal(t, []string{card}, s.ask("GET", path, "type", "card").ids())
	assert.Equal(t, "4242", s.ask("GET", path+"/"+card).at("card.last4"))

	assert.Nil(t, s.made("/v1/payment_methods/"+card+"/detach").at("customer"))

	assert.Empty(t, s.ask("GET", path).ids())
	s.ask("GET", path+"/"+card).refused(404, badRequest, "resource_missing")
	assert.Nil(t, s.ask("GET", "/v1/payment_methods/"+card).at("customer"), "it is remembered")
	s.ask("POST", "/v1/payment_methods/"+card+"/attach", "customer", customer).refused(400, badRequest, "")
	s.ask("POST", "/v1/payment_methods/"+card+"/detach").refused(400, badRequest, "")
}

func TestACardIsNobodyElses(t *testing.T) {
	s := newStripe(t)
	_, card := s.payer(good)
	stranger, _ := s.payer(good)
	s.ask("POST", "/v1/payment_methods/"+card+"/attach", "customer", stranger).refused(400, badRequest, "")
	s.ask("POST", "/v1/customers/"+stranger, "invoice_settings[default_payment_method]", card).refused(400, badRequest, "")
	s.ask("GET", "/v1/customers/"+stranger+"/payment_methods/"+card).refused(404, badRequest, "resource_missing")
}

func TestWhatTheBankSaysToACard(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	tests := []struct{ token, code, decline, message string }{
		{"pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."},
		{"pm_card_chargeDeclinedExpiredCard", "expired_card", "", "Your card has expired."},
	}
	for _, tt := range tests {
		answer := s.ask("POST", "/v1/payment_methods/"+tt.token+"/attach", "customer", customer)
		answer.refused(402, "card_error", tt.code)
		assert.Equal(t, tt.message, answer.at("error.message"))
		if tt.decline != "" {
			assert.Equal(t, tt.decline, answer.at("error.decline_code"))
		}
	}
	typed := s.ask("POST", "/v1/payment_methods", "type", "card", "card[number]", "4242424242424241", "card[exp_month]", "12", "card[exp_year]", "2034", "card[cvc]", "123")
	typed.refused(402, "card_error", "invalid_number")
	assert.Equal(t, "number", typed.at("error.param"))
}

func TestAStandInIsANewCardEachTime(t *testing.T) {
	s := newStripe(t)
	customer := s.made("/v1/customers").text("id")
	for range 2 {
		assert.NotEqual(t, "pm_card_visa", s.made("/v1/payment_methods/pm_card_visa/attach", "customer", customer).at("id"))
	}
	assert.Len(t, s.ask("GET", "/v1/payment_methods", "customer", customer, "type", "card").ids(), 2)
}

func TestACustomerIsKeptAndDeleted(t *testing.T) {
	s := newStripe(t)
	made := s.made("/v1/customers", "name", "Northside", "address[country]", "AU", "metadata[org_id]", "org_1", "metadata[currency]", "AUD")
	path := "/v1/customers/" + made.text("id")
	changed := s.made(path, "metadata[org_id]", "", "phone", "+61 2 5550 1234")
	assert.Equal(t, object{"currency": "AUD"}, changed.at("metadata"))
	assert.Equal(t, "Northside", changed.at("name"))
	assert.Equal(t, "AU", changed.at("address.country"))
	assert.Nil(t, changed.at("currency"))
	assert.NotContains(t, changed.body, "subscriptions")

	assert.Equal(t, true, s.ask("DELETE", path).at("deleted"))
	gone := s.ask("GET", path)
	assert.Equal(t, 200, gone.status)
	assert.Equal(t, object{"id": made.at("id"), "object": "customer", "deleted": true}, gone.body)
	s.ask("POST", path, "name", "Ann").refused(400, badRequest, "resource_missing")
	s.ask("DELETE", path).refused(404, badRequest, "resource_missing")
	s.ask("POST", "/v1/customers", "email", "nobody").refused(400, badRequest, "email_invalid")
}
