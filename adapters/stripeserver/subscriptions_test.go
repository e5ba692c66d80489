package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCreateSubscription_WithoutCardOrTrialIsRefused(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	assert.Equal(t, "trialing", s.subscribe(customer, "trial_period_days", "7").field("status"))
	res := s.do("POST", "/v1/subscriptions", "customer", customer, "currency", "aud", "items[0][price]",
		"price_standard_yearly")
	res.assertError(400, badRequest, "resource_missing")
	assert.Nil(t, res.field("error.param"))
}

func TestUpdateSubscription_TrialEndsOnlyWithTrialEndNow(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	trial := s.subscribe(customer, "trial_period_days", "7")
	path := "/v1/subscriptions/" + trial.stringField("id")

	changed := s.post(path, priceChange(trial)...)
	assert.Equal(t, "trialing", changed.field("status"))
	assert.Equal(t, trial.field("trial_end"), changed.field("trial_end"))
	assert.Equal(t, "active", s.post(path, priceChange(trial, "trial_end", "now")...).field("status"))
}

// priceChange returns the parameters of a change to the yearly professional plan, and the further ones.
func priceChange(subscription result, furtherParams ...string) []string {
	return append([]string{"items[0][id]", subscription.stringField("items.data.0.id"), "items[0][price]",
		"price_professional_yearly",
		prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete"}, furtherParams...)
}

func TestUpdateSubscription_PendingUpdateRefusesOtherParameters(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	subscription := s.subscribe(customer)
	path := "/v1/subscriptions/" + subscription.stringField("id")
	for _, param := range [][]string{{"metadata[change]", "k"}, {"default_payment_method", ""},
		{"billing_cycle_anchor", "now"}, {"proration_date", "x"}} {
		s.do("POST", path, priceChange(subscription, param...)...).assertError(400, badRequest, map[string]string{
			"billing_cycle_anchor": "local_stripe_unsupported", "proration_date": "parameter_invalid_integer",
		}[param[0]])
	}
	monthlyChange := priceChange(subscription)
	monthlyChange[3] = "price_standard_monthly"
	s.do("POST", path, monthlyChange...).assertError(400, badRequest, "local_stripe_unsupported")
	s.post(path, append(monthlyChange, "billing_cycle_anchor", "now")...)
}

func TestUpdateSubscription_IsRefusedWhileAnUpdateIsPending(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	subscription := s.subscribe(customer)
	s.addCard(customer, declinedCharge)
	path := "/v1/subscriptions/" + subscription.stringField("id")
	s.post(path, priceChange(subscription)...)
	s.do("POST", path, priceChange(subscription)...).assertError(400, badRequest, "")
}

func TestUpdateSubscription_PriceChangeRequiresTheIDOfTheItem(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	subscription := s.subscribe(customer)
	for item, code := range map[string]string{"": "local_stripe_unsupported", "si_other": "resource_missing"} {
		change := priceChange(subscription)
		change[1] = item
		s.do("POST", "/v1/subscriptions/"+subscription.stringField("id"), change...).assertError(400, badRequest, code)
	}
}

func TestSchedule_OwnsItsSubscriptionUntilItIsReleased(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	sub := s.subscribe(customer).stringField("id")
	sched := s.post("/v1/subscription_schedules", "from_subscription", sub).stringField("id")
	assert.Equal(t, sched, s.do("GET", "/v1/subscriptions/"+sub).field("schedule"))
	s.do("POST", "/v1/subscriptions/"+sub, "cancel_at_period_end", "true").assertError(400, badRequest, "")
	s.do("POST", "/v1/subscription_schedules", "from_subscription", sub).assertError(400, badRequest, "")
	s.do("POST", "/v1/subscription_schedules", "from_subscription", sub, "end_behavior", "release"). //nolint:misspell // Stripe's spelling
														assertError(400, badRequest, "")

	s.post("/v1/subscription_schedules/" + sched + "/release")

	assert.Nil(t, s.do("GET", "/v1/subscriptions/"+sub).field("schedule"))
	s.do("POST", "/v1/subscription_schedules/"+sched+"/release").assertError(400, badRequest, "")
	ending := s.post("/v1/subscriptions/"+sub, "cancel_at_period_end", "true")
	assert.Equal(t, ending.field("items.data.0.current_period_end"), ending.field("cancel_at"))
	assert.Equal(t, false, s.post("/v1/subscriptions/"+sub, "cancel_at_period_end", "false").field("cancel_at_period_end"))
}
