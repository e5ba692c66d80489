package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
)

// receiveCardReminders saves a default card that expires at the end of the given month of 2026, and advances the clock by
// 20 days. It returns the reminders about the card by recipient, and all other emails.
func (f *noticeFixture) receiveCardReminders(
	number string, month time.Month,
) (reminders map[string]devmail.Email, otherEmails []devmail.Email) {
	f.t.Helper()
	_, err := f.AddCard.Do(f.t.Context(), f.caller, f.createExpiringCard(number, month, 2026))
	require.NoError(f.t, err)
	reminders = map[string]devmail.Email{}
	emailCount := len(f.Mailbox.Emails())
	f.advanceAndReceiveSubjects(20 * day)
	emails := f.Mailbox.Emails()
	for _, email := range emails[:len(emails)-emailCount] {
		if strings.Contains(email.Subject, "expires before your next charge") {
			reminders[email.To] = email
			continue
		}
		otherEmails = append(otherEmails, email)
	}
	return reminders, otherEmails
}

func TestUnsubscribe_EndsTheRemindersOfACardForOneRecipient(t *testing.T) {
	f := newNoticeFixture(t)
	require.True(t, f.setBillingEmail(f.caller, bookkeeperEmail))
	require.NoError(t, f.ConfirmBillingEmail.Do(t.Context(), f.confirmationToken(bookkeeperEmail)))
	f.subscribe(f.caller, visa, standardMonthly, true)

	reminders, otherEmails := f.receiveCardReminders(mastercard, time.March)

	require.Len(t, reminders, 2)
	assert.NotEqual(t, reminders[bookkeeperEmail].Unsubscribe, reminders["ann@example.com"].Unsubscribe)
	for _, email := range reminders {
		assert.Contains(t, email.Text, email.Unsubscribe, "the email also links to the page")
	}
	require.NotEmpty(t, otherEmails)
	for _, email := range otherEmails {
		assert.Empty(t, email.Unsubscribe, "%s can't be turned off", email.Subject)
		assert.NotContains(t, email.Text, "/vc-admin/auth/emails")
	}

	_, token, found := strings.Cut(reminders[bookkeeperEmail].Unsubscribe, "https://diy.test/vc-admin/auth/emails?token=")
	require.True(t, found)
	require.NoError(t, f.Unsubscribe.Do(t.Context(), token))

	reminders, _ = f.receiveCardReminders(visa, time.April)
	assert.Contains(t, reminders, "ann@example.com")
	assert.NotContains(t, reminders, bookkeeperEmail)
}
