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
	readSubscription  = "GET /v1/subscriptions/sub_1"
	listSubscriptions = "GET /v1/subscriptions"
)

func TestListSubscriptions_ReadsEveryPage(t *testing.T) {
	first := list(incomplete.with(object{"id": "sub_3"}),
		trialing.with(object{"id": "sub_2"})).with(object{"has_more": true})
	s := newStub(t).respond(listSubscriptions, ok(first), ok(list(active))).respond(readPayment,
		ok(paymentIntent("requires_action")))

	found, err := s.provider().ListSubscriptions(t.Context(), "cus_1")

	require.NoError(t, err)
	require.Len(t, found, 3)
	assert.Equal(t, billing.RequiresAction, found[0].LatestInvoice.Payment.Status)
	assert.Equal(t, billing.Trialing, found[1].Status)
	assert.Equal(t, "sub_1", found[2].ID)
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "status": {"all"}, "limit": {"100"}, "starting_after": {"sub_2"},
		"expand[0]": {"data.latest_invoice.confirmation_secret"}, "expand[1]": {"data.latest_invoice.payments"},
		"expand[2]": {"data.pending_setup_intent"}, "expand[3]": {"data.schedule"}, "expand[4]": {"data.customer"},
	}, s.last(listSubscriptions).params)
}

func TestListSubscriptions_ReadsNoPaymentsOfFilteredOnes(t *testing.T) {
	s := newStub(t).respond(listSubscriptions, ok(list(incomplete.with(object{"id": "sub_2"}), active)))
	found, err := s.provider().ListSubscriptions(t.Context(), "cus_1", billing.Active, billing.Trialing)
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "sub_1", found[0].ID)
	assert.Equal(t, []string{listSubscriptions}, s.routes())
}

func TestListSubscriptions_FailsIfAPartFails(t *testing.T) {
	broken := newStub(t).respond(listSubscriptions, ok(list(active).with(object{"has_more": true})),
		errorResponse(500, object{"type": "api_error"}))
	_, err := broken.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))

	half := newStub(t).respond(listSubscriptions, ok(list(incomplete))).respond(readPayment,
		errorResponse(500, object{"type": "api_error"}))
	_, err = half.provider().ListSubscriptions(t.Context(), "cus_1")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestSubscription_ReportsEveryStatus(t *testing.T) {
	for status, want := range map[string]billing.Status{
		"incomplete": billing.Incomplete, "incomplete_expired": billing.IncompleteExpired, "trialing": billing.Trialing,
		"active": billing.Active, "past_due": billing.PastDue, "unpaid": billing.Unpaid, "canceled": billing.Canceled,
		"paused": billing.Unpaid,
	} {
		s := newStub(t).respond(readSubscription, ok(active.with(object{"status": status})))
		found, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, want, found.Status)
	}
}

// The clock is at noon on 1 March 2026, and the period ends a year later.
func TestSubscription_ReportsAPausedCollection(t *testing.T) {
	const beforeTheRenewal, past = 1803902399, 1772366400
	for name, c := range map[string]struct {
		collection any
		want       *billing.Pause
		charged    bool
	}{
		"none":                     {nil, nil, true},
		"without an end":           {object{"behavior": "keep_as_draft", "resumes_at": nil}, &billing.Pause{}, false},                                               //nolint:misspell // Stripe's spelling
		"resumed for the renewal":  {object{"behavior": "void", "resumes_at": beforeTheRenewal}, &billing.Pause{Until: time.Unix(beforeTheRenewal, 0).UTC()}, true}, //nolint:misspell // as above
		"over, but still reported": {object{"behavior": "mark_uncollectible", "resumes_at": past}, nil, true},                                                       //nolint:misspell // as above
	} {
		s := newStub(t).respond(readSubscription, ok(active.with(object{"pause_collection": c.collection})))
		found, err := s.provider().Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, billing.Active, found.Status, name)
		assert.Equal(t, c.want, found.Pause, name)
		assert.Equal(t, c.charged, !found.NextChargeAt().IsZero(), name)
	}
}
