package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCreateSubscription_WithoutCardIsRefused(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	assert.Equal(t, "trialing", s.subscribe(customer, "trial_period_days", "7").field("status"))
	res := s.do("POST", "/v1/subscriptions", "customer", customer, "currency", "aud", "items[0][price]",
		"price_standard_yearly")
	res.assertError(400, badRequest, "resource_missing")
	assert.Nil(t, res.field("error.param"))
}
