package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func onMonthly(status billing.Status) billing.Subscription {
	return subscription("sub_1", status, monthly)
}

func subscribed() account.Organisation { return subscriber(onMonthly(billing.Active)) }

// changesTo expects sub_1 to be moved to the price in place.
func changesTo(price catalogue.PriceRef) step {
	return step{"ChangePlan", func(b *bench, err error) {
		b.provider.EXPECT().ChangePlan(mock.Anything, mock.MatchedBy(func(in payment.PlanChange) bool {
			return in.SubscriptionID == "sub_1" && in.Price == price && in.Key != ""
		})).Return(subscription("sub_1", billing.Active, price), err).Once()
	}}
}

var changingThePlan = []step{
	reads("to sync", subscribed), lists(onMonthly(billing.Active)), updates("with the truth", subscribed),
	beginsOperation(billing.SubscriptionLane), reads("under the operation", after(subscribed, onMonthly(billing.Active))),
	changesTo(yearly), updates("with the change", after(subscribed, onMonthly(billing.Active))),
}

func changePlan(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.ChangePlan.Do(t.Context(), who, choseYearly)
		return err
	}
}

func TestPitfall03_APlanChangeUpdatesTheSubscriptionInPlace(t *testing.T) {
	h := newHouse(t, subscribed(), false)
	h.told(onMonthly(billing.Active))
	h.expects(changesTo(yearly))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, yearly, changed.Price)
	require.Len(t, h.stored.Billing.Subscriptions, 1)
	assert.Equal(t, yearly, h.stored.Billing.Live().Price)
}

func TestChangePlanFailsAndStaysPending(t *testing.T) {
	failsAtEveryStep(t, errOutage, changingThePlan, changePlan(t))
}

func TestChangePlanRefusedByTheProviderIsOver(t *testing.T) {
	for _, code := range []fault.Code{fault.Declined, fault.Conflict, fault.NotFound, fault.Invalid} {
		b := newBench(t)
		for _, s := range changingThePlan[:5] {
			s.expect(b, nil)
		}
		changesTo(yearly).expect(b, fault.New(code, ""))
		settles(billing.SubscriptionLane, "").expect(b, nil)

		assert.Equal(t, code, fault.CodeOf(changePlan(t)(b)))
	}
}

// The truth is what the provider says; our copy says that standard_monthly is active.
func TestChangePlanRefusesByTheTruthNotByTheCopy(t *testing.T) {
	inEuro := onMonthly(billing.Active)
	inEuro.Price.Currency = "EUR"
	tests := map[string]struct {
		truth billing.Subscription
		want  fault.Code
	}{
		"it has ended":         {onMonthly(billing.Canceled), fault.Conflict},
		"it is the same plan":  {subscription("sub_1", billing.Active, yearly), fault.Conflict},
		"a payment is overdue": {onMonthly(billing.PastDue), fault.Conflict},
		"another currency":     {inEuro, fault.Conflict},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, subscriber(tt.truth), false)
			h.told(tt.truth)
			h.refused()
			assert.Equal(t, tt.want, fault.CodeOf(changePlan(t)(h.bench)))
		})
	}
}

func TestChangePlanAllowsByTheTruthWhatTheCopyForbids(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.PastDue)), false)
	h.told(onMonthly(billing.Active))
	h.expects(changesTo(yearly))
	h.recorded("sub_1")
	assert.NoError(t, changePlan(t)(h.bench))
}

func TestChangePlanOfADeveloperLicense(t *testing.T) {
	developer := stranger()
	developer.Billing.DevLicense = &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active}
	h := newHouse(t, developer, false)
	h.refused()
	assert.Equal(t, fault.Forbidden, fault.CodeOf(changePlan(t)(h.bench)))
}

func TestChangePlanCannotLookAgainAfterSomebodyRecorded(t *testing.T) {
	b := newBench(t)
	for _, s := range append(changingThePlan[:4:4], reads("under the operation", subscribed), reads("to sync again", subscribed)) {
		s.expect(b, nil)
	}
	b.listsSubscriptions(errOutage)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(changePlan(t)(b)))
}
