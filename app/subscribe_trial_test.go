package app

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSubscribeWithoutATrialWhenNoneIsWanted(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(starts("pm_visa", monthly, 0, onMonthly(billing.Active)))
	h.recorded("sub_1")
	in := withVisa
	in.NoTrial = true

	assert.NoError(t, subscribe(t, in)(h.bench))
	assert.True(t, h.stored.Billing.TrialUsedAt.IsZero(), "a trial that was not taken is still to come")
}

func TestPitfall16_TheTrialIsUsedOnceOverAllPlans(t *testing.T) {
	before := subscription("sub_old", billing.Canceled, yearly)
	before.TrialEnd = noon.AddDate(0, -1, 0)
	h := newHouse(t, subscriber(before))
	h.told(before)
	h.expects(starts("pm_visa", monthly, 0, onMonthly(billing.Active)))
	h.recorded("sub_1")

	assert.NoError(t, subscribe(t, withVisa)(h.bench))
}

func TestPitfall16_ATrialThatOnlyTheProviderKnowsOfIsUsed(t *testing.T) {
	before := subscription("sub_old", billing.Canceled, yearly)
	before.TrialEnd = noon.AddDate(0, -1, 0)
	h := newHouse(t, newcomer())
	h.expects(refusesFirst)
	h.refused()
	h.told(before)
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)), "a trial was offered that there is not")

	h.told(before)
	h.expects(starts("pm_visa", monthly, 0, onMonthly(billing.Active)))
	h.recorded("sub_1")
	assert.NoError(t, subscribe(t, withVisa)(h.bench))
}
