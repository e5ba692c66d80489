package enginepayment

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

func TestParseEvents_NextReadReturnsTheNewStateOfThePayment(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	s := e.subscribe(t, fakegateway.Pays)
	e.moveClock(t, 3*day)
	deliveries := e.fake.Deliveries()

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.Equal(t, s.CustomerID, events[0].CustomerID)
	assert.Equal(t, []string{s.LatestInvoice.ID}, events[0].InvoiceIDs)
	subs, err := e.ListSubscriptions(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, subs[0].Status)
}

// Anyone can send an unsigned delivery, so it causes no request to the gateway. Reads cause none either.
func TestParseEvents_WorkerLooksUpThePaymentsOfAnUnsignedDelivery(t *testing.T) {
	t.Parallel()
	config := slowSettlement
	config.Missing = map[gateway.Capability]string{gateway.Signatures: "for the test"}
	var calls []string
	e := newEnv(t, newSQLite(t), config, func(c fakegateway.Call) error {
		calls = append(calls, c.Method)
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	e.moveClock(t, 3*day)
	deliveries := e.fake.Deliveries()
	calls = nil

	events, err := e.ParseEvents(t.Context(), deliveries[len(deliveries)-1])

	require.NoError(t, err)
	require.Len(t, events, 1)
	assert.True(t, events[0].Unsigned)
	subs, err := e.ListSubscriptions(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, billing.Incomplete, subs[0].Status)
	_, err = e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)
	_, err = e.Cards(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.NotContains(t, calls, "Find")

	e.runWorker(t)
	subs, err = e.ListSubscriptions(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, subs[0].Status)
}

// The webhook names the payment only by its reference. It arrives before Start returns, with an earlier state of the
// payment.
func TestParseEvents_FindsThePaymentBeforeItsStartHasReturned(t *testing.T) {
	t.Parallel()
	var e *env
	shouldDeliver := false
	e = newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if shouldDeliver && c.Method == "Start" && c.HasActed {
			shouldDeliver = false
			e.moveClock(t, 3*day) // the money arrives
			deliveries := e.fake.Deliveries()
			events, err := e.newServer(t, nil).ParseEvents(t.Context(), deliveries[len(deliveries)-1])
			require.NoError(t, err)
			assert.Len(t, events, 1)
		}
		return nil
	})
	s := e.subscribe(t, fakegateway.Pays)
	e.advance(t, 3*day)
	c, err := e.Customer(t.Context(), s.CustomerID)
	require.NoError(t, err)
	_, err = e.CancelSubscription(t.Context(), payment.Cancellation{Key: "end", SubscriptionID: s.ID})
	require.NoError(t, err)
	shouldDeliver = true

	s, err = e.Subscribe(t.Context(), payment.NewSubscription{
		Key: "again", CustomerID: c.ID, Price: standard, MethodID: c.Default.ID,
	})

	require.NoError(t, err)
	assert.False(t, shouldDeliver)
	assert.Equal(t, billing.Active, s.Status)
}

func TestParseEvents_SkipsPaymentsOfAnotherApplication(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	e.subscribe(t, fakegateway.Pays)
	delivery := e.fake.Deliveries()[0]
	otherApp := newEnv(t, newSQLite(t), slowSettlement, func(c fakegateway.Call) error {
		if c.Method == "Start" || c.Method == "Find" {
			return fault.New(fault.Unavailable, "The bank is down.")
		}
		return nil
	})

	events, err := otherApp.ParseEvents(t.Context(), delivery)
	require.NoError(t, err)
	assert.Empty(t, events)

	s := otherApp.subscribeWithOpenPage(t)
	require.Equal(t, billing.Wait, s.Next.Kind, "the delivery might be about the subscription's payment, whose reference is unknown")
	events, err = otherApp.ParseEvents(t.Context(), delivery)
	require.NoError(t, err)
	assert.Empty(t, events)
}

func TestTick_LogsAndSkipsAnnouncedPaymentsOfDeletedCustomers(t *testing.T) {
	t.Parallel()
	e := newEnv(t, newSQLite(t), slowSettlement, nil)
	log := &bytes.Buffer{}
	e.Log = slog.New(slog.NewTextHandler(log, nil))
	deletedSub, otherSub := e.subscribe(t, fakegateway.ReturnsLate), e.subscribe(t, fakegateway.ReturnsLate)
	e.advance(t, 3*day)
	require.NoError(t, e.DeleteCustomer(t.Context(), deletedSub.CustomerID))
	e.moveClock(t, 7*day) // the bank returns both payments

	_, err := e.Tick(t.Context(), func(context.Context, payment.Event) error { return nil })

	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, e.readSubscription(t, otherSub.ID).Status)
	assert.Equal(t, 1, strings.Count(log.String(), "a payment of a deleted customer has changed"), log)
}
