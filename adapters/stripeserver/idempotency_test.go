package stripeserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripeserver"
)

func TestIdempotency_ReplaysTheResponseToTheSameRequestOnly(t *testing.T) {
	s := newTestServer(t)
	first := s.post("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
	second := s.post("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")

	assert.Equal(t, first.body, second.body)
	assert.Empty(t, first.header.Get("Idempotent-Replayed"))
	assert.Equal(t, "true", second.header.Get("Idempotent-Replayed"))
	s.do("POST", "/v1/customers", "Idempotency-Key:", "k", "name", "Bob").assertError(400, "idempotency_error", "")
	s.do("POST", "/v1/products", "Idempotency-Key:", "k", "name", "Ann").assertError(400, "idempotency_error", "")
}

func TestIdempotency_FailedValidationLeavesTheKeyUnused(t *testing.T) {
	s := newTestServer(t)
	s.do("POST", "/v1/customers", "Idempotency-Key:", "k", "first", "Ann").assertError(400, badRequest, "parameter_unknown")
	s.do("POST", "/v1/customers/cus_unknown", "Idempotency-Key:", "k", "metadata[retired]", "k").assertError(404,
		badRequest, "resource_missing")
	s.do("POST", "/v1/subscriptions", "Idempotency-Key:", "k", "items[0][price]", "p").assertError(400, badRequest,
		"parameter_missing")
	s.post("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}

// The recordings have the same headers, see recordings_test.go.
func TestIdempotency_OnlyStoredResponsesHaveStripeShouldRetry(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	declinedCard := s.createCard("4000000000000002")
	for name, c := range map[string]struct {
		res         result
		status      int
		shouldRetry string
	}{
		"success": {s.do("POST", "/v1/customers", "Idempotency-Key:", "a"), 200, "false"},
		"replay":  {s.do("POST", "/v1/customers", "Idempotency-Key:", "a"), 200, "false"},
		"decline": {s.do("POST", "/v1/payment_methods/"+declinedCard+"/attach", "Idempotency-Key:", "b", "customer",
			customer), 402, "false"},
		"no card": {s.do("POST", "/v1/subscriptions", "Idempotency-Key:", "c", "customer", customer,
			"items[0][price]", "price_standard_yearly", "currency", "aud"), 400, "false"},
		"unknown price": {s.do("POST", "/v1/subscriptions", "Idempotency-Key:", "d", "customer", customer,
			"items[0][price]", "invalid"), 400, ""},
		"unknown card": {s.do("POST", "/v1/payment_methods/invalid/attach", "Idempotency-Key:", "e", "customer",
			customer), 404, ""},
		"GET":                      {s.do("GET", "/v1/customers/"+customer, "Idempotency-Key:", "f"), 200, ""},
		"GET of an unknown object": {s.do("GET", "/v1/customers/cus_unknown"), 404, ""},
		"DELETE":                   {s.do("DELETE", "/v1/customers/"+customer, "Idempotency-Key:", "g"), 200, ""},
	} {
		assert.Equal(t, c.status, c.res.status, "%s: %v", name, c.res.body)
		assert.Equal(t, c.shouldRetry, c.res.header.Get("Stripe-Should-Retry"), name)
	}
}

func TestIdempotency_ReplaysTheRefusalWithoutACardAfterACardWasAdded(t *testing.T) {
	s := newTestServer(t)
	customer := s.post("/v1/customers").stringField("id")
	params := []string{"customer", customer, "items[0][price]", "price_standard_yearly", "currency", "aud",
		"Idempotency-Key:"}
	s.do("POST", "/v1/subscriptions", append(params, "k")...).assertError(400, badRequest, "resource_missing")
	s.addCard(customer, visa)

	s.do("POST", "/v1/subscriptions", append(params, "k")...).assertError(400, badRequest, "resource_missing")
	assert.Equal(t, "active", s.post("/v1/subscriptions", append(params, "another")...).field("status"))
}

func TestInjectFault_FailsOneMatchingRequest(t *testing.T) {
	s := newTestServer(t)
	for failure, want := range map[stripeserver.Failure]struct {
		status     int
		kind, code string
	}{
		stripeserver.RateLimited: {http.StatusTooManyRequests, badRequest, "rate_limit"},
		stripeserver.LockTimeout: {http.StatusTooManyRequests, badRequest, "lock_timeout"},
		stripeserver.ServerError: {http.StatusInternalServerError, "api_error", ""},
	} {
		s.server.InjectFault(stripeserver.Fault{Failure: failure, Route: "POST /v1/customers"})
		s.do("GET", "/v1/prices")
		s.do("POST", "/v1/customers", "Idempotency-Key:", string(failure)).assertError(want.status, want.kind, want.code)
		res := s.post("/v1/customers", "Idempotency-Key:", string(failure))
		assert.Empty(t, res.header.Get("Idempotent-Replayed"), "the failed request had no effect")
	}
}

func TestInjectFault_AfterEffectStoresTheResponse(t *testing.T) {
	s := newTestServer(t)
	s.server.InjectFault(stripeserver.Fault{Failure: stripeserver.ConnectionReset, AfterEffect: true})
	_, err := s.send("POST", "/v1/customers", "Idempotency-Key:", "k")
	require.Error(t, err)
	second := s.post("/v1/customers", "Idempotency-Key:", "k")
	assert.Equal(t, "true", second.header.Get("Idempotent-Replayed"))
	assert.NotEmpty(t, second.stringField("id"))
}

func TestPostFault_InjectsKnownFailuresOnly(t *testing.T) {
	s := newTestServer(t)
	s.post("/local/faults", "failure", "500", "after", "true", "route", "POST /v1/customers")
	for range 2 {
		assert.Equal(t, http.StatusInternalServerError, s.do("POST", "/v1/customers", "Idempotency-Key:", "k").status)
	}
	s.do("POST", "/local/faults", "failure", "none").assertError(400, badRequest, "")
}
