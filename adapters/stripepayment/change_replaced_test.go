package stripepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var standardMonthly = catalogue.PriceRef{Product: "standard", Interval: catalogue.Monthly, Currency: "AUD"}

// newScheduledSubscription returns a paid yearly standard subscription that changes to the monthly price at its renewal.
func newScheduledSubscription(t *testing.T, f *fakeStripe, p *stripepayment.Provider) billing.Subscription {
	t.Helper()
	s, err := p.Subscribe(t.Context(), subscribeRequest(f.newCustomerWithCard(t, p), "standard"))
	require.NoError(t, err)
	s, err = p.ChangePlan(t.Context(), payment.PriceChange{
		Key: "schedule", SubscriptionID: s.ID, From: standard, To: standardMonthly, When: payment.AtRenewal,
	})
	require.NoError(t, err)
	return s
}

// changeToProfessional returns a request to change the subscription to the professional plan immediately.
func changeToProfessional(s billing.Subscription) payment.PriceChange {
	return payment.PriceChange{Key: "key-1", SubscriptionID: s.ID, From: standard, To: professional}
}

// newInterruptedChange returns a scheduled subscription after an immediate change that failed after the number of writes.
func newInterruptedChange(t *testing.T, writes int) (*fakeStripe, *stripepayment.Provider, billing.Subscription) {
	t.Helper()
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	s := newScheduledSubscription(t, f, p)
	f.failWritesAfter(writes)
	_, err := p.ChangePlan(t.Context(), changeToProfessional(s))
	require.Error(t, err)
	f.failWritesAfter(-1)
	return f, p, s
}

func TestChangePlan_RepeatCompletesAnInterruptedReplacement(t *testing.T) {
	for writes := range 3 {
		f, p, s := newInterruptedChange(t, writes)

		got, err := p.ChangePlan(t.Context(), changeToProfessional(s))

		require.NoError(t, err, writes)
		assert.Equal(t, professional, got.Price)
		assert.Nil(t, got.Scheduled)
		f.advanceClock(t, 366*24*time.Hour)
		renewedSub, err := p.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.Equal(t, professional, renewedSub.Price)
		assert.Nil(t, renewedSub.Scheduled)
	}
}

func TestChangePlan_InterruptedReplacementLeavesTheScheduledChange(t *testing.T) {
	for writes := range 3 {
		f, p, s := newInterruptedChange(t, writes)
		require.NoError(t, p.Retire(t.Context(), payment.Retirement{Key: "key-1", CustomerID: s.CustomerID}))

		got, err := p.Subscription(t.Context(), s.ID)

		require.NoError(t, err)
		assert.Equal(t, standard, got.Price)
		require.NotNil(t, got.Scheduled)
		assert.Equal(t, s.Scheduled.To, got.Scheduled.To)
		assert.Equal(t, s.Scheduled.At, got.Scheduled.At)
		assert.Equal(t, writes == 2, got.Scheduled.Lapsed, "the schedule is released with the second write")
		if got.Scheduled.Lapsed {
			restoration := payment.PriceChange{Key: "restore", SubscriptionID: s.ID, From: standard, To: standardMonthly,
				When: payment.AtRenewal}
			got, err = p.ChangePlan(t.Context(), restoration)
			require.NoError(t, err)
			assert.Equal(t, s.Scheduled, got.Scheduled)
		}
		f.advanceClock(t, 366*24*time.Hour)
		renewedSub, err := p.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.Equal(t, standardMonthly, renewedSub.Price)
	}
}

func TestChangePlan_RepeatSchedulesALapsedChangeAfterAnInterruption(t *testing.T) {
	for writes := range 3 {
		f, p, s := newInterruptedChange(t, 2)
		restoration := payment.PriceChange{Key: "restore", SubscriptionID: s.ID, From: standard, To: standardMonthly,
			When: payment.AtRenewal}
		f.failWritesAfter(writes)
		_, err := p.ChangePlan(t.Context(), restoration)
		require.Error(t, err)
		f.failWritesAfter(-1)

		got, err := p.ChangePlan(t.Context(), restoration)

		require.NoError(t, err, writes)
		assert.Equal(t, s.Scheduled, got.Scheduled)
	}
}

func TestCancelScheduledChange_RemovesALapsedChange(t *testing.T) {
	_, p, s := newInterruptedChange(t, 2)
	_, err := p.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: "end", SubscriptionID: s.ID, End: true})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the lapsed change must be canceled first")

	got, err := p.CancelScheduledChange(t.Context(), payment.ScheduleCancellation{Key: "cancel", SubscriptionID: s.ID})

	require.NoError(t, err)
	assert.Nil(t, got.Scheduled)
	got, err = p.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: "end-2", SubscriptionID: s.ID, End: true})
	require.NoError(t, err)
	assert.False(t, got.EndsAt.IsZero())
}

// A pending update could last until the renewal, when it is too late to create the schedule again.
func TestChangePlan_ReplacementIsRefusedWithin48HoursOfTheScheduledChange(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	s := newScheduledSubscription(t, f, p)
	f.advanceClock(t, s.CurrentPeriodEnd.Sub(s.CreatedAt)-47*time.Hour)

	_, quoteErr := p.QuoteChange(t.Context(), changeToProfessional(s))
	_, changeErr := p.ChangePlan(t.Context(), changeToProfessional(s))

	for _, err := range []error{quoteErr, changeErr} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.ErrorContains(t, err, "scheduled for the next days")
	}
	got, err := p.Subscription(t.Context(), s.ID)
	require.NoError(t, err)
	assert.Equal(t, s.Scheduled, got.Scheduled)
}
