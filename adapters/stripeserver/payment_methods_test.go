package stripeserver_test

import (
	"net/http"
	"testing"
	"time"

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
	invalid := s.do("POST", "/v1/payment_methods", "type", "card", "card[number]", "4242424242424241", "card[exp_month]",
		"12", "card[exp_year]", "2034", "card[cvc]", "123")
	invalid.assertError(402, "card_error", "invalid_number")
	assert.Equal(t, "number", invalid.field("error.param"))
}

func TestPaymentMethods_NameOfATestCardStandsForANewCard(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	for range 2 {
		assert.NotEqual(t, "pm_card_visa",
			s.post("/v1/payment_methods/pm_card_visa/attach", "customer", customer).field("id"))
	}
	assert.Len(t, s.do("GET", "/v1/payment_methods", "customer", customer, "type", "card").ids(), 2)
}

func (s *testServer) createAccount(number string) result {
	s.t.Helper()
	return s.post("/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000",
		"au_becs_debit[account_number]", number)
}

// subscribeWithAccount creates a customer with a bank account and a subscription that charges it.
func (s *testServer) subscribeWithAccount(number string) (subscription result, customer string) {
	s.t.Helper()
	customer = s.post("/v1/customers", "email", "ann@clinic.example").stringField("id")
	account := s.createAccount(number).stringField("id")
	s.post("/v1/payment_methods/"+account+"/attach", "customer", customer)
	s.post("/v1/customers/"+customer, "invoice_settings[default_payment_method]", account)
	return s.subscribe(customer), customer
}

func TestBankAccount_HasItsTypeAndDetails(t *testing.T) {
	s := newTestServer(t)
	account := s.createAccount("6000000000056819")
	assert.Equal(t, "au_becs_debit", account.field("type"))
	assert.Equal(t, "6819", account.field("au_becs_debit.last4"))
	assert.Nil(t, account.field("card"))
	s.do("POST", "/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000").
		assertError(http.StatusBadRequest, badRequest, "parameter_missing")
}

// As at Stripe the subscription is active while its first payment is on its way.
func TestBankAccount_PaymentIsProcessingUntilItArrives(t *testing.T) {
	s := newTestServer(t)
	subscription, _ := s.subscribeWithAccount("6000000000056819")
	assert.Equal(t, "active", subscription.field("status"))
	assert.Equal(t, "open", subscription.field("latest_invoice.status"))
	intent := "/v1/payment_intents/" + subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	payment := s.do("GET", intent, "expand[0]", "latest_charge")
	assert.Equal(t, "processing", payment.field("status"))
	assert.Equal(t, "pending", payment.field("latest_charge.status"))
	assert.Equal(t, "au_becs_debit", payment.field("latest_charge.payment_method_details.type"))
	invoice := "/v1/invoices/" + subscription.stringField("latest_invoice.id")
	s.do("POST", invoice+"/pay").assertError(http.StatusBadRequest, badRequest, "")

	s.advance(3 * 24 * time.Hour)

	assert.Equal(t, "succeeded", s.do("GET", intent).field("status"))
	assert.Equal(t, "paid", s.do("GET", invoice).field("status"))
}

func TestBankAccount_FailedPaymentMakesTheSubscriptionPastDue(t *testing.T) {
	s := newTestServer(t)
	subscription, _ := s.subscribeWithAccount("6000000000059110")
	s.advance(3 * 24 * time.Hour)
	assert.Equal(t, "past_due", s.do("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
}

func TestBankAccount_ReturnedPaymentIsALostDispute(t *testing.T) {
	s := newTestServer(t)
	subscription, customer := s.subscribeWithAccount("6000000000094406")

	s.advance(10 * 24 * time.Hour)

	assert.Equal(t, "active", s.do("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
	assert.Equal(t, "paid", s.do("GET", "/v1/invoices/"+subscription.stringField("latest_invoice.id")).field("status"))
	charges := s.do("GET", "/v1/charges", "customer", customer)
	assert.Equal(t, true, charges.field("data.0.disputed"))
	disputes := s.do("GET", "/v1/disputes", "charge", charges.stringField("data.0.id"))
	assert.Equal(t, "lost", disputes.field("data.0.status"))
}
