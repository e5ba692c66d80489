package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCreateSubscription_WithoutCardOrTrialIsRefused(t *testing.T) {
	s := newTestServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	assert.Equal(t, "trialing", s.subscribe(customerID, "trial_period_days", "7").field("status"))
	res := s.send("POST", "/v1/subscriptions", "customer", customerID, "currency", "aud", "items[0][price]",
		"price_standard_yearly")
	res.assertError(400, invalidRequestType, "resource_missing")
	assert.Nil(t, res.field("error.param"))
}

func TestUpdateSubscription_TrialEndsOnlyWithTrialEndNow(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	trial := s.subscribe(customerID, "trial_period_days", "7")
	path := "/v1/subscriptions/" + trial.stringField("id")

	changedSub := s.mustPost(path, priceChange(trial)...)
	assert.Equal(t, "trialing", changedSub.field("status"))
	assert.Equal(t, trial.field("trial_end"), changedSub.field("trial_end"))
	assert.Equal(t, "active", s.mustPost(path, priceChange(trial, "trial_end", "now")...).field("status"))
}

// priceChange returns the parameters of a change to the yearly professional plan, followed by furtherParams.
func priceChange(subscription apiResponse, furtherParams ...string) []string {
	return append([]string{"items[0][id]", subscription.stringField("items.data.0.id"), "items[0][price]",
		"price_professional_yearly",
		prorationBehaviourParam, "always_invoice", paymentBehaviourParam, "pending_if_incomplete"}, furtherParams...)
}

func TestUpdateSubscription_PendingUpdateRefusesUnsupportedParameters(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	subscription := s.subscribe(customerID)
	path := "/v1/subscriptions/" + subscription.stringField("id")
	for _, param := range [][]string{{"metadata[change]", "k"}, {"default_payment_method", ""},
		{"billing_cycle_anchor", "now"}, {"proration_date", "x"}} {
		s.send("POST", path, priceChange(subscription, param...)...).assertError(400, invalidRequestType, map[string]string{
			"billing_cycle_anchor": "local_stripe_unsupported", "proration_date": "parameter_invalid_integer",
		}[param[0]])
	}
	monthlyChange := priceChange(subscription)
	monthlyChange[3] = "price_standard_monthly"
	s.send("POST", path, monthlyChange...).assertError(400, invalidRequestType, "local_stripe_unsupported")
	s.mustPost(path, append(monthlyChange, "billing_cycle_anchor", "now")...)
}

func TestUpdateSubscription_IsRefusedWhileAnUpdateIsPending(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	subscription := s.subscribe(customerID)
	s.addDefaultCard(customerID, declinedChargeToken)
	path := "/v1/subscriptions/" + subscription.stringField("id")
	s.mustPost(path, priceChange(subscription)...)
	s.send("POST", path, priceChange(subscription)...).assertError(400, invalidRequestType, "")
}

func TestUpdateSubscription_PriceChangeRequiresTheIDOfTheItem(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	subscription := s.subscribe(customerID)
	for item, code := range map[string]string{"": "local_stripe_unsupported", "si_other": "resource_missing"} {
		change := priceChange(subscription)
		change[1] = item
		s.send("POST", "/v1/subscriptions/"+subscription.stringField("id"), change...).
			assertError(400, invalidRequestType, code)
	}
}

func TestSchedule_OwnsItsSubscriptionUntilItIsReleased(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	subscriptionID := s.subscribe(customerID).stringField("id")
	scheduleID := s.mustPost("/v1/subscription_schedules", "from_subscription", subscriptionID).stringField("id")
	assert.Equal(t, scheduleID, s.send("GET", "/v1/subscriptions/"+subscriptionID).field("schedule"))
	s.send("POST", "/v1/subscriptions/"+subscriptionID, "cancel_at_period_end", "true").assertError(400, invalidRequestType, "")
	s.send("POST", "/v1/subscription_schedules", "from_subscription", subscriptionID).assertError(400, invalidRequestType, "")
	s.send("POST", "/v1/subscription_schedules", "from_subscription", subscriptionID,
		"end_behavior", "release"). //nolint:misspell // Stripe's spelling
		assertError(400, invalidRequestType, "")

	s.mustPost("/v1/subscription_schedules/" + scheduleID + "/release")

	assert.Nil(t, s.send("GET", "/v1/subscriptions/"+subscriptionID).field("schedule"))
	s.send("POST", "/v1/subscription_schedules/"+scheduleID+"/release").assertError(400, invalidRequestType, "")
	endingSub := s.mustPost("/v1/subscriptions/"+subscriptionID, "cancel_at_period_end", "true")
	assert.Equal(t, endingSub.field("items.data.0.current_period_end"), endingSub.field("cancel_at"))
	resumedSub := s.mustPost("/v1/subscriptions/"+subscriptionID, "cancel_at_period_end", "false")
	assert.Equal(t, false, resumedSub.field("cancel_at_period_end"))
}

func TestSubscription_ReportsWhyItEnds(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	path := "/v1/subscriptions/" + s.subscribe(customerID).stringField("id")
	reason := func() any { return s.send("GET", path).field("cancellation_details.reason") }
	assert.Nil(t, reason())
	s.mustPost(path, "cancel_at_period_end", "true")
	assert.Equal(t, "cancellation_requested", reason())
	s.mustPost(path, "cancel_at_period_end", "false")
	assert.Nil(t, reason())
	s.send("DELETE", path)
	assert.Equal(t, "cancellation_requested", reason())
}
