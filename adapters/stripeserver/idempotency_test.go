package stripeserver_test

import (
	"net/http"
	"sync"
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

func TestIdempotency_ConcurrentRequestsActOnce(t *testing.T) {
	s := newTestServer(t)
	ids := sync.Map{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			res, err := s.send("POST", "/v1/customers", "Idempotency-Key:", "k")
			if assert.NoError(t, err) && res.status != http.StatusConflict {
				ids.Store(res.field("id"), true)
				return
			}
			assert.Equal(t, "idempotency_key_in_use", res.field("error.code"))
		})
	}
	all.Wait()
	created := 0
	ids.Range(func(any, any) bool { created++; return true })
	assert.Equal(t, 1, created)
}

func TestIdempotency_ReplaysErrors(t *testing.T) {
	s := newTestServer(t)
	customer, _ := s.newCustomerWithCard(visa)
	bad := s.createCard("tok_visa_chargeDeclined")
	for _, replayed := range []string{"", "true"} {
		res := s.do("POST", "/v1/payment_methods/"+bad+"/attach", "Idempotency-Key:", "k", "customer", customer)
		res.assertError(402, "card_error", "card_declined")
		assert.Equal(t, replayed, res.header.Get("Idempotent-Replayed"))
	}
}

func TestIdempotency_FailedValidationLeavesTheKeyUnused(t *testing.T) {
	s := newTestServer(t)
	s.do("POST", "/v1/customers", "Idempotency-Key:", "k", "first", "Ann").assertError(400, badRequest, "parameter_unknown")
	s.do("POST", "/v1/customers/cus_unknown", "Idempotency-Key:", "k", "metadata[retired]", "k").assertError(404, badRequest, "resource_missing")
	s.do("POST", "/v1/subscriptions", "Idempotency-Key:", "k", "items[0][price]", "p").assertError(400, badRequest, "parameter_missing")
	s.post("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}
