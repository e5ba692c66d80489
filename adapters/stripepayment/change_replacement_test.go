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

// newSubscriptionWithScheduledChange returns a paid yearly standard subscription that changes to the monthly price at its
// renewal.
func newSubscriptionWithScheduledChange(
	t *testing.T, f *fakeStripe, p *stripepayment.Provider,
) billing.Subscription {
	t.Helper()
	s, err := p.Subscribe(t.Context(), subscribeRequest(f.newCustomerWithCard(t, p), "standard"))
	require.NoError(t, err)
	s, err = p.ChangePlan(t.Context(), payment.PriceChange{
		Key: "schedule", SubscriptionID: s.ID, From: standard, To: standardMonthly, When: billing.ChangeAtRenewal,
	})
	require.NoError(t, err)
	return s
}

// newProfessionalChange returns the request for an immediate change to the professional plan.
func newProfessionalChange(s billing.Subscription) payment.PriceChange {
	return payment.PriceChange{Key: "key-1", SubscriptionID: s.ID, From: standard, To: professional}
}

// newInterruptedChange creates a subscription with a scheduled change. It then requests an immediate change that fails
// after the number of writes.
func newInterruptedChange(t *testing.T, writes int) (*fakeStripe, *stripepayment.Provider, billing.Subscription) {
	t.Helper()
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	s := newSubscriptionWithScheduledChange(t, f, p)
	f.failWritesAfter(writes)
	_, err := p.ChangePlan(t.Context(), newProfessionalChange(s))
	require.Error(t, err)
	f.allowAllWrites()
	return f, p, s
}

func TestChangePlan_RepeatCompletesAnInterruptedReplacement(t *testing.T) {
	for writes := range 3 {
		f, p, s := newInterruptedChange(t, writes)

		changedSub, err := p.ChangePlan(t.Context(), newProfessionalChange(s))

		require.NoError(t, err, writes)
		assert.Equal(t, professional, changedSub.Price)
		assert.Nil(t, changedSub.Scheduled)
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

		updatedSub, err := p.Subscription(t.Context(), s.ID)

		require.NoError(t, err)
		assert.Equal(t, standard, updatedSub.Price)
		require.NotNil(t, updatedSub.Scheduled)
		assert.Equal(t, s.Scheduled.To, updatedSub.Scheduled.To)
		assert.Equal(t, s.Scheduled.At, updatedSub.Scheduled.At)
		assert.Equal(t, writes == 2, updatedSub.Scheduled.Lapsed, "the schedule is released with the second write")
		if updatedSub.Scheduled.Lapsed {
			restoration := payment.PriceChange{Key: "restore", SubscriptionID: s.ID, From: standard, To: standardMonthly,
				When: billing.ChangeAtRenewal}
			updatedSub, err = p.ChangePlan(t.Context(), restoration)
			require.NoError(t, err)
			assert.Equal(t, s.Scheduled, updatedSub.Scheduled)
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
			When: billing.ChangeAtRenewal}
		f.failWritesAfter(writes)
		_, err := p.ChangePlan(t.Context(), restoration)
		require.Error(t, err)
		f.allowAllWrites()

		scheduledSub, err := p.ChangePlan(t.Context(), restoration)

		require.NoError(t, err, writes)
		assert.Equal(t, s.Scheduled, scheduledSub.Scheduled)
	}
}

func TestCancelScheduledChange_RemovesALapsedChange(t *testing.T) {
	_, p, s := newInterruptedChange(t, 2)
	_, err := p.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: "end", SubscriptionID: s.ID, End: true})
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the lapsed change must be canceled first")

	updatedSub, err := p.CancelScheduledChange(t.Context(), payment.ScheduledChangeCancellation{
		Key: "cancel", SubscriptionID: s.ID,
	})

	require.NoError(t, err)
	assert.Nil(t, updatedSub.Scheduled)
	updatedSub, err = p.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: "end-2", SubscriptionID: s.ID, End: true})
	require.NoError(t, err)
	assert.False(t, updatedSub.EndsAt.IsZero())
}

// A pending update could last until the renewal, when it is too late to create the schedule again.
func TestChangePlan_ReplacementIsRefusedWithin48HoursOfTheScheduledChange(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	s := newSubscriptionWithScheduledChange(t, f, p)
	f.advanceClock(t, s.CurrentPeriodEnd.Sub(s.CreatedAt)-47*time.Hour)

	_, quoteErr := p.QuoteChange(t.Context(), newProfessionalChange(s))
	_, changeErr := p.ChangePlan(t.Context(), newProfessionalChange(s))

	for _, err := range []error{quoteErr, changeErr} {
		assert.Equal(t, fault.Conflict, fault.CodeOf(err))
		assert.ErrorContains(t, err, "scheduled for the next days")
	}
	updatedSub, err := p.Subscription(t.Context(), s.ID)
	require.NoError(t, err)
	assert.Equal(t, s.Scheduled, updatedSub.Scheduled)
}
