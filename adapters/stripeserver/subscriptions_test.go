package stripeserver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASubscriptionThatIsPaidAtOnce(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer, "currency", "usd", "metadata[org_id]", "org_1")

	assert.Equal(t, "active", made.at("status"))
	assert.Equal(t, "usd", made.at("currency"))
	assert.Equal(t, "org_1", made.at("metadata.org_id"))
	assert.Nil(t, made.at("current_period_end"), "it is on the items")
	assert.InDelta(t, noon.AddDate(1, 0, 0).Unix(), made.at("items.data.0.current_period_end"), 0)
	assert.Equal(t, "standard_yearly", made.at("items.data.0.price.lookup_key"))
	assert.Equal(t, "paid", made.at("latest_invoice.status"))
	assert.Equal(t, "paid", made.at("latest_invoice.payments.data.0.status"))
	assert.NotContains(t, made.at("latest_invoice"), "payment_intent")
	assert.Equal(t, made.at("id"), made.at("latest_invoice.parent.subscription_details.subscription"))
}

func TestATrialTakesNoPayment(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer, "trial_period_days", "7")

	assert.Equal(t, "trialing", made.at("status"))
	assert.Empty(t, made.at("latest_invoice.payments.data"))
	assert.Nil(t, made.at("latest_invoice.confirmation_secret"))
	assert.Nil(t, made.at("pending_setup_intent"))
	assert.InDelta(t, noon.AddDate(0, 0, 7).Unix(), made.at("trial_end"), 0)
}

func TestATrialAsksForAuthentication(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(asking)
	made := s.subscribe(customer, "trial_period_days", "7")
	setup := made.text("pending_setup_intent.id")

	assert.Equal(t, "requires_action", made.at("pending_setup_intent.status"))
	assert.Equal(t, "use_stripe_sdk", made.at("pending_setup_intent.next_action.type"))
	s.made(made.text("pending_setup_intent.next_action.use_stripe_sdk.stripe_js"), "outcome", "complete")

	assert.Equal(t, "succeeded", s.ask("GET", "/v1/setup_intents/"+setup).at("status"))
	assert.Nil(t, s.ask("GET", "/v1/subscriptions/"+made.text("id")).at("pending_setup_intent"))
}

func TestATrialNeedsNoCardAndAPaymentDoes(t *testing.T) {
	s := newStripe(t)
	customer := s.made("/v1/customers").text("id")
	assert.Equal(t, "trialing", s.subscribe(customer, "trial_period_days", "7").at("status"))
	answer := s.ask("POST", "/v1/subscriptions", "customer", customer, "currency", "aud", "items[0][price]", "price_standard_yearly")
	answer.refused(400, badRequest, "resource_missing")
	assert.Nil(t, answer.at("error.param"))
}

func TestADeclinedCardIsNoErrorOfTheSubscription(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(declining)
	made := s.subscribe(customer)
	assert.Equal(t, "incomplete", made.at("status"))
	assert.Equal(t, "open", made.at("latest_invoice.payments.data.0.status"))

	intent := s.ask("GET", "/v1/payment_intents/"+made.text("latest_invoice.payments.data.0.payment.payment_intent"))
	assert.Equal(t, "requires_payment_method", intent.at("status"))
	assert.Equal(t, "generic_decline", intent.at("last_payment_error.decline_code"))
	assert.Nil(t, intent.at("payment_method"))
	assert.Equal(t, made.at("latest_invoice.confirmation_secret.client_secret"), intent.at("client_secret"))
}

func TestAChangeOfPriceNamesTheItem(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer)
	path, item := "/v1/subscriptions/"+made.text("id"), made.text("items.data.0.id")

	s.ask("POST", path, "items[0][price]", "price_professional_yearly", proration, "always_invoice", behaviour, "pending_if_incomplete").
		refused(400, badRequest, "local_stripe_unsupported")
	s.ask("POST", path, "items[0][id]", "si_unknown", "items[0][price]", "price_professional_yearly", proration, "always_invoice", behaviour, "pending_if_incomplete").
		refused(400, badRequest, "resource_missing")
	after := s.made(path, "items[0][id]", item, "items[0][price]", "price_professional_yearly", proration, "always_invoice", behaviour, "pending_if_incomplete")

	assert.Equal(t, "professional_yearly", after.at("items.data.0.price.lookup_key"))
	assert.Equal(t, item, after.at("items.data.0.id"))
	assert.NotEqual(t, made.at("latest_invoice.id"), after.at("latest_invoice"))
}

func TestATrialGoesOnUnlessItIsToEnd(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer, "trial_period_days", "7")
	change := []string{"items[0][id]", made.text("items.data.0.id"), "items[0][price]", "price_professional_yearly", proration, "always_invoice", behaviour, "pending_if_incomplete"}
	path := "/v1/subscriptions/" + made.text("id")

	on := s.made(path, change...)
	assert.Equal(t, "trialing", on.at("status"))
	assert.Equal(t, made.at("trial_end"), on.at("trial_end"))
	assert.Equal(t, "active", s.made(path, append(change, "trial_end", "now")...).at("status"))
}

func TestCancelingLeavesALaterBillOpen(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer, "trial_period_days", "7")
	s.give(customer, declining)
	_, err := s.clock.Advance(8 * 24 * time.Hour)
	require.NoError(t, err)
	path := "/v1/subscriptions/" + made.text("id")
	require.Equal(t, "past_due", s.ask("GET", path).at("status"))

	ended := s.ask("DELETE", path, "expand[]", "latest_invoice")
	assert.Equal(t, "canceled", ended.at("status"))
	assert.Equal(t, "open", ended.at("latest_invoice.status"))
	s.ask("DELETE", path).refused(404, badRequest, "resource_missing")

	bill := "/v1/invoices/" + ended.text("latest_invoice.id")
	card := s.give(customer, good)
	assert.Equal(t, "paid", s.made(bill+"/pay", "payment_method", card).at("status"))
	assert.Equal(t, "canceled", s.ask("GET", path).at("status"), "money brings nothing back")
	s.ask("POST", bill+"/void").refused(400, badRequest, "")
}

func TestListsLeaveOutWhatWasCanceled(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	gone, kept := s.subscribe(customer).text("id"), s.subscribe(customer).text("id")
	s.ask("DELETE", "/v1/subscriptions/"+gone)
	for status, want := range map[string][]string{"": {kept}, "all": {kept, gone}, "canceled": {gone}, "ended": {gone}, "active": {kept}} {
		params := []string{"customer", customer}
		if status != "" {
			params = append(params, "status", status)
		}
		assert.Equal(t, want, s.ask("GET", "/v1/subscriptions", params...).ids(), status)
	}
	s.ask("GET", "/v1/subscriptions", "customer", "cus_unknown").refused(400, badRequest, "resource_missing")
}

// changing are the parameters of a change to the yearly professional plan.
func changing(made got, more ...string) []string {
	return append([]string{"items[0][id]", made.text("items.data.0.id"), "items[0][price]", "price_professional_yearly",
		proration, "always_invoice", behaviour, "pending_if_incomplete"}, more...)
}

func TestUpdateSubscription_DeclinedChangeIsAPendingUpdate(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer)
	s.give(customer, "4000000000009995")
	path := "/v1/subscriptions/" + made.text("id")

	after := s.made(path, changing(made, "expand[]", "latest_invoice.payments")...)

	assert.Equal(t, "active", after.at("status"))
	assert.Equal(t, made.at("items.data.0.price.lookup_key"), after.at("items.data.0.price.lookup_key"))
	assert.Equal(t, "professional_yearly", after.at("pending_update.subscription_items.0.price.lookup_key"))
	assert.InDelta(t, s.clock.Now().Add(23*time.Hour).Unix(), after.at("pending_update.expires_at"), 1)
	assert.Equal(t, "open", after.at("latest_invoice.status"))
	assert.NotEqual(t, made.at("latest_invoice.id"), after.at("latest_invoice.id"))
	s.ask("POST", path, changing(made)...).refused(400, badRequest, "")

	card := s.give(customer, good)
	assert.NotNil(t, s.ask("GET", path).at("pending_update"), "a new default card does not pay for it")
	bill := "/v1/invoices/" + after.text("latest_invoice.id")
	assert.Equal(t, false, s.made(bill, "auto_advance", "false").at("auto_advance"))
	s.made(bill+"/pay", "payment_method", card)
	paid := s.ask("GET", path)
	assert.Nil(t, paid.at("pending_update"))
	assert.Equal(t, "professional_yearly", paid.at("items.data.0.price.lookup_key"))
}

func TestUpdateSubscription_VoidingTheInvoiceDropsThePendingUpdate(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer)
	s.give(customer, declining)
	path := "/v1/subscriptions/" + made.text("id")
	after := s.made(path, changing(made)...)

	s.made("/v1/invoices/" + after.text("latest_invoice") + "/void")

	assert.Nil(t, s.ask("GET", path).at("pending_update"))
	assert.Equal(t, made.at("items.data.0.price.lookup_key"), s.ask("GET", path).at("items.data.0.price.lookup_key"))
}

func TestUpdateSubscription_PendingUpdateAcceptsNothingElse(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer)
	path := "/v1/subscriptions/" + made.text("id")
	for _, more := range [][]string{{"metadata[change]", "k"}, {"default_payment_method", ""}, {"billing_cycle_anchor", "now"}, {"proration_date", "x"}} {
		s.ask("POST", path, changing(made, more...)...).refused(400, badRequest, map[string]string{
			"billing_cycle_anchor": "local_stripe_unsupported", "proration_date": "parameter_invalid_integer",
		}[more[0]])
	}
	monthly := changing(made)
	monthly[3] = "price_standard_monthly"
	s.ask("POST", path, monthly...).refused(400, badRequest, "local_stripe_unsupported")
	s.made(path, append(monthly, "billing_cycle_anchor", "now")...)
}
