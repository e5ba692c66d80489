package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConfirmPaymentIntent_ReportsDeclineThenAuthenticationThenSuccess(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(declinedCharge)
	created := s.subscribe(customer)
	intent := "/v1/payment_intents/" + created.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	browser := []string{"Authorization:", "Bearer " + publicKey, "client_secret",
		created.stringField("latest_invoice.confirmation_secret.client_secret")}

	declined := s.do("POST", intent+"/confirm", append(browser, "payment_method_data[type]", "card",
		"payment_method_data[card][number]", "4000000000009995", "payment_method_data[card][exp_month]", "12",
		"payment_method_data[card][exp_year]", "34", "payment_method_data[card][cvc]", "123")...)
	declined.assertError(402, "card_error", "card_declined")
	assert.Equal(t, "insufficient_funds", declined.field("error.decline_code"))
	assert.Equal(t, "requires_payment_method", declined.field("error.payment_intent.status"))

	waits := s.post(intent+"/confirm", append(browser, "payment_method", s.createCard(needsAuthentication))...)
	assert.Equal(t, "requires_action", waits.field("status"))
	s.post(waits.stringField("next_action.use_stripe_sdk.stripe_js"), "outcome", "fail")
	failed := s.do("GET", intent)
	assert.Equal(t, "payment_intent_authentication_failure", failed.field("last_payment_error.code"))

	assert.Equal(t, "succeeded",
		s.post(intent+"/confirm", append(browser, "payment_method", s.createCard(visa))...).field("status"))
	assert.Equal(t, "active", s.do("GET", "/v1/subscriptions/"+created.stringField("id")).field("status"))
	s.do("POST", intent+"/confirm", browser...).assertError(400, badRequest, "payment_intent_unexpected_state")
}

func TestSetupIntents_DoNotIncludePaymentIntents(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	intent := s.subscribe(customer).stringField("latest_invoice.payments.data.0.payment.payment_intent")
	s.do("GET", "/v1/setup_intents/"+intent).assertError(404, badRequest, "resource_missing")
}
