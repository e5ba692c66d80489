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
	firstRes := s.mustPost("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
	secondRes := s.mustPost("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")

	assert.Equal(t, firstRes.body, secondRes.body)
	assert.Empty(t, firstRes.header.Get("Idempotent-Replayed"))
	assert.Equal(t, "true", secondRes.header.Get("Idempotent-Replayed"))
	s.send("POST", "/v1/customers", "Idempotency-Key:", "k", "name", "Bob").assertError(400, "idempotency_error", "")
	s.send("POST", "/v1/products", "Idempotency-Key:", "k", "name", "Ann").assertError(400, "idempotency_error", "")
}

func TestIdempotency_FailedValidationLeavesTheKeyUnused(t *testing.T) {
	s := newTestServer(t)
	s.send("POST", "/v1/customers", "Idempotency-Key:", "k", "first", "Ann").
		assertError(400, invalidRequestType, "parameter_unknown")
	s.send("POST", "/v1/customers/cus_unknown", "Idempotency-Key:", "k", "metadata[retired]", "k").assertError(404,
		invalidRequestType, "resource_missing")
	s.send("POST", "/v1/subscriptions", "Idempotency-Key:", "k", "items[0][price]", "p").assertError(400, invalidRequestType,
		"parameter_missing")
	s.mustPost("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}

// The recordings have the same headers, see recordings_test.go.
func TestIdempotency_OnlyStoredResponsesHaveStripeShouldRetry(t *testing.T) {
	s := newTestServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	declinedCardID := s.createCard("4000000000000002")
	for name, c := range map[string]struct {
		res         apiResponse
		status      int
		shouldRetry string
	}{
		"success": {s.send("POST", "/v1/customers", "Idempotency-Key:", "a"), 200, "false"},
		"replay":  {s.send("POST", "/v1/customers", "Idempotency-Key:", "a"), 200, "false"},
		"decline": {s.send("POST", "/v1/payment_methods/"+declinedCardID+"/attach", "Idempotency-Key:", "b", "customer",
			customerID), 402, "false"},
		"no card": {s.send("POST", "/v1/subscriptions", "Idempotency-Key:", "c", "customer", customerID,
			"items[0][price]", "price_standard_yearly", "currency", "aud"), 400, "false"},
		"unknown price": {s.send("POST", "/v1/subscriptions", "Idempotency-Key:", "d", "customer", customerID,
			"items[0][price]", "invalid"), 400, ""},
		"unknown card": {s.send("POST", "/v1/payment_methods/invalid/attach", "Idempotency-Key:", "e", "customer",
			customerID), 404, ""},
		"GET":                      {s.send("GET", "/v1/customers/"+customerID, "Idempotency-Key:", "f"), 200, ""},
		"GET of an unknown object": {s.send("GET", "/v1/customers/cus_unknown"), 404, ""},
		"DELETE":                   {s.send("DELETE", "/v1/customers/"+customerID, "Idempotency-Key:", "g"), 200, ""},
	} {
		assert.Equal(t, c.status, c.res.status, "%s: %v", name, c.res.body)
		assert.Equal(t, c.shouldRetry, c.res.header.Get("Stripe-Should-Retry"), name)
	}
}

func TestIdempotency_ReplaysTheErrorForAMissingCardAfterACardWasAdded(t *testing.T) {
	s := newTestServer(t)
	customerID := s.mustPost("/v1/customers").stringField("id")
	params := []string{"customer", customerID, "items[0][price]", "price_standard_yearly", "currency", "aud",
		"Idempotency-Key:"}
	s.send("POST", "/v1/subscriptions", append(params, "k")...).assertError(400, invalidRequestType, "resource_missing")
	s.addDefaultCard(customerID, visaToken)

	s.send("POST", "/v1/subscriptions", append(params, "k")...).assertError(400, invalidRequestType, "resource_missing")
	assert.Equal(t, "active", s.mustPost("/v1/subscriptions", append(params, "another")...).field("status"))
}

func TestInjectFault_FailsOneMatchingRequest(t *testing.T) {
	s := newTestServer(t)
	for faultKind, want := range map[stripeserver.FaultKind]struct {
		status          int
		errorType, code string
	}{
		stripeserver.RateLimit:   {http.StatusTooManyRequests, invalidRequestType, "rate_limit"},
		stripeserver.LockTimeout: {http.StatusTooManyRequests, invalidRequestType, "lock_timeout"},
		stripeserver.ServerError: {http.StatusInternalServerError, "api_error", ""},
	} {
		s.server.InjectFault(stripeserver.Fault{Kind: faultKind, Route: "POST /v1/customers"})
		s.send("GET", "/v1/prices")
		s.send("POST", "/v1/customers", "Idempotency-Key:", string(faultKind)).assertError(want.status, want.errorType, want.code)
		res := s.mustPost("/v1/customers", "Idempotency-Key:", string(faultKind))
		assert.Empty(t, res.header.Get("Idempotent-Replayed"), "the failed request had no effect")
	}
}

func TestInjectFault_FailAfterEffectStoresTheResponse(t *testing.T) {
	s := newTestServer(t)
	s.server.InjectFault(stripeserver.Fault{Kind: stripeserver.ConnectionReset, FailAfterEffect: true})
	_, err := s.trySend("POST", "/v1/customers", "Idempotency-Key:", "k")
	require.Error(t, err)
	res := s.mustPost("/v1/customers", "Idempotency-Key:", "k")
	assert.Equal(t, "true", res.header.Get("Idempotent-Replayed"))
	assert.NotEmpty(t, res.stringField("id"))
}

func TestPostFault_InjectsKnownFailuresOnly(t *testing.T) {
	s := newTestServer(t)
	s.mustPost("/local/faults", "failure", "500", "after", "true", "route", "POST /v1/customers")
	for range 2 {
		assert.Equal(t, http.StatusInternalServerError, s.send("POST", "/v1/customers", "Idempotency-Key:", "k").status)
	}
	s.send("POST", "/local/faults", "failure", "none").assertError(400, invalidRequestType, "")
}
