package fakepayment_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Numbers of test cards and bank accounts.
const (
	visa                      = "4242424242424242"
	authenticationCard        = "4000002500003155"
	cardDeclinedWhenSaved     = "4000000000000002"
	cardDeclinedWhenCharged   = "4000000000000341"
	cardWithInsufficientFunds = "4000000000009995"
	lostCard                  = "4000000000009987"
	expiredCard               = "4000000000000069"
	slowAccount               = "6000000000056819"
	lateFailingAccount        = "6000000000059110"
	lateReturningAccount      = "6000000000094406"
)

const day = 24 * time.Hour

func aud(t *testing.T, minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return amount
}

func databasePath(t *testing.T) string { return filepath.Join(t.TempDir(), "data", "payments") }

// openProvider opens a provider that is not started.
func openProvider(t *testing.T, path string) *fakepayment.Provider {
	t.Helper()
	p, err := fakepayment.Open(fakepayment.Config{
		Path: path, Clock: fixedClock{noon}, Prices: testPrices{}, Secrets: []string{testSecret},
	})
	require.NoError(t, err)
	t.Cleanup(func() { stopProvider(t, p) })
	return p
}

func stopProvider(t *testing.T, p *fakepayment.Provider) {
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
	changedSub, err := p.ChangePlan(t.Context(), payment.PriceChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: audPrice(priceID), EndTrial: s.Status == billing.Trialing,
	})
	require.NoError(t, err)
	return changedSub
}

func getSubscription(t *testing.T, p *fakepayment.Provider, id string) billing.Subscription {
	t.Helper()
	s, err := p.Subscription(t.Context(), id)
	require.NoError(t, err)
	return s
}

// latestPaymentAmount returns the amount of the payment of the latest invoice in cents, or 0 if nothing was due.
func latestPaymentAmount(t *testing.T, p *fakepayment.Provider, s billing.Subscription) int {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	if s.LatestInvoice.Payment == nil {
		return 0
	}
	status, body := sendRequest(t, p, "GET", "/intents/"+s.LatestInvoice.Payment.ClientSecret, "")
	require.Equal(t, http.StatusOK, status)
	assert.Equal(t, "AUD", body["currency"])
	return int(body["amount"].(float64))
}

// sendRequest sends a request to the browser API.
func sendRequest(t *testing.T, p *fakepayment.Provider, method, path, body string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	p.BrowserAPI().ServeHTTP(w, r)
	var out map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &out), w.Body.String())
	return w.Code, out
}
