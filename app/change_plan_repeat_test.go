package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// moved is sub_1 on the new plan.
func moved(status billing.Status) billing.Subscription { return subscription("sub_1", status, yearly) }

func TestPitfall08_ARepeatAfterTheChangeShowsNoFailure(t *testing.T) {
	h := newHouse(t, subscribed(), true)
	h.told(moved(billing.Active))
	h.expects(refetches(moved(billing.Active)))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, yearly, changed.Price)
}

func TestChangePlanRepeatedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	h := newHouse(t, subscribed(), true)
	h.told(onMonthly(billing.Active))
	h.expects(changesTo(yearly), refetches(moved(billing.PastDue)))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, []string{"op_first"}, h.keys(), "the same key again")
	assert.Equal(t, billing.PastDue, changed.Status)
	assert.Equal(t, billing.PastDue, h.stored.Billing.Live().Status)
}

// A repeat joined this request right after it had begun, and was quicker.
func TestChangePlanOvertakenByARepeatSucceeds(t *testing.T) {
	h := newHouse(t, subscribed(), false)
	h.told(onMonthly(billing.Active))
	h.overtakenBy(moved(billing.Active))
	h.expects(refetches(moved(billing.Active)))
	h.recorded("sub_1")

	assert.NoError(t, changePlan(t)(h.bench))
}

func TestChangePlanMadeBeforeIsNoChange(t *testing.T) {
	h := newHouse(t, subscribed(), false)
	h.told(moved(billing.Active))
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(changePlan(t)(h.bench)))
}
