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
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
)

// stripe is a local Stripe that runs within the test.
type stripe struct {
	t    *testing.T
	url  string
	stop func() (code int)
}

func start(t *testing.T, args ...string) stripe {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	exit := make(chan int, 1)
	go func() {
		exit <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), write)
		_ = write.Close()
	}()
	t.Cleanup(cancel)
	lines := bufio.NewScanner(read)
	require.True(t, lines.Scan(), "it says where it listens")
	var line struct{ Msg, Addr string }
	require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
	require.Equal(t, "listening", line.Msg)
	go func() { _, _ = io.Copy(io.Discard, read) }()
	return stripe{t, "http://" + line.Addr, func() int { cancel(); return <-exit }}
}

// ask sends a request with the secret key and returns the status and the answer.
func (s stripe) ask(method, path string, params url.Values) (status int, answer string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(params.Encode()))
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer sk_test_mine")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.NoError(s.t, response.Body.Close())
	return response.StatusCode, string(text)
}

// newCustomer makes one and returns the path it is found under.
func (s stripe) newCustomer() (path string) {
	s.t.Helper()
	status, answer := s.ask(http.MethodPost, "/v1/customers", url.Values{"name": {"Clinic"}})
	require.Equal(s.t, http.StatusOK, status, answer)
	var made struct{ ID string }
	require.NoError(s.t, json.Unmarshal([]byte(answer), &made))
	return "/v1/customers/" + made.ID
}

func TestItKeepsWhatItWasTold(t *testing.T) {
	args := []string{"-data", filepath.Join(t.TempDir(), "new"), "-secret-key", "sk_test_mine", "-webhook-url", ""}
	first := start(t, args...)
	customer := first.newCustomer()
	require.Zero(t, first.stop())

	second := start(t, args...)

	status, _ := second.ask(http.MethodGet, customer, nil)
	assert.Equal(t, http.StatusOK, status)
	assert.Zero(t, second.stop())
}

func TestItSellsTheCatalogueUnlessItBeginsEmpty(t *testing.T) {
	cases := map[string]struct {
		args   []string
		prices bool
	}{
		"the embedded one": {nil, true},
		"a file":           {[]string{"-catalogue", "../../domain/catalogue/data/catalogue.json"}, true},
		"nothing":          {[]string{"-empty"}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := start(t, append(c.args, "-data", "", "-webhook-url", "", "-secret-key", "sk_test_mine")...)
			_, answer := s.ask(http.MethodGet, "/v1/prices", nil)
			assert.Equal(t, c.prices, strings.Contains(answer, "professional_yearly"), answer)
		})
	}
}

// What the events say is checked with the key that both sides know.
func TestItSendsSignedEventsUntilTheyAreTaken(t *testing.T) {
	clock, err := devclock.Open("", nil)
	require.NoError(t, err)
	reader, err := fakepayment.Open(fakepayment.Config{Clock: clock, Prices: catalogue.Default(), Secrets: []string{"whsec_mine"}})
	require.NoError(t, err)
	told, tries := make(chan string, 9), 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		payload, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		event, err := reader.ParseEvent(payload, r.Header.Get("Stripe-Signature"))
		assert.NoError(t, err)
		told <- event.Type + " " + event.CustomerID
	}))
	t.Cleanup(receiver.Close)
	s := start(t, "-data", "", "-secret-key", "sk_test_mine", "-webhook-url", receiver.URL, "-webhook-secret", "whsec_mine")

	customer := strings.TrimPrefix(s.newCustomer(), "/v1/customers/")
	status, answer := s.ask(http.MethodPost, "/v1/payment_methods/pm_card_visa/attach", url.Values{"customer": {customer}})
	require.Equal(t, http.StatusOK, status, answer)

	select {
	case said := <-told:
		assert.Equal(t, "payment_method.attached "+customer, said)
	case <-time.After(20 * time.Second):
		require.Fail(t, "no event came")
	}
}

func TestItsClockCanBeMoved(t *testing.T) {
	s := start(t, "-data", "", "-webhook-url", "")

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/local/clock", strings.NewReader(`{"advance": "192h"}`))
	require.NoError(t, err)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	var shown struct{ Now time.Time }
	require.NoError(t, json.NewDecoder(response.Body).Decode(&shown))
	require.NoError(t, response.Body.Close())

	assert.WithinDuration(t, time.Now().Add(192*time.Hour), shown.Now, time.Minute)
}

func TestItSaysWhyItDoesNotStart(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	cases := map[string]struct {
		args []string
		code int
		says string
	}{
		"help":           {[]string{"-help"}, 0, "-webhook-secret"},
		"unknown flag":   {[]string{"-fast"}, 2, "not defined: -fast"},
		"taken address":  {[]string{"-data", "", "-addr", taken.Addr().String()}, 1, "address already in use"},
		"no such file":   {[]string{"-catalogue", "missing.json"}, 1, "missing.json"},
		"no secret":      {[]string{"-data", "", "-webhook-secret", ""}, 1, "signs nothing"},
		"folder is none": {[]string{"-data", "main.go"}, 1, "not a directory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var said strings.Builder
			assert.Equal(t, c.code, run(t.Context(), c.args, &said))
			assert.Contains(t, said.String(), c.says)
		})
	}
}
