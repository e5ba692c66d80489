package fakepayment_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestBrowserAPI_CreatesPaymentMethodFromCard(t *testing.T) {
	e := newEnv(t)
	status, body := sendRequest(t, e.Provider, "POST", "/payment_methods",
		`{"card":{"number":"4242 4242 4242 4242","exp_month":12,"exp_year":34,"cvc":"123"},"billing_details":{"name":"Ann","address":{"country":"AU"}}}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Regexp(t, "^pm_", body["id"])
	delete(body, "id")
	assert.Equal(t, map[string]any{
		"object": "payment_method", "type": "card",
		"card": map[string]any{"brand": "visa", "last4": "4242", "exp_month": 12.0, "exp_year": 2034.0},
	}, body)
}

func TestBrowserAPI_ReturnsCardErrorForInvalidNumber(t *testing.T) {
	e := newEnv(t)
	status, body := sendRequest(t, e.Provider, "POST", "/payment_methods", `{"card":{"number":"4242","exp_month":12,"exp_year":34,"cvc":"123"}}`)
	assert.Equal(t, http.StatusPaymentRequired, status)
	assert.Equal(t, map[string]any{"error": map[string]any{
		"type": "card_error", "code": "incomplete_number", "param": "number", "message": "Your card number is incomplete.",
	}}, body)
}

func TestBrowserAPI_ReturnsIntentOfClientSecret(t *testing.T) {
	e := newEnv(t)
	paymentIntent := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "professional_yearly", 0).LatestInvoice.Payment
	card := map[string]any{"brand": "visa", "last4": "3155", "exp_month": 12.0, "exp_year": 2034.0}

	status, body := sendRequest(t, e.Provider, "GET", "/intents/"+paymentIntent.ClientSecret, "")

	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, map[string]any{
		"id": paymentIntent.ID, "object": "payment_intent", "kind": "payment", "status": "requires_action",
		"client_secret": paymentIntent.ClientSecret, "amount": 81600.0, "currency": "AUD", "card": card,
	}, body)

	setupIntent := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "professional_yearly", 7).PendingSetup
	_, body = sendRequest(t, e.Provider, "GET", "/intents/"+setupIntent.ClientSecret, "")
	assert.Equal(t, map[string]any{
		"id": setupIntent.ID, "object": "setup_intent", "kind": "setup", "status": "requires_action",
		"client_secret": setupIntent.ClientSecret, "card": card,
	}, body)
}

func TestBrowserAPI_FailedAuthenticationSetsLastError(t *testing.T) {
	const message = "We are unable to authenticate your payment method. Please choose a different payment method and try again."
	e := newEnv(t)
	paymentIntent := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 0).LatestInvoice.Payment
	setupIntent := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 7).PendingSetup
	for kind, secret := range map[string]string{"payment": paymentIntent.ClientSecret, "setup": setupIntent.ClientSecret} {
		status, body := sendRequest(t, e.Provider, "POST", "/intents/"+secret+"/confirm", `{"outcome":"fail"}`)
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "requires_payment_method", body["status"])
		assert.Equal(t, map[string]any{
			"type": "card_error", "code": kind + "_intent_authentication_failure", "message": message,
		}, body["last_"+kind+"_error"])

		status, body = sendRequest(t, e.Provider, "POST", "/intents/"+secret+"/confirm", `{"outcome":"fail"}`)
		assert.Equal(t, http.StatusBadRequest, status, "the second failure changes nothing")
		assert.Equal(t, kind+"_intent_unexpected_state", body["error"].(map[string]any)["code"])
	}
}

func TestBrowserAPI_ConfirmAfterSuccessChangesNothing(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 0)
	path := "/intents/" + s.LatestInvoice.Payment.ClientSecret + "/confirm"
	_, body := sendRequest(t, e.Provider, "POST", path, `{}`)
	assert.Equal(t, "requires_action", body["status"], "the payment waits for its authentication")
	for _, confirmation := range []string{`{"outcome":"complete"}`, `{"outcome":"complete"}`, `{"outcome":"fail"}`, `{}`} {
		status, body := sendRequest(t, e.Provider, "POST", path, confirmation)
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "succeeded", body["status"])
	}
	assert.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)
}

func TestBrowserAPI_RejectsMalformedRequests(t *testing.T) {
	e := newEnv(t)
	secret := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 0).LatestInvoice.Payment.ClientSecret
	const card = `{"number":"4242424242424242","exp_month":12,"exp_year":2034,"cvc":"123"}`
	tests := []struct {
		name, method, path, contentType, body string
		status                                int
		code                                  string
	}{
		{"unknown path", "GET", "/", "", "", 404, "resource_missing"},
		{"unknown secret", "GET", "/intents/pi_1_secret_2", "", "", 404, "resource_missing"},
		{"id instead of a secret", "GET", "/intents/" + strings.Split(secret, "_secret_")[0], "", "", 404, "resource_missing"},
		{"truncated secret", "GET", "/intents/" + secret[:len(secret)-1], "", "", 404, "resource_missing"},
		{"confirm unknown secret", "POST", "/intents/pi_1/confirm", "application/json", `{}`, 404, "resource_missing"},
		{"wrong method", "DELETE", "/payment_methods", "", "", 405, "method_not_allowed"},
		{"wrong method for an intent", "PUT", "/intents/" + secret, "", "", 405, "method_not_allowed"},
		{"GET of a confirmation", "GET", "/intents/" + secret + "/confirm", "", "", 405, "method_not_allowed"},
		{"form body", "POST", "/payment_methods", "application/x-www-form-urlencoded", "a=b", 415, "content_type"},
		{"no content type", "POST", "/payment_methods", "", `{}`, 415, "content_type"},
		{"empty body", "POST", "/payment_methods", "application/json", "", 400, "parameter_invalid"},
		{"invalid JSON", "POST", "/payment_methods", "application/json", "{", 400, "parameter_invalid"},
		{"two JSON values", "POST", "/payment_methods", "application/json", `{"card":` + card + `} {}`, 400, "parameter_invalid"},
		{"no card", "POST", "/payment_methods", "application/json; charset=utf-8", `{}`, 400, "parameter_invalid"},
		{"null", "POST", "/payment_methods", "application/json", `null`, 400, "parameter_invalid"},
		{"unknown field", "POST", "/payment_methods", "application/json", `{"card":` + card + `,"x":1}`, 400, "parameter_invalid"},
		{"month as text", "POST", "/payment_methods", "application/json", `{"card":{"exp_month":"12"}}`, 400, "parameter_invalid"},
		{"fractional year", "POST", "/payment_methods", "application/json", `{"card":{"exp_year":1.5}}`, 400, "parameter_invalid"},
		{"deeply nested", "POST", "/payment_methods", "application/json", strings.Repeat("[", 60000), 400, "parameter_invalid"},
		{"too large", "POST", "/payment_methods", "application/json", `{"card":{"number":"` + strings.Repeat("4", 70000) + `"}}`, 413, "request_too_large"},
		{"unknown outcome", "POST", "/intents/" + secret + "/confirm", "application/json", `{"outcome":"maybe"}`, 400, "parameter_invalid"},
		{"unknown card", "POST", "/intents/" + secret + "/confirm", "application/json", `{"payment_method":"pm_x"}`, 404, "resource_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, strings.NewReader(tt.body))
			if tt.contentType != "" {
				r.Header.Set("Content-Type", tt.contentType)
			}
			response := httptest.NewRecorder()
			e.BrowserAPI().ServeHTTP(response, r)
			assert.Equal(t, tt.status, response.Code)
			assert.Contains(t, response.Body.String(), `"code":"`+tt.code+`"`)
			assert.Contains(t, response.Body.String(), `"type":"invalid_request_error"`)
			assert.Equal(t, "application/json", response.Header().Get("Content-Type"))
			assert.Equal(t, "no-store", response.Header().Get("Cache-Control"))
			assert.Equal(t, tt.status == 405, response.Header().Get("Allow") != "")
		})
	}
}

// subscribeWithDeclinedPayment returns a subscription whose first payment was declined, and the path to confirm it.
func subscribeWithDeclinedPayment(t *testing.T, e *env) (billing.Subscription, string) {
	t.Helper()
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, cardDeclinedWhenCharged), "standard_yearly", 0)
	return s, "/intents/" + s.LatestInvoice.Payment.ClientSecret + "/confirm"
}

func TestBrowserAPI_RetriesWithDefaultCard(t *testing.T) {
	e := newEnv(t)
	s, path := subscribeWithDeclinedPayment(t, e)
	addCard(t, e.Provider, s.CustomerID, visa)

	status, body := sendRequest(t, e.Provider, "POST", path, `{}`)

	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, "succeeded", body["status"])
	assert.Equal(t, billing.Active, getSubscription(t, e.Provider, s.ID).Status)
}

func TestBrowserAPI_DeclineIncludesIntent(t *testing.T) {
	for number, want := range map[string]map[string]any{
		cardDeclinedWhenCharged:   {"code": "card_declined", "decline_code": "generic_decline", "message": "Your card was declined."},
		cardWithInsufficientFunds: {"code": "card_declined", "decline_code": "insufficient_funds", "message": "Your card has insufficient funds."},
	} {
		e := newEnv(t)
		s, path := subscribeWithDeclinedPayment(t, e)
		addCard(t, e.Provider, s.CustomerID, number)

		status, body := sendRequest(t, e.Provider, "POST", path, `{}`)

		assert.Equal(t, http.StatusPaymentRequired, status)
		errBody := body["error"].(map[string]any)
		intentBody := errBody["payment_intent"].(map[string]any)
		assert.Equal(t, s.LatestInvoice.Payment.ID, intentBody["id"])
		assert.Equal(t, "requires_payment_method", intentBody["status"])
		delete(errBody, "payment_intent")
		want["type"] = "card_error"
		assert.Equal(t, want, errBody)
		assert.Equal(t, want, intentBody["last_payment_error"])
	}
}

func TestBrowserAPI_SavesNewCardAfterSuccessfulPayment(t *testing.T) {
	e := newEnv(t)
	s, path := subscribeWithDeclinedPayment(t, e)
	method, err := e.CreatePaymentMethod(t.Context(), newCardEntry(authenticationCard))
	require.NoError(t, err)

	_, body := sendRequest(t, e.Provider, "POST", path, `{"payment_method":"`+method.ID+`"}`)
	require.Equal(t, "requires_action", body["status"])
	cards, err := e.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.Len(t, cards, 1, "the card is not saved before the payment has succeeded")

	_, body = sendRequest(t, e.Provider, "POST", path, `{"outcome":"complete"}`)
	assert.Equal(t, "succeeded", body["status"])
	cards, err = e.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{method, cards[1]}, cards)
}

func TestBrowserAPI_DoesNotSaveDeclinedCard(t *testing.T) {
	for number, code := range map[string]string{
		cardDeclinedWhenSaved: "card_declined", expiredCard: "expired_card", cardDeclinedWhenCharged: "card_declined",
	} {
		e := newEnv(t)
		s, path := subscribeWithDeclinedPayment(t, e)
		method, err := e.CreatePaymentMethod(t.Context(), newCardEntry(number))
		require.NoError(t, err)
		status, body := sendRequest(t, e.Provider, "POST", path, `{"payment_method":"`+method.ID+`"}`)
		assert.Equal(t, http.StatusPaymentRequired, status)
		assert.Equal(t, code, body["error"].(map[string]any)["code"])
		cards, err := e.Cards(t.Context(), s.CustomerID)
		require.NoError(t, err)
		assert.Len(t, cards, 1)
	}
}

func TestBrowserAPI_RejectsCardOfAnotherCustomer(t *testing.T) {
	e := newEnv(t)
	s, path := subscribeWithDeclinedPayment(t, e)
	otherCustomer, err := e.Customer(t.Context(), newCustomer(t, e.Provider, visa))
	require.NoError(t, err)
	status, _ := sendRequest(t, e.Provider, "POST", path, `{"payment_method":"`+otherCustomer.Default.ID+`"}`)
	assert.Equal(t, http.StatusNotFound, status)
	assert.Equal(t, billing.Incomplete, getSubscription(t, e.Provider, s.ID).Status)
}

func TestBrowserAPI_ConfirmWithoutCardIsDeclined(t *testing.T) {
	e := newEnv(t)
	s, path := subscribeWithDeclinedPayment(t, e)
	cards, err := e.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	require.NoError(t, e.DeleteCard(t.Context(), payment.SavedCardRequest{
		Key: newKey(), CustomerID: s.CustomerID, MethodID: cards[0].ID,
	}))
	status, body := sendRequest(t, e.Provider, "POST", path, `{}`)
	assert.Equal(t, http.StatusPaymentRequired, status)
	assert.Equal(t, "You must provide a payment method.", body["error"].(map[string]any)["message"])
}

func TestBrowserAPI_OtherCardCompletesSetupWithoutAuthentication(t *testing.T) {
	e := newEnv(t)
	s := subscribe(t, e.Provider, newCustomer(t, e.Provider, authenticationCard), "standard_yearly", 7)
	method, err := e.CreatePaymentMethod(t.Context(), newCardEntry(visa))
	require.NoError(t, err)
	_, body := sendRequest(t, e.Provider, "POST", "/intents/"+s.PendingSetup.ClientSecret+"/confirm", `{"payment_method":"`+method.ID+`"}`)
	assert.Equal(t, "succeeded", body["status"])
	assert.Nil(t, getSubscription(t, e.Provider, s.ID).PendingSetup)
}

func TestAddCard_NewDefaultReplacesTrialAuthentication(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, authenticationCard)
	s := subscribe(t, e.Provider, customerID, "standard_yearly", 7)

	addCard(t, e.Provider, customerID, authenticationCard)
	newSetup := getSubscription(t, e.Provider, s.ID).PendingSetup
	require.NotNil(t, newSetup)
	assert.NotEqual(t, s.PendingSetup.ID, newSetup.ID)
	status, _ := sendRequest(t, e.Provider, "POST", "/intents/"+s.PendingSetup.ClientSecret+"/confirm", `{"outcome":"complete"}`)
	assert.Equal(t, http.StatusBadRequest, status, "the replaced intent is canceled")

	addCard(t, e.Provider, customerID, visa)
	assert.Nil(t, getSubscription(t, e.Provider, s.ID).PendingSetup)
}
