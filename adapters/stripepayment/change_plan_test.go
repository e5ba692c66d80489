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
	listInvoicesRoute  = "GET /v1/invoices"
	listChargesRoute   = "GET /v1/charges"
	updateInvoiceRoute = "POST /v1/invoices/in_1"
)

var (
	planChange    = payment.PriceChange{Key: "key-1", SubscriptionID: "sub_1", From: standard, To: professional}
	monthlyChange = payment.PriceChange{
		Key: "key-1", SubscriptionID: "sub_1",
		From: catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"},
		To:   professional,
	}
	pendingCancellation = payment.PendingChangeCancellation{Key: "key-1", SubscriptionID: "sub_1", InvoiceID: "in_1"}
)

// upgradedSubscription is the active subscription after a change to the professional plan.
var upgradedSubscription = activeSubscription.withFields(object{
	"metadata": object{"change": "key-1"}, "items": list(subscriptionItem("professional_yearly")),
})

// subscriptionWithPendingChange is the active subscription while a plan change waits for its payment.
var subscriptionWithPendingChange = activeSubscription.withFields(object{
	"metadata": object{"change": "key-1"}, "latest_invoice": invoice("open", "open"),
	"pending_update": object{"expires_at": 1772449200, "subscription_items": []any{subscriptionItem("professional_yearly")}},
})

// stubForChange responds to a plan change of currentSub with changedSub.
func stubForChange(t *testing.T, currentSub, changedSub object) *stub {
	return stubWithCustomerAndPrices(t, customer).respond(readSubscriptionRoute, okResponse(currentSub)).
		respond(listInvoicesRoute, okResponse(list(currentSub["latest_invoice"]))).
		respond(listChargesRoute, okResponse(list(charge))).
		respond(updateSubscriptionRoute, okResponse(currentSub), okResponse(changedSub))
}

func TestChangePlan_RecordsItsKeyAndSendsAPendingUpdate(t *testing.T) {
	s := stubForChange(t, activeSubscription, upgradedSubscription)

	changedSub, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, professional, changedSub.Price)
	assert.Equal(t, "key-1", changedSub.ChangeKey)
	assert.Equal(t, []string{readSubscriptionRoute, listInvoicesRoute, listChargesRoute, lookUpPricesRoute,
		updateSubscriptionRoute, listChargesRoute, updateSubscriptionRoute},
		s.routes())
	metadataUpdate, update := s.requests()[4], s.requests()[6]
	assert.Equal(t, url.Values{"metadata[change]": {"key-1"}}, metadataUpdate.params,
		"Stripe accepts no metadata in a pending update")
	assert.Equal(t, "key-1-mark", metadataUpdate.key())
	assert.Equal(t, url.Values{
		"items[0][id]": {"si_1"}, "items[0][price]": {"price_professional_yearly"},
		prorationBehaviourParam: {"always_invoice"}, paymentBehaviourParam: {"pending_if_incomplete"},
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"},
		"expand[2]": {"pending_setup_intent"}, "expand[3]": {"schedule"}, "expand[4]": {"customer"},
		"expand[5]": {"default_payment_method"},
	}, update.params)
	assert.Equal(t, "key-1", update.key())
}

func TestChangePlan_EndOfTrialOrAnotherIntervalStartsANewPeriod(t *testing.T) {
	trialChange := planChange
	trialChange.EndTrial = true
	intervalChange := monthlyChange
	intervalChange.At = time.Unix(1772366500, 0)
	for name, c := range map[string]struct {
		sub                             object
		req                             payment.PriceChange
		trialEnd, anchor, prorationDate string
	}{
		"end of the trial": {trialingSubscription, trialChange, "now", "", ""},
		"another interval": {activeSubscription.withFields(object{"items": list(subscriptionItem("standard_monthly"))}),
			intervalChange, "", "now",
			"1772366500"},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForChange(t, c.sub, upgradedSubscription)
			_, err := s.provider().ChangePlan(t.Context(), c.req)
			require.NoError(t, err)
			params := s.lastRequest(updateSubscriptionRoute).params
			assert.Equal(t, c.trialEnd, params.Get("trial_end"))
			assert.Equal(t, c.anchor, params.Get("billing_cycle_anchor"))
			assert.Equal(t, c.prorationDate, params.Get("proration_date"))
		})
	}
}

func TestChangePlan_DeclinedChangeIsPendingAndNotCollectedByStripe(t *testing.T) {
	s := stubForChange(t, activeSubscription, subscriptionWithPendingChange).
		respond(updateInvoiceRoute, okResponse(invoice("open", "open"))).
		respond(readPaymentRoute, okResponse(paymentIntent("requires_payment_method")))

	pendingSub, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, pendingSub.Status)
	assert.Equal(t, standard, pendingSub.Price)
	assert.Equal(t, &billing.PendingChange{
		To: professional, InvoiceID: "in_1", Amount: aud(42000), ExpiresAt: time.Unix(1772449200, 0).UTC(),
	}, pendingSub.Pending)
	assert.Equal(t, billing.NewPaymentMethod, pendingSub.Next.Kind)
	assert.Equal(t, url.Values{"auto_advance": {"false"}}, s.lastRequest(updateInvoiceRoute).params,
		"Stripe must not retry the payment by itself")
}

func TestChangePlan_SucceedsIfAutoAdvanceCannotBeDisabled(t *testing.T) {
	s := stubForChange(t, activeSubscription, subscriptionWithPendingChange).
		respond(updateInvoiceRoute, invalidRequestResponse(object{})).
		respond(readPaymentRoute, okResponse(paymentIntent("requires_action")))
	pendingSub, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.NotNil(t, pendingSub.Pending)
}

func TestChangePlan_RepeatSendsTheChangeIfOnlyItsKeyIsRecorded(t *testing.T) {
	s := stubForChange(t, activeSubscription.withFields(object{"metadata": object{"change": "key-1"}}), upgradedSubscription)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	require.Equal(t, 1, s.count(updateSubscriptionRoute), "the key is not recorded again")
	assert.Equal(t, "price_professional_yearly", s.lastRequest(updateSubscriptionRoute).params.Get("items[0][price]"))
}

func TestChangePlan_WithSeveralItemsChangesTheItemOfThePlan(t *testing.T) {
	subscriptionWithTwoItems := activeSubscription.withFields(object{"items": list(
		object{"id": "si_0", "price": object{"id": "price_x", "lookup_key": "consulting"}},
		object{"id": "si_1", "price": object{"id": "price_1", "lookup_key": "standard_yearly"}},
	)})
	s := stubForChange(t, subscriptionWithTwoItems, upgradedSubscription)
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, "si_1", s.lastRequest(updateSubscriptionRoute).params.Get("items[0][id]"))
}

// Stripe would make the change, but void its invoice and charge nothing.
func TestChangePlan_IsRefusedWhileTheCollectionIsPaused(t *testing.T) {
	pausedSubscription := activeSubscription.withFields(object{
		"pause_collection": object{"behavior": "void"}, //nolint:misspell // Stripe's spelling
	})
	s := newStub(t).respond(readSubscriptionRoute, okResponse(pausedSubscription))
	for _, err := range []error{
		errorOf(s.provider().ChangePlan(t.Context(), planChange)), errorOf(s.provider().ChangePlan(t.Context(),
			planChangeAtRenewal())),
		errorOf(s.provider().QuoteChange(t.Context(), planChange)),
	} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.ErrorContains(t, err, "payments are paused")
	}
	assert.Equal(t, []string{readSubscriptionRoute, readSubscriptionRoute, readSubscriptionRoute}, s.routes())
}

func TestCancelPendingChange_InvoicePaidMeanwhileReturnsTheNewPlan(t *testing.T) {
	refusal := invalidRequestResponse(object{"message": "You can only pass in open invoices. This invoice isn't open."})
	s := newStub(t).
		respond(readSubscriptionRoute, okResponse(subscriptionWithPendingChange), okResponse(upgradedSubscription)).
		respond(voidInvoiceRoute, refusal)
	changedSub, err := s.provider().CancelPendingChange(t.Context(), pendingCancellation)
	require.NoError(t, err)
	assert.Equal(t, professional, changedSub.Price)
	assert.Equal(t, "key-1", s.lastRequest(voidInvoiceRoute).key())
}

func TestCancelPendingChange_PaymentInProgressIsConflict(t *testing.T) {
	s := newStub(t).respond(readSubscriptionRoute, okResponse(subscriptionWithPendingChange)).
		respond(voidInvoiceRoute, invalidRequestResponse(object{})).
		respond(readPaymentRoute, okResponse(paymentIntent("processing")))
	_, err := s.provider().CancelPendingChange(t.Context(), pendingCancellation)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}
