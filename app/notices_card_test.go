package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
)

func TestNotices_WarnOfACardThatExpiresBeforeTheRenewal(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.receiveSubjects()
	_, err := f.AddCard.Do(t.Context(), f.caller, f.createExpiringCard(mastercard, time.February, 2027))
	require.NoError(t, err)

	assert.Empty(t, f.advanceAndReceiveSubjects(330*day))
	assert.Equal(t, []string{
		"Mastercard •••• 4444 expires before your next charge on 1 March", "Your plan renews on 1 March: $420 AUD",
	}, f.advanceAndReceiveSubjects(30*day))
}

// An event arrives at the time at which the card has to be checked.
func TestNotices_WarnOfAnExpiringCardAlsoWhenAnEventArrives(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribeWithExpiringCard()
	f.Advance(8 * day)
	assert.ElementsMatch(t,
		[]string{"Payment received: $39 AUD", "Visa •••• 4242 expires before your next charge on 1 April"}, f.receiveSubjects())
}

// subscribeWithExpiringCard subscribes with a card that expires before the first renewal.
func (f *noticeFixture) subscribeWithExpiringCard() {
	f.t.Helper()
	_, err := f.Subscribe.Do(f.t.Context(), f.caller, app.SubscribeRequest{
		MethodID: f.createExpiringCard(visa, time.March, 2026), Price: standardMonthly, NoTrial: true,
	})
	require.NoError(f.t, err)
}

// queueCardReminder queues the reminder of a card that expires. The test delivers it.
func (f *noticeFixture) queueCardReminder() {
	f.t.Helper()
	f.subscribeWithExpiringCard()
	f.receiveSubjects()
	f.Advance(8 * day)
	_, err := f.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
}

// The mail server may be down for a time after the reminder was queued.
func TestNotices_CardReminderIsNotDeliveredAfterTheCardWasReplaced(t *testing.T) {
	for name, tt := range map[string]struct {
		isReplaced bool
		want       []string
	}{
		"replaced card": {true, nil},
		"kept card":     {false, []string{"Visa •••• 4242 expires before your next charge on 1 April"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.queueCardReminder()
			if tt.isReplaced {
				f.addCard(f.caller, mastercard)
			}

			assert.Equal(t, tt.want, f.receiveSubjects())
			assert.Empty(t, f.advanceAndReceiveSubjects(7*day))
		})
	}
}

func TestNotices_CardReminderIsDelayedWhileTheProviderIsDown(t *testing.T) {
	f := newNoticeFixture(t)
	f.queueCardReminder()
	f.injectFaults(failAlways("Customer"))
	assert.Empty(t, f.receiveSubjects())

	f.UseCases = f.App
	assert.Equal(t, []string{"Visa •••• 4242 expires before your next charge on 1 April"}, f.advanceAndReceiveSubjects(day))
}
