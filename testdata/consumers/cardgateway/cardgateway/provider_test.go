package cardgateway_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.test/cardgateway/fakeapi"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage/plugintest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestProvider_Conforms(t *testing.T) { paymenttest.Run(t, newProviderHarness) }

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 10, newProviderHarness)
}

// cards contains the number of the card for each scenario.
var cards = map[paymenttest.Scenario]string{
	paymenttest.Pays: fakeapi.Pays, paymenttest.NeedsAuthentication: fakeapi.NeedsAuthentication,
	paymenttest.AuthenticatedWhenSaved: fakeapi.Authenticates,
	paymenttest.DeclinedWhenSaved:      fakeapi.DeclinesSaving, paymenttest.DeclinedWhenCharged: fakeapi.DeclinesCharges,
	paymenttest.InsufficientFunds: fakeapi.LacksFunds, paymenttest.LostCard: fakeapi.Lost, paymenttest.ExpiredCard: fakeapi.Expired,
}

// intentStatuses contains the status that the browser part reports for each result code.
var intentStatuses = map[string]billing.IntentStatus{
	"Authorised": billing.Succeeded, "Refused": billing.RequiresPaymentMethod, "Cancelled": billing.IntentCanceled,
	"ChallengeShopper": billing.RequiresAction,
}

// providerEnv is a provider that bills with the gateway of an env.
type providerEnv struct {
	*env
	provider         *enginepayment.Provider
	handedDeliveries int // the number of deliveries that the provider has received
}

// processDue gives new deliveries to the provider and runs Tick without its reports, so that the suite can read them with its
// own Tick. Tick sends the payments of all customers before the first report, so canceling the context at that report skips
// only reports.
func (e *providerEnv) processDue(t *testing.T) {
	deliveries := e.deliveries(t)
	for _, d := range deliveries[e.handedDeliveries:] {
		_, err := e.provider.ParseEvents(t.Context(), d)
		require.NoError(t, err)
	}
	e.handedDeliveries = len(deliveries)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := e.provider.Tick(ctx, func(ctx context.Context, _ payment.Event) error {
		cancel()
		return ctx.Err()
	})
	require.True(t, err == nil || errors.Is(err, context.Canceled), "%v", err)
}

func (e *providerEnv) authenticate(t *testing.T, secret string, complete bool) billing.IntentStatus {
	status := intentStatuses[e.server.Authenticate(secret, complete)]
	e.processDue(t)
	return status
}

// paymentRef returns the provider's reference of the payment of an invoice, which the customer finds on a bank statement.
func (e *providerEnv) paymentRef(t *testing.T, invoiceID string) (ref string) {
	err := e.provider.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.Get(t.Context(), &ref, `SELECT ref FROM gateway_attempts WHERE invoice_id = ?
			AND document LIKE '%"state":"paid"%'`, invoiceID)
	})
	require.NoError(t, err)
	return ref
}

func newProviderHarness(t *testing.T) paymenttest.Harness {
	e := &providerEnv{env: newEnv(t)}
	e.provider = newProvider(t, e.env)
	return paymenttest.Harness{
		Provider: e.provider, Now: e.clock.Now, Deliveries: e.unsignedDeliveries,
		CreateCard: func(t *testing.T, s paymenttest.Scenario) (string, error) {
			return e.encryptCard(t, cards[s]), nil
		},
		ConfirmPayment: e.authenticate, ConfirmSetup: e.authenticate,
		Advance: func(t *testing.T, d time.Duration) {
			for ; d > 0; d -= day {
				e.advance(t, min(d, day))
				e.processDue(t)
			}
		},
		Sign: func(body []byte, _ time.Time, s paymenttest.Secret) payment.Delivery {
			key := []byte("another key")
			if s == paymenttest.CurrentSecret {
				key = hmacKey
			}
			return payment.Delivery{Body: fakeapi.Sign(body, key)}
		},
		RaisePrices: func(t *testing.T) payment.Provider {
			config := e.provider.Config
			config.Catalogue = cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`)
			provider, err := enginepayment.New(config)
			require.NoError(t, err)
			return provider
		},
		Dispute: func(t *testing.T, invoiceID string) {
			e.processDue(t)
			e.server.Dispute(e.paymentRef(t, invoiceID), 0) // refused while a dispute is open
			e.processDue(t)
		},
		CloseDispute: func(t *testing.T, invoiceID string, won bool) {
			require.True(t, e.server.CloseDispute(e.paymentRef(t, invoiceID), won))
			e.processDue(t)
		},
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.provider.DeleteCustomer(t.Context(), id)) },
		Missing: map[payment.Capability]string{
			paymenttest.InvoiceReopening: "the customer is on hold after a chargeback",
		},
	}
}

var databases = plugintest.NewTemplate("cardgateway", enginepayment.Migrations())

func newProvider(t *testing.T, e *env) *enginepayment.Provider {
	store := databases.SQLite(t)
	store.UseClock(e.clock.Now) // claims expire on the clock of the database
	provider, err := enginepayment.New(enginepayment.Config{
		Gateway: e.gateway, Database: store.Database(), Clock: e.clock, Catalogue: catalogue.Default(),
	})
	require.NoError(t, err)
	return provider
}
