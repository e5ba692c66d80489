package stripeserver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (s *testServer) schedule(subscription string) string {
	s.t.Helper()
	return s.post("/v1/subscription_schedules", "from_subscription", subscription).stringField("id")
}

// twoPhases returns the parameters for a change to the professional plan at the renewal.
func twoPhases(created result) []string {
	start, end := created.field("phases.0.start_date"), created.field("phases.0.end_date")
	return []string{
		"phases[0][start_date]", fmt.Sprintf("%.0f", start), "phases[0][end_date]", fmt.Sprintf("%.0f", end),
		"phases[0][items][0][price]", "price_standard_yearly", "phases[0][" + prorationBehaviour + "]", "none",
		"phases[1][items][0][price]", "price_professional_yearly", "phases[1][duration][interval]", "year",
		"phases[1][duration][interval_count]", "1", "phases[1][" + prorationBehaviour + "]", "none",
	}
}

func TestSchedule_ChangesThePriceAtTheRenewal(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	sub := s.subscribe(customer).stringField("id")
	created := s.do("POST", "/v1/subscription_schedules", "from_subscription", sub)
	path := "/v1/subscription_schedules/" + created.stringField("id")
	updated := s.post(path, twoPhases(created)...)
	assert.Equal(t, created.field("phases.0.end_date"), updated.field("phases.1.start_date"))

	for _, status := range []string{"active", "released"} { // in its last phase, and after it
		_, err := s.clock.Advance(366 * 24 * time.Hour)
		require.NoError(t, err)
		assert.Equal(t, "professional_yearly", s.do("GET", "/v1/subscriptions/"+sub).field("items.data.0.price.lookup_key"))
		assert.Equal(t, status, s.do("GET", path).field("status"))
	}
}

func TestSchedule_OwnsItsSubscription(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	sub := s.subscribe(customer).stringField("id")
	sched := s.schedule(sub)
	assert.Equal(t, sched, s.do("GET", "/v1/subscriptions/"+sub).field("schedule"))
	s.do("POST", "/v1/subscriptions/"+sub, "cancel_at_period_end", "true").assertError(400, badRequest, "")
	s.do("POST", "/v1/subscription_schedules", "from_subscription", sub).assertError(400, badRequest, "")
	s.do("POST", "/v1/subscription_schedules", "from_subscription", sub, "end_behavior", "release").assertError(400, badRequest, "") //nolint:misspell // Stripe's spelling

	s.post("/v1/subscription_schedules/" + sched + "/release")

	assert.Nil(t, s.do("GET", "/v1/subscriptions/"+sub).field("schedule"))
	s.do("POST", "/v1/subscription_schedules/"+sched+"/release").assertError(400, badRequest, "")
	ending := s.post("/v1/subscriptions/"+sub, "cancel_at_period_end", "true")
	assert.Equal(t, ending.field("items.data.0.current_period_end"), ending.field("cancel_at"))
	assert.Equal(t, false, s.post("/v1/subscriptions/"+sub, "cancel_at_period_end", "false").field("cancel_at_period_end"))
}
