package fakepayment_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

const ourSecret = "whsec_ours"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixedClock stands still.
type fixedClock struct{ now time.Time }

func (c fixedClock) Now() time.Time { return c.now }

// world is a provider with a clock that only the test moves and a sink that accepts everything.
type world struct {
	*fakepayment.Provider
	clock *devclock.Clock

	mu         sync.Mutex
	deliveries []paymenttest.Delivery
}

// newWorld starts a provider in memory; change may adjust it first.
func newWorld(t *testing.T, change ...func(*fakepayment.Config)) *world {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	config := fakepayment.Config{Clock: clock, Prices: prices{}, Secrets: []string{ourSecret}}
	for _, c := range change {
		c(&config)
	}
	provider, err := fakepayment.Open(config)
	require.NoError(t, err)
	w := &world{Provider: provider, clock: clock}
	provider.DeliverTo(w.take)
	require.NoError(t, provider.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, provider.Stop(context.Background())) })
	return w
}

func (w *world) take(_ context.Context, payload []byte, signature string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deliveries = append(w.deliveries, paymenttest.Delivery{Payload: payload, Signature: signature})
	return nil
}

func (w *world) delivered(*testing.T) []paymenttest.Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.deliveries)
}

func (w *world) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := w.clock.Advance(d)
	require.NoError(t, err)
	require.NoError(t, w.Tick(t.Context()))
}

var numbers = map[paymenttest.Scenario]string{
	paymenttest.Pays:                "4242424242424242",
	paymenttest.NeedsAuthentication: "4000002500003155",
	paymenttest.DeclinedWhenSaved:   "4000000000000002",
	paymenttest.DeclinedWhenCharged: "4000000000000341",
	paymenttest.InsufficientFunds:   "4000000000009995",
	paymenttest.Lost:                "4000000000009987",
	paymenttest.Expired:             "4000000000000069",
}

func (w *world) makeCard(t *testing.T, s paymenttest.Scenario) (string, error) {
	made, err := w.CreatePaymentMethod(t.Context(), entry(numbers[s]))
	return made.ID, err
}

func entry(number string) fakepayment.CardEntry {
	return fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: "123"}
}

func (w *world) confirm(t *testing.T, secret string, complete bool) billing.IntentStatus {
	t.Helper()
	in := fakepayment.Confirmation{ClientSecret: secret, Outcome: fakepayment.Fail}
	if complete {
		in.Outcome = fakepayment.Complete
	}
	after, err := w.Confirm(t.Context(), in)
	require.NoError(t, err)
	return after.Status
}

func (w *world) deleteCustomer(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, w.DeleteCustomer(t.Context(), id))
}

func sign(payload []byte, at time.Time, with paymenttest.Secret) string {
	return fakepayment.Sign(payload, at, "whsec_"+string(with))
}

// prices are AUD 420 and 816 a year, or 39 and 76 a month, and as many dollars.
type prices struct{}

func (prices) Price(ref catalogue.PriceRef) (money.Amount, error) {
	minor, known := map[string]int64{
		"standard_yearly": 42000, "standard_monthly": 3900,
		"professional_yearly": 81600, "professional_monthly": 7600,
	}[ref.PriceID()]
	if !known {
		return money.Amount{}, fault.New(fault.NotFound, "There is no such price")
	}
	return money.New(minor, ref.Currency)
}
