package app

import (
	"testing"
	"time"

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
			return in.SubscriptionID == "sub_1" && in.From == monthly && in.To == price && !in.EndTrial && in.Key != ""
		})).Return(subscription("sub_1", billing.Active, price), err).Once()
	}}
}

var changingThePlan = []step{
	nonePending, reads("to sync", subscribed), lists(onMonthly(billing.Active)), updates("with the truth", subscribed),
	beginsOperation(billing.SubscriptionOperation), reads("under the operation", after(subscribed, onMonthly(billing.Active))),
	changesTo(yearly), updates("with the change", after(subscribed, onMonthly(billing.Active))),
}

func changePlan(t *testing.T) func(*bench) error {
	return func(b *bench) error {
		_, err := b.ChangePlan.Do(t.Context(), who, choseYearly)
		return err
	}
}

func TestPitfall03_APlanChangeUpdatesTheSubscriptionInPlace(t *testing.T) {
	h := newHouse(t, subscribed())
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
		for _, s := range changingThePlan[:6] {
			s.expect(b, nil)
		}
		changesTo(yearly).expect(b, fault.New(code, ""))
		settles(billing.SubscriptionOperation, "").expect(b, nil)

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
			h := newHouse(t, subscriber(tt.truth))
			h.told(tt.truth)
			assert.Equal(t, tt.want, fault.CodeOf(changePlan(t)(h.bench)))
		})
	}
}

func TestChangePlanAllowsByTheTruthWhatTheCopyForbids(t *testing.T) {
	h := newHouse(t, subscriber(onMonthly(billing.PastDue)))
	h.told(onMonthly(billing.Active))
	h.expects(changesTo(yearly))
	h.recorded("sub_1")
	assert.NoError(t, changePlan(t)(h.bench))
}

func TestChangePlanOfADeveloperLicense(t *testing.T) {
	developer := stranger()
	developer.Billing.DevLicense = &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active}
	h := newHouse(t, developer)
	assert.Equal(t, fault.Forbidden, fault.CodeOf(changePlan(t)(h.bench)))
}

// pendingYearly is sub_1 with a change to the yearly plan that was declined, begun under the key.
func pendingYearly(key string) billing.Subscription {
	sub := onMonthly(billing.Active)
	sub.LatestInvoice = &billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(7600),
		Payment: &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod, ClientSecret: "secret"},
	}
	sub.Pending = &billing.PendingChange{To: yearly, InvoiceID: "in_1", Amount: aud(7600), ExpiresAt: noon.Add(time.Hour)}
	sub.ChangedBy = key
	return sub
}

// leavesPending expects sub_1 to be changed without the money.
var leavesPending = step{"ChangePlan", func(b *bench, err error) {
	b.provider.EXPECT().ChangePlan(mock.Anything, mock.Anything).Return(pendingYearly("op_first"), err).Once()
}}

// readsCustomer expects the customer with its default card to be read.
var readsCustomer = step{"Customer", func(b *bench, err error) {
	b.provider.EXPECT().Customer(mock.Anything, "cus_1").Return(customer, err).Once()
}}

// paysPending expects the pending change of sub_1 to be paid with the default card.
func paysPending(answer billing.Subscription) step {
	return step{"PayInvoice", func(b *bench, err error) {
		b.provider.EXPECT().PayInvoice(mock.Anything, mock.MatchedBy(func(in payment.InvoicePayment) bool {
			return in.InvoiceID == "in_1" && in.Amount == aud(7600) && (in.MethodID == "" || in.MethodID == "pm_visa") && in.Key != ""
		})).Return(answer, err).Once()
	}}
}

func TestChangePlan_DeclinedChangeIsRecordedAsPending(t *testing.T) {
	h := newHouse(t, subscribed())
	h.told(onMonthly(billing.Active))
	h.expects(leavesPending, readsCustomer)
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.NotNil(t, changed.Pending)
	assert.Equal(t, monthly, h.stored.Billing.Live().Price)
	assert.Equal(t, yearly, h.stored.Billing.Live().Pending.To)
}

func TestChangePlan_PendingChangeToTheSamePlanIsPaid(t *testing.T) {
	h := newHouse(t, subscriber(pendingYearly("op_earlier")))
	h.told(pendingYearly("op_earlier"))
	h.expects(readsCustomer, paysPending(moved(billing.Active)))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.Equal(t, yearly, changed.Price)
	assert.Nil(t, h.stored.Billing.Live().Pending)
}

func TestChangePlan_PendingChangeToAnotherPlanIsRefused(t *testing.T) {
	h := newHouse(t, subscriber(pendingYearly("op_earlier")))
	h.told(pendingYearly("op_earlier"))
	_, err := h.ChangePlan.Do(t.Context(), who, PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

// The request had left the change pending when its server died: the repeat gets the same response.
func TestChangePlan_RepeatFindsItsOwnPendingChange(t *testing.T) {
	h := newChangingHouse(t)
	h.expects(leavesPending, readsCustomer, refetches(pendingYearly("op_first-1")))
	h.recorded("sub_1")

	changed, err := h.ChangePlan.Do(t.Context(), who, choseYearly)

	require.NoError(t, err)
	assert.NotNil(t, changed.Pending)
}

// The provider replays the response of a change that was discarded since: that is no success.
func TestChangePlan_RepeatOfAnExpiredChangeIsRefused(t *testing.T) {
	h := newChangingHouse(t)
	h.expects(leavesPending, readsCustomer, refetches(onMonthly(billing.Active)))
	h.refused()
	_, err := h.ChangePlan.Do(t.Context(), who, choseYearly)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Contains(t, fault.MessageOf(err), "expired")
}
