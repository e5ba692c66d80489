package fakegateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// call sends a request to the API for the browser.
func call(t *testing.T, p *fakegateway.Provider, method, path, body string) (status int, response string) {
	t.Helper()
	w := httptest.NewRecorder()
	p.Browser().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestBrowser_CreatesTokenOfTestCard(t *testing.T) {
	p := fakegateway.New(fakegateway.Config{Clock: newClock(t), Entry: payment.EntryCardField})
	g := p.Gateway(nil)
	customerRef, err := g.SaveCustomer(t.Context(), gateway.Customer{ID: "customer"})
	require.NoError(t, err)
	price, err := money.New(3900, "AUD")
	require.NoError(t, err)

	status, body := call(t, p, http.MethodPost, "/payment_methods",
		`{"card": {"number": "4000 0025 0000 3155", "exp_month": 12, "exp_year": 2034, "cvc": "123"}}`)

	require.Equal(t, http.StatusOK, status)
	assert.JSONEq(t, `{"id": "token_2"}`, body)
	paid, err := g.Start(t.Context(), gateway.Order{
		Key: "key", CustomerRef: customerRef, Amount: price, Token: "token_2", CustomerPresent: true,
	})
	require.NoError(t, err)
	status, body = call(t, p, http.MethodGet, "/intents/"+paid.Secret, "")
	assert.Equal(t, http.StatusOK, status)
	assert.JSONEq(t, `{"status": "requires_action"}`, body)
	status, body = call(t, p, http.MethodPost, "/intents/"+paid.Secret+"/confirm", `{"outcome": "complete"}`)
	assert.Equal(t, http.StatusOK, status)
	assert.JSONEq(t, `{"status": "succeeded"}`, body)
	paid, err = g.Find(t.Context(), paid.Reference)
	require.NoError(t, err)
	assert.Equal(t, "Visa •••• 3155", paid.Method.Details.DisplayName())
}

func TestBrowser_RefusesOtherRequests(t *testing.T) {
	p := fakegateway.New(fakegateway.Config{Clock: newClock(t), Entry: payment.EntryCardField})
	for _, request := range []struct {
		method, path, body string
		want               int
	}{
		{http.MethodPost, "/payment_methods", `{"card": {"number": "4111 1111 1111 1111"}}`, http.StatusPaymentRequired},
		{http.MethodPost, "/payment_methods", `{"card": {"number": ""}}`, http.StatusPaymentRequired},
		{http.MethodPost, "/payment_methods", `no JSON`, http.StatusBadRequest},
		{http.MethodGet, "/intents/unknown", "", http.StatusNotFound},
		{http.MethodPost, "/intents/unknown/confirm", `{"outcome": "fail"}`, http.StatusNotFound},
		{http.MethodPost, "/intents/unknown/confirm", `{}`, http.StatusBadRequest},
	} {
		status, body := call(t, p, request.method, request.path, request.body)
		assert.Equal(t, request.want, status, "%+v", request)
		assert.Contains(t, body, `"error":{"message":"`)
	}
}
