package paymenttest

import (
	"context"
	"testing"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// withImmediateSettlement returns the harness with payments that arrive before the request or the visit that makes
// them returns, so that behaviours which are not about payments on their way hold for providers whose money takes days, too. Without Settle the
// harness is returned unchanged.
func withImmediateSettlement(t *testing.T, h Harness) Harness {
	t.Helper()
	if h.Settle == nil {
		return h
	}
	out := h
	p := settlingProvider{Provider: h.Provider, settle: func() { h.Settle(t) }}
	out.Provider = p
	if worker, works := h.Provider.(payment.Worker); works {
		out.Provider = struct {
			settlingProvider
			payment.Worker
		}{p, worker}
	}
	out.Advance = func(t *testing.T, d time.Duration) {
		h.Advance(t, d)
		h.Settle(t)
	}
	out.ConfirmPayment = func(t *testing.T, clientSecret string, complete bool) billing.IntentStatus {
		status := h.ConfirmPayment(t, clientSecret, complete)
		if status != billing.Processing {
			return status
		}
		h.Settle(t)
		return h.ConfirmPayment(t, clientSecret, complete)
	}
	out.Checkout = func(t *testing.T, url string, with Scenario) {
		h.Checkout(t, url, with)
		h.Settle(t)
	}
	return out
}

// settlingProvider lets a payment arrive before the request that makes it returns.
type settlingProvider struct {
	payment.Provider
	settle func()
}

// unwrapped returns the provider of the harness without the settlement of payments, with all interfaces that it implements.
func unwrapped(p payment.Provider) payment.Provider {
	if settling, wraps := p.(interface{ withoutSettlement() payment.Provider }); wraps {
		return settling.withoutSettlement()
	}
	return p
}

func (p settlingProvider) withoutSettlement() payment.Provider { return p.Provider }

// settlePayment returns the subscription after its payment has arrived, if one is on its way.
func (p settlingProvider) settlePayment(ctx context.Context, s billing.Subscription, err error) (billing.Subscription, error) {
	if err != nil || !isProcessing(s) {
		return s, err
	}
	p.settle()
	return p.Subscription(ctx, s.ID)
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

// isProcessing reports whether a payment of the subscription is on its way.
func isProcessing(s billing.Subscription) bool {
	return s.Next.Kind == billing.Wait && s.Next.InvoiceID != "" && len(s.Next.Instructions) == 0
}
