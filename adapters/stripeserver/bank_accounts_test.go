package stripeserver_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func (s *testServer) createAccount(number string) result {
	s.t.Helper()
	return s.post("/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000",
		"au_becs_debit[account_number]", number)
}

// subscribeWithAccount returns a subscription that is paid from a bank account, and its customer.
func (s *testServer) subscribeWithAccount(number string) (subscription result, customer string) {
	s.t.Helper()
	customer = s.post("/v1/customers", "email", "ann@clinic.example").stringField("id")
	account := s.createAccount(number).stringField("id")
	s.post("/v1/payment_methods/"+account+"/attach", "customer", customer)
	s.post("/v1/customers/"+customer, "invoice_settings[default_payment_method]", account)
	return s.subscribe(customer), customer
}

func TestBankAccount_IsAPaymentMethodOfItsType(t *testing.T) {
	s := newTestServer(t)
	created := s.createAccount("6000000000056819")
	assert.Equal(t, "au_becs_debit", created.field("type"))
	assert.Equal(t, "6819", created.field("au_becs_debit.last4"))
	assert.Nil(t, created.field("card"))
	s.do("POST", "/v1/payment_methods", "type", "au_becs_debit", "au_becs_debit[bsb_number]", "000000").
		assertError(http.StatusBadRequest, badRequest, "parameter_missing")
}

// At Stripe the plan starts while its first payment is on its way.
func TestBankAccount_PaymentIsProcessingUntilItArrives(t *testing.T) {
	s := newTestServer(t)
	subscription, _ := s.subscribeWithAccount("6000000000056819")
	assert.Equal(t, "active", subscription.field("status"))
	assert.Equal(t, "open", subscription.field("latest_invoice.status"))
	intent := "/v1/payment_intents/" + subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	processing := s.do("GET", intent, "expand[0]", "latest_charge")
	assert.Equal(t, "processing", processing.field("status"))
	assert.Equal(t, "pending", processing.field("latest_charge.status"))
	assert.Equal(t, "au_becs_debit", processing.field("latest_charge.payment_method_details.type"))
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
