package app

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// startedTrial is what the provider answers to a first subscription.
func startedTrial() billing.Subscription {
	sub := onMonthly(billing.Trialing)
	sub.TrialEnd = noon.AddDate(0, 0, 7)
	sub.PendingSetup = &billing.Intent{ID: "seti_1", Status: billing.RequiresAction, ClientSecret: "secret"}
	return sub
}

func TestSubscribeStartsATrial(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(starts("pm_visa", monthly, 7, startedTrial()))
	h.recorded("sub_1")

	made, err := h.Subscribe.Do(t.Context(), who, withVisa)

	require.NoError(t, err)
	assert.Equal(t, startedTrial(), made, "the browser needs the secret")
	assert.Equal(t, "sub_1", h.stored.Billing.Live().ID)
	assert.Empty(t, h.stored.Billing.Live().PendingSetup.ClientSecret, "we must not keep it")
	assert.False(t, h.stored.Billing.TrialUsedAt.IsZero())
	assert.Equal(t, "AUD", h.stored.Billing.Currency)
}

func TestSubscribeWithTheDefaultCardSavesNone(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(starts("", monthly, 7, startedTrial()))
	h.recorded("sub_1")

	assert.NoError(t, subscribe(t, SubscribeRequest{Price: choseMonthly})(h.bench))
}

func TestSubscribeFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, append(startingAfresh(),
		starts("pm_visa", monthly, 7, startedTrial()), updates("with the subscription", newcomer),
	), subscribe(t, withVisa))
}

func TestSubscribeRefusedByTheProviderIsOver(t *testing.T) {
	for _, code := range []fault.Code{fault.Declined, fault.NotFound, fault.Invalid} {
		t.Run(string(code), func(t *testing.T) {
			h := newHouse(t, newcomer())
			starts("pm_visa", monthly, 7, startedTrial()).expect(h.bench, fault.New(code, "the provider's words"))
			h.refused()

			err := subscribe(t, withVisa)(h.bench)

			assert.Equal(t, code, fault.CodeOf(err))
			assert.Equal(t, "the provider's words", fault.MessageOf(err))
			assert.Nil(t, h.stored.Billing.Live())
		})
	}
}

// A Conflict is not taken for stale data: nothing is sent again under another key.
func TestSubscribe_SendsNothingAgainAfterAConflict(t *testing.T) {
	h := newHouse(t, newcomer())
	starts("pm_visa", monthly, 7, startedTrial()).expect(h.bench, fault.New(fault.Conflict, "not sold"))
	h.refused()
	h.told()

	assert.ErrorContains(t, subscribe(t, withVisa)(h.bench), "not sold")
	assert.Len(t, h.keys(), 1)
}

func TestSubscribe_ConflictIsReturnedWhenTheProviderCannotBeAskedWhy(t *testing.T) {
	h := newHouse(t, newcomer())
	h.expects(refusesFirst)
	h.refused()
	h.listsSubscriptions(errOutage)
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestSubscribeForSomebodyElsesCustomerIsForbidden(t *testing.T) {
	for _, org := range []account.Organisation{newcomer(), stranger()} {
		b := newBench(t)
		b.readsOrganisation(org, nil)
		in := withVisa
		in.CustomerID = "cus_2"
		assert.Equal(t, fault.Forbidden, fault.CodeOf(subscribe(t, in)(b)))
	}
}

func TestSubscribeWithoutACustomerAsksNobody(t *testing.T) {
	h := newHouse(t, stranger())
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseMonthly})(h.bench)))
}

func TestSubscribeWithADeveloperLicenseIsForbidden(t *testing.T) {
	org := newcomer()
	org.Billing.DevLicense = &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active}
	h := newHouse(t, org)
	assert.Equal(t, fault.Forbidden, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestPitfall14_KeysNameNobodyAndAreNotSharedByCalls(t *testing.T) {
	h := newHouse(t, subscriber(declined()))
	h.told(declined())
	h.expects(savesCard, cancels, starts("pm_visa", yearly, 7, startedTrial()))
	h.recorded("sub_1")
	require.NoError(t, subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseYearly})(h.bench))

	keys := h.keys()
	require.Len(t, keys, 3)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(keys))), 3)
	for _, key := range keys {
		for _, name := range []string{"org_1", "usr_1", "cus_1", "pm_visa"} {
			assert.NotContains(t, key, name)
		}
	}
}
