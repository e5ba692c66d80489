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
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

const testSecret = "whsec_" + string(paymenttest.CurrentSecret)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
}

type fixedClock struct{ now time.Time }

func (c fixedClock) Now() time.Time { return c.now }

// testPrices contains the prices 420 and 816 a year and 39 and 76 a month, in every currency.
type testPrices struct{}

func (testPrices) Price(ref catalogue.PriceRef) (money.Amount, error) {
	minor, ok := map[string]int64{
		"standard_yearly": 42000, "standard_monthly": 3900,
		"professional_yearly": 81600, "professional_monthly": 7600,
	}[ref.PriceID()]
	if !ok {
		return money.Amount{}, fault.New(fault.NotFound, "There is no such price")
	}
	return money.New(minor, ref.Currency)
}

// env is a running provider in memory with a clock that the test moves and a sink that accepts
// all events.
type env struct {
	*fakepayment.Provider
	clock *devclock.Clock

	mu         sync.Mutex
	deliveries []payment.Delivery
}

func newEnv(t *testing.T, configure ...func(*fakepayment.Config)) *env {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	config := fakepayment.Config{Clock: clock, Prices: testPrices{}, Secrets: []string{testSecret}}
	for _, c := range configure {
		c(&config)
	}
	provider, err := fakepayment.Open(config)
	require.NoError(t, err)
	e := &env{Provider: provider, clock: clock}
	provider.SetSink(func(_ context.Context, payload []byte, signature string) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.deliveries = append(e.deliveries, fakepayment.NewDelivery(payload, signature))
		return nil
	})
	require.NoError(t, provider.Start(t.Context()))
	t.Cleanup(func() { stopProvider(t, provider) })
	return e
}

func (e *env) allDeliveries(*testing.T) []payment.Delivery {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.deliveries)
}

// events waits until all events are delivered and returns them.
func (e *env) events(t *testing.T) []payment.Event {
	t.Helper()
	require.NoError(t, e.Drain(t.Context()))
	var events []payment.Event
	for _, d := range e.allDeliveries(t) {
		event, err := parseEvent(t, e, d.Body, fakepayment.Sign(d.Body, e.clock.Now(), testSecret))
		require.NoError(t, err)
		events = append(events, event)
	}
	return events
}

// parseEvent parses a delivery and requires that it contains one event, or returns the error of ParseEvents.
func parseEvent(t *testing.T, p payment.Events, payload []byte, signature string) (payment.Event, error) {
	t.Helper()
	events, err := p.ParseEvents(t.Context(), fakepayment.NewDelivery(payload, signature))
	if err != nil {
		return payment.Event{}, err
	}
	require.Len(t, events, 1)
	return events[0], nil
}

func (e *env) eventTypes(t *testing.T) []string {
	t.Helper()
	var types []string
	for _, event := range e.events(t) {
		types = append(types, event.Type)
	}
	return types
}

func (e *env) advance(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
	require.NoError(t, e.Tick(t.Context()))
}

func (e *env) advanceTo(t *testing.T, at time.Time) {
	t.Helper()
	e.advance(t, at.Sub(e.clock.Now()))
}

func (e *env) confirm(t *testing.T, secret string, complete bool) billing.IntentStatus {
	t.Helper()
	req := fakepayment.Confirmation{ClientSecret: secret, Outcome: fakepayment.OutcomeFail}
	if complete {
		req.Outcome = fakepayment.OutcomeComplete
	}
	intent, err := e.Confirm(t.Context(), req)
	require.NoError(t, err)
	return intent.Status
}

// sumCharges returns the sum of the customer's successful payments.
func (e *env) sumCharges(t *testing.T, customerID string) (sum int64) {
	t.Helper()
	require.NoError(t, e.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, inv := range s.CustomerInvoices(customerID) {
			if pi, ok := s.Intent(inv.PaymentID); ok && pi.Status == billing.Succeeded {
				sum += pi.Amount
			}
		}
		return nil
	}))
	return sum
}

// advanceUntilSettled moves the clock until no payment is processing.
func (e *env) advanceUntilSettled(t *testing.T) {
	t.Helper()
	var settlesAt time.Time // when the last payment arrives or fails
	require.NoError(t, e.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			for _, inv := range s.CustomerInvoices(c.ID) {
				if pi, ok := s.Intent(inv.PaymentID); ok && pi.Status == billing.Processing && pi.SettlesAt.After(settlesAt) {
					settlesAt = pi.SettlesAt
				}
			}
		}
		return nil
	}))
	if settlesAt.After(e.clock.Now()) {
		e.advanceTo(t, settlesAt)
	}
}
