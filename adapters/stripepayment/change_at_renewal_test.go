package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	createScheduleRoute  = "POST /v1/subscription_schedules"
	updateScheduleRoute  = "POST /v1/subscription_schedules/sub_sched_1"
	releaseScheduleRoute = "POST /v1/subscription_schedules/sub_sched_1/release"
	readPriceRoute       = "GET /v1/prices/price_2"
)

// planChangeAtRenewal returns planChange with When set to AtRenewal.
func planChangeAtRenewal() payment.PriceChange {
	req := planChange
	req.When = billing.ChangeAtRenewal
	return req
}

// stubForChangeAtRenewal responds to a change at the renewal of a subscription.
func stubForChangeAtRenewal(t *testing.T, sub object) *stub {
	return stubWithCustomerAndPrices(t, customer).
		respond(readSubscriptionRoute, okResponse(sub), okResponse(subscriptionWithScheduledChange)).
		respond(listInvoicesRoute, okResponse(list(sub["latest_invoice"]))).
		respond(listChargesRoute, okResponse(list(charge))).
		respond(readPriceRoute, okResponse(object{"id": "price_2", "lookup_key": "professional_yearly", "currency": "aud",
			"unit_amount": 81600})).
		respond(updateSubscriptionRoute, okResponse(sub)).respond(releaseScheduleRoute, okResponse(object{})).
		respond(createScheduleRoute, okResponse(subscriptionWithFinishedSchedule["schedule"])).
		respond(updateScheduleRoute, okResponse(subscriptionWithScheduledChange["schedule"]))
}

func TestChangePlan_AtRenewalSendsTheCurrentAndTheNextPhase(t *testing.T) {
	s := stubForChangeAtRenewal(t, activeSubscription)

	scheduledSub, err := s.provider().ChangePlan(t.Context(), planChangeAtRenewal())

	require.NoError(t, err)
	assert.Equal(t, &billing.ScheduledChange{To: professional, Amount: aud(81600), At: time.Unix(1803902400, 0).UTC()},
		scheduledSub.Scheduled)
	creation, update := s.lastRequest(createScheduleRoute), s.lastRequest(updateScheduleRoute)
	assert.Equal(t, url.Values{"from_subscription": {"sub_1"}}, creation.params, "Stripe accepts no other parameter")
	assert.Equal(t, "key-1-schedule", creation.key())
	assert.Equal(t, url.Values{
		"end_behavior": {"release"}, prorationBehaviourParam: {"none"}, //nolint:misspell // Stripe's spelling
		"phases[0][start_date]": {"1772366400"}, "phases[0][end_date]": {"1803902400"},
		"phases[0][items][0][price]": {"price_1"}, "phases[0][items][0][quantity]": {"1"},
		"phases[0][" + prorationBehaviourParam + "]": {"none"},
		"phases[1][items][0][price]":                 {"price_professional_yearly"}, "phases[1][items][0][quantity]": {"1"},
		"phases[1][duration][interval]": {"year"}, "phases[1][duration][interval_count]": {"1"},
		"phases[1][" + prorationBehaviourParam + "]": {"none"},
	}, update.params)
	assert.Equal(t, "key-1", update.key())
}

func TestChangePlan_AtRenewalCreatesAScheduleIfNoneCanBeReused(t *testing.T) {
	for name, c := range map[string]struct {
		sub                       object
		releaseCount, createCount int
	}{
		"no schedule":                   {activeSubscription, 0, 1},
		"schedule with a next phase":    {subscriptionWithScheduledChange, 0, 0},
		"schedule without a next phase": {subscriptionWithFinishedSchedule, 1, 1},
		"schedule that the same request created": {
			subscriptionWithFinishedSchedule.withFields(object{"metadata": object{"change": "key-1"}}), 0, 0,
		},
		"schedule that Stripe has released": {activeSubscription.withFields(object{"schedule": object{"id": "sub_sched_0",
			"status": "released"}}), 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForChangeAtRenewal(t, c.sub)
			_, err := s.provider().ChangePlan(t.Context(), planChangeAtRenewal())
			require.NoError(t, err)
			assert.Equal(t, []int{c.releaseCount, c.createCount, 1},
				[]int{s.count(releaseScheduleRoute), s.count(createScheduleRoute), s.count(updateScheduleRoute)})
		})
	}
}

func TestChangePlan_RepeatCompletesAnInterruptedChangeAtRenewal(t *testing.T) {
	for writes := range 3 {
		f := newFakeStripe(t, catalogue.Default())
		p := f.provider(t, catalogue.Default())
		s, err := p.Subscribe(t.Context(), subscribeRequest(f.newCustomerWithCard(t, p), "professional"))
		require.NoError(t, err)
		req := payment.PriceChange{Key: "key-1", SubscriptionID: s.ID, From: professional, To: standard,
			When: billing.ChangeAtRenewal}
		f.failWritesAfter(writes)
		_, err = p.ChangePlan(t.Context(), req)
		require.Error(t, err)
		f.allowAllWrites()

		scheduledSub, err := p.ChangePlan(t.Context(), req)

		require.NoError(t, err, writes)
		assert.Equal(t, standard, scheduledSub.Scheduled.To)
		f.advanceClock(t, 366*24*time.Hour)
		renewedSub, err := p.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.Equal(t, standard, renewedSub.Price)
		assert.Nil(t, renewedSub.Scheduled)
		_, err = p.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: "key-2", SubscriptionID: s.ID, End: true})
		assert.NoError(t, err, "the schedule in its last phase is released")
	}
}
