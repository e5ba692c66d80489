package stripeserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripeserver"
)

func TestInjectFault_FailsOneMatchingRequest(t *testing.T) {
	s := newTestServer(t)
	for failure, status := range map[stripeserver.Failure]int{stripeserver.RateLimited: 429,
		stripeserver.LockTimeout: 409, stripeserver.ServerError: 500} {
		s.server.InjectFault(stripeserver.Fault{Failure: failure, Route: "POST /v1/customers"})
		s.do("GET", "/v1/prices")
		assert.Equal(t, status, s.do("POST", "/v1/customers", "Idempotency-Key:", string(failure)).status)
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

func TestInjectFault_OverHTTP(t *testing.T) {
	s := newTestServer(t)
	s.post("/local/faults", "failure", "500", "after", "true", "route", "POST /v1/customers")
	for range 2 {
		assert.Equal(t, http.StatusInternalServerError, s.do("POST", "/v1/customers", "Idempotency-Key:", "k").status)
	}
	s.do("POST", "/local/faults", "failure", "none").assertError(400, badRequest, "")
}
