package fakepayment_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestBrowserMakesAPaymentMethod(t *testing.T) {
	w := newWorld(t)
	status, body := call(t, w.Provider, "POST", "/payment_methods",
		`{"card":{"number":"4242 4242 4242 4242","exp_month":12,"exp_year":34,"cvc":"123"},"billing_details":{"name":"Ann","address":{"country":"AU"}}}`)
	assert.Equal(t, http.StatusOK, status)
	assert.Regexp(t, "^pm_", body["id"])
	delete(body, "id")
	assert.Equal(t, map[string]any{
		"object": "payment_method", "type": "card",
		"card": map[string]any{"brand": "visa", "last4": "4242", "exp_month": 12.0, "exp_year": 2034.0},
	}, body)
}

func TestBrowserHearsWhatIsWrongWithTheCard(t *testing.T) {
	w := newWorld(t)
	status, body := call(t, w.Provider, "POST", "/payment_methods", `{"card":{"number":"4242","exp_month":12,"exp_year":34,"cvc":"123"}}`)
	assert.Equal(t, http.StatusPaymentRequired, status)
	assert.Equal(t, map[string]any{"error": map[string]any{
		"type": "card_error", "code": "incomplete_number", "param": "number", "message": "Your card number is incomplete.",
	}}, body)
}

func TestBrowserSeesWhatIsAsked(t *testing.T) {
	w := newWorld(t)
	paying := subscribe(t, w.Provider, payer(t, w.Provider, asking), "professional_yearly", 0).LatestInvoice.Payment
	card := map[string]any{"brand": "visa", "last4": "3155", "exp_month": 12.0, "exp_year": 2034.0}

	status, body := call(t, w.Provider, "GET", "/intents/"+paying.ClientSecret, "")

	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, map[string]any{
		"id": paying.ID, "object": "payment_intent", "kind": "payment", "status": "requires_action",
		"client_secret": paying.ClientSecret, "amount": 81600.0, "currency": "AUD", "card": card,
	}, body)

	setting := subscribe(t, w.Provider, payer(t, w.Provider, asking), "professional_yearly", 7).PendingSetup
	_, body = call(t, w.Provider, "GET", "/intents/"+setting.ClientSecret, "")
	assert.Equal(t, map[string]any{
		"id": setting.ID, "object": "setup_intent", "kind": "setup", "status": "requires_action",
		"client_secret": setting.ClientSecret, "card": card,
	}, body)
}

func TestBrowserHearsWhyAnAuthenticationFailed(t *testing.T) {
	const message = "We are unable to authenticate your payment method. Please choose a different payment method and try again."
	w := newWorld(t)
	paying := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 0).LatestInvoice.Payment
	setting := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 7).PendingSetup
	for kind, secret := range map[string]string{"payment": paying.ClientSecret, "setup": setting.ClientSecret} {
		status, body := call(t, w.Provider, "POST", "/intents/"+secret+"/confirm", `{"outcome":"fail"}`)
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "requires_payment_method", body["status"])
		assert.Equal(t, map[string]any{
			"type": "card_error", "code": kind + "_intent_authentication_failure", "message": message,
		}, body["last_"+kind+"_error"])

		status, body = call(t, w.Provider, "POST", "/intents/"+secret+"/confirm", `{"outcome":"fail"}`)
		assert.Equal(t, http.StatusBadRequest, status, "failing twice charges nobody")
		assert.Equal(t, kind+"_intent_unexpected_state", body["error"].(map[string]any)["code"])
	}
}

func TestBrowserFinishesAnAuthenticationOnce(t *testing.T) {
	w := newWorld(t)
	s := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 0)
	path := "/intents/" + s.LatestInvoice.Payment.ClientSecret + "/confirm"
	_, body := call(t, w.Provider, "POST", path, `{}`)
	assert.Equal(t, "requires_action", body["status"], "nobody was asked yet")
	for _, again := range []string{`{"outcome":"complete"}`, `{"outcome":"complete"}`, `{"outcome":"fail"}`, `{}`} {
		status, body := call(t, w.Provider, "POST", path, again)
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "succeeded", body["status"])
	}
	assert.Equal(t, billing.Active, read(t, w.Provider, s.ID).Status)
}

func TestBrowserIsStrict(t *testing.T) {
	w := newWorld(t)
	secret := subscribe(t, w.Provider, payer(t, w.Provider, asking), "standard_yearly", 0).LatestInvoice.Payment.ClientSecret
	const card = `{"number":"4242424242424242","exp_month":12,"exp_year":2034,"cvc":"123"}`
	tests := []struct {
		name, method, path, kind, body string
		status                         int
		code                           string
	}{
		{"unknown path", "GET", "/", "", "", 404, "resource_missing"},
		{"unknown secret", "GET", "/intents/pi_1_secret_2", "", "", 404, "resource_missing"},
		{"an id is no secret", "GET", "/intents/" + strings.Split(secret, "_secret_")[0], "", "", 404, "resource_missing"},
		{"half a secret", "GET", "/intents/" + secret[:len(secret)-1], "", "", 404, "resource_missing"},
		{"confirming nothing", "POST", "/intents/pi_1/confirm", "application/json", `{}`, 404, "resource_missing"},
		{"wrong method", "DELETE", "/payment_methods", "", "", 405, "method_not_allowed"},
		{"wrong method for an intent", "PUT", "/intents/" + secret, "", "", 405, "method_not_allowed"},
		{"reading a confirmation", "GET", "/intents/" + secret + "/confirm", "", "", 405, "method_not_allowed"},
		{"a form", "POST", "/payment_methods", "application/x-www-form-urlencoded", "a=b", 415, "content_type"},
		{"no type", "POST", "/payment_methods", "", `{}`, 415, "content_type"},
		{"nothing", "POST", "/payment_methods", "application/json", "", 400, "parameter_invalid"},
		{"no JSON", "POST", "/payment_methods", "application/json", "{", 400, "parameter_invalid"},
		{"two values", "POST", "/payment_methods", "application/json", `{"card":` + card + `} {}`, 400, "parameter_invalid"},
		{"no card", "POST", "/payment_methods", "application/json; charset=utf-8", `{}`, 400, "parameter_invalid"},
		{"null", "POST", "/payment_methods", "application/json", `null`, 400, "parameter_invalid"},
		{"unknown field", "POST", "/payment_methods", "application/json", `{"card":` + card + `,"x":1}`, 400, "parameter_invalid"},
		{"month as text", "POST", "/payment_methods", "application/json", `{"card":{"exp_month":"12"}}`, 400, "parameter_invalid"},
		{"a fraction of a year", "POST", "/payment_methods", "application/json", `{"card":{"exp_year":1.5}}`, 400, "parameter_invalid"},
		{"deep", "POST", "/payment_methods", "application/json", strings.Repeat("[", 60000), 400, "parameter_invalid"},
		{"large", "POST", "/payment_methods", "application/json", `{"card":{"number":"` + strings.Repeat("4", 70000) + `"}}`, 413, "request_too_large"},
		{"unknown outcome", "POST", "/intents/" + secret + "/confirm", "application/json", `{"outcome":"maybe"}`, 400, "parameter_invalid"},
		{"unknown card", "POST", "/intents/" + secret + "/confirm", "application/json", `{"payment_method":"pm_x"}`, 404, "resource_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, strings.NewReader(tt.body))
			if tt.kind != "" {
				r.Header.Set("Content-Type", tt.kind)
			}
			out := httptest.NewRecorder()
			w.Browser().ServeHTTP(out, r)
			assert.Equal(t, tt.status, out.Code)
			assert.Contains(t, out.Body.String(), `"code":"`+tt.code+`"`)
			assert.Contains(t, out.Body.String(), `"type":"invalid_request_error"`)
			assert.Equal(t, "application/json", out.Header().Get("Content-Type"))
			assert.Equal(t, "no-store", out.Header().Get("Cache-Control"))
			assert.Equal(t, tt.status == 405, out.Header().Get("Allow") != "")
		})
	}
}
