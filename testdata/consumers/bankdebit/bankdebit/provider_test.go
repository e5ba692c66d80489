package bankdebit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.test/bankdebit/fakeapi"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestProviderConformance(t *testing.T) { paymenttest.Run(t, newProviderHarness) }

func TestProviderConformance_RandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 10, newProviderHarness)
}

// accounts are the accounts for the scenarios. A customer who leaves the page has none.
var accounts = map[paymenttest.Scenario]fakeapi.Behaviour{
	paymenttest.Pays: fakeapi.Pays, paymenttest.Settles: fakeapi.Pays, paymenttest.DeclinedWhenSaved: fakeapi.Refused,
	paymenttest.DeclinedWhenCharged: fakeapi.Empty, paymenttest.FailsLate: fakeapi.RunsEmpty, paymenttest.ReturnsLate: fakeapi.ChargesBack,
}

func newProviderHarness(t *testing.T) paymenttest.Harness {
	env := newEnv(t)
	provider := newProvider(t, env)
	// The server stops before it reports what has changed, so that the Tick of a behaviour reports it.
	tick := func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		_, err := provider.Tick(ctx, func(ctx context.Context, _ payment.Event) error {
			stop()
			return ctx.Err()
		})
		require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
		stop()
	}
	return paymenttest.Harness{
		Provider: provider, Now: env.clock.Now, Deliveries: env.deliveries,
		Advance: func(t *testing.T, d time.Duration) {
			for ; d > 0; d -= day {
				env.advance(t, min(d, day))
				tick(t)
			}
		},
		Settle: func(t *testing.T) {
			for env.bank.IsCollecting() {
				env.advance(t, time.Hour)
				tick(t)
			}
		},
		Checkout: func(t *testing.T, url string, with paymenttest.Scenario) {
			if account := accounts[with]; account != "" {
				env.visit(t, url, account)
			}
			tick(t)
		},
		Sign: func(body []byte, _ time.Time, with paymenttest.Secret) payment.Delivery {
			secret := map[paymenttest.Secret]string{paymenttest.CurrentSecret: webhookSecret}[with]
			return payment.Delivery{Header: fakeapi.Sign(body, secret), Body: body}
		},
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, provider.DeleteCustomer(t.Context(), id)) },
		Missing: map[payment.Capability]string{
			paymenttest.Authentication: "a mandate needs no authentication",
			paymenttest.OutsidePayment: "the customer pays on the provider's page",
			paymenttest.SignatureAge:   "the signatures contain no time",
		},
	}
}

var databases = plugintest.NewTemplate("bankdebit", enginepayment.Migrations())

func newProvider(t *testing.T, e *env) *enginepayment.Provider {
	provider, err := enginepayment.New(enginepayment.Config{
		Gateway: e.gateway, Database: databases.SQLite(t).Database(), Clock: e.clock, Catalogue: catalogue.Default(),
	})
	require.NoError(t, err)
	return provider
}
