package stripepayment_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

const (
	publishableKey = "pk_test_local"
	webhookSecret  = "whsec_current"
)

// fakeStripe is a running stripeserver with a clock that the test moves.
type fakeStripe struct {
	*httptest.Server
	t            *testing.T
	server       *stripeserver.Server
	fakeProvider *fakepayment.Provider
	clock        *devclock.Clock

	timeout time.Duration // of the adapter's requests; 0 for its default

	mu             sync.Mutex
	deliveries     []payment.Delivery
	deliveredCount int // how many of the deliveries the adapter has parsed
	writeCount     int // how many POST requests of the adapter were executed
	allowedWrites  int // how many more will be executed; negative: all

	beforeRequest func(r *http.Request) // is called before each request of the adapter; may be nil
}

// cardNumbers contains the test card of each scenario.
var cardNumbers = map[paymenttest.Scenario]string{
	paymenttest.Pays:                "4242424242424242",
	paymenttest.NeedsAuthentication: "4000002500003155",
	paymenttest.DeclinedWhenSaved:   "4000000000000002",
	paymenttest.DeclinedWhenCharged: "4000000000000341",
	paymenttest.InsufficientFunds:   "4000000000009995",
	paymenttest.LostCard:            "4000000000009987",
	paymenttest.ExpiredCard:         "4000000000000069",
}

// bankAccountNumbers contains the test bank account of each scenario.
var bankAccountNumbers = map[paymenttest.Scenario]string{
	paymenttest.Settles:     "6000000000056819",
	paymenttest.FailsLate:   "6000000000059110",
	paymenttest.ReturnsLate: "6000000000094406",
}

// newFakeStripe starts a server with the products and prices of the catalogue, or without any if it is nil.
func newFakeStripe(t *testing.T, initialCatalogue *catalogue.Catalogue) *fakeStripe {
	t.Helper()
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	fakeProvider, err := fakepayment.Open(fakepayment.Config{
		Clock: clock, Prices: catalogue.Default(), Secrets: []string{webhookSecret}, StripeDebitRules: true,
	})
	require.NoError(t, err)
	f := &fakeStripe{t: t, fakeProvider: fakeProvider, clock: clock, allowedWrites: -1}
	f.server = stripeserver.New(fakeProvider,
		stripeserver.Config{SecretKey: testAPIKey, PublishableKey: publishableKey, Catalogue: initialCatalogue})
	fakeProvider.SetSink(f.recordDelivery)
	require.NoError(t, fakeProvider.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, fakeProvider.Stop(context.Background())) })
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.CloseClientConnections)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeStripe) serve(w http.ResponseWriter, r *http.Request) {
	if f.beforeRequest != nil && strings.HasPrefix(r.UserAgent(), "Stripe/") {
		f.beforeRequest(r)
	}
	if r.Method == http.MethodPost && strings.HasPrefix(r.UserAgent(), "Stripe/") {
		assert.NotEmpty(f.t, r.Header.Get("Idempotency-Key"), r.URL.Path)
		if !f.allowWrite() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
	}
	f.server.ServeHTTP(w, r)
}

// allowWrite counts a POST request of the adapter and reports whether it is allowed.
func (f *fakeStripe) allowWrite() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.allowedWrites == 0 {
		return false
	}
	f.writeCount++
	f.allowedWrites = max(f.allowedWrites-1, -1)
	return true
}

// executedWrites returns how many POST requests of the adapter were executed.
func (f *fakeStripe) executedWrites() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writeCount
}

// failWritesAfter makes the adapter's POST requests fail after the next n.
func (f *fakeStripe) failWritesAfter(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.allowedWrites = n
}

// allowAllWrites ends the effect of failWritesAfter.
func (f *fakeStripe) allowAllWrites() { f.failWritesAfter(-1) }

// recordDelivery records an event that the server sends. deliverNewEvents delivers it to the adapter.
func (f *fakeStripe) recordDelivery(_ context.Context, payload []byte, signature string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deliveries = append(f.deliveries, newDelivery(payload, signature))
	return nil
}

func (f *fakeStripe) allDeliveries(*testing.T) []payment.Delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.deliveries)
}

func (f *fakeStripe) advanceClock(t *testing.T, d time.Duration) {
	t.Helper()
	_, err := f.clock.Advance(d)
	require.NoError(t, err)
	require.NoError(t, f.fakeProvider.Tick(t.Context()))
}

// provider returns an adapter for the server that uses its clock.
func (f *fakeStripe) provider(t *testing.T, c *catalogue.Catalogue) *stripepayment.Provider {
	t.Helper()
	return newProvider(t, f.URL, func(config *stripepayment.Config) {
		config.WebhookSecrets, config.Catalogue = []string{webhookSecret}, c
		config.Clock, config.Timeout = f.clock, f.timeout
	})
}

// sendRequest sends a request with the API key and returns the status and the body of the response.
func (f *fakeStripe) sendRequest(t *testing.T, method, path, key string, params url.Values) (int, object) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, f.URL+path, strings.NewReader(params.Encode()))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := f.Client().Do(r)
	require.NoError(t, err)
	defer func() { assert.NoError(t, res.Body.Close()) }()
	var body object
	require.NoError(t, json.NewDecoder(res.Body).Decode(&body))
	return res.StatusCode, body
}

func (f *fakeStripe) mustGet(t *testing.T, path string) object {
	t.Helper()
	status, body := f.sendRequest(t, http.MethodGet, path, testAPIKey, nil)
	require.Equal(t, http.StatusOK, status, body)
	return body
}

func (f *fakeStripe) mustPost(t *testing.T, path string, params url.Values) {
	t.Helper()
	status, body := f.sendRequest(t, http.MethodPost, path, testAPIKey, params)
	require.Equal(t, http.StatusOK, status, body)
}

// price returns the price with the lookup key.
func (f *fakeStripe) price(t *testing.T, lookupKey string) object {
	t.Helper()
	data := f.mustGet(t, "/v1/prices?expand[]=data.currency_options&lookup_keys[]="+lookupKey)["data"].([]any)
	require.Len(t, data, 1)
	return data[0].(map[string]any)
}

// makeCard creates the card or bank account of a scenario, as a browser does, and returns its id.
func (f *fakeStripe) makeCard(t *testing.T, s paymenttest.Scenario) (string, error) {
	params := url.Values{
		"type": {"card"}, "card[number]": {cardNumbers[s]}, "card[exp_month]": {"12"}, "card[exp_year]": {"2034"},
		"card[cvc]": {"123"},
	}
	if number, isBankAccount := bankAccountNumbers[s]; isBankAccount {
		params = url.Values{"type": {"au_becs_debit"}, "au_becs_debit[bsb_number]": {"000000"},
			"au_becs_debit[account_number]": {number}}
	}
	status, body := f.sendRequest(t, http.MethodPost, "/v1/payment_methods", publishableKey, params)
	if status == http.StatusOK {
		return body["id"].(string), nil
	}
	errorObject := body["error"].(map[string]any)
	return "", fault.New(fault.Declined, errorObject["message"].(string))
}

// confirmIntent completes the authentication of an intent, or makes it fail, and returns the intent's status.
func (f *fakeStripe) confirmIntent(t *testing.T, secret string, complete bool) billing.IntentStatus {
	t.Helper()
	outcome := "fail"
	if complete {
		outcome = "complete"
	}
	status, intent := f.sendRequest(t, http.MethodPost, "/local/authentications/"+secret, publishableKey,
		url.Values{"outcome": {outcome}})
	require.Equal(t, http.StatusOK, status, intent)
	return billing.IntentStatus(intent["status"].(string))
}

// deleteCustomer deletes the customer as a user of the dashboard does.
func (f *fakeStripe) deleteCustomer(t *testing.T, id string) {
	t.Helper()
	status, body := f.sendRequest(t, http.MethodDelete, "/v1/customers/"+id, testAPIKey, nil)
	require.Equal(t, http.StatusOK, status, body)
}

// invoiceAmount returns the amount of the latest invoice in the server's state.
func (f *fakeStripe) invoiceAmount(t *testing.T, s billing.Subscription) (amount int64) {
	t.Helper()
	require.NotNil(t, s.LatestInvoice)
	require.NoError(t, f.fakeProvider.Read(t.Context(), func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(s.LatestInvoice.ID)
		amount = inv.AmountDue
		return nil
	}))
	return amount
}

// yearlyPrice returns a yearly price in AUD.
func yearlyPrice(product string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: catalogue.Yearly, Currency: "AUD"}
}

// newCustomerWithCard creates a customer with a default card.
func (f *fakeStripe) newCustomerWithCard(t *testing.T, p *stripepayment.Provider) billing.Customer {
	t.Helper()
	return f.newCustomerWithMethod(t, p, paymenttest.Pays)
}

func (f *fakeStripe) newCustomerWithMethod(
	t *testing.T, p *stripepayment.Provider, s paymenttest.Scenario,
) billing.Customer {
	t.Helper()
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: rand.Text(), OrganisationID: "org_1"})
	require.NoError(t, err)
	cardID, err := f.makeCard(t, s)
	require.NoError(t, err)
	_, err = p.AddCard(t.Context(), payment.NewCard{Key: rand.Text(), CustomerID: c.ID, MethodID: cardID})
	require.NoError(t, err)
	return c
}

func subscribeRequest(c billing.Customer, product string) payment.NewSubscription {
	return payment.NewSubscription{Key: rand.Text(), CustomerID: c.ID, Price: yearlyPrice(product)}
}

// sumOfCharges returns the sum of the customer's successful charges.
func (f *fakeStripe) sumOfCharges(t *testing.T, customerID string) (sum int64) {
	t.Helper()
	for _, charge := range f.mustGet(t, "/v1/charges?limit=100&customer="+customerID)["data"].([]any) {
		if charge := charge.(map[string]any); charge["status"] == "succeeded" {
			sum += int64(charge["amount"].(float64))
		}
	}
	return sum
}

// lastSettlementTime returns when the last processing payment succeeds or fails, or the zero time.
func (f *fakeStripe) lastSettlementTime(t *testing.T) (settlementTime time.Time) {
	t.Helper()
	require.NoError(t, f.fakeProvider.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			for _, inv := range s.CustomerInvoices(c.ID) {
				if pi, ok := s.Intent(inv.PaymentID); ok && pi.Status == billing.Processing && pi.SettlesAt.After(settlementTime) {
					settlementTime = pi.SettlesAt
				}
			}
		}
		return nil
	}))
	return settlementTime
}

// deliverAllEvents delivers all events to the adapter, including those that were delivered before.
func (f *fakeStripe) deliverAllEvents(t *testing.T, adapter payment.Events) {
	t.Helper()
	f.deliveredCount = 0
	f.deliverNewEvents(t, adapter)
}

// deliverNewEvents signs the events that were not delivered yet and delivers them to the adapter.
func (f *fakeStripe) deliverNewEvents(t *testing.T, adapter payment.Events) {
	t.Helper()
	require.NoError(t, f.fakeProvider.Drain(t.Context()))
	deliveries := f.allDeliveries(t)
	newDeliveries := deliveries[f.deliveredCount:]
	f.deliveredCount = len(deliveries)
	for _, d := range newDeliveries {
		_, err := adapter.ParseEvents(t.Context(), newDelivery(d.Body, sign(d.Body, f.clock.Now(), webhookSecret)))
		require.NoError(t, err)
	}
}

// raisePrices pushes a catalogue with a higher price and returns an adapter for it.
func (f *fakeStripe) raisePrices(t *testing.T) payment.Provider {
	t.Helper()
	p := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`))
	_, err := p.Push(t.Context())
	require.NoError(t, err)
	return p
}
