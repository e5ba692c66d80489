package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// moved is sub_1 on the new plan.
func moved(status billing.Status) billing.Subscription { return subscription("sub_1", status, yearly) }

// changeStep moves sub_1 to the new plan.
var changeStep = billing.Step{Kind: billing.ChangePlanStep, CustomerID: "cus_1", SubscriptionID: "sub_1", From: monthly, Price: yearly}

// newChangingHouse has a change of plan under way that began a moment ago.
func newChangingHouse(t *testing.T) *house {
	h := newHouse(t, subscribed(), changeStep)
	c := planChange{price: yearly}
	h.pending.Fingerprint = c.fingerprint()
	return h
}

func TestPitfall08_ARepeatOfTheChangeShowsNoFailure(t *testing.T) {
	h := newChangingHouse(t)
	h.expects(changesTo(yearly), refetches(moved(billing.Active)))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, yearly, changed.Price)
}

func TestChangePlanRepeatedBelievesTheTruthNotTheAnswerGivenAgain(t *testing.T) {
	h := newChangingHouse(t)
	h.expects(changesTo(yearly), refetches(moved(billing.PastDue)))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, []string{"op_first-1"}, h.keys(), "the same key again")
	assert.Equal(t, billing.PastDue, changed.Status)
	assert.Equal(t, billing.PastDue, h.stored.Billing.Live().Status)
}

// A repeat began and ended between our look and our beginning.
func TestChangePlanOvertakenByARepeatSucceeds(t *testing.T) {
	pending := onMonthly(billing.Active)
	pending.Pending = &billing.PendingChange{To: yearly}
	for name, truth := range map[string]billing.Subscription{"made": moved(billing.Active), "pending": pending} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, subscribed())
			h.told(onMonthly(billing.Active))
			h.overtakenBy(billing.Operation{}, truth)
			h.expects(refetches(truth))
			assert.NoError(t, changePlan(t)(h.bench))
		})
	}
}

// The report shows what a repeat has changed that is still pending: it is joined.
func TestChangePlan_JoinsARepeatWhoseEffectItSeesFirst(t *testing.T) {
	h := newChangingHouse(t)
	pending := h.pending
	h.pending = nil
	h.provider.EXPECT().ListSubscriptions(mock.Anything, "cus_1").RunAndReturn(
		func(context.Context, string, ...billing.Status) ([]billing.Subscription, error) {
			h.pending = pending
			return []billing.Subscription{moved(billing.Active)}, nil
		}).Once()
	h.updatesOrganisation(&h.stored, nil)
	h.expects(changesTo(yearly), refetches(moved(billing.Active)))
	h.recorded("sub_1")
	assert.NoError(t, changePlan(t)(h.bench))
}

func TestChangePlanMadeBeforeIsNoChange(t *testing.T) {
	h := newHouse(t, subscribed())
	h.told(moved(billing.Active))
	assert.Equal(t, fault.Conflict, fault.CodeOf(changePlan(t)(h.bench)))
}
