package stripeserver_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripeserver"
)

const badRequest = "invalid_request_error"

func TestEveryAnswerNamesItsRequestAndVersion(t *testing.T) {
	s := newStripe(t)
	for _, path := range []string{"/v1/prices", "/v1/customers/cus_unknown", "/v1/no_such_thing"} {
		answer := s.ask("GET", path)
		assert.Regexp(t, `^req_\w+$`, answer.header.Get("Request-Id"))
		assert.Equal(t, "2026-03-25.dahlia", answer.header.Get("Stripe-Version"))
		assert.Equal(t, "application/json", answer.header.Get("Content-Type"))
	}
}

func TestKeysOpenWhatTheyAreFor(t *testing.T) {
	s := newStripe(t)
	tests := []struct {
		name, key, path string
		status          int
	}{
		{name: "none", key: "", path: "/v1/prices", status: 401},
		{name: "a wrong one", key: "Bearer sk_test_somebody_else", path: "/v1/prices", status: 401},
		{name: "the browser's for everything", key: "Bearer " + publicKey, path: "/v1/prices", status: 401},
		{name: "the secret one", key: "Bearer " + secretKey, path: "/v1/prices", status: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := s.ask("GET", tt.path, "Authorization:", tt.key)
			assert.Equal(t, tt.status, answer.status)
			assert.NotContains(t, fmt.Sprint(answer.body), "somebody_else")
		})
	}
}

func TestABrowserMayMakeCardsAndNeedsTheSecretOfAnIntent(t *testing.T) {
	s := newStripe(t)
	s.made("/v1/payment_methods", "Authorization:", "Bearer "+publicKey, "type", "card", "card[token]", good)
	customer, _ := s.payer(declining)
	secret := s.subscribe(customer).text("latest_invoice.confirmation_secret.client_secret")
	intent := "/v1/payment_intents/" + secret[:len("pi_")+26]

	assert.Equal(t, 200, s.ask("GET", intent, "Authorization:", "Bearer "+publicKey, "client_secret", secret).status)
	s.ask("GET", intent, "Authorization:", "Bearer "+publicKey, "client_secret", "guessed").
		refused(400, badRequest, "payment_intent_invalid_parameter")
}

func TestWhatIsNotUnderstoodIsRefused(t *testing.T) {
	s := newStripe(t)
	s.ask("GET", "/v1/prices", "Stripe-Version:", "2020-08-27").refused(400, badRequest, "")
	s.ask("GET", "/v1/no_such_thing").refused(404, badRequest, "")
	s.ask("POST", "/v1/customers", "first", "Ann").refused(400, badRequest, "parameter_unknown")
	s.ask("POST", "/v1/products").refused(400, badRequest, "parameter_missing")
	s.ask("GET", "/v1/prices", "limit", "many").refused(400, badRequest, "parameter_invalid_integer")
	s.ask("GET", "/v1/customers/cus_unknown").refused(404, badRequest, "resource_missing")
}

func TestAKeyRepeatsItsAnswer(t *testing.T) {
	s := newStripe(t)
	first := s.made("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
	again := s.made("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")

	assert.Equal(t, first.body, again.body)
	assert.Empty(t, first.header.Get("Idempotent-Replayed"))
	assert.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	s.ask("POST", "/v1/customers", "Idempotency-Key:", "k", "name", "Bob").refused(400, "idempotency_error", "")
	s.ask("POST", "/v1/products", "Idempotency-Key:", "k", "name", "Ann").refused(400, "idempotency_error", "")
}

func TestAKeyActsOnceHoweverManyComeTogether(t *testing.T) {
	s := newStripe(t)
	ids := sync.Map{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			answer, err := s.try("POST", "/v1/customers", "Idempotency-Key:", "k")
			if assert.NoError(t, err) && answer.status != http.StatusConflict {
				ids.Store(answer.at("id"), true)
				return
			}
			assert.Equal(t, "idempotency_key_in_use", answer.at("error.code"))
		})
	}
	all.Wait()
	made := 0
	ids.Range(func(any, any) bool { made++; return true })
	assert.Equal(t, 1, made)
}

func TestAKeyRepeatsARefusalToo(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	bad := s.card("tok_visa_chargeDeclined")
	for _, replayed := range []string{"", "true"} {
		answer := s.ask("POST", "/v1/payment_methods/"+bad+"/attach", "Idempotency-Key:", "k", "customer", customer)
		answer.refused(402, "card_error", "card_declined")
		assert.Equal(t, replayed, answer.header.Get("Idempotent-Replayed"))
	}
}

func TestAKeyStaysFreeWhenNothingWasBegun(t *testing.T) {
	s := newStripe(t)
	s.ask("POST", "/v1/customers", "Idempotency-Key:", "k", "first", "Ann").refused(400, badRequest, "parameter_unknown")
	s.made("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}

func TestKey_StaysFreeWhenValidationFails(t *testing.T) {
	s := newStripe(t)
	s.ask("POST", "/v1/customers/cus_unknown", "Idempotency-Key:", "k", "metadata[retired]", "k").refused(404, badRequest, "resource_missing")
	s.ask("POST", "/v1/subscriptions", "Idempotency-Key:", "k", "items[0][price]", "p").refused(400, badRequest, "parameter_missing")
	s.made("/v1/customers", "Idempotency-Key:", "k", "name", "Ann")
}

func TestAFaultStrikesOnce(t *testing.T) {
	s := newStripe(t)
	for failure, status := range map[stripeserver.Failure]int{stripeserver.TooMany: 429, stripeserver.Locked: 409, stripeserver.Broken: 500} {
		s.face.Fail(stripeserver.Fault{Failure: failure, Route: "POST /v1/customers"})
		s.ask("GET", "/v1/prices")
		assert.Equal(t, status, s.ask("POST", "/v1/customers", "Idempotency-Key:", string(failure)).status)
		answer := s.made("/v1/customers", "Idempotency-Key:", string(failure))
		assert.Empty(t, answer.header.Get("Idempotent-Replayed"), "nothing had happened")
	}
}

func TestAFaultAfterTheEffectKeepsTheAnswer(t *testing.T) {
	s := newStripe(t)
	s.face.Fail(stripeserver.Fault{Failure: stripeserver.Reset, After: true})
	_, err := s.try("POST", "/v1/customers", "Idempotency-Key:", "k")
	require.Error(t, err)
	again := s.made("/v1/customers", "Idempotency-Key:", "k")
	assert.Equal(t, "true", again.header.Get("Idempotent-Replayed"))
	assert.NotEmpty(t, again.text("id"))
}

func TestFaultsFromOutside(t *testing.T) {
	s := newStripe(t)
	s.made("/local/faults", "failure", "500", "after", "true", "route", "POST /v1/customers")
	for range 2 {
		assert.Equal(t, http.StatusInternalServerError, s.ask("POST", "/v1/customers", "Idempotency-Key:", "k").status)
	}
	s.ask("POST", "/local/faults", "failure", "none").refused(400, badRequest, "")
}
