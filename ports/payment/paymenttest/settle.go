package paymenttest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// newSettlingHarness returns a harness whose requests and checkout visits settle their payments before they return.
// With this harness, a provider whose payments take days behaves like a provider whose payments arrive immediately. A
// harness without Settle is returned unchanged.
func newSettlingHarness(t *testing.T, h Harness) Harness {
	t.Helper()
	if h.Settle == nil {
		return h
	}
	var settling sync.Mutex // behaviours send requests concurrently, and each moves the clock
	settle := h.Settle
	h.Settle = func(t *testing.T) {
		settling.Lock()
		defer settling.Unlock()
		settle(t)
	}
	settlingHarness := h
	p := settlingProvider{Provider: h.Provider, settle: func() { h.Settle(t) }}
	settlingHarness.Provider = p
	if worker, ok := h.Provider.(payment.Worker); ok {
		settlingHarness.Provider = struct {
			settlingProvider
			payment.Worker
		}{p, worker}
	}
	settlingHarness.Advance = func(t *testing.T, d time.Duration) {
		h.Advance(t, d)
		h.Settle(t)
	}
	settlingHarness.ConfirmPayment = func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus {
		status := h.ConfirmPayment(t, clientSecret, complete)
		if status != billing.Processing {
			return status
		}
		h.Settle(t)
		return h.ConfirmPayment(t, clientSecret, complete)
	}
	settlingHarness.Checkout = func(t *testing.T, url string, scenario Scenario) {
		h.Checkout(t, url, scenario)
		h.Settle(t)
	}
	return settlingHarness
}

// settlingProvider settles the payment of a request before it returns the response.
type settlingProvider struct {
	payment.Provider
	settle func()
}

// settlePayment settles the payment of the subscription if it is processing, and returns the current subscription.
func (p settlingProvider) settlePayment(
	ctx context.Context, s billing.Subscription, err error,
) (billing.Subscription, error) {
	if err != nil || !isPaymentProcessing(s) {
		return s, err
	}
	p.settle()
	if s, err = p.Subscription(ctx, s.ID); err != nil {
		return s, err
	}
	return openPage(ctx, p.Provider, s)
}

// Subscribe implements payment.Provider.
func (p settlingProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	s, err := p.Provider.Subscribe(ctx, req)
	return p.settlePayment(ctx, s, err)
}

// ChangePlan implements payment.Provider.
func (p settlingProvider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	s, err := p.Provider.ChangePlan(ctx, req)
	return p.settlePayment(ctx, s, err)
}

// PayInvoice implements payment.Provider.
func (p settlingProvider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	s, err := p.Provider.PayInvoice(ctx, req)
	return p.settlePayment(ctx, s, err)
}

// isPaymentProcessing reports whether a payment of the subscription is processing.
func isPaymentProcessing(s billing.Subscription) bool {
	return s.Next.Kind == billing.Wait && s.Next.InvoiceID != "" && len(s.Next.Instructions) == 0
}
