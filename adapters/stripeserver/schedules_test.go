package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSchedule_OwnsItsSubscription(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	sub := s.subscribe(customer).stringField("id")
	sched := s.post("/v1/subscription_schedules", "from_subscription", sub).stringField("id")
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
