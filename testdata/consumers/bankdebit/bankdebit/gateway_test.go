package bankdebit_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.test/bankdebit/bankdebit"
	"example.test/bankdebit/fakeapi"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	day           = 24 * time.Hour
	token         = "test token"
	webhookSecret = "test secret"
)

func TestGatewayConformance(t *testing.T) {
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		env := newEnv(t)
		return gatewaytest.Harness{
			Gateway: env.gateway, Now: env.clock.Now, Advance: env.advance,
			Debits: func(_ *testing.T, customerRef string) []money.Amount { return env.bank.Debits(customerRef) },
			Visit: func(t *testing.T, url string, s gatewaytest.Scenario) string {
				return env.visit(t, url, map[gatewaytest.Scenario]fakeapi.Behaviour{
					gatewaytest.Pays: fakeapi.Pays, gatewaytest.Declines: fakeapi.Empty, gatewaytest.FailsLate: fakeapi.RunsEmpty,
					gatewaytest.DeclinesForGood: fakeapi.Closed, gatewaytest.Revoked: fakeapi.Revoked, gatewaytest.ReturnsLate: fakeapi.ChargesBack,
					gatewaytest.FailsRefunds: fakeapi.FailsRefunds, gatewaytest.DeclinesSaving: fakeapi.Refused,
				}[s])
			},
			RefundByHand: func(t *testing.T, ref string, amount money.Amount) {
				require.True(t, env.bank.RefundByHand(ref, amount.Minor()))
			},
			Deliveries: env.deliveries,
			Sign: func(body []byte) payment.Delivery {
				return payment.Delivery{Header: fakeapi.Sign(body, webhookSecret), Body: body}
			},
			LoseResponse: func(*testing.T) { env.losesResponse.Store(true) },
			Missing:      map[string]string{string(gatewaytest.Authenticates): "a mandate needs no authentication"},
		}
	})
}

// env is a provider with a webhook that accepts every delivery, and a clock that the test moves.
type env struct {
	clock         *devclock.Clock
	bank          *fakeapi.Bank
	gateway       *bankdebit.Gateway
	webhook       string
	losesResponse atomic.Bool

	mu       sync.Mutex
	received []payment.Delivery
}

func newEnv(t *testing.T) *env {
	clock, err := devclock.Open("", func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	site := httptest.NewUnstartedServer(nil)
	address := "http://" + site.Listener.Addr().String()
	e := &env{clock: clock, bank: fakeapi.New(fakeapi.Config{Clock: clock, URL: address, AccessToken: token, WebhookSecret: webhookSecret})}
	site.Config.Handler = e.bank.Handler()
	site.Start()
	t.Cleanup(site.Close)
	webhook := httptest.NewServer(http.HandlerFunc(e.receive))
	t.Cleanup(webhook.Close)
	e.webhook = webhook.URL
	e.gateway = bankdebit.New(address, token, webhookSecret, lossyTransport{&e.losesResponse})
	return e
}
