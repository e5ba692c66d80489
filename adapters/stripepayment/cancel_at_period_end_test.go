package stripepayment_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/ports/payment"
)

// endingSubscription is the active subscription that ends with its period.
var endingSubscription = activeSubscription.withFields(object{"cancel_at_period_end": true, "cancel_at": 1803902400})

func TestSetEndAtPeriodEnd_SetsAndClearsTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		currentSub, updatedSub object
		end                    bool
		want                   url.Values
	}{
		"end":    {activeSubscription, endingSubscription, true, url.Values{"cancel_at_period_end": {"true"}}},
		"resume": {endingSubscription, activeSubscription, false, url.Values{"cancel_at_period_end": {"false"}}},
		"resume after cancel_at was set in the dashboard": {activeSubscription.withFields(object{"cancel_at": 1780000000}),
			activeSubscription, false,
			url.Values{"cancel_at": {""}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readSubscriptionRoute, okResponse(c.currentSub)).
				respond(updateSubscriptionRoute, okResponse(c.updatedSub))
			sub, err := s.provider().SetEndAtPeriodEnd(t.Context(),
				payment.EndRequest{Key: "key-1", SubscriptionID: "sub_1", End: c.end})
			require.NoError(t, err)
			assert.Equal(t, c.end, !sub.EndsAt.IsZero())
			req := s.lastRequest(updateSubscriptionRoute)
			assert.Equal(t, "key-1", req.key())
			maps.DeleteFunc(req.params, func(name string, _ []string) bool { return strings.HasPrefix(name, "expand[") })
			assert.Equal(t, c.want, req.params)
		})
	}
}

func TestSetEndAtPeriodEnd_ReleasesAScheduleWithoutANextPhase(t *testing.T) {
	s := newStub(t).respond(readSubscriptionRoute, okResponse(subscriptionWithFinishedSchedule)).
		respond(releaseScheduleRoute, okResponse(object{})).
		respond(updateSubscriptionRoute, okResponse(endingSubscription))
	_, err := s.provider().SetEndAtPeriodEnd(t.Context(),
		payment.EndRequest{Key: "key-1", SubscriptionID: "sub_1", End: true})
	require.NoError(t, err)
	assert.Equal(t, []string{readSubscriptionRoute, releaseScheduleRoute, updateSubscriptionRoute}, s.routes())
	assert.Equal(t, "key-1-release", s.lastRequest(releaseScheduleRoute).key())
}

func TestSubscription_EndsAtIsTheRequestedOrTheActualEnd(t *testing.T) {
	const earlierTime, laterTime = 1803902400, 1803902460
	for name, c := range map[string]struct {
		fields object
		want   int64
	}{
		"end of the period, processed later": {object{"cancel_at_period_end": true, "cancel_at": earlierTime,
			"ended_at": laterTime},
			earlierTime},
		"ended before the requested end": {object{"cancel_at": laterTime, "ended_at": earlierTime}, earlierTime},
		"ended immediately":              {object{"cancel_at": nil, "ended_at": laterTime}, laterTime},
	} {
		t.Run(name, func(t *testing.T) {
			c.fields["status"] = "canceled"
			s := newStub(t).respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(c.fields)))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, time.Unix(c.want, 0).UTC(), sub.EndsAt)
		})
	}
}

func TestSubscription_UnpaidEndsAtIsCalculatedFromTheDunningPeriod(t *testing.T) {
	debitError := object{"type": "card_error", "code": "payment_method_declined", "message": "Insufficient funds.",
		"payment_method": object{"id": "pm_1", "object": "payment_method", "type": "au_becs_debit"}}
	end := time.Unix(1772456400, 0).UTC()
	for name, c := range map[string]struct {
		period        time.Duration
		invoiceFields object
		lastError     any
		want          time.Time
	}{
		"card":                       {24 * time.Hour, object{}, nil, end},
		"without a dunning period":   {0, object{}, nil, time.Time{}},
		"an attempt at the end":      {24 * time.Hour, object{"next_payment_attempt": 1772456400}, nil, end},
		"an attempt after the end":   {24 * time.Hour, object{"next_payment_attempt": 1772456401}, nil, time.Time{}},
		"bank debit that takes days": {24 * time.Hour, object{}, debitError, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			overdueInvoice := invoice("open", "open").withFields(object{
				"status_transitions": object{"finalized_at": 1772370000}}).withFields(c.invoiceFields) //nolint:misspell // Stripe's spelling
			s := newStub(t).
				respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(object{"status": "past_due",
					"latest_invoice": overdueInvoice}))).
				respond(readPaymentRoute, okResponse(paymentIntent("requires_payment_method").
					withFields(object{"last_payment_error": c.lastError})))
			p := s.provider(func(config *stripepayment.Config) { config.DunningPeriod = c.period })
			sub, err := p.Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, sub.UnpaidEndsAt)
		})
	}
}
