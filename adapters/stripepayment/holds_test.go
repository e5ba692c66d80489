package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const listInvoicePayments = "GET /v1/invoice_payments"

// dispute is a dispute about ch_1. Unlike a charge it names no customer.
var dispute = object{"id": "dp_1", "object": "dispute", "charge": "ch_1", "payment_intent": "pi_1"}

func stubForHold(t *testing.T, subscription object) *stub {
	return newStub(t).respond(listInvoicePayments, ok(list(object{"id": "inpay_1", "invoice": "in_1"}))).
		respond(readInvoice, ok(invoiceOf(subscription, customer))).respond(updateSubscription, ok(subscription))
}

func TestParseEvent_AboutAChargeWritesTheHold(t *testing.T) {
	for name, c := range map[string]struct {
		about   object
		written string
	}{
		"charge.refunded":        {charge.with(object{"refunded": true}), "refunded ch_1"},
		"charge.dispute.created": {dispute, "disputed ch_1"},
		"charge.dispute.closed":  {dispute, "disputed ch_1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForHold(t, active)
			got, err := deliver(t, s.provider(), event(name, c.about))
			require.NoError(t, err)
			assert.Equal(t, payment.SubscriptionChanged, got.Kind)
			assert.Equal(t, "cus_1", got.CustomerID)
			assert.Equal(t, "sub_1", got.SubscriptionID)
			assert.Equal(t, url.Values{"metadata[hold]": {c.written}}, s.last(updateSubscription).params)
		})
	}
}

func TestParseEvent_AboutAKnownChargeWritesNothing(t *testing.T) {
	for _, known := range []string{"disputed ch_1", "lifted ch_0 ch_1"} {
		s := stubForHold(t, active.with(object{"metadata": object{"hold": known}}))
		_, err := deliver(t, s.provider(), event("charge.dispute.updated", dispute))
		require.NoError(t, err)
		assert.NotContains(t, s.routes(), updateSubscription)
	}
}

func TestParseEvent_AboutAForeignChargeIsOther(t *testing.T) {
	s := newStub(t).respond(listInvoicePayments, ok(list()))
	for name, about := range map[string]object{"charge.refunded": charge, "charge.dispute.created": {"id": "dp_1", "object": "dispute", "charge": "ch_1"}} {
		got, err := deliver(t, s.provider(), event(name, about))
		require.NoError(t, err)
		assert.Equal(t, payment.Other, got.Kind)
	}
}

func TestParseEvent_AboutAChargeFailsWhileStripeIsDown(t *testing.T) {
	s := newStub(t).respond(listInvoicePayments, errorResponse(500, object{"type": "api_error"}))
	_, err := deliver(t, s.provider(), event("charge.dispute.created", dispute))
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "Stripe delivers it again")
}

func TestSubscription_Hold(t *testing.T) {
	for value, want := range map[string]billing.Hold{
		"disputed ch_1": billing.HoldDisputed, "refunded ch_1": billing.HoldRefunded, "lifted ch_1": billing.NoHold, "": billing.NoHold,
	} {
		s := newStub(t).respond(readSubscription, ok(active.with(object{"metadata": object{"hold": value}})))
		got, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, want, got.Hold, value)
	}
}

// A held subscription can't be changed, whether an event has reported the charge or not.
func TestChangePlan_RefusedOnHold(t *testing.T) {
	refunded := charge.with(object{"amount_refunded": 100})
	for name, c := range map[string]struct {
		found, charge object
		value         string
	}{
		"written before":   {active.with(object{"metadata": object{"hold": "disputed ch_0"}}), charge, ""},
		"a refund":         {active, refunded, "refunded ch_1"},
		"a dispute":        {active, charge.with(object{"disputed": true}), "disputed ch_1"},
		"lifted before":    {active.with(object{"metadata": object{"hold": "lifted ch_0"}}), refunded, "refunded ch_0 ch_1"},
		"disputed as well": {active.with(object{"metadata": object{"hold": "disputed ch_0"}}), refunded, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForChange(t, c.found, upgraded).respond(listCharges, ok(list(c.charge)))
			_, err := s.provider().ChangePlan(t.Context(), planChange)
			require.ErrorContains(t, err, "refunded or disputed")
			if c.value != "" {
				assert.Equal(t, url.Values{"metadata[hold]": {c.value}}, s.last(updateSubscription).params)
			}
		})
	}
}

func TestChangePlan_LiftedHold(t *testing.T) {
	s := stubForChange(t, active.with(object{"metadata": object{"hold": "lifted ch_1"}}), upgraded).
		respond(listCharges, ok(list(charge.with(object{"amount_refunded": 100}))))
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	assert.NoError(t, err)
}
