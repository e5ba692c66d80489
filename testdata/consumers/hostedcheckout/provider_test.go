package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestProvider_Conforms(t *testing.T) { paymenttest.Run(t, newHarness) }

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 30, newHarness)
}

// env is a provider with its site, an application that accepts every batch, and a clock that the test moves.
type env struct {
	*provider
	clock *devclock.Clock

	mu      sync.Mutex
	batches []payment.Delivery
}

func newHarness(t *testing.T) paymenttest.Harness {
	e := newEnv(t)
	return paymenttest.Harness{
		// Every change causes a webhook event, so the Worker reports nothing.
		Provider: struct{ payment.Provider }{e.provider}, Now: e.clock.Now,
		Advance:        e.advance,
		DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.DeleteCustomer(t.Context(), id)) },
		Deliveries:     e.deliveries,
		Checkout:       e.checkout,
		Settle:         e.settle,
		ChargedSum:     e.sumPayments,
		Dispute:        func(t *testing.T, invoiceID string) { require.NoError(t, e.Dispute(t.Context(), invoiceID)) },
		CloseDispute: func(t *testing.T, invoiceID string, won bool) {
			require.NoError(t, e.CloseDispute(t.Context(), invoiceID, won))
		},
		Missing: map[payment.Capability]string{
			paymenttest.Signatures: "events are not signed",
		},
	}
}

func newEnv(t *testing.T) *env {
	clock, err := devclock.Open("", func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	require.NoError(t, err)
	e := &env{clock: clock}
	application := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.batches = append(e.batches, payment.Delivery{Header: r.Header, Body: body})
	}))
	t.Cleanup(application.Close)
	e.provider, err = openProvider(fakepayment.Config{Clock: clock, Prices: catalogue.Default()}, "", application.URL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Stop(context.Background())) })
	site := httptest.NewServer(e.site())
	t.Cleanup(site.Close)
	e.siteURL = site.URL
	return e
}

func (e *env) deliveries(t *testing.T) []payment.Delivery {
	_, err := e.Tick(t.Context(), nil)
	require.NoError(t, err)
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.batches)
}

// checkout submits the page with the account of the scenario.
func (e *env) checkout(t *testing.T, pageURL string, scenario paymenttest.Scenario) {
	form := url.Values{"action": {"accept"}, "account": {map[paymenttest.Scenario]string{
		paymenttest.Pays:                "4242424242424242",
		paymenttest.DeclinedWhenCharged: decliningAccount,
		paymenttest.Settles:             "6000000000056819",
		paymenttest.FailsLate:           "6000000000059110",
		paymenttest.ReturnsLate:         "6000000000094406",
	}[scenario]}}
	switch scenario {
	case paymenttest.Leaves:
		form.Set("action", "cancel")
	case paymenttest.DeclinedWhenSaved:
		form.Set("action", "decline")
	}
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := browser.PostForm(pageURL, form)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusSeeOther, response.StatusCode)
}

func (e *env) sumPayments(t *testing.T, customerID string) (sum int64) {
	list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: customerID, Limit: 100})
	require.NoError(t, err)
	for _, inv := range list.Invoices {
		sum += inv.AmountPaid.Minor()
	}
	return sum
}

// settle moves the clock until no payment is processing.
func (e *env) settle(t *testing.T) {
	var lastSettlement time.Time
	require.NoError(t, e.Read(t.Context(), func(s fakepayment.Snapshot) error {
		for _, c := range s.Customers() {
			for _, inv := range s.CustomerInvoices(c.ID) {
				if pi, ok := s.Intent(inv.PaymentID); ok && pi.SettlesAt.After(lastSettlement) {
					lastSettlement = pi.SettlesAt
				}
			}
		}
		return nil
	}))
	if d := lastSettlement.Sub(e.clock.Now()); d > 0 {
		e.advance(t, d)
	}
}

func (e *env) advance(t *testing.T, d time.Duration) {
	_, err := e.clock.Advance(d)
	require.NoError(t, err)
	require.NoError(t, e.Provider.Tick(t.Context()))
}
