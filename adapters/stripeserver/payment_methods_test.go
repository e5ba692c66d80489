package stripeserver_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPaymentMethods_OfAnotherCustomerAreRefused(t *testing.T) {
	s := newTestServer(t)
	_, cardID := s.newCustomerWithCard(visaToken)
	otherCustomerID, _ := s.newCustomerWithCard(visaToken)
	s.send("POST", "/v1/payment_methods/"+cardID+"/attach", "customer", otherCustomerID).
		assertError(400, invalidRequestType, "")
	s.send("POST", "/v1/customers/"+otherCustomerID, "invoice_settings[default_payment_method]", cardID).
		assertError(400, invalidRequestType, "")
	s.send("GET", "/v1/customers/"+otherCustomerID+"/payment_methods/"+cardID).
		assertError(404, invalidRequestType, "resource_missing")
}

func TestPaymentMethods_DeclinedCardReturnsACardError(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	tests := []struct{ token, code, declineCode, message string }{
		{"pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."},
		{"pm_card_chargeDeclinedExpiredCard", "expired_card", "", "Your card has expired."},
	}
	for _, tt := range tests {
		res := s.send("POST", "/v1/payment_methods/"+tt.token+"/attach", "customer", customerID)
		res.assertError(402, "card_error", tt.code)
		assert.Equal(t, tt.message, res.field("error.message"))
		if tt.declineCode != "" {
			assert.Equal(t, tt.declineCode, res.field("error.decline_code"))
		}
	}
	res := s.send("POST", "/v1/payment_methods", "type", "card", "card[number]", "4242424242424241", "card[exp_month]",
		"12", "card[exp_year]", "2034", "card[cvc]", "123")
	res.assertError(402, "card_error", "invalid_number")
	assert.Equal(t, "number", res.field("error.param"))
}

func TestPaymentMethods_NameOfATestCardStandsForANewCard(t *testing.T) {
	s := newTestServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	for range 2 {
		assert.NotEqual(t, "pm_card_visa",
			s.mustPost("/v1/payment_methods/pm_card_visa/attach", "customer", customerID).field("id"))
	}
	assert.Len(t, s.send("GET", "/v1/payment_methods", "customer", customerID, "type", "card").ids(), 2)
}

func (s *testServer) createBankAccount(number string) apiResponse {
	s.t.Helper()
	return s.mustPost("/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000",
		"au_becs_debit[account_number]", number)
}

// subscribeWithBankAccount creates a customer with a bank account and a subscription that charges it.
func (s *testServer) subscribeWithBankAccount(number string) (subscription apiResponse, customerID string) {
	s.t.Helper()
	customerID = s.mustPost("/v1/customers", "email", "ann@clinic.example").stringField("id")
	methodID := s.createBankAccount(number).stringField("id")
	s.mustPost("/v1/payment_methods/"+methodID+"/attach", "customer", customerID)
	s.mustPost("/v1/customers/"+customerID, "invoice_settings[default_payment_method]", methodID)
	return s.subscribe(customerID), customerID
}

func TestBankAccount_HasItsTypeAndDetails(t *testing.T) {
	s := newTestServer(t)
	bankAccount := s.createBankAccount("6000000000056819")
	assert.Equal(t, "au_becs_debit", bankAccount.field("type"))
	assert.Equal(t, "6819", bankAccount.field("au_becs_debit.last4"))
	assert.Nil(t, bankAccount.field("card"))
	s.send("POST", "/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000").
		assertError(http.StatusBadRequest, invalidRequestType, "parameter_missing")
}

// As at Stripe, the subscription is active while its first payment is processing.
func TestBankAccount_PaymentIsProcessingUntilItArrives(t *testing.T) {
	s := newTestServer(t)
	subscription, _ := s.subscribeWithBankAccount("6000000000056819")
	assert.Equal(t, "active", subscription.field("status"))
	assert.Equal(t, "open", subscription.field("latest_invoice.status"))
	intentPath := "/v1/payment_intents/" + subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	paymentIntent := s.send("GET", intentPath, "expand[0]", "latest_charge")
	assert.Equal(t, "processing", paymentIntent.field("status"))
	assert.Equal(t, "pending", paymentIntent.field("latest_charge.status"))
	assert.Equal(t, "au_becs_debit", paymentIntent.field("latest_charge.payment_method_details.type"))
	invoicePath := "/v1/invoices/" + subscription.stringField("latest_invoice.id")
	s.send("POST", invoicePath+"/pay").assertError(http.StatusBadRequest, invalidRequestType, "")

	s.advanceClock(3 * 24 * time.Hour)

	assert.Equal(t, "succeeded", s.send("GET", intentPath).field("status"))
	assert.Equal(t, "paid", s.send("GET", invoicePath).field("status"))
}

func TestBankAccount_FailedPaymentMakesTheSubscriptionPastDue(t *testing.T) {
	s := newTestServer(t)
	subscription, _ := s.subscribeWithBankAccount("6000000000059110")
	s.advanceClock(3 * 24 * time.Hour)
	assert.Equal(t, "past_due", s.send("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
}

func TestBankAccount_ReturnedPaymentIsALostDispute(t *testing.T) {
	s := newTestServer(t)
	subscription, customerID := s.subscribeWithBankAccount("6000000000094406")

	s.advanceClock(10 * 24 * time.Hour)

	assert.Equal(t, "active", s.send("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
	assert.Equal(t, "paid", s.send("GET", "/v1/invoices/"+subscription.stringField("latest_invoice.id")).field("status"))
	charges := s.send("GET", "/v1/charges", "customer", customerID)
	assert.Equal(t, true, charges.field("data.0.disputed"))
	disputes := s.send("GET", "/v1/disputes", "charge", charges.stringField("data.0.id"))
	assert.Equal(t, "lost", disputes.field("data.0.status"))
}
