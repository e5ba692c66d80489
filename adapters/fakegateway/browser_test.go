package fakegateway_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

// call sends a request to the API for the browser.
func call(t *testing.T, p *fakegateway.Provider, method, path, body string) (status int, response string) {
	t.Helper()
	w := httptest.NewRecorder()
	p.BrowserAPI().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestBrowserAPI_CreatesTokenOfTestCard(t *testing.T) {
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

func TestBrowserAPI_RefusesUnknownRequests(t *testing.T) {
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

func TestCreateTokenOfEntry_PaymentsSettleAsDeclared(t *testing.T) {
	slowCards := fakegateway.CardsAndDebits()
	slowCards.SettlementByKind = nil
	const card, bankAccount = "4242424242424242", "6000000000056819"
	for _, tt := range []struct {
		config fakegateway.Config
		number string
		want   time.Duration
	}{
		{fakegateway.CardsAndDebits(), card, 0},
		{fakegateway.CardsAndDebits(), bankAccount, 3 * day},
		{slowCards, card, 3 * day},
	} {
		clock := newClock(t)
		tt.config.Clock = clock
		p := fakegateway.New(tt.config)
		customerRef, err := p.Gateway(nil).SaveCustomer(t.Context(), gateway.Customer{ID: "customer"})
		require.NoError(t, err)
		price, err := money.New(3900, "AUD")
		require.NoError(t, err)
		token, err := p.CreateTokenOfEntry(testcards.Entry{Number: tt.number, ExpMonth: 12, ExpYear: 2034, CVC: "123"})
		require.NoError(t, err)

		started, err := p.Gateway(nil).Start(t.Context(), gateway.Order{Key: "key", CustomerRef: customerRef, Amount: price, Token: token})

		require.NoError(t, err)
		if tt.want == 0 {
			assert.Equal(t, gateway.Paid, started.State, tt.number)
		} else {
			assert.Equal(t, clock.Now().Add(tt.want), started.ExpectedBy, tt.number)
		}
	}
}
