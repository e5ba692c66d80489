//go:build !race

package enginepayment

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// defect names the defect that a child process of TestSuite_FindsDefects adds to the provider.
var defect = flag.String("defect", "", "the defect of the provider")

// defectiveProvider is a Provider whose methods a defect can replace. A nil function is the method of the Provider.
type defectiveProvider struct {
	*Provider
	capabilities func(payment.Capabilities) payment.Capabilities
	subscribe    func(payment.NewSubscription) payment.NewSubscription
	subscription func(billing.Subscription) billing.Subscription
	invoice      func(billing.Invoice) billing.Invoice // of ListInvoices
	quote        func(billing.Quote) billing.Quote
	refund       func(payment.RefundRequest) payment.RefundRequest
	cancellation func(payment.Cancellation) payment.Cancellation
	delivery     func(payment.Delivery) payment.Delivery
	context      func(context.Context) context.Context // of Subscribe
}

func change[T any](value T, f func(T) T) T {
	if f == nil {
		return value
	}
	return f(value)
}

func (p *defectiveProvider) Capabilities() payment.Capabilities {
	return change(p.Provider.Capabilities(), p.capabilities)
}

func (p *defectiveProvider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	s, err := p.Provider.Subscribe(change(ctx, p.context), change(req, p.subscribe))
	return change(s, p.subscription), err
}

func (p *defectiveProvider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	s, err := p.Provider.Subscription(ctx, id)
	return change(s, p.subscription), err
}

func (p *defectiveProvider) ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error) {
	list, err := p.Provider.ListInvoices(ctx, req)
	for i, inv := range list.Invoices {
		list.Invoices[i] = change(inv, p.invoice)
	}
	return list, err
}

func (p *defectiveProvider) QuoteChange(ctx context.Context, req payment.PriceChange) (billing.Quote, error) {
	q, err := p.Provider.QuoteChange(ctx, req)
	return change(q, p.quote), err
}

func (p *defectiveProvider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	return p.Provider.Refund(ctx, change(req, p.refund))
}

func (p *defectiveProvider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.Provider.CancelSubscription(ctx, change(req, p.cancellation))
}

func (p *defectiveProvider) ParseEvents(ctx context.Context, d payment.Delivery) ([]payment.Event, error) {
	return p.Provider.ParseEvents(ctx, change(d, p.delivery))
}

// defects contains, by name, the behaviour of the suite that must fail, and a function that adds the defect to a provider.
var defects = map[string]struct {
	failingBehaviour string
	corrupt          func(*defectiveProvider)
}{
	"the list of invoices lacks the time of the next attempt": {
		failingBehaviour: "change_at_renewal/a_subscription_is_past_due_when_the_renewal_at_the_new_price_is_declined",
		corrupt: func(p *defectiveProvider) {
			p.invoice = func(inv billing.Invoice) billing.Invoice { inv.NextAttemptAt = time.Time{}; return inv }
		},
	},
	"the list of invoices has paid invoices as open": {
		failingBehaviour: "subscribe/a_subscription_without_a_trial_is_paid_immediately",
		corrupt: func(p *defectiveProvider) {
			p.invoice = func(inv billing.Invoice) billing.Invoice {
				if inv.Status == billing.InvoicePaid {
					inv.Status = billing.InvoiceOpen
				}
				return inv
			}
		},
	},
	"the list of invoices lacks refunds": {
		failingBehaviour: "movements/refunds_are_movements_with_their_dates_and_credit_notes",
		corrupt: func(p *defectiveProvider) {
			p.invoice = func(inv billing.Invoice) billing.Invoice { inv.Returns = nil; return inv }
		},
	},
	"trials are accepted although they are declared missing": {
		failingBehaviour: "capabilities/every_request_that_needs_a_missing_capability_returns_Unsupported",
		corrupt: func(p *defectiveProvider) {
			p.capabilities = func(c payment.Capabilities) payment.Capabilities {
				c.Missing[payment.Trials] = "for the test"
				return c
			}
		},
	},
	"the reason of a declined payment is not reported": {
		failingBehaviour: "hosted_checkout/a_checkout_can_be_completed_after_a_failed_attempt",
		corrupt: func(p *defectiveProvider) {
			p.subscription = func(s billing.Subscription) billing.Subscription { s.Next.Reason = ""; return s }
		},
	},
	"a quote is lower than the charge": {
		failingBehaviour: "quotes/an_upgrade_is_charged_as_quoted",
		corrupt: func(p *defectiveProvider) {
			p.quote = func(q billing.Quote) billing.Quote {
				q.DueNow = q.CreditBefore
				return q
			}
		},
	},
	"a repeated request subscribes again": {
		failingBehaviour: "idempotency_keys/Subscribe_with_a_repeated_key_acts_once",
		corrupt: func(p *defectiveProvider) {
			p.subscribe = func(req payment.NewSubscription) payment.NewSubscription { req.Key += rand.Text(); return req }
		},
	},
	"a repeated refund is made again": {
		failingBehaviour: "idempotency_keys/Refund_with_a_repeated_key_acts_once",
		corrupt: func(p *defectiveProvider) {
			p.refund = func(req payment.RefundRequest) payment.RefundRequest { req.Key += rand.Text(); return req }
		},
	},
	"a second subscription is sold although the request asks for the only one": {
		failingBehaviour: "sole_subscription/Subscribe_with_Sole_returns_Conflict_while_another_subscription_has_not_ended",
		corrupt: func(p *defectiveProvider) {
			p.subscribe = func(req payment.NewSubscription) payment.NewSubscription { req.Sole = false; return req }
		},
	},
	"a paid subscription is canceled although the request is for an unpaid one": {
		failingBehaviour: "cancel/canceling_with_IfUnpaid_keeps_a_paid_subscription",
		corrupt: func(p *defectiveProvider) {
			p.cancellation = func(req payment.Cancellation) payment.Cancellation { req.IfUnpaid = false; return req }
		},
	},
	"signatures are not verified": {
		failingBehaviour: "signatures/a_signature_with_a_foreign_secret_is_Forbidden",
		corrupt: func(p *defectiveProvider) {
			p.delivery = func(d payment.Delivery) payment.Delivery { return fakegateway.Sign(d.Body) }
		},
	},
	"canceled contexts are ignored": {
		failingBehaviour: "canceled_contexts/a_request_can_be_repeated_with_its_key_after_its_context_was_canceled",
		corrupt:          func(p *defectiveProvider) { p.context = context.WithoutCancel },
	},
}

// TestSuite_FindsDefects runs behaviours of the suite in child processes, each with one defect, and requires that they fail
// there.
func TestSuite_FindsDefects(t *testing.T) {
	t.Parallel()
	if *defect != "" {
		newHarness := newHarnessFunc(newSQLite, immediateSettlement)
		paymenttest.Run(t, func(t *testing.T) paymenttest.Harness {
			h := newHarness(t)
			correct, ok := h.Provider.(*Provider)
			require.True(t, ok)
			p := &defectiveProvider{Provider: correct}
			defects[*defect].corrupt(p)
			h.Provider = p
			return h
		})
		return
	}
	for name, d := range defects {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			executable, err := os.Executable()
			require.NoError(t, err)
			area, behaviour, _ := strings.Cut(d.failingBehaviour, "/")
			pattern := fmt.Sprintf("^TestSuite_FindsDefects$/^(harness|%s)$/^%s$", area, behaviour)
			child := exec.CommandContext(t.Context(), executable, "-test.run="+pattern, "-defect="+name)
			out, err := child.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), "--- FAIL: TestSuite_FindsDefects/"+d.failingBehaviour)
		})
	}
}
