package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	listInvoices  = "GET /v1/invoices"
	listCharges   = "GET /v1/charges"
	updateInvoice = "POST /v1/invoices/in_1"
)

var (
	planChange    = payment.PriceChange{Key: "key-1", SubscriptionID: "sub_1", From: standard, To: professional}
	monthlyChange = payment.PriceChange{
		Key: "key-1", SubscriptionID: "sub_1",
		From: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
		To:   professional,
	}
	pendingCancellation = payment.PendingCancellation{Key: "key-1", SubscriptionID: "sub_1", InvoiceID: "in_1"}
)

// upgraded is the subscription after the change.
var upgraded = active.with(object{"metadata": object{"change": "key-1"}, "items": list(itemOfPlan("professional_yearly"))})

// pending is the subscription while the change waits for its payment.
var pending = active.with(object{
	"metadata": object{"change": "key-1"}, "latest_invoice": invoice("open", "open"),
	"pending_update": object{"expires_at": 1772449200, "subscription_items": []any{itemOfPlan("professional_yearly")}},
})

// stubForChange responds to a change of the subscription found with the subscription after.
func stubForChange(t *testing.T, found, after object) *stub {
	return stubWithPrices(t, customer).respond(readSubscription, ok(found)).respond(listInvoices,
		ok(list(found["latest_invoice"]))).
		respond(listCharges, ok(list(charge))).respond(updateSubscription, ok(found), ok(after))
}

func TestChangePlan_RecordsItsKeyAndSendsAPendingUpdate(t *testing.T) {
	s := stubForChange(t, active, upgraded)

	after, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
	assert.Equal(t, "key-1", after.ChangeKey)
	assert.Equal(t, []string{readSubscription, listInvoices, listCharges, lookUp, updateSubscription, updateSubscription},
		s.routes())
	mark, sent := s.requests()[4], s.requests()[5]
	assert.Equal(t, url.Values{"metadata[change]": {"key-1"}}, mark.params, "Stripe accepts no metadata in a pending update")
	assert.Equal(t, "key-1-mark", mark.key())
	assert.Equal(t, url.Values{
		"items[0][id]": {"si_1"}, "items[0][price]": {"price_professional_yearly"},
		prorationBehaviour: {"always_invoice"}, paymentBehaviour: {"pending_if_incomplete"},
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"},
		"expand[2]": {"pending_setup_intent"}, "expand[3]": {"schedule"}, "expand[4]": {"customer"},
	}, sent.params)
	assert.Equal(t, "key-1", sent.key())
}

func TestChangePlan_AnotherIntervalStartsANewPeriod(t *testing.T) {
	trialChange := planChange
	trialChange.EndTrial = true
	atAnInstant := monthlyChange
	atAnInstant.At = time.Unix(1772366500, 0)
	for name, c := range map[string]struct {
		found                     object
		req                       payment.PriceChange
		trialEnd, anchor, instant string
	}{
		"end of the trial": {trialing, trialChange, "now", "", ""},
		"other interval": {active.with(object{"items": list(itemOfPlan("standard_monthly"))}), atAnInstant, "", "now",
			"1772366500"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForChange(t, c.found, upgraded)
			_, err := s.provider().ChangePlan(t.Context(), c.req)
			require.NoError(t, err)
			sent := s.last(updateSubscription).params
			assert.Equal(t, c.trialEnd, sent.Get("trial_end"))
			assert.Equal(t, c.anchor, sent.Get("billing_cycle_anchor"))
			assert.Equal(t, c.instant, sent.Get("proration_date"))
		})
	}
}

func TestChangePlan_DeclinedChangeIsPendingWithoutCollection(t *testing.T) {
	s := stubForChange(t, active, pending).respond(updateInvoice, ok(invoice("open", "open"))).respond(readPayment,
		ok(paymentIntent("requires_payment_method")))

	after, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, after.Status)
	assert.Equal(t, standard, after.Price)
	assert.Equal(t, &billing.PendingChange{
		To: professional, InvoiceID: "in_1", Amount: aud(42000), ExpiresAt: time.Unix(1772449200, 0).UTC(),
	}, after.Pending)
	assert.Equal(t, billing.NewPaymentMethod, after.Next.Kind)
	assert.Equal(t, url.Values{"auto_advance": {"false"}}, s.last(updateInvoice).params,
		"Stripe must not retry it by itself")
}

func TestChangePlan_SucceedsIfCollectionCanNotBeDisabled(t *testing.T) {
	s := stubForChange(t, active, pending).respond(updateInvoice, invalidRequest(object{})).respond(readPayment,
		ok(paymentIntent("requires_action")))
	after, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.NotNil(t, after.Pending)
}

func TestChangePlan_RepeatMakesTheChangeIfOnlyItsKeyIsRecorded(t *testing.T) {
	s := stubForChange(t, active.with(object{"metadata": object{"change": "key-1"}}), upgraded)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	require.Equal(t, 1, s.count(updateSubscription), "the key is not recorded again")
	assert.Equal(t, "price_professional_yearly", s.last(updateSubscription).params.Get("items[0][price]"))
}

func TestChangePlan_ChangesTheCatalogueItem(t *testing.T) {
	two := active.with(object{"items": list(
		object{"id": "si_0", "price": object{"id": "price_x", "lookup_key": "consulting"}},
		object{"id": "si_1", "price": object{"id": "price_1", "lookup_key": "standard_yearly"}},
	)})
	s := stubForChange(t, two, upgraded)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, "si_1", s.last(updateSubscription).params.Get("items[0][id]"))
}

// Stripe would make the change and void its invoice.
func TestChangePlan_RefusedWhileTheCollectionIsPaused(t *testing.T) {
	s := newStub(t).respond(readSubscription, ok(active.with(object{"pause_collection": object{"behavior": "void"}}))) //nolint:misspell // Stripe's spelling
	atRenewal := planChange
	atRenewal.When = payment.AtRenewal
	for _, err := range []error{
		errorOf(s.provider().ChangePlan(t.Context(), planChange)), errorOf(s.provider().ChangePlan(t.Context(), atRenewal)),
		errorOf(s.provider().QuoteChange(t.Context(), planChange)),
	} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.ErrorContains(t, err, "payments are paused")
	}
	assert.Equal(t, []string{readSubscription, readSubscription, readSubscription}, s.routes())
}

func TestCancelPendingChange_PaidMeanwhileReturnsTheNewPlan(t *testing.T) {
	notOpen := invalidRequest(object{"message": "You can only pass in open invoices. This invoice isn't open."})
	s := newStub(t).respond(readSubscription, ok(pending), ok(upgraded)).respond(voidInvoice, notOpen)
	after, err := s.provider().CancelPendingChange(t.Context(), pendingCancellation)
	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
	assert.Equal(t, "key-1", s.last(voidInvoice).key())
}

func TestCancelPendingChange_PaymentInProgressIsConflict(t *testing.T) {
	s := newStub(t).respond(readSubscription, ok(pending)).respond(voidInvoice, invalidRequest(object{})).
		respond(readPayment, ok(paymentIntent("processing")))
	_, err := s.provider().CancelPendingChange(t.Context(), pendingCancellation)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}
