package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
)

func TestNotices_WarnOfACardThatExpiresBeforeTheRenewal(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardYearly, true)
	f.subjects()
	expiring, err := f.provider.CreatePaymentMethod(t.Context(),
		fakepayment.CardEntry{Number: mastercard, ExpMonth: 2, ExpYear: 2027, CVC: "123"})
	require.NoError(t, err)
	_, err = f.AddCard.Do(t.Context(), f.caller, expiring.ID)
	require.NoError(t, err)

	assert.Empty(t, f.passTime(330*day))
	assert.Equal(t, []string{
		"Mastercard •••• 4444 expires before your next charge on 1 March", "Your plan renews on 1 March: $420 AUD",
	}, f.passTime(30*day))
}

// An event arrives at the time of the check that reads the card.
func TestNotices_WarnOfAnExpiringCardAfterAnEvent(t *testing.T) {
	f := newNoticeFixture(t)
	expiring, err := f.provider.CreatePaymentMethod(t.Context(),
		fakepayment.CardEntry{Number: visa, ExpMonth: 3, ExpYear: 2026, CVC: "123"})
	require.NoError(t, err)
	_, err = f.Subscribe.Do(t.Context(), f.caller, app.SubscribeRequest{MethodID: expiring.ID, Price: monthly, NoTrial: true})
	require.NoError(t, err)
	f.Advance(8 * day)
	assert.ElementsMatch(t,
		[]string{"Payment received: $39 AUD", "Visa •••• 4242 expires before your next charge on 1 April"}, f.subjects())
}

// queueCardReminder subscribes with a card that expires before the first renewal, and queues the reminder.
func (f *noticeFixture) queueCardReminder() {
	f.t.Helper()
	expiring, err := f.provider.CreatePaymentMethod(f.t.Context(), fakepayment.CardEntry{Number: visa, ExpMonth: 3, ExpYear: 2026, CVC: "123"})
	require.NoError(f.t, err)
	_, err = f.Subscribe.Do(f.t.Context(), f.caller, app.SubscribeRequest{MethodID: expiring.ID, Price: monthly, NoTrial: true})
	require.NoError(f.t, err)
	f.subjects()
	f.Advance(8 * day)
	_, err = f.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
}

// The emails wait for the mail server, for example.
func TestNotices_NoReminderOfACardThatWasReplacedBeforeItsDelivery(t *testing.T) {
	for name, c := range map[string]struct {
		replace bool
		want    []string
	}{
		"replaced": {true, nil},
		"kept":     {false, []string{"Visa •••• 4242 expires before your next charge on 1 April"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.queueCardReminder()
			if c.replace {
				f.addCard(f.caller, mastercard)
			}

			assert.Equal(t, c.want, f.subjects())
			assert.Empty(t, f.passTime(7*day))
		})
	}
}

func TestNotices_ReminderOfACardIsSentLaterIfTheProviderDoesNotAnswer(t *testing.T) {
	f := newNoticeFixture(t)
	f.queueCardReminder()
	f.injectFaults(failAlways("Customer"))
	assert.Empty(t, f.subjects())

	f.UseCases = f.App
	assert.Equal(t, []string{"Visa •••• 4242 expires before your next charge on 1 April"}, f.passTime(day))
}
