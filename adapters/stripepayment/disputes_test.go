package stripepayment_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// disputeEnv contains a fake Stripe with a paid subscription.
type disputeEnv struct {
	*fakeStripe
	*stripepayment.Provider
	subscription billing.Subscription
}

// newDisputeEnv subscribes a new customer to the standard plan and gives the customer credit, in cents.
func newDisputeEnv(t *testing.T, credit int64) disputeEnv {
	f := newFakeStripe(t, catalogue.Default())
	d := disputeEnv{fakeStripe: f, Provider: f.provider(t, catalogue.Default())}
	c := f.newCustomerWithCard(t, d.Provider)
	var err error
	d.subscription, err = d.Subscribe(t.Context(), subscribeRequest(c, "standard"))
	require.NoError(t, err)
	if credit > 0 {
		_, err = d.AddCredit(t.Context(), payment.CreditGrant{Key: rand.Text(), CustomerID: c.ID, Amount: aud(credit)})
		require.NoError(t, err)
	}
	return d
}

// openDispute disputes the subscription's payment without delivering the event.
func (d disputeEnv) openDispute(t *testing.T) {
	require.NoError(t, d.fakeProvider.OpenDisputeWithoutHold(t.Context(), d.subscription.LatestInvoice.ID))
}

func (d disputeEnv) customer(t *testing.T) billing.Customer {
	c, err := d.Customer(t.Context(), d.subscription.CustomerID)
	require.NoError(t, err)
	return c
}

// The loop lets each write fail once, and then delivers the event again.
func TestDispute_ChangesTheCreditOnceAfterAnInterruption(t *testing.T) {
	for writes := 0; ; writes++ {
		d := newDisputeEnv(t, 50000)
		d.openDispute(t)
		require.NoError(t, d.fakeProvider.Drain(t.Context()))
		writesBefore := d.executedWrites()
		d.failWritesAfter(writes)
		var isInterrupted bool
		for _, delivery := range d.allDeliveries(t) {
			_, err := d.ParseEvents(t.Context(), delivery)
			isInterrupted = isInterrupted || err != nil
		}
		d.allowAllWrites()

		d.deliverAllEvents(t, d.Provider)

		c := d.customer(t)
		assert.Equal(t, billing.HoldDisputed, c.Hold)
		assert.Equal(t, []int64{0, 8000}, []int64{c.Credit.Minor(), c.HeldCredit.Minor()}, "after %d writes", writes)
		returnedPayments, err := d.ReturnedPayments(t.Context(), c.ID)
		require.NoError(t, err)
		require.Len(t, returnedPayments, 1)
		assert.Equal(t, aud(42000), returnedPayments[0].Withdrawn)
		customerWithoutHold, err := d.LiftHold(t.Context(), payment.HoldLift{Key: rand.Text(), CustomerID: c.ID})
		require.NoError(t, err)
		assert.Equal(t, aud(8000), customerWithoutHold.Credit)
		if !isInterrupted {
			assert.Greater(t, d.executedWrites()-writesBefore, 4)
			return
		}
	}
}

func TestChangePlan_IsRefusedAfterASecondDisputeWithoutAnEvent(t *testing.T) {
	d := newDisputeEnv(t, 0)
	d.openDispute(t)
	d.deliverAllEvents(t, d.Provider)
	require.NoError(t, d.fakeProvider.CloseDisputeKeepingCredit(t.Context(), d.subscription.LatestInvoice.ID, true))
	d.deliverAllEvents(t, d.Provider)
	require.Equal(t, billing.NoHold, d.customer(t).Hold)
	d.openDispute(t)

	_, err := d.ChangePlan(t.Context(), payment.PriceChange{
		Key: rand.Text(), SubscriptionID: d.subscription.ID, From: d.subscription.Price, To: yearlyPrice("professional"),
	})

	assert.ErrorIs(t, err, billing.ErrOnHold)
	assert.Equal(t, billing.HoldDisputed, d.customer(t).Hold)
}

func TestDispute_FirstSeenAsWonHasTheTimeOfItsRecord(t *testing.T) {
	d := newDisputeEnv(t, 0)
	d.openDispute(t)
	require.NoError(t, d.fakeProvider.CloseDisputeKeepingCredit(t.Context(), d.subscription.LatestInvoice.ID, true))
	d.deliverAllEvents(t, d.Provider)
	returnedPayments, err := d.ReturnedPayments(t.Context(), d.subscription.CustomerID)
	require.NoError(t, err)
	require.Len(t, returnedPayments, 1)
	assert.Equal(t, billing.DisputeWon, returnedPayments[0].Dispute)
	assert.False(t, returnedPayments[0].At.Before(d.subscription.CreatedAt), returnedPayments[0].At)
}

func TestDispute_WithoutAnEventIsRecordedByTheNextRequest(t *testing.T) {
	t.Run("plan change", func(t *testing.T) {
		d := newDisputeEnv(t, 0)
		d.openDispute(t)
		_, err := d.ChangePlan(t.Context(), payment.PriceChange{
			Key: rand.Text(), SubscriptionID: d.subscription.ID, From: d.subscription.Price, To: yearlyPrice("professional"),
		})
		assert.ErrorIs(t, err, billing.ErrOnHold)
		assert.Equal(t, billing.HoldDisputed, d.customer(t).Hold)
	})
	t.Run("another subscription", func(t *testing.T) {
		d := newDisputeEnv(t, 0)
		_, err := d.CancelSubscription(t.Context(),
			payment.Cancellation{Key: rand.Text(), SubscriptionID: d.subscription.ID})
		require.NoError(t, err)
		d.openDispute(t)
		_, err = d.Subscribe(t.Context(), subscribeRequest(d.customer(t), "professional"))
		assert.ErrorIs(t, err, billing.ErrOnHold)
		assert.Equal(t, billing.HoldDisputed, d.customer(t).Hold)
	})
}

const (
	listInvoicePaymentsRoute = "GET /v1/invoice_payments"
	listDisputesRoute        = "GET /v1/disputes"
	updateChargeRoute        = "POST /v1/charges/ch_1"
)

// dispute is a dispute of ch_1. Unlike a charge it has no customer.
var dispute = object{"id": "dp_1", "object": "dispute", "charge": "ch_1", "payment_intent": "pi_1", "amount": 42000}

func TestParseEvents_InquiryIsNotRecorded(t *testing.T) {
	for _, status := range []string{"warning_needs_response", "warning_under_review", "warning_closed"} {
		s := newStub(t).respond(listInvoicePaymentsRoute, okResponse(list(object{"id": "inpay_1", "invoice": "in_1"}))).
			respond(readInvoiceRoute, okResponse(expandedInvoice(activeSubscription, customer))).
			respond(readCustomerRoute, okResponse(customer)).
			respond(listChargesRoute, okResponse(list(charge.withFields(object{"disputed": true})))).
			respond(listDisputesRoute, okResponse(list(dispute.withFields(object{"status": status}))))
		_, err := signAndParse(t, s.provider(), newEvent("charge.dispute.created", dispute))
		require.NoError(t, err)
		assert.NotContains(t, s.routes(), updateChargeRoute)
	}
}

// A lost dispute of the same charge, during an earlier hold, neither keeps the current hold nor begins a new one.
func TestParseEvents_WonDisputeAfterALiftedOne(t *testing.T) {
	for _, test := range []struct {
		name, disputes string
		customer       object
		wantUpdates    int
	}{
		{"ends its hold", "dp_1:1 dp_2:2", object{"hold": "disputed", "hold_number": "2"}, 1},
		{"causes no hold when it is first seen as won", "dp_1:1", object{"hold": "lifted", "hold_number": "1"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			disputedCharge := charge.withFields(object{
				"disputed": true, "metadata": object{"dispute": "42000 0 0 1772366500 lost 1", "disputes": test.disputes},
			})
			customerWithHold := customer.withFields(object{"metadata": test.customer})
			s := newStub(t).respond(listInvoicePaymentsRoute, okResponse(list(object{"id": "inpay_1", "invoice": "in_1"}))).
				respond(readInvoiceRoute, okResponse(expandedInvoice(activeSubscription, customerWithHold))).
				respond(readCustomerRoute, okResponse(customerWithHold)).
				respond(listChargesRoute, okResponse(list(disputedCharge))).
				respond(updateChargeRoute, okResponse(disputedCharge)).
				respond("POST /v1/customers/cus_1", okResponse(customer)).
				respond(listDisputesRoute, okResponse(list(
					dispute.withFields(object{"id": "dp_2", "status": "won"}), dispute.withFields(object{"status": "lost"}))))
			_, err := signAndParse(t, s.provider(), newEvent("charge.dispute.closed", dispute))
			require.NoError(t, err)
			assert.Equal(t, test.wantUpdates, s.count("POST /v1/customers/cus_1"))
			if test.wantUpdates > 0 {
				assert.Equal(t, "lifted", s.lastRequest("POST /v1/customers/cus_1").params.Get("metadata[hold]"))
			}
		})
	}
}

func TestDispute_EarlierOneWithALaterEventKeepsTheHold(t *testing.T) {
	d := newDisputeEnv(t, 0)
	firstInvoice := d.subscription.LatestInvoice.ID
	d.advanceClock(t, 367*24*time.Hour)
	d.deliverNewEvents(t, d.Provider)
	renewedSub, err := d.Subscription(t.Context(), d.subscription.ID)
	require.NoError(t, err)
	require.NotEqual(t, firstInvoice, renewedSub.LatestInvoice.ID)
	earlierCount := len(d.allDeliveries(t))
	require.NoError(t, d.fakeProvider.OpenDisputeWithoutHold(t.Context(), firstInvoice))
	require.NoError(t, d.fakeProvider.Drain(t.Context()))
	lateDeliveries := d.allDeliveries(t)[earlierCount:]
	d.advanceClock(t, time.Minute)
	require.NoError(t, d.fakeProvider.OpenDisputeWithoutHold(t.Context(), renewedSub.LatestInvoice.ID))
	require.NoError(t, d.fakeProvider.Drain(t.Context()))
	for _, delivery := range append(d.allDeliveries(t)[earlierCount+len(lateDeliveries):], lateDeliveries...) {
		_, err := d.ParseEvents(t.Context(), delivery)
		require.NoError(t, err)
	}

	require.NoError(t, d.fakeProvider.CloseDisputeKeepingCredit(t.Context(), renewedSub.LatestInvoice.ID, true))
	d.deliverNewEvents(t, d.Provider)
	assert.Equal(t, billing.HoldDisputed, d.customer(t).Hold)

	require.NoError(t, d.fakeProvider.CloseDisputeKeepingCredit(t.Context(), firstInvoice, true))
	d.deliverNewEvents(t, d.Provider)
	assert.Equal(t, billing.NoHold, d.customer(t).Hold)
}

func TestParseEvents_ChargeWithoutAnInvoiceReturnsOtherEvent(t *testing.T) {
	s := newStub(t).respond(listInvoicePaymentsRoute, okResponse(list()))
	for name, subject := range map[string]object{"charge.refunded": charge,
		"charge.dispute.created": {"id": "dp_1", "object": "dispute", "charge": "ch_1"}} {
		parsedEvent, err := signAndParse(t, s.provider(), newEvent(name, subject))
		require.NoError(t, err)
		assert.Equal(t, payment.OtherEvent, parsedEvent.Kind)
	}
}

func TestParseEvents_ChargeEventFailsDuringAnOutage(t *testing.T) {
	s := newStub(t).respond(listInvoicePaymentsRoute, errorResponse(500, object{"type": "api_error"}))
	_, err := signAndParse(t, s.provider(), newEvent("charge.dispute.created", dispute))
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "Stripe delivers the event again")
}
