package app

import (
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
	h := newHouse(t, newcomer(), false)
	h.told()
	h.expects(savesCard, starts(monthly, 7, startedTrial()))
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
	h := newHouse(t, newcomer(), false)
	h.told()
	h.expects(starts(monthly, 7, startedTrial()))
	h.recorded("sub_1")

	assert.NoError(t, subscribe(t, SubscribeRequest{Price: choseMonthly})(h.bench))
}

func TestSubscribeFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, append(looking(newcomer),
		savesCard, starts(monthly, 7, startedTrial()), updates("with the subscription", after(newcomer)),
	), subscribe(t, withVisa))
}

func TestSubscribeRefusedByTheProviderIsOver(t *testing.T) {
	for _, code := range []fault.Code{fault.Declined, fault.Conflict, fault.NotFound, fault.Invalid} {
		t.Run(string(code)+" when saving", func(t *testing.T) {
			h := newHouse(t, newcomer(), false)
			h.told()
			savesCard.expect(h.bench, fault.New(code, "the provider's words"))
			h.refused()

			err := subscribe(t, withVisa)(h.bench)

			assert.Equal(t, code, fault.CodeOf(err))
			assert.Equal(t, "the provider's words", fault.MessageOf(err))
		})
		t.Run(string(code)+" when subscribing", func(t *testing.T) {
			h := newHouse(t, newcomer(), false)
			h.told()
			h.expects(savesCard)
			starts(monthly, 7, startedTrial()).expect(h.bench, fault.New(code, ""))
			h.refused()

			assert.Equal(t, code, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
			assert.Nil(t, h.stored.Billing.Live())
		})
	}
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
	h := newHouse(t, stranger(), false)
	h.refused()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribe(t, SubscribeRequest{CardID: "pm_visa", Price: choseMonthly})(h.bench)))
}

func TestSubscribeWithADeveloperLicenseIsForbidden(t *testing.T) {
	org := newcomer()
	org.Billing.DevLicense = &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active}
	h := newHouse(t, org, false)
	h.told()
	h.refused()
	assert.Equal(t, fault.Forbidden, fault.CodeOf(subscribe(t, withVisa)(h.bench)))
}

func TestPitfall14_KeysNameNobodyAndAreNotSharedByCalls(t *testing.T) {
	h := newHouse(t, newcomer(), false)
	h.told()
	h.expects(savesCard, starts(monthly, 7, startedTrial()))
	h.recorded("sub_1")
	require.NoError(t, subscribe(t, withVisa)(h.bench))

	keys := h.keys()
	require.Len(t, keys, 2)
	assert.NotEqual(t, keys[0], keys[1])
	for _, key := range keys {
		for _, name := range []string{"org_1", "usr_1", "cus_1", "pm_visa"} {
			assert.NotContains(t, key, name)
		}
	}
}

func TestSubscribeCannotLookAgainAfterSomebodyRecorded(t *testing.T) {
	b := newBench(t)
	for _, s := range append(looking(newcomer)[:6], reads("under the operation", newcomer), reads("to sync again", newcomer)) {
		s.expect(b, nil)
	}
	b.listsSubscriptions(errOutage)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(subscribe(t, withVisa)(b)))
}
