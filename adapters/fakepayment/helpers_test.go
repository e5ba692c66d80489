package fakepayment_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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

// Numbers of test cards.
const (
	visa           = "4242424242424242"
	authCard       = "4000002500003155"
	declinedCharge = "4000000000000341"
)

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
	provider.DeliverTo(func(_ context.Context, payload []byte, signature string) error {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.deliveries = append(e.deliveries, fakepayment.Delivery(payload, signature))
		return nil
	})
	require.NoError(t, provider.Start(t.Context()))
	t.Cleanup(func() { stop(t, provider) })
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
	events, err := p.ParseEvents(t.Context(), fakepayment.Delivery(payload, signature))
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
	req := fakepayment.Confirmation{ClientSecret: secret, Outcome: fakepayment.Fail}
	if complete {
		req.Outcome = fakepayment.Complete
	}
	intent, err := e.Confirm(t.Context(), req)
	require.NoError(t, err)
	return intent.Status
}

// sumCharged returns the sum of the customer's successful payments.
func (e *env) sumCharged(t *testing.T, customerID string) (sum int64) {
	t.Helper()
	require.NoError(t, e.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, inv := range s.CustomerInvoices(customerID) {
			if pi, ok := s.Intent(inv.Payment); ok && pi.Status == billing.Succeeded {
				sum += pi.Amount
			}
		}
		return nil
	}))
	return sum
}

// settle moves the clock until no payment is on its way.
func (e *env) settle(t *testing.T) {
	t.Helper()
	if at := settlesAt(t, e.Provider); at.After(e.clock.Now()) {
		e.advanceTo(t, at)
	}
}

// settlesAt returns when the last payment that is on its way arrives or fails, or the zero time.
func settlesAt(t *testing.T, p *fakepayment.Provider) (last time.Time) {
	t.Helper()
	require.NoError(t, p.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			for _, inv := range s.CustomerInvoices(c.ID) {
				if pi, ok := s.Intent(inv.Payment); ok && pi.Status == billing.Processing && pi.SettlesAt.After(last) {
					last = pi.SettlesAt
				}
			}
		}
		return nil
	}))
	return last
}

func databasePath(t *testing.T) string { return filepath.Join(t.TempDir(), "data", "payments") }

// open opens a provider that is not started.
func open(t *testing.T, path string) *fakepayment.Provider {
	t.Helper()
	p, err := fakepayment.Open(fakepayment.Config{
		Path: path, Clock: fixedClock{noon}, Prices: testPrices{}, Secrets: []string{testSecret},
	})
	require.NoError(t, err)
	t.Cleanup(func() { stop(t, p) })
	return p
}

func stop(t *testing.T, p *fakepayment.Provider) {
	t.Helper()
	require.NoError(t, p.Stop(context.Background()))
}

func newKey() string { return rand.Text() }

func audPrice(id string) catalogue.PriceRef {
	product, interval, _ := strings.Cut(id, "_")
	return catalogue.PriceRef{Product: product, Interval: catalogue.Interval(interval), Currency: "AUD"}
}

func newCardEntry(number string) fakepayment.CardEntry {
	return fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: "123"}
}

func newCustomer(t *testing.T, p *fakepayment.Provider, cardNumber string) (id string) {
	t.Helper()
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: newKey(), OrganisationID: "org_1"})
	require.NoError(t, err)
	addCard(t, p, c.ID, cardNumber)
	return c.ID
}

func addCard(t *testing.T, p *fakepayment.Provider, customerID, number string) billing.PaymentMethod {
	t.Helper()
	method, err := p.CreatePaymentMethod(t.Context(), newCardEntry(number))
	require.NoError(t, err)
	card, err := p.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: customerID, MethodID: method.ID})
	require.NoError(t, err)
	return card
}

func subscribe(t *testing.T, p *fakepayment.Provider, customerID, priceID string, trialDays int) billing.Subscription {
	t.Helper()
	s, err := p.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, Price: audPrice(priceID), TrialDays: trialDays,
	})
	require.NoError(t, err)
	return s
}

func changePlan(t *testing.T, p *fakepayment.Provider, s billing.Subscription, priceID string) billing.Subscription {
	t.Helper()
	changed, err := p.ChangePlan(t.Context(), payment.PriceChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice(priceID), EndTrial: s.Status == billing.Trialing,
	})
	require.NoError(t, err)
	return changed
}

func getSubscription(t *testing.T, p *fakepayment.Provider, id string) billing.Subscription {
	t.Helper()
	s, err := p.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

// amountBilled returns the amount of the latest payment in cents.
func amountBilled(t *testing.T, p *fakepayment.Provider, s billing.Subscription) int {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	if s.LatestInvoice.Payment == nil {
		return 0
	}
	status, body := request(t, p, "GET", "/intents/"+s.LatestInvoice.Payment.ClientSecret, "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "AUD", body["currency"])
	return int(body["amount"].(float64))
}

// request sends a request to the browser API.
func request(t *testing.T, p *fakepayment.Provider, method, path, body string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	p.Browser().ServeHTTP(w, r)
	var out map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out), w.Body.String())
	return w.Code, out
}
