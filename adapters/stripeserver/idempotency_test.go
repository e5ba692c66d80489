package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIdempotency_ReplaysTheResponse(t *testing.T) {
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
	s.do("POST", "/v1/customers/cus_unknown", "Idempotency-Key:", "k", "metadata[retired]", "k").assertError(404, badRequest, "resource_missing")
	s.do("POST", "/v1/subscriptions", "Idempotency-Key:", "k", "items[0][price]", "p").assertError(400, badRequest, "parameter_missing")
	s.post("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}
