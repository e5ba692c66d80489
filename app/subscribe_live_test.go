package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

var otherCard = SubscribeRequest{CardID: "pm_other", Price: choseMonthly}

func TestPitfall04_ASecondSubscriptionIsRefusedByAskingTheProvider(t *testing.T) {
	h := newHouse(t, newcomer()) // our copy has heard of nothing
	h.last = doneBy(withVisa, "sub_0")
	h.expects(refusesFirst)
	h.told(onMonthly(billing.Active))
	h.refused()

	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
	assert.Equal(t, "sub_1", h.stored.Billing.Live().ID, "we know of it now")
}

func TestPitfall05_PastDueBlocksASecondSubscription(t *testing.T) {
	for _, status := range []billing.Status{billing.PastDue, billing.Active, billing.Trialing} {
		h := newHouse(t, subscriber(onMonthly(status)))
		h.last = doneBy(withVisa, "sub_1")
		h.told(onMonthly(status))
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, otherCard)(h.bench)), status)
	}
}

func TestSubscribeAfterTheCopyWasWrongAboutALiveOne(t *testing.T) {
	h := newHouse(t, subscriber(subscription("sub_old", billing.Active, monthly)))
	h.told(subscription("sub_old", billing.Canceled, monthly))
	h.expects(starts("pm_visa", monthly, 7, onMonthly(billing.Active)))
	h.recorded("sub_1")

	assert.NoError(t, subscribe(t, withVisa)(h.bench))
}

func TestPitfall20_AnotherCurrencyIsRefused(t *testing.T) {
	ended := subscription("sub_old", billing.Canceled, catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "EUR"})
	for name, stored := range map[string]account.Organisation{"known": subscriber(ended), "known to the provider only": newcomer()} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, stored)
			if len(stored.Billing.Subscriptions) == 0 {
				h.expects(refusesFirst)
				h.refused()
			}
			h.told(ended)
			err := subscribe(t, withVisa)(h.bench)
			require.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.Contains(t, fault.MessageOf(err), "EUR")
		})
	}
}
