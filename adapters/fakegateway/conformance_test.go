package fakegateway_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/gateway/gatewaytest"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

func TestGateway_Conforms(t *testing.T) {
	t.Parallel()
	for _, entry := range []payment.Entry{payment.EntryCardField, payment.EntryRedirect} {
		for _, settlement := range []time.Duration{0, time.Hour, 3 * day, 10 * day} {
			for _, retention := range []time.Duration{0, 30 * day} {
				t.Run(fmt.Sprintf("%s, settlement %s, key retention %s", entry, settlement, retention), func(t *testing.T) {
					t.Parallel()
					gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
						return newHarness(t, fakegateway.Config{
							Entry: entry, Settlement: settlement, ReturnWindow: 56 * day, KeyRetention: retention, Kind: billing.BankDebitMethod,
						})
					})
				})
			}
		}
	}
}

func TestGateway_ConformsIfBanksAuthenticateCardsOnAPage(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		return newHarness(t, fakegateway.Config{
			Entry: payment.EntryCardField, Kind: billing.CardMethod, KeyRetention: 30 * day, AuthenticatesOnPage: true,
		})
	})
}

func TestGateway_ConformsIfAllCapabilitiesAreMissing(t *testing.T) {
	t.Parallel()
	missing := map[gateway.Capability]string{}
	for _, c := range []gateway.Capability{
		gateway.SaveOnly, gateway.OffSession, gateway.Refunds, gateway.Webhooks, gateway.Signatures, gateway.Polling,
		gateway.Disputes, gateway.Authentication,
	} {
		missing[c] = "the test declares it missing"
	}
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		return newHarness(t, fakegateway.Config{Missing: missing})
	})
}

// Each capability is missing alone, because the suite then checks the others in another way.
func TestGateway_ConformsIfACapabilityIsMissing(t *testing.T) {
	t.Parallel()
	for _, capability := range []gateway.Capability{gateway.SaveOnly, gateway.OffSession, gateway.Refunds, gateway.Authentication} {
		for _, entry := range []payment.Entry{payment.EntryCardField, payment.EntryRedirect} {
			t.Run(string(capability)+", "+string(entry), func(t *testing.T) {
				t.Parallel()
				gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
					return newHarness(t, fakegateway.Config{
						Entry: entry, Settlement: 3 * day, ReturnWindow: 56 * day, KeyRetention: 30 * day,
						Missing: map[gateway.Capability]string{capability: "the test declares it missing"},
					})
				})
			})
		}
	}
}

func TestGateway_ConformsIfOpenPaymentsCannotBeCanceled(t *testing.T) {
	t.Parallel()
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		h := newHarness(t, fakegateway.Config{Settlement: 3 * day, ReturnWindow: 56 * day, KeyRetention: 30 * day})
		h.Missing = map[string]string{"Cancel": "pages can't be closed"}
		g := &defectiveGateway{Gateway: h.Gateway}
		g.cancel = func(ctx context.Context, r gateway.Reference) (gateway.Payment, error) {
			p, err := g.Find(ctx, r)
			if err != nil {
				return p, err
			}
			if p.State == gateway.Open {
				return p, fault.New(fault.Conflict, "The page can't be closed.")
			}
			return g.Gateway.Cancel(ctx, r)
		}
		h.Gateway = g
		return h
	})
}

// The gateway and the customers use different providers on one file, as two processes do.
func TestGateway_ConformsWithAFileOfTwoProcesses(t *testing.T) {
	t.Parallel()
	for _, entry := range []payment.Entry{payment.EntryCardField, payment.EntryRedirect} {
		gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
			c := fakegateway.Config{
				Clock: newClock(t), Entry: entry, Settlement: 3 * day, ReturnWindow: 56 * day, KeyRetention: 30 * day,
				Kind: billing.BankDebitMethod,
			}
			path := filepath.Join(t.TempDir(), "payments")
			return newHarnessOf(c, openProvider(t, c, path), openProvider(t, c, path))
		})
	}
}

func openProvider(t *testing.T, c fakegateway.Config, path string) *fakegateway.Provider {
	t.Helper()
	p, err := fakegateway.Open(c, path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func newHarness(t *testing.T, c fakegateway.Config) gatewaytest.Harness {
	c.Clock = newClock(t)
	provider := fakegateway.New(c)
	return newHarnessOf(c, provider, provider)
}

// newHarnessOf returns a harness with a gateway of the first provider. Customers and their banks use the second one.
func newHarnessOf(c fakegateway.Config, gatewayProvider, provider *fakegateway.Provider) gatewaytest.Harness {
	clock := c.Clock.(*devclock.Clock)
	var loseResponse atomic.Bool
	var failureStatus atomic.Int64
	return gatewaytest.Harness{
		Gateway: gatewayProvider.Gateway(func(c fakegateway.Call) error {
			if status := failureStatus.Swap(0); status != 0 {
				return fault.Newf(fault.Unavailable, "The provider has responded with the status %d.", status)
			}
			if c.HasActed && loseResponse.CompareAndSwap(true, false) {
				return fault.New(fault.Unavailable, "The response was lost.")
			}
			return nil
		}),
		Now: clock.Now,
		Advance: func(t *testing.T, d time.Duration) {
			_, err := clock.Advance(d)
			require.NoError(t, err)
		},
		ChargedAmounts: func(_ *testing.T, customerRef string) []money.Amount { return provider.ChargedAmounts(customerRef) },
		CompletePage: func(t *testing.T, url string, s gatewaytest.Scenario) string {
			returnTo, err := provider.CompletePage(url, fakegateway.Behaviour(s))
			require.NoError(t, err)
			return returnTo
		},
		Token: func(_ *testing.T, s gatewaytest.Scenario) string {
			return provider.CreateToken(fakegateway.Behaviour(s))
		},
		Authenticate: func(t *testing.T, secret string, complete bool) {
			_, err := provider.Authenticate(secret, complete)
			require.NoError(t, err)
		},
		RefundByHand: func(t *testing.T, paymentRef string, amount money.Amount) {
			require.NoError(t, provider.RefundByHand(paymentRef, amount))
		},
		ReturnPart: func(t *testing.T, paymentRef string, amount money.Amount) {
			require.NoError(t, provider.ReturnPart(paymentRef, amount))
		},
		Dispute: func(t *testing.T, paymentRef string, amount money.Amount) {
			_, err := provider.Dispute(paymentRef, amount)
			require.NoError(t, err)
		},
		CloseDispute: func(t *testing.T, paymentRef string, won bool) {
			require.NoError(t, provider.CloseDispute(paymentRef, won))
		},
		Deliveries:      func(*testing.T) []payment.Delivery { return provider.Deliveries() },
		Sign:            fakegateway.Sign,
		LoseResponse:    func(*testing.T) { loseResponse.Store(true) },
		FailNextRequest: func(_ *testing.T, status int) { failureStatus.Store(int64(status)) },
	}
}

func newClock(t *testing.T) *devclock.Clock {
	clock, err := devclock.Open("", func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	return clock
}
