//go:build !race

// This test takes twelve times as long under the race detector.

package enginepayment

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// crash fails a request to the gateway at one point, before or after the gateway acts, as if the server had stopped or
// the response had been lost.
type crash struct {
	failingPoint int // 1 is before the first call, 2 after it; 0 for none
	pointCount   int // number of points that were reached
}

func (c *crash) intercept(fakegateway.Call) error {
	c.pointCount++
	if c.pointCount == c.failingPoint {
		return fault.New(fault.Unavailable, "The server has stopped.")
	}
	return nil
}

// A server stops before or after each call to the gateway in turn, and another server continues. Afterwards the fake's
// ledger has one debit for each invoice, and each invoice is paid.
func TestProcessOutbox_DebitsEachInvoiceOnceIfAServerStopsAtAnyCall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ settlement, keyRetention time.Duration }{
		{0, 0}, {0, 30 * day}, {time.Hour, 0}, {3 * day, 30 * day}, {10 * day, 0},
	} {
		t.Run(fmt.Sprintf("settlement %s, key retention %s", tt.settlement, tt.keyRetention), func(t *testing.T) {
			t.Parallel()
			pointCount := 0
			for failingPoint := 0; failingPoint <= pointCount; failingPoint++ {
				c := &crash{failingPoint: failingPoint}
				e := newEnv(t, newSQLite(t), fakegateway.Config{
					Kind: billing.BankDebitMethod, Settlement: tt.settlement, ReturnWindow: 7 * day, KeyRetention: tt.keyRetention,
				}, c.intercept)
				servers := servers{crashing: e.Provider, healthy: e.newServer(t, nil)}
				e.completeCanceledPage(t, servers)
				e.runSubscriptionLifecycle(t, servers, failingPoint)
				pointCount = max(pointCount, c.pointCount)
			}
			assert.GreaterOrEqual(t, pointCount, 10)
		})
	}
}

// servers contains the providers of two servers that use one database.
type servers struct{ crashing, healthy *Provider }

// completeCanceledPage lets a customer open a page, cancel the order, and then complete the page. It
// asserts that the fake debits nothing.
func (e *env) completeCanceledPage(t *testing.T, servers servers) {
	t.Helper()
	e.Provider = servers.crashing
	sub := e.subscribeWithOpenPage(t)
	e.Provider = servers.healthy
	if sub.Next.Kind != billing.Redirect {
		return // the server has stopped before the page was opened
	}
	sub = e.openPage(t, sub)
	_, err := servers.crashing.CancelSubscription(t.Context(), payment.Cancellation{Key: "withdraw", SubscriptionID: sub.ID})
	require.NoError(t, err)
	e.advance(t, time.Hour)
	e.completePageAndRunWorker(t, sub.Next.URL, fakegateway.Pays)
	assert.Equal(t, billing.IncompleteExpired, e.readSubscription(t, sub.ID).Status)
	e.assertDebits(t, sub.CustomerID, 0)
}

// runSubscriptionLifecycle lets a customer subscribe, change the plan, renew and get a refund, and asserts that the
// fake has one debit for each invoice. The crashing server accepts each request. Then the healthy server runs the
// worker.
func (e *env) runSubscriptionLifecycle(t *testing.T, servers servers, failingPoint int) {
	t.Helper()
	e.Provider = servers.crashing
	sub := e.subscribeWithOpenPage(t)
	e.Provider = servers.healthy
	for range 6 { // after an hour, a payment that the gateway does not find counts as failed
		e.advance(t, time.Hour)
	}
	sub = e.openPage(t, sub)
	e.completePageAndRunWorker(t, sub.Next.URL, fakegateway.Pays)
	e.advance(t, 11*day)
	require.Equal(t, billing.Active, e.readSubscription(t, sub.ID).Status)

	_, err := servers.crashing.ChangePlan(t.Context(), payment.PriceChange{
		Key: "change", SubscriptionID: sub.ID, From: standard, To: professional,
	})
	require.NoError(t, err)
	e.advance(t, 15*day)
	sub = e.readSubscription(t, sub.ID)
	assert.Nil(t, sub.Pending)
	hasNewPlan := sub.Price == professional

	e.moveClock(t, 6*day) // the subscription renews
	_, _ = servers.crashing.processOutbox(t.Context(), sub.CustomerID, workerTimeout)
	e.advance(t, 20*day)
	require.Equal(t, billing.Active, e.readSubscription(t, sub.ID).Status)

	refundedID := e.listInvoices(t, sub.CustomerID)[0].ID
	amount, err := money.New(100, "AUD")
	require.NoError(t, err)
	_, err = servers.crashing.Refund(t.Context(), payment.RefundRequest{Key: "refund", InvoiceID: refundedID, Amount: amount})
	require.NoError(t, err)
	e.advance(t, 12*day)

	e.assertOneDebitPerInvoice(t, sub.CustomerID, hasNewPlan, failingPoint)
	nextKind := e.readSubscription(t, sub.ID).Next.Kind
	assert.Contains(t, []billing.NextActionKind{billing.NoAction, billing.Wait}, nextKind, "the customer has nothing to pay")
	for _, inv := range e.listInvoices(t, sub.CustomerID) {
		wasSent := inv.Refunded.Minor() > 0 || e.Gateway.Capabilities().KeyRetention > 0
		if inv.ID == refundedID && wasSent { // without keys, a refund that the gateway does not know is not repeated
			assert.Equal(t, amount, inv.Refunded)
		}
	}
}

func (e *env) assertOneDebitPerInvoice(t *testing.T, customerID string, hasNewPlan bool, failingPoint int) {
	t.Helper()
	payableCount := 0
	for _, inv := range e.listInvoices(t, customerID) {
		if inv.Status != billing.InvoiceVoid {
			payableCount++
			continue
		}
		assert.False(t, hasNewPlan, "only the invoice of a canceled change is void")
	}
	e.assertDebits(t, customerID, payableCount, "debits after a crash at point %d", failingPoint)
}
