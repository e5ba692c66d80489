package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// testServer is a running stripeserver.
type testServer struct {
	t    *testing.T
	url  string
	stop func() (code int)
}

// startServer runs stripeserver with the arguments until the test ends.
func startServer(t *testing.T, args ...string) testServer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	logReader, logWriter := io.Pipe()
	exitCode := make(chan int, 1)
	go func() {
		exitCode <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), logWriter)
		_ = logWriter.Close()
	}()
	t.Cleanup(cancel)
	lines := bufio.NewScanner(logReader)
	require.True(t, lines.Scan(), "the first log line contains the address")
	var line struct{ Msg, Addr string }
	require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
	require.Equal(t, "listening", line.Msg)
	go func() { _, _ = io.Copy(io.Discard, logReader) }()
	return testServer{t, "http://" + line.Addr, func() int { cancel(); return <-exitCode }}
}

// send sends a request with the secret key and returns the status and the body.
func (s testServer) send(method, path string, params url.Values) (status int, body string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(params.Encode()))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer sk_test_mine")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	require.NoError(s.t, res.Body.Close())
	return res.StatusCode, string(text)
}

// createCustomer creates a customer and returns its path in the API.
func (s testServer) createCustomer() (path string) {
	s.t.Helper()
	status, body := s.send(http.MethodPost, "/v1/customers", url.Values{"name": {"Clinic"}})
	require.Equal(s.t, http.StatusOK, status, body)
	var customer struct{ ID string }
	require.NoError(s.t, json.Unmarshal([]byte(body), &customer))
	return "/v1/customers/" + customer.ID
}

func TestRun_RestoresTheStoredState(t *testing.T) {
	args := []string{"-data", filepath.Join(t.TempDir(), "new"), "-secret-key", "sk_test_mine", "-webhook-url", ""}
	firstServer := startServer(t, args...)
	customerPath := firstServer.createCustomer()
	require.Zero(t, firstServer.stop())

	secondServer := startServer(t, args...)

	status, _ := secondServer.send(http.MethodGet, customerPath, nil)
	assert.Equal(t, http.StatusOK, status)
	assert.Zero(t, secondServer.stop())
}

func TestRun_StartsWithTheCatalogueUnlessEmptyIsSet(t *testing.T) {
	cases := map[string]struct {
		args      []string
		hasPrices bool
	}{
		"embedded catalogue": {nil, true},
		"file":               {[]string{"-catalogue", "../../domain/catalogue/data/catalogue.json"}, true},
		"empty":              {[]string{"-empty"}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, append(c.args, "-data", "", "-webhook-url", "", "-secret-key", "sk_test_mine")...)
			_, body := s.send(http.MethodGet, "/v1/prices", nil)
			assert.Equal(t, c.hasPrices, strings.Contains(body, "professional_yearly"), body)
		})
	}
}

// The receiver verifies the signature and refuses the first request.
func TestRun_RetriesSignedEventsUntilDelivered(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	verifier, err := fakepayment.Open(fakepayment.Config{
		Clock: clock, Prices: catalogue.Default(), Secrets: []string{"whsec_mine"},
	})
	require.NoError(t, err)
	events, requestCount := make(chan string, 9), 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requestCount++; requestCount == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		payload, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		parsedEvents, err := verifier.ParseEvents(r.Context(), payment.Delivery{Header: r.Header, Body: payload})
		assert.NoError(t, err)
		for _, event := range parsedEvents {
			events <- event.Type + " " + event.CustomerID
		}
	}))
	t.Cleanup(receiver.Close)
	s := startServer(t, "-data", "", "-secret-key", "sk_test_mine", "-webhook-url", receiver.URL,
		"-webhook-secret", "whsec_mine")

	customerID := strings.TrimPrefix(s.createCustomer(), "/v1/customers/")
	status, body := s.send(http.MethodPost, "/v1/payment_methods/pm_card_visa/attach", url.Values{"customer": {customerID}})
	require.Equal(t, http.StatusOK, status, body)

	var deliveredEvents []string
	for !slices.Contains(deliveredEvents, "payment_method.attached "+customerID) {
		select {
		case event := <-events:
			deliveredEvents = append(deliveredEvents, event)
		case <-time.After(time.Minute):
			require.Fail(t, "the event did not arrive", deliveredEvents)
		}
	}
}

func TestRun_ClockEndpointMovesTheClock(t *testing.T) {
	s := startServer(t, "-data", "", "-webhook-url", "")

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/local/clock",
		strings.NewReader(`{"advance": "192h"}`))
	require.NoError(t, err)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	var clockState struct{ Now time.Time }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&clockState))
	require.NoError(t, response.Body.Close())

	assert.WithinDuration(t, time.Now().Add(192*time.Hour), clockState.Now, time.Minute)
}

func TestRun_ReturnsTheExitCodeAndPrintsTheReason(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	cases := map[string]struct {
		args    []string
		code    int
		message string
	}{
		"help":           {[]string{"-help"}, 0, "-webhook-secret"},
		"unknown flag":   {[]string{"-fast"}, 2, "not defined: -fast"},
		"address in use": {[]string{"-data", "", "-addr", listener.Addr().String()}, 1, "address already in use"},
		"missing file":   {[]string{"-catalogue", "missing.json"}, 1, "missing.json"},
		"no secret":      {[]string{"-data", "", "-webhook-secret", ""}, 1, "secret is empty"},
		"not a folder":   {[]string{"-data", "main.go"}, 1, "not a directory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var output strings.Builder
			assert.Equal(t, c.code, run(t.Context(), c.args, &output))
			assert.Contains(t, output.String(), c.message)
		})
	}
}
