package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestAnUnpaidOneIsEndedBeforeANewOneStarts(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.Unpaid)))
	h.told(onMonthly(billing.Unpaid))
	h.expects(savesCard, cancels, starts("pm_visa", monthly, 7, subscription("sub_2", billing.Active, monthly)))
	h.recorded("sub_2")

	require.NoError(t, subscribe(t, withVisa)(h.bench))

	assert.Equal(t, "sub_2", h.stored.Billing.Live().ID)
	assert.Equal(t, billing.IncompleteExpired, h.stored.Billing.Subscriptions[1].Status, "what was ended is known to be over")
}

func TestACardThatIsRefusedEndsNothing(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.Unpaid)))
	h.told(onMonthly(billing.Unpaid))
	savesCard.expect(h.bench, fault.New(fault.Declined, "Your card was declined."))
	h.refused()
	assert.Equal(t, fault.Declined, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

// sparesPaid answers that the subscription was paid before it could be ended.
var sparesPaid = step{"CancelSubscription", func(b *bench, err error) {
	b.provider.EXPECT().CancelSubscription(mock.Anything, mock.Anything).Return(onMonthly(billing.Active), err).Once()
}}

func TestOneThatWasPaidAtThatMomentIsTheSubscription(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
	h.told(declined())
	h.expects(savesCard, sparesPaid)
	h.updatesOrganisation(&h.stored, nil)
	h.refused()
	h.told(onMonthly(billing.Active))

	err := subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})(h.bench)

	assert.Equal(t, billing.AlreadySubscribed(billing.Active), err)
	assert.Equal(t, "sub_1", h.stored.Billing.Live().ID, "we know that it was paid")
}

func TestOneThatWasPaidAtThatMomentCannotBeRecorded(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
	h.told(declined())
	h.expects(savesCard, sparesPaid)
	h.updatesOrganisation(&h.stored, errOutage)

	err := subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})(h.bench)

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "it stays in doubt, and is asked for again")
}

func TestTwoLiveSubscriptionsAreLoggedLoudly(t *testing.T) {
	b, stored := newBench(t), newcomer()
	b.syncs(&stored, subscription("sub_2", billing.Active, monthly), subscription("sub_1", billing.Active, monthly))

	org, err := b.syncOf().refresh(t.Context(), "org_1")

	require.NoError(t, err)
	assert.Equal(t, "sub_1", org.Billing.Live().ID)
	assert.Equal(t, []string{"sub_2"}, org.Billing.Surplus)
	for _, part := range []string{"level=ERROR", "org=org_1", "license=sub_1", "sub_2"} {
		assert.Contains(t, b.log.String(), part)
	}
}
