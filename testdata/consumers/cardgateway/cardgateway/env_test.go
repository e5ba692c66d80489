package cardgateway_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.test/cardgateway/cardgateway"
	"example.test/cardgateway/fakeapi"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	day             = 24 * time.Hour
	apiKey          = "test API key"
	merchantAccount = "TestMerchant"
)

var hmacKey = []byte("test HMAC key")

// env is a gateway with a fake of the provider, a webhook that accepts every delivery, and a clock that the test moves.
type env struct {
	clock         *devclock.Clock
	server        *fakeapi.Server
	gateway       *cardgateway.Gateway
	webhookURL    string
	loseResponse  atomic.Bool
	failureStatus atomic.Int64 // of the response to the next request; 0 if it succeeds

	mu                 sync.Mutex
	receivedDeliveries []payment.Delivery
}

func newEnv(t *testing.T) *env {
	clock, err := devclock.Open("", func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	api := httptest.NewUnstartedServer(nil)
	apiURL := "http://" + api.Listener.Addr().String()
	server, err := fakeapi.New(fakeapi.Config{
		Clock: clock, URL: apiURL, MerchantAccount: merchantAccount, APIKey: apiKey, HMACKey: hmacKey,
	})
	require.NoError(t, err)
	e := &env{clock: clock, server: server}
	api.Config.Handler = e.server.Handler()
	api.Start()
	t.Cleanup(api.Close)
	webhook := httptest.NewServer(http.HandlerFunc(e.receiveDelivery))
	t.Cleanup(webhook.Close)
	e.webhookURL = webhook.URL
	e.gateway = cardgateway.New(cardgateway.Config{
		URL: apiURL, MerchantAccount: merchantAccount, APIKey: apiKey, HMACKey: hmacKey,
	}, failingTransport{&e.loseResponse, &e.failureStatus})
	return e
}

func (e *env) advance(t *testing.T, d time.Duration) {
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
}

// encryptCard encrypts a card as the browser does. The result is a value of gateway.Order.Token.
func (e *env) encryptCard(t *testing.T, number string) string {
	encrypted, err := e.server.Encrypt(fakeapi.CardData{
		Number: number, ExpiryMonth: "12", ExpiryYear: "2034", CVC: "123",
	})
	require.NoError(t, err)
	return encrypted
}

// authenticateOnPage confirms or rejects a payment on the page of the bank, and returns the URL to which the page redirects.
func (e *env) authenticateOnPage(t *testing.T, pageURL string, confirm bool) string {
	outcome := "reject"
	if confirm {
		outcome = "confirm"
	}
	form := strings.NewReader(url.Values{"outcome": {outcome}}.Encode())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, pageURL, form)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.Do(req)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
	return response.Header.Get("Location")
}

// receiveDelivery handles requests to the webhook.
func (e *env) receiveDelivery(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.receivedDeliveries = append(e.receivedDeliveries, payment.Delivery{Header: r.Header, Body: body})
}

// deliveries sends new notifications to the webhook and returns all deliveries that it has received.
func (e *env) deliveries(t *testing.T) []payment.Delivery {
	require.NoError(t, e.server.Deliver(t.Context(), http.DefaultClient, e.webhookURL))
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.receivedDeliveries)
}

// unsignedDeliveries returns the deliveries without the signatures, which are a part of the body.
func (e *env) unsignedDeliveries(t *testing.T) []payment.Delivery {
	deliveries := e.deliveries(t)
	for i := range deliveries {
		deliveries[i].Body = fakeapi.Unsign(deliveries[i].Body)
	}
	return deliveries
}

// failingTransport responds to the next request with failureStatus, unless it is 0. It loses the response of the next POST
// request if loseResponse is set.
type failingTransport struct {
	loseResponse  *atomic.Bool
	failureStatus *atomic.Int64
}

func (f failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if status := f.failureStatus.Swap(0); status != 0 {
		recorder := httptest.NewRecorder()
		http.Error(recorder, `{"errorCode": "000"}`, int(status))
		return recorder.Result(), nil
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && r.Method == http.MethodPost && f.loseResponse.CompareAndSwap(true, false) {
		return nil, errors.Join(errors.New("the response was lost"), response.Body.Close())
	}
	return response, err
}
