//go:build !race

// These tests take twelve times as long under the race detector.

package enginepayment

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// The settlement takes as long as New accepts, and the money arrives two days before the gateway expects it.
func TestProvider_ConformsOnSQLiteWithTheSlowestSettlement(t *testing.T) {
	t.Parallel()
	config := slowSettlement
	config.Settlement = maxSettlement - 2*day
	newHarness := newHarnessFunc(newSQLite, config)
	paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
		h := newHarness(t)
		p, ok := h.Provider.(*Provider)
		require.True(t, ok)
		config := p.Config
		config.Gateway = earlyGateway{config.Gateway}
		early, err := New(config)
		require.NoError(t, err)
		*p = *early // the functions of the harness use p
		return h
	})
}

// earlyGateway declares and expects that the money of payments takes maxSettlement. The money arrives earlier.
type earlyGateway struct{ gateway.Gateway }

func (g earlyGateway) Capabilities() gateway.Capabilities {
	c := g.Gateway.Capabilities()
	c.Settlement = maxSettlement
	return c
}

func (g earlyGateway) Start(ctx context.Context, o gateway.Order) (gateway.Payment, error) {
	p, err := g.Gateway.Start(ctx, o)
	return g.expectLater(p), err
}

func (g earlyGateway) Find(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
	p, err := g.Gateway.Find(ctx, r)
	return g.expectLater(p), err
}

func (g earlyGateway) expectLater(p gateway.Payment) gateway.Payment {
	if !p.ExpectedBy.IsZero() {
		p.ExpectedBy = p.ExpectedBy.Add(maxSettlement - g.Gateway.Capabilities().Settlement)
	}
	return p
}

// accountBehaviours contains the behaviour of the account for each scenario.
var accountBehaviours = map[paymenttest.Scenario]fakegateway.Behaviour{
	paymenttest.Pays: fakegateway.Pays, paymenttest.DeclinedWhenSaved: fakegateway.DeclinesSaving,
	paymenttest.DeclinedWhenCharged: fakegateway.Declines, paymenttest.Settles: fakegateway.Pays,
	paymenttest.FailsLate: fakegateway.FailsLate, paymenttest.ReturnsLate: fakegateway.ReturnsLate,
	paymenttest.AuthenticatedWhenSaved: fakegateway.Authenticates,
	paymenttest.NeedsAuthentication:    fakegateway.AuthenticatesOnce, paymenttest.InsufficientFunds: fakegateway.LacksFunds,
	paymenttest.LostCard: fakegateway.DeclinesHard, paymenttest.ExpiredCard: fakegateway.Expired,
}

func newHarnessFunc(newStore func(*testing.T) *sqlstorage.Store, c fakegateway.Config) func(*testing.T) paymenttest.Harness {
	return func(t *testing.T) paymenttest.Harness {
		e := newEnv(t, newStore(t), c, nil)
		h := paymenttest.Harness{
			Provider: e.Provider, Now: e.clock.Now, Advance: e.advance,
			DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.DeleteCustomer(t.Context(), id)) },
			Deliveries:     func(*testing.T) []payment.Delivery { return e.fake.Deliveries() },
			Sign: func(body []byte, _ time.Time, secret paymenttest.Secret) payment.Delivery {
				if secret == paymenttest.CurrentSecret {
					return fakegateway.Sign(body)
				}
				return payment.Delivery{Header: fakegateway.Sign(nil).Header, Body: body}
			},
			Checkout: func(t *testing.T, url string, s paymenttest.Scenario) {
				if s != paymenttest.Leaves {
					e.completePageAndRunWorker(t, url, accountBehaviours[s])
				}
			},
			CreateCard: func(_ *testing.T, s paymenttest.Scenario) (string, error) {
				return e.fake.CreateToken(accountBehaviours[s]), nil
			},
			ConfirmPayment: e.authenticate, ConfirmSetup: e.authenticate,
			RaisePrices: func(t *testing.T) payment.Provider {
				config := e.Config
				config.Catalogue = cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`)
				p, err := New(config)
				require.NoError(t, err)
				return p
			},
			Dispute: e.dispute, CloseDispute: e.closeDispute,
		}
		if c.Kind == billing.CardMethod {
			h.Missing = map[payment.Capability]string{
				paymenttest.InvoiceReopening: "a returned card payment is a chargeback, and its invoice stays paid",
			}
		}
		if c.Settlement > 0 {
			h.Settle = e.advanceUntilSettled
		}
		return h
	}
}

func TestProvider_ConformsOnPostgreSQLWithImmediateSettlement(t *testing.T) {
	t.Parallel()
	paymenttest.Run(t, newHarnessFunc(newSharedPostgreSQL(t), immediateSettlement))
}

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	t.Parallel()
	paymenttest.CheckHistories(t, 10, newHarnessFunc(newSQLite, immediateSettlement))
}

func TestProvider_ConformsWithCards(t *testing.T) {
	t.Parallel()
	paymenttest.Run(t, newHarnessFunc(newSQLite, cards))
}

func TestProvider_ConformsWithCardsThatSettleLater(t *testing.T) {
	t.Parallel()
	paymenttest.Run(t, newHarnessFunc(newSQLite, slowCards))
}

func TestProvider_ConformsWithCardsInRandomHistories(t *testing.T) {
	t.Parallel()
	paymenttest.CheckHistories(t, 10, newHarnessFunc(newSQLite, cards))
}
