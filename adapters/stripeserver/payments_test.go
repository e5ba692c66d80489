package stripeserver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPayInvoice_RefusesPaidAndUnknownInvoices(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	paidInvoiceID := s.subscribe(customerID).stringField("latest_invoice.id")
	s.send("POST", "/v1/invoices/"+paidInvoiceID+"/pay").assertError(400, invalidRequestType, "")
	s.send("POST", "/v1/invoices/in_unknown/pay").assertError(404, invalidRequestType, "resource_missing")
}

func TestPayInvoice_PaidOutOfBandHasNoCharge(t *testing.T) {
	s := newTestServer(t)
	customerID, _ := s.newCustomerWithCard(declinedChargeToken)
	subscription := s.subscribe(customerID)
	path := "/v1/invoices/" + subscription.stringField("latest_invoice.id")

	invoice := s.mustPost(path+"/pay", "paid_out_of_band", "true", "expand[]", "payments")

	assert.Equal(t, []any{"paid", 0.0, 0.0}, []any{invoice.field("status"), invoice.field("amount_paid"), invoice.field("amount_remaining")})
	assert.Equal(t, "canceled", invoice.field("payments.data.0.status"))
	assert.Empty(t, s.send("GET", "/v1/charges", "customer", customerID).ids())
	assert.Equal(t, "active", s.send("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
	s.send("POST", path+"/pay", "paid_out_of_band", "true").assertError(400, invalidRequestType, "")
}

func TestInvoice_ReportsTheStartingAndEndingBalance(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	s.mustPost("/v1/customers/"+customerID+"/balance_transactions", "amount", "-50000", "currency", "aud")

	invoice := s.send("GET", "/v1/invoices/"+s.subscribe(customerID).stringField("latest_invoice.id"))

	amounts := []any{invoice.field("total"), invoice.field("amount_due"), invoice.field("starting_balance"),
		invoice.field("ending_balance")}
	assert.Equal(t, []any{42000.0, 0.0, -50000.0, -8000.0}, amounts)
}

func TestConfirmPaymentIntent_ReportsDeclineThenAuthenticationThenSuccess(t *testing.T) {
	s := newTestServer(t)
	customerID, _ := s.newCustomerWithCard(declinedChargeToken)
	subscription := s.subscribe(customerID)
	intentPath := "/v1/payment_intents/" + subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	browserParams := []string{"Authorization:", "Bearer " + publishableKey, "client_secret",
		subscription.stringField("latest_invoice.confirmation_secret.client_secret")}

	decline := s.send("POST", intentPath+"/confirm", append(browserParams, "payment_method_data[type]", "card",
		"payment_method_data[card][number]", "4000000000009995", "payment_method_data[card][exp_month]", "12",
		"payment_method_data[card][exp_year]", "34", "payment_method_data[card][cvc]", "123")...)
	decline.assertError(402, "card_error", "card_declined")
	assert.Equal(t, "insufficient_funds", decline.field("error.decline_code"))
	assert.Equal(t, "requires_payment_method", decline.field("error.payment_intent.status"))

	confirmation := s.mustPost(intentPath+"/confirm",
		append(browserParams, "payment_method", s.createCard(authenticationCardNumber))...)
	assert.Equal(t, "requires_action", confirmation.field("status"))
	s.mustPost(confirmation.stringField("next_action.use_stripe_sdk.stripe_js"), "outcome", "fail")
	assert.Equal(t, "payment_intent_authentication_failure",
		s.send("GET", intentPath).field("last_payment_error.code"))

	assert.Equal(t, "succeeded",
		s.mustPost(intentPath+"/confirm", append(browserParams, "payment_method", s.createCard(visaToken))...).field("status"))
	assert.Equal(t, "active", s.send("GET", "/v1/subscriptions/"+subscription.stringField("id")).field("status"))
	s.send("POST", intentPath+"/confirm", browserParams...).
		assertError(400, invalidRequestType, "payment_intent_unexpected_state")
}

func TestRetrieveSetupIntent_PaymentIntentIsNotFound(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	intentID := s.subscribe(customerID).stringField("latest_invoice.payments.data.0.payment.payment_intent")
	s.send("GET", "/v1/setup_intents/"+intentID).assertError(404, invalidRequestType, "resource_missing")
}

func TestDisputes_AreOpenedAndEndedByTheNumberOfTheInvoice(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	number := s.subscribe(customerID).stringField("latest_invoice.number")
	chargeID := s.send("GET", "/v1/charges", "customer", customerID).stringField("data.0.id")
	postDispute := func(action string) apiResponse {
		return s.mustPost("/local/disputes", "invoice", number, "action", action)
	}
	listDisputes := func() apiResponse { return s.send("GET", "/v1/disputes", "charge", chargeID) }
	assert.Empty(t, listDisputes().ids())

	firstDisputeID := postDispute("open").stringField("id")

	assert.Equal(t, []string{firstDisputeID}, listDisputes().ids())
	assert.Equal(t, "needs_response", listDisputes().field("data.0.status"))
	assert.Equal(t, "won", postDispute("won").field("status"))
	secondDisputeID := postDispute("open").stringField("id")
	assert.Equal(t, []string{secondDisputeID, firstDisputeID}, listDisputes().ids())
	assert.Equal(t, "lost", postDispute("lost").field("status"))
	disputes := listDisputes()
	assert.Equal(t, []any{"lost", "won"}, []any{disputes.field("data.0.status"), disputes.field("data.1.status")})
	s.send("POST", "/local/disputes", "invoice", number, "action", "open").assertError(400, invalidRequestType, "")
}

func TestDisputes_RefusesUnknownInvoicesAndActions(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	number := s.subscribe(customerID).stringField("latest_invoice.number")
	s.send("POST", "/local/disputes", "invoice", number, "action", "appeal").assertError(400, invalidRequestType, "")
	s.send("POST", "/local/disputes", "invoice", number, "action", "won").assertError(400, invalidRequestType, "")
	s.send("POST", "/local/disputes", "invoice", "A-1", "action", "open").
		assertError(404, invalidRequestType, "resource_missing")
}

func TestDisputes_AreCreatedWhenTheyAreOpened(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	number := s.subscribe(customerID).stringField("latest_invoice.number")
	chargeID := s.send("GET", "/v1/charges", "customer", customerID).stringField("data.0.id")
	for _, action := range []string{"open", "won", "open"} {
		s.advanceClock(time.Hour)
		s.mustPost("/local/disputes", "invoice", number, "action", action)
	}

	disputes := s.send("GET", "/v1/disputes", "charge", chargeID)

	assert.InDelta(t, noon.Add(3*time.Hour).Unix(), disputes.field("data.0.created"), 0)
	assert.InDelta(t, noon.Add(time.Hour).Unix(), disputes.field("data.1.created"), 0)
	assert.InDelta(t, noon.Add(3*time.Hour+7*24*time.Hour).Unix(), disputes.field("data.0.evidence_details.due_by"), 0)
	assert.Nil(t, disputes.field("data.1.evidence_details.due_by"), "the dispute has ended")
}

func TestInvoice_CountsTheFirstAttemptAndTheRetries(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	path := "/v1/subscriptions/" + s.subscribe(customerID).stringField("id")
	trialCustomerID := s.mustPost("/v1/customers").stringField("id")
	trial := s.subscribe(trialCustomerID, "trial_period_days", "7")
	assert.Equal(t, []any{0.0, true}, []any{trial.field("latest_invoice.attempt_count"), trial.field("latest_invoice.attempted")})
	s.addDefaultCard(customerID, declinedChargeToken)
	latestInvoice := func() apiResponse { return s.send("GET", path, "expand[]", "latest_invoice") }
	assert.InDelta(t, 1, latestInvoice().field("latest_invoice.attempt_count"), 0)

	s.advanceClock(365 * 24 * time.Hour)
	renewal := latestInvoice()
	assert.InDelta(t, 1, renewal.field("latest_invoice.attempt_count"), 0)
	assert.Equal(t, renewal.field("created"), renewal.field("latest_invoice.period_start"))
	assert.Equal(t, renewal.field("latest_invoice.created"), renewal.field("latest_invoice.period_end"))
	assert.Equal(t, renewal.field("latest_invoice.total"), renewal.field("latest_invoice.subtotal"))
	s.send("POST", "/v1/invoices/"+renewal.stringField("latest_invoice.id")+"/pay")
	assert.InDelta(t, 1, latestInvoice().field("latest_invoice.attempt_count"), 0, "a request is not a retry")

	s.advanceClock(time.Unix(int64(renewal.field("latest_invoice.next_payment_attempt").(float64)), 0).Sub(s.clock.Now()))
	assert.InDelta(t, 2, latestInvoice().field("latest_invoice.attempt_count"), 0)
	s.advanceClock(60 * 24 * time.Hour)
	assert.Equal(t, "payment_failed", latestInvoice().field("cancellation_details.reason"))
}
