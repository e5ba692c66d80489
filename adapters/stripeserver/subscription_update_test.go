package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUpdateSubscription_TrialEndsOnlyWithTrialEndNow(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer, "trial_period_days", "7")
	change := []string{"items[0][id]", created.stringField("items.data.0.id"), "items[0][price]", "price_professional_yearly", prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete"}
	path := "/v1/subscriptions/" + created.stringField("id")

	on := s.post(path, change...)
	assert.Equal(t, "trialing", on.field("status"))
	assert.Equal(t, created.field("trial_end"), on.field("trial_end"))
	assert.Equal(t, "active", s.post(path, append(change, "trial_end", "now")...).field("status"))
}

// priceChange returns the parameters of a change to the yearly professional plan.
func priceChange(subscription result, more ...string) []string {
	return append([]string{"items[0][id]", subscription.stringField("items.data.0.id"), "items[0][price]", "price_professional_yearly",
		prorationBehaviour, "always_invoice", paymentBehaviour, "pending_if_incomplete"}, more...)
}

func TestUpdateSubscription_PendingUpdateRefusesOtherParameters(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	created := s.subscribe(customer)
	path := "/v1/subscriptions/" + created.stringField("id")
	for _, more := range [][]string{{"metadata[change]", "k"}, {"default_payment_method", ""}, {"billing_cycle_anchor", "now"}, {"proration_date", "x"}} {
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
