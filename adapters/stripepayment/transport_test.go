package stripepayment_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const createCustomerRoute = "POST /v1/customers"

var newCustomer = payment.NewCustomer{Key: "key-1", OrganisationID: "org_1", Name: "Northside Clinic",
	Email: "ann@clinic.example"}

func keyInUseResponse() response {
	return errorResponse(http.StatusConflict,
		object{"type": "idempotency_error", "code": "idempotency_key_in_use", "message": "Wait."})
}

// assertSameRequests asserts that there were n requests with the same parameters and key.
func assertSameRequests(t *testing.T, s *stub, n int) {
	t.Helper()
	requests := s.requests()
	require.Len(t, requests, n)
	for _, r := range requests {
		assert.Equal(t, requests[0].params, r.params)
		assert.Equal(t, "key-1", r.key())
	}
}

func TestRetry_RepeatsTheRequestAfterATemporaryFailure(t *testing.T) {
	failures := map[string]response{
		"500":                          errorResponse(500, object{"type": "api_error", "message": "oops"}),
		"503 without JSON":             {status: 503, text: "<html>"},
		"429":                          errorResponse(429, object{"type": "invalid_request_error", "code": "rate_limit"}),
		"lock timeout":                 errorResponse(429, object{"type": "invalid_request_error", "code": "lock_timeout"}),
		"the same key in use":          keyInUseResponse(),
		"connection reset":             {reset: true},
		"connection reset in the body": {status: 200, body: customer, resetInBody: true},
		"400 with Stripe-Should-Retry": {status: 400, body: object{},
			header: map[string]string{"Stripe-Should-Retry": "true"}},
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, failure, failure, okResponse(customer))

			c, err := s.provider().CreateCustomer(t.Context(), newCustomer)

			require.NoError(t, err)
			assert.Equal(t, "cus_1", c.ID)
			assertSameRequests(t, s, 3)
		})
	}
}

func TestRetry_RepeatsTheRequestAfterATimeout(t *testing.T) {
	t.Parallel()
	s := newStub(t).respond(createCustomerRoute, response{hang: true}, okResponse(customer))
	p := s.provider(func(c *stripepayment.Config) { c.Timeout = 2 * time.Second })
	c, err := p.CreateCustomer(t.Context(), newCustomer)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", c.ID)
	assertSameRequests(t, s, 2)
}

func TestRetry_RedirectIsAnError(t *testing.T) {
	target := newStub(t)
	s := newStub(t).respond(createCustomerRoute,
		response{status: 307, body: object{}, header: map[string]string{"Location": target.URL + "/v1/customers"}})
	_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Empty(t, target.requests(), "the API key is not sent to the redirect's target")
}

func TestRetry_FinalResponseIsNotRetried(t *testing.T) {
	responses := map[string]response{
		"400": invalidRequestResponse(nil),
		"402": declinedResponse(),
		"404": resourceMissingResponse("id"),
		"500 that is replayed": {status: 500, body: object{},
			header: map[string]string{"Idempotent-Replayed": "true"}},
		"500 without permission to retry": {status: 500, body: object{},
			header: map[string]string{"Stripe-Should-Retry": "false"}},
	}
	for name, res := range responses {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, res)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assertSameRequests(t, s, 1)
		})
	}
}

func TestRetry_StopsAfterTheLastAttempt(t *testing.T) {
	for name, c := range map[string]struct {
		response response
		attempts int
	}{
		"server error":        {errorResponse(500, object{"type": "api_error"}), 4},
		"the same key in use": {keyInUseResponse(), 8},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, c.response)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			assertSameRequests(t, s, c.attempts)
		})
	}
}

func TestRetry_StopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newStub(t).respond(createCustomerRoute, response{onRequest: cancel, hang: true})

	_, err := s.provider().CreateCustomer(ctx, newCustomer)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.ErrorIs(t, err, context.Canceled)
	assertSameRequests(t, s, 1)
}

func TestRetry_BackoffEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newStub(t).respond(createCustomerRoute,
		response{status: 500, body: object{}, onRequest: func() { time.AfterFunc(20*time.Millisecond, cancel) }})
	p := s.provider(func(c *stripepayment.Config) { c.Backoff = time.Hour })

	_, err := p.CreateCustomer(ctx, newCustomer)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assertSameRequests(t, s, 1)
}

func TestRetry_StopsAtTheTotalTimeLimit(t *testing.T) {
	s := newStub(t).respond(createCustomerRoute, response{hang: true})
	p := s.provider(func(c *stripepayment.Config) { c.Timeout = 50 * time.Millisecond })
	_, err := p.CreateCustomer(t.Context(), newCustomer)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.LessOrEqual(t, len(s.requests()), 2)
}

func TestRequests_SendAPIKeyAndVersionWithoutTelemetry(t *testing.T) {
	s := newStub(t).respond(createCustomerRoute, okResponse(customer))
	p := s.provider()
	for range 2 {
		_, err := p.CreateCustomer(t.Context(), newCustomer)
		require.NoError(t, err)
	}
	header := s.lastRequest(createCustomerRoute).header
	assert.Equal(t, "Bearer "+testAPIKey, header.Get("Authorization"))
	assert.True(t, strings.HasSuffix(header.Get("Stripe-Version"), ".dahlia"), header.Get("Stripe-Version"))
	assert.Empty(t, header.Get("X-Stripe-Client-Telemetry"))
}
