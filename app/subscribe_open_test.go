package app

import (
	"testing"
	"time"

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
		ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), Payment: &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod, ClientSecret: "secret"},
	}
	return sub
}

func TestSubscribeKeepsADeclinedOneOpen(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(starts("pm_visa", monthly, 7, declined()), showsCustomer)
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err, "a declined charge is an outcome, not an error")
	assert.Equal(t, declined(), made)
	assert.Nil(t, h.stored.Billing.License())
	assert.Equal(t, "sub_1", h.stored.Billing.Open().ID)
	require.Len(t, h.attempted, 1, "the first charge counts as an attempt")
	assert.Equal(t, "in_1", h.attempted[0].InvoiceID)
}

func TestSubscribeContinuesTheOpenOneWithTheNewCard(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
	h.told(declined())
	h.expects(savesCard, continues(onMonthly(billing.Active)))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, billing.Active, made.Status)
	assert.Equal(t, "sub_1", h.stored.Billing.Live().ID)
}

func TestSubscribe_RefusesAFourthAttemptAtTheOpenInvoiceWithinAnHour(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
	h.attempted = []billing.PaymentAttempt{{At: noon}, {At: noon}, {At: noon}}
	h.told(declined())
	h.expects(savesCard, settles(billing.SubscriptionOperation, ""))

	_, err := h.Subscribe.Do(t.Context(), who, withVisa)

	assert.Equal(t, fault.RateLimited, fault.CodeOf(err))
	assert.Equal(t, time.Hour, fault.RetryAfterOf(err))
}

func TestSubscribe_RefusesWhenOnlyTheProviderKnowsAnOpenOne(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(refusesFirst)
	h.refused()
	h.told(declined())
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)), "the offer may be wrong as well")

	h.told(declined())
	h.expects(savesCard, continues(declined()))
	h.recorded("sub_1")
	assert.NoError(t, subscribe(t, withVisa)(h.bench), "it is known now")
}

func TestPitfall19_AnOpenOneForAnotherPriceIsReplaced(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
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
			h := newHouse(t, subscriber(declined()))
			h.told(declined())
			h.expects(savesCard)
			refuse.step.expect(h.bench, errRefused)
			h.refused()
			h.told(declined())
			err := subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: refuse.price})(h.bench)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		})
	}
}

// The bank's page was confirmed in the browser, and no webhook has told us yet.
func TestSubscribeAgainAfterTheBrowserPaid(t *testing.T) {
	t.Run("the same request gets its subscription", func(t *testing.T) {
		h := newHouse(t, subscriber(declined()))
		h.last = doneBy(withVisa, "sub_1")
		h.told(onMonthly(billing.Active))
		h.expects(refetches(onMonthly(billing.Active)))
		assert.NoError(t, subscribe(t, withVisa)(h.bench))
	})
	t.Run("another card is refused", func(t *testing.T) {
		h := newHouse(t, subscriber(declined()))
		h.last = doneBy(withVisa, "sub_1")
		h.told(onMonthly(billing.Active))
		assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, otherCard)(h.bench)))
	})
}
