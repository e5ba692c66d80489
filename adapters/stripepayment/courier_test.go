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

const createCustomer = "POST /v1/customers"

var newCustomer = payment.NewCustomer{Key: "key-1", OrganisationID: "org_1", Name: "Northside Clinic", Email: "ann@clinic.example"}

func busy(code string) answer {
	return refusal(http.StatusConflict, object{"type": "idempotency_error", "code": code, "message": "Wait."})
}

func TestARequestIsSentAgainAsItWas(t *testing.T) {
	failures := map[string]answer{
		"500":                      refusal(500, object{"type": "api_error", "message": "oops"}),
		"503 without JSON":         {status: 503, text: "<html>"},
		"429":                      refusal(429, object{"type": "invalid_request_error", "code": "rate_limit"}),
		"lock timeout":             refusal(429, object{"type": "invalid_request_error", "code": "lock_timeout"}),
		"the same key in use":      busy("idempotency_key_in_use"),
		"connection reset":         {reset: true},
		"connection lost half-way": {status: 200, body: customer, cut: true},
		"400 that asks for it":     {status: 400, body: object{}, header: map[string]string{"Stripe-Should-Retry": "true"}},
	}
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, failure, failure, fine(customer))

			made, err := s.provider().CreateCustomer(t.Context(), newCustomer)

			require.NoError(t, err)
			assert.Equal(t, "cus_1", made.ID)
			assertAlike(t, s, 3)
		})
	}
}

func TestATryThatTakesTooLongIsRepeated(t *testing.T) {
	s := newScript(t).on(createCustomer, answer{hang: true}, fine(customer))
	p := s.provider(func(c *stripepayment.Config) { c.Timeout = 500 * time.Millisecond })
	made, err := p.CreateCustomer(t.Context(), newCustomer)
	require.NoError(t, err)
	assert.Equal(t, "cus_1", made.ID)
	assertAlike(t, s, 2)
}

func TestARedirectIsNoAnswer(t *testing.T) {
	elsewhere := newScript(t)
	s := newScript(t).on(createCustomer, answer{status: 307, body: object{}, header: map[string]string{"Location": elsewhere.URL + "/v1/customers"}})
	_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Empty(t, elsewhere.requests(), "the key goes to Stripe only")
}

// assertAlike asserts that there were so many requests, all alike.
func assertAlike(t *testing.T, s *script, n int) {
	t.Helper()
	asked := s.requests()
	require.Len(t, asked, n)
	for _, r := range asked {
		assert.Equal(t, asked[0].params, r.params)
		assert.Equal(t, "key-1", r.key())
	}
}

func TestSomeAnswersAreFinal(t *testing.T) {
	answers := map[string]answer{
		"400":                  invalidRequest(nil),
		"402":                  declined(),
		"404":                  missing("id"),
		"500 that is a replay": {status: 500, body: object{}, header: map[string]string{"Idempotent-Replayed": "true"}},
		"500 that advises so":  {status: 500, body: object{}, header: map[string]string{"Stripe-Should-Retry": "false"}},
	}
	for name, final := range answers {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, final)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assertAlike(t, s, 1)
		})
	}
}

func TestTriesComeToAnEnd(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		tries  int
	}{
		"an outage":           {refusal(500, object{"type": "api_error"}), 4},
		"the same key in use": {busy("idempotency_key_in_use"), 8},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(createCustomer, c.answer)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
			assertAlike(t, s, c.tries)
		})
	}
}

func TestNobodyIsAskedForSomebodyWhoHasLeft(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	s := newScript(t).on(createCustomer, answer{before: leave, hang: true})

	_, err := s.provider().CreateCustomer(ctx, newCustomer)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.ErrorIs(t, err, context.Canceled)
	assertAlike(t, s, 1)
}

func TestAPauseEndsWhenSomebodyLeaves(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	s := newScript(t).on(createCustomer, answer{status: 500, body: object{}, before: func() { time.AfterFunc(20*time.Millisecond, leave) }})
	p := s.provider(func(c *stripepayment.Config) { c.Backoff = time.Hour })

	_, err := p.CreateCustomer(ctx, newCustomer)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assertAlike(t, s, 1)
}

func TestAllTriesTogetherHaveALimit(t *testing.T) {
	s := newScript(t).on(createCustomer, answer{hang: true})
	p := s.provider(func(c *stripepayment.Config) { c.Timeout = 50 * time.Millisecond })
	_, err := p.CreateCustomer(t.Context(), newCustomer)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.LessOrEqual(t, len(s.requests()), 2)
}

func TestWhatEveryRequestCarries(t *testing.T) {
	s := newScript(t).on(createCustomer, fine(customer))
	p := s.provider()
	for range 2 {
		_, err := p.CreateCustomer(t.Context(), newCustomer)
		require.NoError(t, err)
	}
	sent := s.last(createCustomer).header
	assert.Equal(t, "Bearer "+testKey, sent.Get("Authorization"))
	assert.True(t, strings.HasSuffix(sent.Get("Stripe-Version"), ".dahlia"), sent.Get("Stripe-Version"))
	assert.Empty(t, sent.Get("X-Stripe-Client-Telemetry"), "nobody measures us")
}

func TestAStripeThatCannotBeReached(t *testing.T) {
	s := newScript(t)
	p := s.provider()
	s.Close()
	_, err := p.Customer(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Equal(t, "The payment provider did not answer. Please try again.", fault.MessageOf(err))
}
