package model

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// watch stands at the provider's door and notes what must never be asked for.
type watch struct {
	*flowtest.Bank
	mu     sync.Mutex
	wrongs []string
}

// desk is what keys begin with that the provider's own people use.
const desk = "desk-"

// CancelSubscription may only take away what was never paid, unless somebody does it by hand.
func (w *watch) CancelSubscription(ctx context.Context, in payment.Cancellation) (billing.Subscription, error) {
	out, err := w.Bank.CancelSubscription(ctx, in)
	if err == nil && out.Status == billing.Canceled && !owing(out) && !strings.HasPrefix(in.Key, desk) {
		w.note("a subscription that was paid for has been canceled: %s", in.SubscriptionID)
	}
	return out, err
}

// owing reports whether an ended subscription's last bill was never paid.
func owing(sub billing.Subscription) bool {
	bill := sub.LatestInvoice
	return bill != nil && bill.Payment != nil && bill.Payment.Status == billing.IntentCanceled
}

// ChangePlan moves a subscription, which has to be at another price before.
func (w *watch) ChangePlan(ctx context.Context, in payment.PlanChange) (billing.Subscription, error) {
	if in.From == in.To {
		w.note("a change to the price that the subscription has: %s to %s", in.SubscriptionID, in.To.PriceID())
	}
	return w.Bank.ChangePlan(ctx, in)
}

func (w *watch) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrongs = append(w.wrongs, fmt.Sprintf(format, args...))
}

func (w *watch) noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wrongs
}
