package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

func TestPlanObstacle_HasReasonAndDate(t *testing.T) {
	arrival, disputedAt := day0.AddDate(0, 0, 3), day0.AddDate(0, 0, -2)
	order := newSub("a", billing.Incomplete, 0)
	order.Next = billing.NextAction{Kind: billing.Wait, Until: arrival}
	held, paused := newSub("a", billing.Active, 0), newSub("a", billing.Active, 0)
	endedOnHold := newSub("a", billing.Canceled, 0)
	endedOnHold.Hold = billing.HoldDisputed
	held.Hold, paused.Pause = billing.HoldDisputed, &billing.Pause{Until: arrival}
	ending, pending := newEndingSub(), newSubWithPendingChange(billing.Active)
	for name, c := range map[string]struct {
		sub    billing.Subscription
		kind   billing.PlanObstacleKind
		at     time.Time
		reason string
	}{
		"payment on its way":       {makePaymentProcessing(newDeclinedSub(billing.PastDue)), billing.ProcessingObstacle, arrival, "is on its way"},
		"first payment on its way": {makePaymentProcessing(newDeclinedSub(billing.Incomplete)), billing.ProcessingObstacle, arrival, "is on its way"},
		"change on its way":        {makePaymentProcessing(pending), billing.ProcessingObstacle, arrival, "for the change of your plan is on its way"},
		"hold":                     {held, billing.HoldObstacle, disputedAt, "disputed"},
		"hold without a plan":      {endedOnHold, billing.HoldObstacle, disputedAt, "disputed"},
		"ending":                   {ending, billing.EndingObstacle, ending.EndsAt, "Resume first"},
		"order":                    {order, billing.OrderObstacle, arrival, "Your order is being checked"},
		"another change":           {pending, billing.PendingObstacle, pending.Pending.ExpiresAt, "Another plan change is waiting"},
		"paused":                   {paused, billing.PausedObstacle, arrival, "paused"},
		"overdue":                  {newDeclinedSub(billing.PastDue), billing.OtherObstacle, time.Time{}, "Pay the invoice"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount(c.sub)
			a.DisputedAt, a.DisputeTimeZone = disputedAt, "Europe/Paris"
			obstacle := a.PlanObstacle(price("standard", catalogue.Yearly, "AUD"))
			require.NotNil(t, obstacle)
			assert.Equal(t, c.kind, obstacle.Kind)
			assert.Equal(t, c.at, obstacle.At)
			assert.Equal(t, c.kind == billing.HoldObstacle, obstacle.TimeZone == "Europe/Paris")
			assert.Contains(t, obstacle.Reason, c.reason)
		})
	}
}

func TestPlanObstacle_IsNilIfThePriceCanBeChosen(t *testing.T) {
	assert.Nil(t, newAccount(newEndingSub()).PlanObstacle(professionalAUD), "the current price")
	assert.Nil(t, newAccount(newSub("a", billing.Active, 0)).PlanObstacle(standardAUD))
	assert.Nil(t, newAccount(newSubWithPendingChange(billing.Active)).PlanObstacle(standardAUD), "the price of the pending change")
	assert.Nil(t, newAccount(newSubWithScheduledChange()).PlanObstacle(price("standard", catalogue.Yearly, "AUD")))
	assert.Nil(t, newAccount().PlanObstacle(standardAUD))
	assert.Nil(t, newDeveloperAccount().PlanObstacle(standardAUD))
}

func TestPlanObstacle_OfAnotherCurrencyHasNoDateOfTheEnd(t *testing.T) {
	obstacle := newAccount(newEndingSub()).PlanObstacle(price("standard", catalogue.Yearly, "GBP"))

	require.NotNil(t, obstacle)
	assert.Contains(t, obstacle.Reason, "AUD")
	assert.Equal(t, billing.OtherObstacle, obstacle.Kind)
	assert.Zero(t, obstacle.At)
}
