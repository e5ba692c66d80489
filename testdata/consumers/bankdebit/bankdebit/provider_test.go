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

func TestProvider_Conforms(t *testing.T) { paymenttest.Run(t, newProviderHarness) }

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 10, newProviderHarness)
}

// accounts contains the account for each scenario except Leaves.
var accounts = map[paymenttest.Scenario]fakeapi.Behaviour{
	paymenttest.Pays: fakeapi.Pays, paymenttest.Settles: fakeapi.Pays, paymenttest.DeclinedWhenSaved: fakeapi.AccountRefused,
	paymenttest.DeclinedWhenCharged: fakeapi.InsufficientFunds, paymenttest.FailsLate: fakeapi.InsufficientFundsOnCollection,
	paymenttest.ReturnsLate: fakeapi.ChargesBack,
}

func newProviderHarness(t *testing.T) paymenttest.Harness {
	env := newEnv(t)
	provider := newProvider(t, env)
	// processDue runs Tick without its reports, so that the suite can read them with its own Tick. Tick sends the payments
	// of all customers before the first report, so canceling the context at that report skips only reports.
	processDue := func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := provider.Tick(ctx, func(ctx context.Context, _ payment.Event) error {
			cancel()
			return ctx.Err()
		})
		require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
	}
	return paymenttest.Harness{
		Provider: provider, Now: env.clock.Now, Deliveries: env.deliveries,
		Advance: func(t *testing.T, d time.Duration) {
			for ; d > 0; d -= day {
				env.advance(t, min(d, day))
				processDue(t)
			}
		},
		Settle: func(t *testing.T) {
			for env.server.HasProcessingPayments() {
				env.advance(t, time.Hour)
				processDue(t)
			}
		},
		Checkout: func(t *testing.T, url string, s paymenttest.Scenario) {
			if account := accounts[s]; account != "" {
				env.completePage(t, url, account)
			}
			processDue(t)
		},
		Sign: func(body []byte, _ time.Time, s paymenttest.Secret) payment.Delivery {
			secret := "another secret"
			if s == paymenttest.CurrentSecret {
				secret = webhookSecret
			}
			return payment.Delivery{Header: fakeapi.Sign(body, secret), Body: body}
		},
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, provider.DeleteCustomer(t.Context(), id)) },
		Missing: map[payment.Capability]string{
			paymenttest.Disputes: "the returns of debits are final",
		},
	}
}

var databases = plugintest.NewTemplate("bankdebit", enginepayment.Migrations())

func newProvider(t *testing.T, e *env) *enginepayment.Provider {
	store := databases.SQLite(t)
	store.UseClock(e.clock.Now) // claims expire on the clock of the database
	provider, err := enginepayment.New(enginepayment.Config{
		Gateway: e.gateway, Database: store.Database(), Clock: e.clock, Catalogue: catalogue.Default(),
	})
	require.NoError(t, err)
	return provider
}
