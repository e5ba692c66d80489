package crash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/catalogue"
)

const (
	stripeKey            = "sk_test_local"
	stripePublishableKey = "pk_test_local"
	webhookSecret        = "whsec_local"
)

// stripe is a fake Stripe in the process of the tests.
type stripe struct {
	*httptest.Server
	fake  *fakepayment.Provider
	clock *devclock.Clock
}

// withStripe makes the servers use a fake Stripe, which delivers its events to the current server.
func (h *harness) withStripe() *harness {
	h.t.Helper()
	clock, err := devclock.Open("", nil)
	require.NoError(h.t, err)
	fake, err := fakepayment.Open(fakepayment.Config{
		Path: h.devFile("payments"), Clock: clock, Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(h.t, err)
	handler := stripeserver.New(fake,
		stripeserver.Config{SecretKey: stripeKey, PublishableKey: stripePublishableKey, Catalogue: catalogue.Default()})
	h.stripe = &stripe{Server: httptest.NewServer(handler), fake: fake, clock: clock}
	fake.SetSink(h.launcher.deliver)
	require.NoError(h.t, fake.Start(h.t.Context()))
	h.t.Cleanup(func() { h.stripe.Close(); assert.NoError(h.t, fake.Stop(context.Background())) })
	h.launcher.env = append(h.launcher.env, "DIY_PAYMENTS=stripe", "DIY_STRIPE_API_URL="+h.stripe.URL,
		"DIY_STRIPE_SECRET_KEY="+stripeKey,
		"DIY_STRIPE_PUBLISHABLE_KEY="+stripePublishableKey, "DIY_STRIPE_WEBHOOK_SECRET="+webhookSecret)
	return h
}

func (s *stripe) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := s.clock.Advance(d)
	require.NoError(t, err)
}

var errNoServer = errors.New("no server")

// deliver is a fakepayment.Sink that delivers events as Stripe does.
func (s *serverLauncher) deliver(ctx context.Context, payload []byte, signature string) error {
	origin := s.origin.Load()
	if origin == nil {
		return errNoServer
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, *origin+"/vc-admin/webhooks/stripe", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", signature)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server responded with %s", res.Status)
	}
	return nil
}
