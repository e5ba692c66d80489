package stripeserver_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests in this file compare responses with those of Stripe's test mode. The expected values come from public
// recordings, test/vcr_cassettes of the repository pay-rails/pay, with the API versions 2025-10-29.clover and
// 2026-03-25.dahlia. Each call of requireMatchesRecording names a recording and the position in it. The recorded
// subscriptions have the billing mode flexible, and the adapter's have classic.

// expectedFields contains the expected values by the path of their field. A value can be a sameAs or a prefix.
type expectedFields map[string]any

// sameAs is the path of another field of the response that must have the same value.
type sameAs string

// prefix is the text with which a field must begin, such as the prefix of an id.
type prefix string

// requireMatchesRecording compares the response with the recorded response. shouldRetry is the expected value of the
// header Stripe-Should-Retry.
func (r apiResponse) requireMatchesRecording(recording string, status int, shouldRetry string,
	want expectedFields) apiResponse {
	r.t.Helper()
	require.Equal(r.t, status, r.status, "%s: %v", recording, r.body)
	assert.Equal(r.t, shouldRetry, r.header.Get("Stripe-Should-Retry"), recording)
	for path, wantValue := range want {
		value := r.field(path)
		switch wantValue := wantValue.(type) {
		case sameAs:
			assert.Equal(r.t, r.field(string(wantValue)), value, "%s: %s", recording, path)
		case prefix:
			text, _ := value.(string)
			assert.True(r.t, strings.HasPrefix(text, string(wantValue)), "%s: %s is %v", recording, path, value)
		case int:
			assert.InDelta(r.t, wantValue, value, 0, "%s: %s", recording, path)
		default:
			assert.Equal(r.t, wantValue, value, "%s: %s", recording, path)
		}
	}
	return r
}

// sendWithKey sends a request with an idempotency key.
func (s *testServer) sendWithKey(method, path string, params ...string) apiResponse {
	s.t.Helper()
	return s.send(method, path, append(params, "Idempotency-Key:", rand.Text())...)
}

// advanceClock moves the server's clock.
func (s *testServer) advanceClock(d time.Duration) {
	s.t.Helper()
	_, err := s.clock.Advance(d)
	require.NoError(s.t, err)
}

// recordedServer is a test server with the prices of the recordings: 25 USD a month and 250 USD a year.
type recordedServer struct {
	*testServer
	monthlyPriceID, yearlyPriceID string
}

func newRecordedServer(t *testing.T) recordedServer {
	s := recordedServer{testServer: newTestServer(t)}
	createPrice := func(amount, interval, key string) string {
		return s.mustPost("/v1/prices", "product", "prod_standard", "currency", "usd", "unit_amount", amount,
			"recurring[interval]", interval, "lookup_key", key, "transfer_lookup_key", "true").stringField("id")
	}
	s.monthlyPriceID = createPrice("2500", "month", "standard_monthly")
	s.yearlyPriceID = createPrice("25000", "year", "standard_yearly")
	return s
}

// expandInvoiceParams contains the parameters that expand the hidden fields of the latest invoice.
var expandInvoiceParams = []string{"expand[0]", "latest_invoice.confirmation_secret", "expand[1]", "latest_invoice.payments"}

// subscribeMonthly subscribes the customer to the monthly price and returns the subscription with its latest invoice.
func (s recordedServer) subscribeMonthly(customerID string, params ...string) apiResponse {
	s.t.Helper()
	params = append([]string{"customer", customerID, "items[0][price]", s.monthlyPriceID}, params...)
	return s.sendWithKey("POST", "/v1/subscriptions", append(params, expandInvoiceParams...)...)
}

func TestCustomersAndCards_AreAsRecorded(t *testing.T) {
	s := newTestServer(t)
	customerID := s.sendWithKey("POST", "/v1/customers", "email", "ann@clinic.example").
		requireMatchesRecording("test_stripe_creates_customer_when_no_processor_id 18", 200, "false", expectedFields{
			"id": prefix("cus_"), "object": "customer", "balance": 0, "currency": nil, "default_source": nil,
			"delinquent": false,
			"invoice_settings.default_payment_method": nil, "livemode": false,
		}).stringField("id")
	cardID := s.sendWithKey("POST", "/v1/payment_methods/pm_card_visa/attach", "customer", customerID).
		requireMatchesRecording("test_stripe_creates_customer_when_no_processor_id 19", 200, "false", expectedFields{
			"id": prefix("pm_"), "object": "payment_method", "type": "card", "customer": prefix("cus_"),
			"card.brand": "visa", "card.last4": "4242",
			"card.funding": "credit", "billing_details.address.country": nil, "billing_details.name": nil,
			"metadata": object{},
		}).stringField("id")
	s.sendWithKey("POST", "/v1/customers/"+customerID, "invoice_settings[default_payment_method]", cardID).
		requireMatchesRecording("test_stripe_creates_customer_when_no_processor_id 20", 200, "false",
			expectedFields{"invoice_settings.default_payment_method": prefix("pm_")})
	s.send("GET", "/v1/customers/"+customerID).
		requireMatchesRecording("test_stripe_creates_customer_when_no_processor_id 21", 200, "",
			expectedFields{"invoice_settings.default_payment_method": prefix("pm_")})

	s.sendWithKey("POST", "/v1/payment_methods/pm_card_chargeDeclined/attach", "customer", customerID).
		requireMatchesRecording("test_stripe_handles_card_declined 1", 402, "false", expectedFields{
			"error.type": "card_error", "error.code": "card_declined", "error.decline_code": "generic_decline",
			"error.message": "Your card was declined.",
		})
	s.sendWithKey("POST", "/v1/payment_methods/invalid/attach", "customer", customerID).
		requireMatchesRecording("test_stripe_handles_exception_when_creating_a_customer 1", 404, "", expectedFields{
			"error.type": invalidRequestType, "error.code": "resource_missing", "error.param": "payment_method",
		})
	s.send("GET", "/v1/customers/cus_unknown").
		requireMatchesRecording("test_connect_customer_is_not_on_parent_account 5", 404, "", expectedFields{
			"error.type": invalidRequestType, "error.code": "resource_missing", "error.param": "id",
		})
}

func TestPaidSubscription_IsAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID, _ := s.newCustomerWithCard(visaToken)
	subscription := s.subscribeMonthly(customerID).
		requireMatchesRecording("test_stripe_can_create_a_subscription 3", 200, "false", expectedFields{
			"id": prefix("sub_"), "status": "active", "collection_method": "charge_automatically", "currency": "usd",
			"billing_cycle_anchor": sameAs("created"), "start_date": sameAs("created"), "trial_start": nil, "trial_end": nil,
			"cancel_at": nil, "cancel_at_period_end": false, "canceled_at": nil, "ended_at": nil, "pause_collection": nil,
			"pending_setup_intent": nil, "pending_update": nil, "schedule": nil, "default_payment_method": nil,
			"default_source":                    nil,
			"items.data.0.current_period_start": sameAs("created"), "items.data.0.price.unit_amount": 2500,
			"items.data.0.quantity": 1,

			"latest_invoice.status": "paid", "latest_invoice.billing_reason": "subscription_create",
			"latest_invoice.total":      2500,
			"latest_invoice.amount_due": 2500, "latest_invoice.amount_paid": 2500, "latest_invoice.amount_remaining": 0,
			"latest_invoice.starting_balance": 0, "latest_invoice.ending_balance": 0, "latest_invoice.auto_advance": false,
			"latest_invoice.next_payment_attempt": nil, "latest_invoice.due_date": nil, "latest_invoice.total_taxes": []any{},
			"latest_invoice.parent.type":                              "subscription_details",
			"latest_invoice.parent.subscription_details.subscription": sameAs("id"),
			"latest_invoice.status_transitions.finalized_at":          sameAs("latest_invoice.created"),
			"latest_invoice.status_transitions.voided_at":             nil,
			"latest_invoice.confirmation_secret.type":                 "payment_intent",
			"latest_invoice.confirmation_secret.client_secret":        prefix("pi_"),

			"latest_invoice.payments.data.0.id": prefix("inpay_"), "latest_invoice.payments.data.0.status": "paid",
			"latest_invoice.payments.data.0.is_default": true, "latest_invoice.payments.data.0.amount_requested": 2500,
			"latest_invoice.payments.data.0.amount_paid": 2500, "latest_invoice.payments.data.0.payment.type": "payment_intent",
			"latest_invoice.payments.data.0.payment.payment_intent": prefix("pi_"),

			"latest_invoice.lines.data.0.amount": 2500, "latest_invoice.lines.data.0.parent.type": "subscription_item_details",
			"latest_invoice.lines.data.0.parent.subscription_item_details.proration":         false,
			"latest_invoice.lines.data.0.parent.subscription_item_details.subscription":      sameAs("id"),
			"latest_invoice.lines.data.0.parent.subscription_item_details.subscription_item": sameAs("items.data.0.id"),
			"latest_invoice.lines.data.0.parent.invoice_item_details":                        nil,
			"latest_invoice.lines.data.0.pricing.type":                                       "price_details",
			"latest_invoice.lines.data.0.pricing.price_details.price":                        sameAs("items.data.0.price.id"),

			"latest_invoice.lines.data.0.period.start": sameAs("items.data.0.current_period_start"),
			"latest_invoice.lines.data.0.period.end":   sameAs("items.data.0.current_period_end"),
		})

	paymentID := subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")
	s.send("GET", "/v1/payment_intents/"+paymentID).
		requireMatchesRecording("test_stripe_can_create_a_subscription 4", 200, "", expectedFields{
			"status": "succeeded", "amount": 2500, "amount_received": 2500, "last_payment_error": nil, "next_action": nil,
			"setup_future_usage": "off_session", "payment_method": prefix("pm_"), "customer": prefix("cus_"),
		})
	s.send("GET", "/v1/invoice_payments", "payment[payment_intent]", paymentID, "payment[type]", "payment_intent", "status",
		"paid").
		requireMatchesRecording("test_stripe_can_create_a_subscription 6", 200, "", expectedFields{
			"object": "list", "url": "/v1/invoice_payments", "has_more": false, "data.0.status": "paid",
			"data.0.amount_paid": 2500, "data.0.invoice": prefix("in_"),
		})
	invoice := s.send("GET", "/v1/invoices/"+subscription.stringField("latest_invoice.id")).
		requireMatchesRecording("test_stripe_can_create_a_subscription 7", 200, "",
			expectedFields{"status": "paid", "customer": prefix("cus_")})
	assert.NotContains(t, invoice.body, "confirmation_secret")
	assert.NotContains(t, invoice.body, "payments")
	assert.NotContains(t, invoice.body, "payment_intent")
}

func TestSubscriptionThatNeedsAuthentication_IsAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID, _ := s.newCustomerWithCard(authenticationCardNumber)
	subscription := s.subscribeMonthly(customerID).
		requireMatchesRecording("test_stripe_fails_when_subscribing_with_SCA_card 17", 200, "false",
			expectedFields{
				"status": "incomplete", "pending_setup_intent": nil, "billing_cycle_anchor": sameAs("created"),
				"items.data.0.current_period_start": sameAs("created"),
				"latest_invoice.status":             "open", "latest_invoice.amount_due": 2500, "latest_invoice.amount_paid": 0,
				"latest_invoice.amount_remaining": 2500,
				"latest_invoice.auto_advance":     true, "latest_invoice.next_payment_attempt": nil,
				"latest_invoice.status_transitions.paid_at":        nil,
				"latest_invoice.confirmation_secret.client_secret": prefix("pi_"), "latest_invoice.payments.data.0.status": "open",
				"latest_invoice.payments.data.0.amount_requested": 2500, "latest_invoice.payments.data.0.amount_paid": nil,
			})
	s.send("GET", "/v1/payment_intents/"+subscription.stringField("latest_invoice.payments.data.0.payment.payment_intent")).
		requireMatchesRecording("test_stripe_fails_when_subscribing_with_SCA_card 18", 200, "", expectedFields{
			"status": "requires_action", "amount": 2500, "amount_received": 0, "last_payment_error": nil,
			"next_action.type": "use_stripe_sdk",
			"payment_method":   prefix("pm_"), "client_secret": prefix("pi_"),
		})
}

func TestTrial_IsAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID, _ := s.newCustomerWithCard(visaToken)
	s.subscribeMonthly(customerID, "trial_period_days", "15").
		requireMatchesRecording("test_stripe_trial_period_options 13", 200, "false", expectedFields{
			"status": "trialing", "trial_start": sameAs("created"), "billing_cycle_anchor": sameAs("trial_end"),
			"pending_setup_intent":              nil,
			"items.data.0.current_period_start": sameAs("created"), "items.data.0.current_period_end": sameAs("trial_end"),
			"latest_invoice.status": "paid", "latest_invoice.billing_reason": "subscription_create",
			"latest_invoice.total": 0, "latest_invoice.amount_due": 0,
			"latest_invoice.confirmation_secret": nil, "latest_invoice.payments.data": []any{},
			"latest_invoice.auto_advance":                                            false,
			"latest_invoice.lines.data.0.amount":                                     0,
			"latest_invoice.lines.data.0.parent.subscription_item_details.proration": false,
			"latest_invoice.lines.data.0.period.end":                                 sameAs("trial_end"),
		})
}

func TestRefusedSubscriptions_AreAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	s.subscribeMonthly(customerID).
		requireMatchesRecording("test_stripe_fails_when_subscribing_with_no_payment_method 1", 400, "false",
			expectedFields{
				"error.type": invalidRequestType, "error.code": "resource_missing", "error.param": nil,
				"error.message": prefix("This customer has no attached payment source or default payment method."),
			})
	s.addDefaultCard(customerID, visaToken)
	s.sendWithKey("POST", "/v1/subscriptions", "customer", customerID, "items[0][price]", "invalid").
		requireMatchesRecording("test_stripe_handles_exception_when_creating_a_subscription 1", 400, "", expectedFields{
			"error.type": invalidRequestType, "error.code": "resource_missing", "error.param": "items[0][price]",
			"error.message": "No such price: 'invalid'",
		})
}

func TestEndResumptionAndCancellation_AreAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID, _ := s.newCustomerWithCard(visaToken)
	path := "/v1/subscriptions/" + s.subscribeMonthly(customerID).stringField("id")
	s.advanceClock(4 * time.Second)

	endingSub := s.sendWithKey("POST", path, "cancel_at_period_end", "true").
		requireMatchesRecording("test_stripe_resume_on_grace_period 8", 200, "false", expectedFields{
			"status": "active", "cancel_at_period_end": true, "cancel_at": sameAs("items.data.0.current_period_end"),
			"ended_at": nil,
		})
	assert.InDelta(t, 4, endingSub.field("canceled_at").(float64)-endingSub.field("created").(float64), 0)
	s.sendWithKey("POST", path, "cancel_at_period_end", "false").
		requireMatchesRecording("test_stripe_resume_on_grace_period 9", 200, "false", expectedFields{
			"status": "active", "cancel_at_period_end": false, "cancel_at": nil, "canceled_at": nil, "ended_at": nil,
			"pending_update": nil,
		})

	requestedAt := s.sendWithKey("POST", path, "cancel_at_period_end", "true").field("canceled_at")
	s.advanceClock(time.Second)
	endedSub := s.sendWithKey("DELETE", path).
		requireMatchesRecording("test_cancel_now_when_scheduled_for_cancellation 9", 200, "",
			expectedFields{"status": "canceled", "cancel_at_period_end": false, "cancel_at": nil})
	assert.Equal(t, requestedAt, endedSub.field("canceled_at"), "canceled_at is the time at which the end was requested")
	assert.InDelta(t, requestedAt.(float64)+1, endedSub.field("ended_at"), 0)

	otherCustomerID, _ := s.newCustomerWithCard(visaToken)
	trialPath := "/v1/subscriptions/" + s.subscribeMonthly(otherCustomerID, "trial_period_days", "14").stringField("id")
	s.sendWithKey("DELETE", trialPath).requireMatchesRecording("test_cancel_now_when_on_trial 4", 200, "", expectedFields{
		"status": "canceled", "canceled_at": sameAs("ended_at"), "trial_end": sameAs("items.data.0.current_period_end"),
		"cancel_at": nil,
	})
}

// The recordings contain no pending update. The recorded change was paid immediately, like the change in this test.
func TestChangeToYearly_IsAsRecorded(t *testing.T) {
	s := newRecordedServer(t)
	customerID, _ := s.newCustomerWithCard(visaToken)
	subscription := s.subscribeMonthly(customerID)
	s.advanceClock(3 * time.Second)

	params := []string{
		"items[0][id]", subscription.stringField("items.data.0.id"), "items[0][price]", s.yearlyPriceID,
		"billing_cycle_anchor", "now",
		prorationBehaviourParam, "always_invoice", paymentBehaviourParam, "pending_if_incomplete",
	}
	changedSub := s.sendWithKey("POST", "/v1/subscriptions/"+subscription.stringField("id"),
		append(params, expandInvoiceParams...)...)

	changedSub.requireMatchesRecording("test_stripe_can_swap_a_subscription_and_reset_billing_cycle 8", 200, "false",
		expectedFields{
			"status": "active", "pending_update": nil, "items.data.0.price.unit_amount": 25000,
			"billing_cycle_anchor":              sameAs("items.data.0.current_period_start"),
			"items.data.0.current_period_start": sameAs("latest_invoice.created"),
			"latest_invoice.status":             "paid", "latest_invoice.billing_reason": "subscription_update",
			"latest_invoice.total":      22500,
			"latest_invoice.amount_due": 22500, "latest_invoice.amount_paid": 22500,
			"latest_invoice.payments.data.0.status":                                  "paid",
			"latest_invoice.lines.data.0.amount":                                     -2500,
			"latest_invoice.lines.data.0.parent.subscription_item_details.proration": true,
			"latest_invoice.lines.data.0.period.start":                               sameAs("latest_invoice.created"),
			"latest_invoice.lines.data.1.amount":                                     25000,
			"latest_invoice.lines.data.1.parent.subscription_item_details.proration": false,
			"latest_invoice.lines.data.1.period.start":                               sameAs("latest_invoice.created"),
			"latest_invoice.lines.data.1.period.end":                                 sameAs("items.data.0.current_period_end"),
		})
	assert.Equal(t, subscription.field("items.data.0.current_period_end"),
		changedSub.field("latest_invoice.lines.data.0.period.end"))
	assert.Equal(t, subscription.field("items.data.0.id"), changedSub.field("items.data.0.id"))
}

func TestInvoicePayments_AreAsRecorded(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	invoiceID := s.subscribe(customerID).stringField("latest_invoice.id")
	s.send("GET", "/v1/invoice_payments", "invoice", invoiceID).
		requireMatchesRecording("test_sync_stripe_invoice_discounts_and_coupons 6", 200, "", expectedFields{
			"has_more": false, "data.0.object": "invoice_payment", "data.0.status": "paid", "data.0.is_default": true,
			"data.0.amount_paid": sameAs("data.0.amount_requested"), "data.0.payment.type": "payment_intent",
		})
	s.send("GET", "/v1/invoice_payments", "payment[payment_intent]", "pm_1234", "payment[type]", "payment_intent", "status",
		"paid").
		requireMatchesRecording("test_should_parse_a_stripe_webhook 0", 200, "",
			expectedFields{"object": "list", "data": []any{}, "has_more": false})
	assert.Empty(t, s.send("GET", "/v1/invoice_payments", "invoice", invoiceID, "status", "open").ids())
}
