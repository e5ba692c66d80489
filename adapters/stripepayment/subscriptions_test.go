package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	readSubscriptionRoute  = "GET /v1/subscriptions/sub_1"
	listSubscriptionsRoute = "GET /v1/subscriptions"
)

func TestListSubscriptions_ReadsEveryPage(t *testing.T) {
	firstPage := list(incompleteSubscription.withFields(object{"id": "sub_3"}),
		trialingSubscription.withFields(object{"id": "sub_2"})).withFields(object{"has_more": true})
	s := newStub(t).respond(listSubscriptionsRoute, okResponse(firstPage), okResponse(list(activeSubscription))).
		respond(readPaymentRoute, okResponse(paymentIntent("requires_action")))

	subs, err := s.provider().ListSubscriptions(t.Context(), "cus_1")

	require.NoError(t, err)
	require.Len(t, subs, 3)
	assert.Equal(t, billing.RequiresAction, subs[0].LatestInvoice.Payment.Status)
	assert.Equal(t, billing.Trialing, subs[1].Status)
	assert.Equal(t, "sub_1", subs[2].ID)
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "status": {"all"}, "limit": {"100"}, "starting_after": {"sub_2"},
		"expand[0]": {"data.latest_invoice.confirmation_secret"}, "expand[1]": {"data.latest_invoice.payments"},
		"expand[2]": {"data.pending_setup_intent"}, "expand[3]": {"data.schedule"}, "expand[4]": {"data.customer"},
		"expand[5]": {"data.default_payment_method"},
	}, s.lastRequest(listSubscriptionsRoute).params)
}

func TestListSubscriptions_ReadsNoPaymentsOfSubscriptionsThatAreFilteredOut(t *testing.T) {
	s := newStub(t).
		respond(listSubscriptionsRoute, okResponse(list(incompleteSubscription.withFields(object{"id": "sub_2"}),
			activeSubscription)))
	subs, err := s.provider().ListSubscriptions(t.Context(), "cus_1", billing.Active, billing.Trialing)
	require.NoError(t, err)
	require.Len(t, subs, 1)
	assert.Equal(t, "sub_1", subs[0].ID)
	assert.Equal(t, []string{listSubscriptionsRoute}, s.routes())
}

func TestListSubscriptions_FailsIfAPageOrAPaymentFails(t *testing.T) {
	failingPageStub := newStub(t).
		respond(listSubscriptionsRoute, okResponse(list(activeSubscription).withFields(object{"has_more": true})),
			errorResponse(500, object{"type": "api_error"}))
	_, err := failingPageStub.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))

	failingPaymentStub := newStub(t).respond(listSubscriptionsRoute, okResponse(list(incompleteSubscription))).
		respond(readPaymentRoute, errorResponse(500, object{"type": "api_error"}))
	_, err = failingPaymentStub.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestSubscription_ReportsEveryStatus(t *testing.T) {
	for status, want := range map[string]billing.Status{
		"incomplete": billing.Incomplete, "incomplete_expired": billing.IncompleteExpired, "trialing": billing.Trialing,
		"active": billing.Active, "past_due": billing.PastDue, "unpaid": billing.Unpaid, "canceled": billing.Canceled,
		"paused": billing.Unpaid,
	} {
		s := newStub(t).respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(object{"status": status})))
		sub, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, want, sub.Status)
	}
}

// The current time is noon on 1 March 2026, and the period ends a year later.
func TestSubscription_ReportsAPausedCollection(t *testing.T) {
	const timeBeforeRenewal, pastTime = 1803902399, 1772366400
	pause := func(behaviour string, resumesAt any) object {
		return object{"behavior": behaviour, "resumes_at": resumesAt} //nolint:misspell // Stripe's spelling
	}
	for name, c := range map[string]struct {
		pauseCollection any
		want            *billing.Pause
		isCharged       bool
	}{
		"none":           {nil, nil, true},
		"without an end": {pause("keep_as_draft", nil), &billing.Pause{}, false},
		"resumed before the renewal": {pause("void", timeBeforeRenewal),
			&billing.Pause{Until: time.Unix(timeBeforeRenewal, 0).UTC()}, true},
		"in the past, but still reported": {pause("mark_uncollectible", pastTime), nil, true},
	} {
		s := newStub(t).
			respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(object{"pause_collection": c.pauseCollection})))
		sub, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, billing.Active, sub.Status, name)
		assert.Equal(t, c.want, sub.Pause, name)
		assert.Equal(t, c.isCharged, !sub.NextChargeAt().IsZero(), name)
	}
}
