package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// declined is a subscription whose first payment did not go through.
func declined() billing.Subscription {
	sub := onMonthly(billing.Incomplete)
	sub.LatestInvoice = &billing.Invoice{
		ID: "in_1", Payment: &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod, ClientSecret: "secret"},
	}
	return sub
}

func TestSubscribeKeepsADeclinedOneOpen(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.expects(starts("pm_visa", monthly, 7, declined()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err, "a declined charge is an outcome, not an error")
	assert.Equal(t, declined(), made)
	assert.Nil(t, h.stored.Billing.License())
	assert.Equal(t, "sub_1", h.stored.Billing.Open().ID)
}

func TestSubscribeContinuesTheOpenOneWithTheNewCard(t *testing.T) {
	h := newHouse(t, subscriber(declined()), false)
	h.told(declined())
	h.expects(savesCard, continues(onMonthly(billing.Active)))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, made.Status)
	assert.Equal(t, "sub_1", h.stored.Billing.Live().ID)
}

func TestSubscribeContinuesAnOpenOneThatOnlyTheProviderKnows(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.told(declined())
	h.expects(unheardOf, savesCard, continues(declined()))
	h.recorded("sub_1")

	assert.NoError(t, subscribe(t, withVisa)(h.bench))
}

func TestPitfall19_AnOpenOneForAnotherPriceIsReplaced(t *testing.T) {
	h := newHouse(t, subscriber(declined()), false)
	h.told(declined())
	h.expects(savesCard, cancels, starts("pm_visa", yearly, 7, subscription("sub_2", billing.Trialing, yearly)))
	h.recorded("sub_2")

	made, err := h.Subscribe.Do(t.Context(), who, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})

	require.NoError(t, err)
	assert.Equal(t, yearly, made.Price)
	assert.Nil(t, h.stored.Billing.Open(), "what was replaced is known to be over")
}

func TestSubscribeToAnOpenOneFails(t *testing.T) {
	open := func() account.Organisation { return subscriber(declined()) }
	failsAtEveryStep(t, errOutage, append(looking(open, declined()),
		savesCard, continues(declined()), updates("with the answer", after(open, declined())),
	), subscribe(t, withVisa))
	failsAtEveryStep(t, errOutage, append(looking(open, declined()),
		savesCard, cancels, starts("pm_visa", yearly, 7, startedTrial()), updates("with the answer", after(open, declined())),
	), subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseYearly}))
}

func TestSubscribeToAnOpenOneIsRefused(t *testing.T) {
	for name, refuse := range map[string]struct {
		price PriceChoice
		step  step
	}{
		"paying":    {choseMonthly, continues(declined())},
		"canceling": {choseYearly, cancels},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, subscriber(declined()), false)
			h.told(declined())
			h.expects(savesCard)
			refuse.step.expect(h.bench, errRefused)
			h.refused()
			err := subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: refuse.price})(h.bench)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		})
	}
}

// The bank's page was confirmed in the browser, and no webhook has told us yet.
func TestSubscribeAgainAfterTheBrowserPaid(t *testing.T) {
	t.Run("the same request gets its subscription", func(t *testing.T) {
		h := newHouse(t, subscriber(declined()), false)
		h.last = doneBy(withVisa, "sub_1")
		h.told(onMonthly(billing.Active))
		h.expects(refetches(onMonthly(billing.Active)))
		h.recorded("sub_1")
		assert.NoError(t, subscribe(t, withVisa)(h.bench))
	})
	t.Run("another card is refused", func(t *testing.T) {
		h := newHouse(t, subscriber(declined()), false)
		h.last = doneBy(withVisa, "sub_1")
		h.told(onMonthly(billing.Active))
		h.refused()
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, otherCard)(h.bench)))
	})
}
