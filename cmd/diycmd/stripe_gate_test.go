package diycmd

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/domain/catalogue"
)

// gate stands between a server and the local Stripe, and can be shut in some way.
type gate struct {
	*httptest.Server
	books *fakepayment.Provider
	shut  atomic.Pointer[http.HandlerFunc] // answers in Stripe's place; nil lets everybody through
}

// newGate leads to a Stripe that sells the catalogue, nil for nothing.
func newGate(t *testing.T, sells *catalogue.Catalogue) *gate {
	t.Helper()
	books, err := fakepayment.Open(fakepayment.Config{Clock: systemclock.New(), Prices: catalogue.Default()})
	require.NoError(t, err)
	face := stripeserver.New(books, stripeserver.Config{Catalogue: sells})
	g := &gate{books: books}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if shut := g.shut.Load(); shut != nil {
			(*shut)(w, r)
			return
		}
		face.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// revoked is what Stripe answers when it does not take a key any more.
func revoked(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Request-Id", "req_revoked")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = io.WriteString(w, `{"error": {"type": "invalid_request_error", "code": "api_key_expired", "message": "Expired API Key provided: sk_test_***"}}`)
}

// failing is what Stripe answers on a bad day.
func failing(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Request-Id", "req_failing")
	w.Header().Set("Stripe-Should-Retry", "false")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, `{"error": {"type": "api_error", "message": "Something went wrong at sk_test_local."}}`)
}

// slow says nothing for as long as anybody waits.
func slow(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // until then nobody hears who has gone
	<-r.Context().Done()
}

// broken ends the connection.
func broken(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// settings are a server's that asks through the gate.
func (g *gate) settings(t *testing.T) map[string]string {
	t.Helper()
	env := settings(t)
	for name, value := range map[string]string{
		"PAYMENTS": "stripe", "STRIPE_API_URL": g.URL, "STRIPE_SECRET_KEY": "sk_test_local",
		"STRIPE_PUBLISHABLE_KEY": "pk_test_local", "STRIPE_WEBHOOK_SECRET": "whsec_local",
	} {
		env["DIY_"+name] = value
	}
	return env
}

// server is one, in a process of its own.
func (g *gate) server(t *testing.T) runningServer {
	t.Helper()
	env := []string{"DIY_STRIPE_TIMEOUT=1s"} // nobody has to wait long for one that is slow
	for name, value := range g.settings(t) {
		env = append(env, name+"="+value)
	}
	return startServer(t, "sqlite:"+filepath.Join(t.TempDir(), "diy.db"), env...)
}

// card makes a card as Stripe's script does.
func (g *gate) card(t *testing.T) string {
	t.Helper()
	form := url.Values{"type": {"card"}, "card[number]": {"4242424242424242"}, "card[exp_month]": {"12"}, "card[exp_year]": {"2040"}, "card[cvc]": {"123"}}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+"/v1/payment_methods", strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer pk_test_local")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := g.Client().Do(r)
	require.NoError(t, err)
	defer func() { assert.NoError(t, response.Body.Close()) }()
	var made struct{ ID string }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&made))
	require.NotEmpty(t, made.ID)
	return made.ID
}

// signedUp is a visitor who has registered, verified the e-mail and signed in.
func signedUp(t *testing.T, server runningServer) visitor {
	t.Helper()
	ada := newVisitor(t)
	ada.client.Timeout = time.Minute
	ada.get(server.url + "/vc-admin/diy/config.json")
	require.Equal(t, http.StatusCreated, ada.post(server.url+"/vc-admin/signup", registration))
	ada.get(server.url + ada.emailLink(server.url))
	require.Equal(t, http.StatusOK, ada.post(server.url+"/auth/login", `{"username": "ada@example.test", "password": "Secret-pass-1"}`))
	return ada
}
