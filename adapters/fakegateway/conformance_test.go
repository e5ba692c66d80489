package fakegateway_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, entry := range []payment.Entry{payment.EntryCardField, payment.EntryRedirect} {
		for _, settlement := range []time.Duration{0, time.Hour, 3 * day, 10 * day} {
			for _, retention := range []time.Duration{0, 30 * day} {
				t.Run(fmt.Sprintf("%s settlement %s keys %s", entry, settlement, retention), func(t *testing.T) {
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

func TestConformance_WithoutCapabilities(t *testing.T) {
	t.Parallel()
	missing := map[gateway.Capability]string{}
	for _, c := range []gateway.Capability{
		gateway.SaveOnly, gateway.OffSession, gateway.Refunds, gateway.Webhooks, gateway.Signatures, gateway.Polling,
	} {
		missing[c] = "the bank is small"
	}
	gatewaytest.Run(t, func(t *testing.T) gatewaytest.Harness {
		return newHarness(t, fakegateway.Config{Missing: missing})
	})
}

func newHarness(t *testing.T, c fakegateway.Config) gatewaytest.Harness {
	clock := newClock(t)
	page := httptest.NewUnstartedServer(nil)
	c.Clock, c.PageURL = clock, "http://"+page.Listener.Addr().String()
	bank := fakegateway.New(c)
	page.Config.Handler = bank.Page()
	page.Start()
	t.Cleanup(page.Close)
	var loses atomic.Bool
	return gatewaytest.Harness{
		Gateway: bank.Gateway(func(c fakegateway.Call) error {
			if c.After && loses.CompareAndSwap(true, false) {
				return fault.New(fault.Unavailable, "The response was lost.")
			}
			return nil
		}),
		Now: clock.Now,
		Advance: func(t *testing.T, d time.Duration) {
			_, err := clock.Advance(d)
			require.NoError(t, err)
		},
		Debits: func(_ *testing.T, customerRef string) []money.Amount { return bank.Debits(customerRef) },
		Visit:  visit,
		Token:  func(_ *testing.T, s gatewaytest.Scenario) string { return bank.Token(fakegateway.Behaviour(s)) },
		Authenticate: func(t *testing.T, secret string, complete bool) {
			require.NoError(t, bank.Authenticate(secret, complete))
		},
		RefundByHand: func(t *testing.T, paymentRef string, amount money.Amount) {
			require.NoError(t, bank.RefundByHand(paymentRef, amount))
		},
		Deliveries:   func(*testing.T) []payment.Delivery { return bank.Deliveries() },
		Sign:         fakegateway.Sign,
		LoseResponse: func(*testing.T) { loses.Store(true) },
	}
}

func newClock(t *testing.T) *devclock.Clock {
	clock, err := devclock.Open("", func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	return clock
}

// visit presses a button of the payment page.
func visit(t *testing.T, address string, s gatewaytest.Scenario) string {
	browser := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // parallel tests close idle connections
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	form := strings.NewReader(url.Values{"account": {string(s)}}.Encode())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, form)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := browser.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	return response.Header.Get("Location")
}
