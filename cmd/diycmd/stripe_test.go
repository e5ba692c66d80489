package diycmd

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
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

// stripeProxy is a fake Stripe API that fails on demand.
type stripeProxy struct {
	*httptest.Server
	provider *fakepayment.Provider
	failure  atomic.Pointer[http.HandlerFunc] // responds instead of the API; nil for no failure
}

// newStripeProxy returns an API with the products of the catalogue, or without products if it is nil.
func newStripeProxy(t *testing.T, products *catalogue.Catalogue) *stripeProxy {
	t.Helper()
	provider, err := fakepayment.Open(fakepayment.Config{Clock: systemclock.New(), Prices: catalogue.Default()})
	require.NoError(t, err)
	api := stripeserver.New(provider, stripeserver.Config{Catalogue: products})
	p := &stripeProxy{provider: provider}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if failure := p.failure.Load(); failure != nil {
			(*failure)(w, r)
			return
		}
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// respondWithKeyRevoked responds as Stripe does to a revoked key.
func respondWithKeyRevoked(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Request-Id", "req_revoked")
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = io.WriteString(w,
		`{"error": {"type": "invalid_request_error", "code": "api_key_expired", "message": "Expired API Key provided: sk_test_***"}}`)
}

// respondWithServerError responds as Stripe does after an internal error.
func respondWithServerError(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Request-Id", "req_failing")
	w.Header().Set("Stripe-Should-Retry", "false")
	w.WriteHeader(http.StatusInternalServerError)
	_, _ = io.WriteString(w, `{"error": {"type": "api_error", "message": "Something went wrong at sk_test_local."}}`)
}

// withholdResponse waits until the client gives up.
func withholdResponse(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client disconnects
	<-r.Context().Done()
}

// resetConnection closes the connection without a response.
func resetConnection(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// devSettings returns the settings of a server that uses the API.
func (p *stripeProxy) devSettings(t *testing.T) map[string]string {
	t.Helper()
	env := devSettings(t)
	for name, value := range map[string]string{
		"PAYMENTS": "stripe", "STRIPE_API_URL": p.URL, "STRIPE_SECRET_KEY": "sk_test_local",
		"STRIPE_PUBLISHABLE_KEY": "pk_test_local", "STRIPE_WEBHOOK_SECRET": "whsec_local",
	} {
		env["DIY_"+name] = value
	}
	return env
}

// startServer starts a server that uses the API.
func (p *stripeProxy) startServer(t *testing.T, settings ...string) serverProcess {
	t.Helper()
	var env []string
	for name, value := range p.devSettings(t) {
		env = append(env, name+"="+value)
	}
	return startServer(t, newSQLiteURL(t), append(env, settings...)...)
}

// shortStripeTimeout is a setting for tests with withholdResponse. Other responses take less time.
const shortStripeTimeout = "DIY_STRIPE_TIMEOUT=4s"

// newCard creates a card that is not saved yet.
func (p *stripeProxy) newCard(t *testing.T) string {
	t.Helper()
	card, err := p.provider.CreatePaymentMethod(t.Context(),
		fakepayment.CardEntry{Number: "4242424242424242", ExpMonth: 12, ExpYear: 2040, CVC: "123"})
	require.NoError(t, err)
	return card.ID
}

// emptyStripeSettings returns the settings of a server on a Stripe API without products.
func emptyStripeSettings(t *testing.T) map[string]string {
	t.Helper()
	return newStripeProxy(t, nil).devSettings(t)
}

func TestCatalogue_PushIsIdempotent(t *testing.T) {
	env := emptyStripeSettings(t)
	runs := []struct {
		command string
		code    int
		message string
	}{
		{"diff", 1, "standard_yearly is missing"},
		{"push", 0, "corrected: standard_yearly is missing"},
		{"diff", 0, "the provider's prices match the catalogue"},
		{"push", 0, "the provider's prices match the catalogue"},
	}
	for _, r := range runs {
		var out strings.Builder
		code := run(t.Context(), env, &out, "catalogue", r.command)
		assert.Equal(t, r.code, code, out.String())
		assert.Contains(t, out.String(), r.message)
		assert.NotContains(t, out.String(), "sk_test_local")
	}
}

// The error names the setting and, if Stripe refused the request, the ID that Stripe gave the request.
func TestServe_FailsIfStripeRefusesTheKey(t *testing.T) {
	const keyRefusedPattern = `DIY_STRIPE_\*: the payment provider refused the API key \(The payment.*`
	p := newStripeProxy(t, catalogue.Default())
	cases := map[string]struct {
		key     string
		failure http.HandlerFunc
		message string
	}{
		"unknown key":     {"sk_test_nobody", nil, keyRefusedPattern + `status 401.*request req_\w+`},
		"revoked":         {"sk_test_local", respondWithKeyRevoked, keyRefusedPattern + `code api_key_expired.*request req_revoked`},
		"wrong mode":      {"sk_live_local", nil, `DIY_STRIPE_SECRET_KEY: development needs a test key`},
		"publishable key": {"pk_test_local", nil, `DIY_STRIPE_SECRET_KEY: the secret key of Stripe's API must begin with`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			env := p.devSettings(t)
			env["DIY_STRIPE_SECRET_KEY"] = c.key
			p.failure.Store(nil)
			if c.failure != nil {
				p.failure.Store(&c.failure)
			}
			for _, command := range [][]string{{"serve"}, {"catalogue", "diff"}, {"catalogue", "push"}} {
				var output strings.Builder
				// The timeout stops a server that starts instead of failing.
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				code := run(ctx, env, &output, command...)
				cancel()
				assert.NotZero(t, code, command)
				assert.Regexp(t, c.message, output.String(), command)
				assert.NotContains(t, output.String(), c.key)
			}
		})
	}
}

func TestServe_StartsDuringAnOutageOfStripe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failure http.HandlerFunc
		cause   string
	}{
		"unreachable": {resetConnection, `EOF`},
		"slow":        {withholdResponse, `deadline exceeded`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newStripeProxy(t, catalogue.Default())
			p.failure.Store(&c.failure)
			server := p.startServer(t, shortStripeTimeout)
			server.waitForLog(t, regexp.MustCompile(
				`("level":"ERROR","msg":"reading the prices at the payment provider failed","error":"[^"]*`+c.cause+`)`))

			assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/readyz"))
			assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/vc-admin/diy/plans"))
			signUp(t, server.url)
			assert.NotContains(t, server.logText(t), "sk_test_local")
		})
	}
}

func TestServe_LogsPricesThatDiffer(t *testing.T) {
	server := newStripeProxy(t, nil).startServer(t)
	server.waitForLog(t, regexp.MustCompile(
		`("level":"WARN","msg":"a price at the payment provider differs from the catalogue: run .diy catalogue push.",`+
			`"price":"professional_yearly","problem":"is missing")`))
}

// subscribeBody returns a subscribe request without a trial.
func subscribeBody(card string) string {
	return `{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD", "no_trial": true, ` +
		`"paymentMethodId": "` + card + `"}`
}

// errorMessage requires an error response and returns its message.
func errorMessage(t *testing.T, want, status int, body string) string {
	t.Helper()
	require.Equal(t, want, status, body)
	var problem struct{ Name, Message string }
	require.NoError(t, json.Unmarshal([]byte(body), &problem))
	return problem.Message
}

// purchases contains the numbers of customers, subscriptions and paid invoices at Stripe.
type purchases struct{ customers, subscriptions, paidInvoices int }

func (p *stripeProxy) countPurchases(t *testing.T) (count purchases) {
	t.Helper()
	require.NoError(t, p.provider.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			count.customers++
			count.subscriptions += len(c.SubscriptionIDs)
			for _, inv := range s.CustomerInvoices(c.ID) {
				if inv.Status == "paid" {
					count.paidInvoices++
				}
			}
		}
		return nil
	}))
	return count
}

// The user sees a message, the log contains the trace ID and Stripe's request ID, and nothing is charged. Once Stripe is
// available, the same request succeeds.
func TestSubscribe_FailureOfStripeHasNoEffect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		failure      http.HandlerFunc
		message, log string
	}{
		"a revoked key": {respondWithKeyRevoked, "The payment provider refuses our access at the moment. Please try again later.",
			`("level":"ERROR","msg":"stripe request failed",.*"stripe_request":"req_revoked".*"request":"[A-Z0-9]{26}")`},
		"an error": {respondWithServerError, "The payment provider did not answer. Please try again.",
			`("level":"WARN","msg":"stripe request failed",.*"stripe_request":"req_failing".*"request":"[A-Z0-9]{26}")`},
		"slow": {withholdResponse, "The payment provider did not answer. Please try again.",
			`("level":"WARN","msg":"stripe request failed",.*"failure":"[^"]*deadline exceeded".*"request":"[A-Z0-9]{26}")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newStripeProxy(t, catalogue.Default())
			server := p.startServer(t, shortStripeTimeout)
			ada, card := signUp(t, server.url), p.newCard(t)
			require.Equal(t, purchases{customers: 1}, p.countPurchases(t))

			p.failure.Store(&c.failure)
			status, body := ada.send(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", subscribeBody(card))
			assert.Equal(t, c.message, errorMessage(t, http.StatusServiceUnavailable, status, body))
			server.waitForLog(t, regexp.MustCompile(c.log))
			assert.Equal(t, purchases{customers: 1}, p.countPurchases(t))

			p.failure.Store(nil)
			status, body = ada.send(http.MethodPost, server.url+"/vc-admin/user-diy/subscribe", subscribeBody(card))
			require.Equal(t, http.StatusOK, status, body)
			assert.Equal(t, purchases{1, 1, 1}, p.countPurchases(t))
			assert.NotContains(t, server.logText(t), "sk_test_local")
		})
	}
}
