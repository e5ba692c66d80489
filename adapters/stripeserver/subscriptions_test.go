package stripeserver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCreateSubscription_Paid(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	created := s.subscribe(customer, "currency", "usd", "metadata[org_id]", "org_1")

	assert.Equal(t, "active", created.field("status"))
	assert.Equal(t, "usd", created.field("currency"))
	assert.Equal(t, "org_1", created.field("metadata.org_id"))
	assert.Nil(t, created.field("current_period_end"), "the period is on the items")
	assert.InDelta(t, noon.AddDate(1, 0, 0).Unix(), created.field("items.data.0.current_period_end"), 0)
	assert.Equal(t, "standard_yearly", created.field("items.data.0.price.lookup_key"))
	assert.Equal(t, "paid", created.field("latest_invoice.status"))
	assert.Equal(t, "paid", created.field("latest_invoice.payments.data.0.status"))
	assert.NotContains(t, created.field("latest_invoice"), "payment_intent")
	assert.Equal(t, created.field("id"), created.field("latest_invoice.parent.subscription_details.subscription"))
}

func TestCreateSubscription_Trial(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	created := s.subscribe(customer, "trial_period_days", "7")

	assert.Equal(t, "trialing", created.field("status"))
	assert.Empty(t, created.field("latest_invoice.payments.data"))
	assert.Nil(t, created.field("latest_invoice.confirmation_secret"))
	assert.Nil(t, created.field("pending_setup_intent"))
	assert.InDelta(t, noon.AddDate(0, 0, 7).Unix(), created.field("trial_end"), 0)
}

func TestCreateSubscription_TrialWithAuthentication(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(needsAuthentication)
	created := s.subscribe(customer, "trial_period_days", "7")
	setup := created.stringField("pending_setup_intent.id")

	assert.Equal(t, "requires_action", created.field("pending_setup_intent.status"))
	assert.Equal(t, "use_stripe_sdk", created.field("pending_setup_intent.next_action.type"))
	s.post(created.stringField("pending_setup_intent.next_action.use_stripe_sdk.stripe_js"), "outcome", "complete")

	assert.Equal(t, "succeeded", s.do("GET", "/v1/setup_intents/"+setup).field("status"))
	assert.Nil(t, s.do("GET", "/v1/subscriptions/"+created.stringField("id")).field("pending_setup_intent"))
}

func TestCreateSubscription_WithoutCard(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	assert.Equal(t, "trialing", s.subscribe(customer, "trial_period_days", "7").field("status"))
	res := s.do("POST", "/v1/subscriptions", "customer", customer, "currency", "aud", "items[0][price]", "price_standard_yearly")
	res.assertError(400, badRequest, "resource_missing")
	assert.Nil(t, res.field("error.param"))
}

func TestCreateSubscription_DeclinedCardIsIncomplete(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(declinedCharge)
	created := s.subscribe(customer)
	assert.Equal(t, "incomplete", created.field("status"))
	assert.Equal(t, "open", created.field("latest_invoice.payments.data.0.status"))

	intent := s.do("GET", "/v1/payment_intents/"+created.stringField("latest_invoice.payments.data.0.payment.payment_intent"))
	assert.Equal(t, "requires_payment_method", intent.field("status"))
	assert.Equal(t, "generic_decline", intent.field("last_payment_error.decline_code"))
	assert.Nil(t, intent.field("payment_method"))
	assert.Equal(t, created.field("latest_invoice.confirmation_secret.client_secret"), intent.field("client_secret"))
}

func TestCancelSubscription_LeavesALaterInvoiceOpen(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	created := s.subscribe(customer, "trial_period_days", "7")
	s.addCard(customer, declinedCharge)
	_, err := s.clock.Advance(8 * 24 * time.Hour)
	require.NoError(t, err)
	path := "/v1/subscriptions/" + created.stringField("id")
	require.Equal(t, "past_due", s.do("GET", path).field("status"))

	ended := s.do("DELETE", path, "expand[]", "latest_invoice")
	assert.Equal(t, "canceled", ended.field("status"))
	assert.Equal(t, "open", ended.field("latest_invoice.status"))
	s.do("DELETE", path).assertError(404, badRequest, "resource_missing")

	bill := "/v1/invoices/" + ended.stringField("latest_invoice.id")
	card := s.addCard(customer, visa)
	assert.Equal(t, "paid", s.post(bill+"/pay", "payment_method", card).field("status"))
	assert.Equal(t, "canceled", s.do("GET", path).field("status"), "paying does not reactivate it")
	s.do("POST", bill+"/void").assertError(400, badRequest, "")
}

func TestListSubscriptions_ByStatus(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	gone, kept := s.subscribe(customer).stringField("id"), s.subscribe(customer).stringField("id")
	s.do("DELETE", "/v1/subscriptions/"+gone)
	for status, want := range map[string][]string{"": {kept}, "all": {kept, gone}, "canceled": {gone}, "ended": {gone}, "active": {kept}} {
		params := []string{"customer", customer}
		if status != "" {
			params = append(params, "status", status)
		}
		assert.Equal(t, want, s.do("GET", "/v1/subscriptions", params...).ids(), status)
	}
	s.do("GET", "/v1/subscriptions", "customer", "cus_unknown").assertError(400, badRequest, "resource_missing")
}
