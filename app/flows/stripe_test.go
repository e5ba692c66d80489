package flows

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/catalogue"
)

// newStripeAPI returns a fake Stripe API in front of the fake provider.
func (env *testEnv) newStripeAPI() http.Handler {
	return stripeserver.New(env.FakeProvider(), stripeserver.Config{Catalogue: catalogue.Default()})
}

// connectStripe returns a Stripe adapter that sends its requests to handle. handle can pass them on to the result of
// newStripeAPI, withhold them or change them.
func (env *testEnv) connectStripe(handle http.HandlerFunc) *stripepayment.Provider {
	env.t.Helper()
	server := httptest.NewServer(handle)
	env.t.Cleanup(server.Close)
	adapter, err := stripepayment.New(stripepayment.Config{
		SecretKey: "sk_test_local", APIURL: server.URL, WebhookSecrets: []string{apptest.WebhookSecret},
		Catalogue: catalogue.Default(),
		Clock:     env.Clock, Timeout: time.Minute, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(env.t, err)
	return adapter
}
