package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnInvoiceIsPaidOrThereIsAnError(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(declining)
	bill := "/v1/invoices/" + s.subscribe(customer).text("latest_invoice.id")

	declined := s.ask("POST", bill+"/pay")
	declined.refused(402, "card_error", "card_declined")
	assert.Equal(t, "generic_decline", declined.at("error.decline_code"))

	waits := s.ask("POST", bill+"/pay", "payment_method", s.give(customer, asking), "off_session", "false")
	waits.refused(402, "card_error", "invoice_payment_intent_requires_action")

	assert.Equal(t, "paid", s.made(bill+"/pay", "payment_method", s.give(customer, good)).at("status"))
	s.ask("POST", bill+"/pay").refused(400, badRequest, "")
	s.ask("POST", "/v1/invoices/in_unknown/pay").refused(404, badRequest, "resource_missing")
}

func TestAnIntentIsConfirmedInTheBrowser(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(declining)
	made := s.subscribe(customer)
	intent := "/v1/payment_intents/" + made.text("latest_invoice.payments.data.0.payment.payment_intent")
	browser := []string{"Authorization:", "Bearer " + publicKey, "client_secret", made.text("latest_invoice.confirmation_secret.client_secret")}

	declined := s.ask("POST", intent+"/confirm", append(browser, "payment_method_data[type]", "card",
		"payment_method_data[card][number]", "4000000000009995", "payment_method_data[card][exp_month]", "12",
		"payment_method_data[card][exp_year]", "34", "payment_method_data[card][cvc]", "123")...)
	declined.refused(402, "card_error", "card_declined")
	assert.Equal(t, "insufficient_funds", declined.at("error.decline_code"))
	assert.Equal(t, "requires_payment_method", declined.at("error.payment_intent.status"))

	waits := s.made(intent+"/confirm", append(browser, "payment_method", s.card(asking))...)
	assert.Equal(t, "requires_action", waits.at("status"))
	s.made(waits.text("next_action.use_stripe_sdk.stripe_js"), "outcome", "fail")
	failed := s.ask("GET", intent)
	assert.Equal(t, "payment_intent_authentication_failure", failed.at("last_payment_error.code"))

	assert.Equal(t, "succeeded", s.made(intent+"/confirm", append(browser, "payment_method", s.card(good))...).at("status"))
	assert.Equal(t, "active", s.ask("GET", "/v1/subscriptions/"+made.text("id")).at("status"))
	s.ask("POST", intent+"/confirm", browser...).refused(400, badRequest, "payment_intent_unexpected_state")
}

func TestAKindOfIntentIsNotTheOther(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	intent := s.subscribe(customer).text("latest_invoice.payments.data.0.payment.payment_intent")
	s.ask("GET", "/v1/setup_intents/"+intent).refused(404, badRequest, "resource_missing")
}
