package fakepayment_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// The usual steps of a test: who buys what, and what came of it.

const (
	good      = "4242424242424242"
	asking    = "4000002500003155"
	declining = "4000000000000341"
)

func newKey() string { return rand.Text() }

func audPrice(id string) catalogue.PriceRef {
	product, interval, _ := strings.Cut(id, "_")
	return catalogue.PriceRef{Product: product, Interval: catalogue.Interval(interval), Currency: "AUD"}
}

// payer is a new customer with a card.
func payer(t *testing.T, p *fakepayment.Provider, number string) string {
	t.Helper()
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: newKey(), OrganisationID: "org_1"})
	require.NoError(t, err)
	giveCard(t, p, c.ID, number)
	return c.ID
}

func giveCard(t *testing.T, p *fakepayment.Provider, customerID, number string) billing.PaymentMethod {
	t.Helper()
	made, err := p.CreatePaymentMethod(t.Context(), entry(number))
	require.NoError(t, err)
	card, err := p.AddCard(t.Context(), payment.NewCard{Key: newKey(), CustomerID: customerID, CardID: made.ID})
	require.NoError(t, err)
	return card
}

func subscribe(t *testing.T, p *fakepayment.Provider, customerID, priceID string, days int) billing.Subscription {
	t.Helper()
	s, err := p.Subscribe(t.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, Price: audPrice(priceID), TrialDays: days,
	})
	require.NoError(t, err)
	return s
}

func changePlan(t *testing.T, p *fakepayment.Provider, s billing.Subscription, priceID string) billing.Subscription {
	t.Helper()
	after, err := p.ChangePlan(t.Context(), payment.PlanChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice(priceID), EndTrial: s.Status == billing.Trialing,
	})
	require.NoError(t, err)
	return after
}

func read(t *testing.T, p *fakepayment.Provider, id string) billing.Subscription {
	t.Helper()
	s, err := p.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

// billed is the amount of the latest invoice in cents, as the browser sees it.
func billed(t *testing.T, p *fakepayment.Provider, s billing.Subscription) int {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	if s.LatestInvoice.Payment == nil {
		return 0
	}
	status, body := call(t, p, "GET", "/intents/"+s.LatestInvoice.Payment.ClientSecret, "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "AUD", body["currency"])
	return int(body["amount"].(float64))
}

// call asks the browser face.
func call(t *testing.T, p *fakepayment.Provider, method, path, body string) (int, map[string]any) {
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

// until moves the clock to an instant.
func (w *world) until(t *testing.T, at time.Time) {
	t.Helper()
	w.advance(t, at.Sub(w.clock.Now()))
}
