package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
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
	stripeKey     = "sk_test_local"
	stripePublic  = "pk_test_local"
	webhookSecret = "whsec_local"
)

// stripe is the local Stripe, which lives on while servers die.
type stripe struct {
	*httptest.Server
	machine *fakepayment.Provider
	clock   *devclock.Clock
}

// withStripe has the world's servers ask a Stripe of its own, which delivers its events to
// whichever server there is.
func (w *world) withStripe() *world {
	w.t.Helper()
	clock, err := devclock.Open("", nil)
	require.NoError(w.t, err)
	machine, err := fakepayment.Open(fakepayment.Config{
		Path: w.beside("payments"), Clock: clock, Prices: catalogue.Default(), Secrets: []string{webhookSecret},
	})
	require.NoError(w.t, err)
	face := stripeserver.New(machine, stripeserver.Config{SecretKey: stripeKey, PublishableKey: stripePublic, Catalogue: catalogue.Default()})
	w.stripe = &stripe{Server: httptest.NewServer(face), machine: machine, clock: clock}
	machine.DeliverTo(w.site.deliver)
	require.NoError(w.t, machine.Start(w.t.Context()))
	w.t.Cleanup(func() { w.stripe.Close(); assert.NoError(w.t, machine.Stop(context.Background())) })
	w.site.env = append(w.site.env, "DIY_PAYMENTS=stripe", "DIY_STRIPE_API_URL="+w.stripe.URL, "DIY_STRIPE_SECRET_KEY="+stripeKey,
		"DIY_STRIPE_PUBLISHABLE_KEY="+stripePublic, "DIY_STRIPE_WEBHOOK_SECRET="+webhookSecret)
	return w
}

func (s *stripe) letPass(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := s.clock.Advance(d)
	require.NoError(t, err)
}

// card makes a card as Stripe's script in the browser does.
func (s *stripe) card(ctx context.Context, number string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v1/payment_methods", strings.NewReader(cardForm(number).Encode()))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+stripePublic)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	got, err := s.Client().Do(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = got.Body.Close() }()
	var made struct{ ID string }
	if err := json.NewDecoder(got.Body).Decode(&made); err != nil || made.ID == "" {
		return "", fmt.Errorf("no card, %d: %w", got.StatusCode, err)
	}
	return made.ID, nil
}

var errNobody = errors.New("there is no server")

// deliver is a fakepayment.Sink that brings events to the server as Stripe does.
func (s *site) deliver(ctx context.Context, payload []byte, signature string) error {
	address := s.address.Load()
	if address == nil {
		return errNobody
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, *address+"/vc-admin/webhooks/stripe", bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", signature)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = got.Body.Close() }()
	if got.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", got.Status)
	}
	return nil
}
