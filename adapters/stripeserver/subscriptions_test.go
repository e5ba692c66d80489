package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCreateSubscription_WithoutCard(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	assert.Equal(t, "trialing", s.subscribe(customer, "trial_period_days", "7").field("status"))
	res := s.do("POST", "/v1/subscriptions", "customer", customer, "currency", "aud", "items[0][price]", "price_standard_yearly")
	res.assertError(400, badRequest, "resource_missing")
	assert.Nil(t, res.field("error.param"))
}

func TestListSubscriptions_ByStatus(t *testing.T) {
	s, customer := newServerWithCustomer(t)
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
