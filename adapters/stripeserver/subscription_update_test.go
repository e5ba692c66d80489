package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUpdateSubscription_TrialEndsOnlyWithTrialEndNow(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer, "trial_period_days", "7")
	path := "/v1/subscriptions/" + created.stringField("id")

	changed := s.post(path, priceChange(created)...)
	assert.Equal(t, "trialing", changed.field("status"))
	assert.Equal(t, created.field("trial_end"), changed.field("trial_end"))
	assert.Equal(t, "active", s.post(path, priceChange(created, "trial_end", "now")...).field("status"))
}

// priceChange returns the parameters of a change to the yearly professional plan.
func priceChange(subscription result, more ...string) []string {
	return append([]string{"items[0][id]", subscription.stringField("items.data.0.id"), "items[0][price]",
		"price_professional_yearly",
		prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete"}, more...)
}

func TestUpdateSubscription_PendingUpdateRefusesOtherParameters(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer)
	path := "/v1/subscriptions/" + created.stringField("id")
	for _, more := range [][]string{{"metadata[change]", "k"}, {"default_payment_method", ""},
		{"billing_cycle_anchor", "now"}, {"proration_date", "x"}} {
		s.do("POST", path, priceChange(created, more...)...).assertError(400, badRequest, map[string]string{
			"billing_cycle_anchor": "local_stripe_unsupported", "proration_date": "parameter_invalid_integer",
		}[more[0]])
	}
	monthly := priceChange(created)
	monthly[3] = "price_standard_monthly"
	s.do("POST", path, monthly...).assertError(400, badRequest, "local_stripe_unsupported")
	s.post(path, append(monthly, "billing_cycle_anchor", "now")...)
}

func TestUpdateSubscription_RefusedWhileAnUpdateIsPending(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer)
	s.addCard(customer, declinedCharge)
	path := "/v1/subscriptions/" + created.stringField("id")
	s.post(path, priceChange(created)...)
	s.do("POST", path, priceChange(created)...).assertError(400, badRequest, "")
}

func TestUpdateSubscription_PriceChangeRequiresItsItem(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer)
	for item, code := range map[string]string{"": "local_stripe_unsupported", "si_other": "resource_missing"} {
		change := priceChange(created)
		change[1] = item
		s.do("POST", "/v1/subscriptions/"+created.stringField("id"), change...).assertError(400, badRequest, code)
	}
}
