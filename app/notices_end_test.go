package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
)

func TestNotices_TrialThatIsEndingHasNoReminderOfACharge(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, false)
	f.receiveSubjects()
	_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Len(t, f.receiveSubjects(), 1)
	assert.Equal(t, []string{"Your Standard plan has ended"}, f.advanceAndReceiveSubjects(10*day), "there is no charge to remind of")
}

func TestNotices_EmailAboutTheEndOfAnOverduePlanStatesWhetherItsInvoiceIsOwed(t *testing.T) {
	for name, tt := range map[string]struct {
		hasVoidedInvoice bool
		subject          string
		text             string
	}{
		"voided invoice": {false, "Your Standard plan has ended", "The overdue invoice of $39 AUD is cancelled: you need not pay it."},
		"owed invoice": {true, "Your Standard plan has ended: $39 AUD is still to be paid",
			"The overdue invoice of $39 AUD stays owed. Pay it before you subscribe again."},
	} {
		t.Run(name, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.subscribe(f.caller, visa, standardMonthly, true)
			f.addCard(f.caller, declinedChargesCard)
			f.advanceAndReceiveSubjects(32 * day)
			if tt.hasVoidedInvoice {
				f.recordVoidedInvoice(f.caller)
			}

			_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
			require.NoError(t, err)

			emails := f.receiveEmails()
			require.Len(t, emails, 1)
			assert.Equal(t, tt.subject, emails[0].Subject)
			assert.Contains(t, emails[0].Text, tt.text)
			assert.Contains(t, emails[0].Text, "as you requested")
			assert.Empty(t, f.advanceAndReceiveSubjects(2*day))
		})
	}
}

func TestNotices_EmailAboutTheEndAfterTheLastAttemptReportsTheVoidedInvoice(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.addCard(f.caller, declinedChargesCard)
	subjects := f.advanceAndReceiveSubjects(60 * day)
	assert.Equal(t, "Your Standard plan has ended: $39 AUD was not paid", subjects[len(subjects)-1])
	assert.Len(t, subjects, 5, "emails about the first payment, three attempts and the end: %v", subjects)
	require.Equal(t, billing.InvoiceVoid, f.newestInvoice(f.caller).Status)
	assert.Contains(t, f.Mailbox.Emails()[0].Text,
		"because its last invoice was not paid.\n\nThe overdue invoice of $39 AUD is cancelled: you need not pay it.")
}

func TestNotices_ReportACanceledPendingChange(t *testing.T) {
	f := newNoticeFixture(t)
	f.createPendingChange(f.caller)
	f.receiveSubjects()
	_, err := f.CancelPendingChange.Do(t.Context(), f.caller)
	require.NoError(t, err)
	emails := f.receiveEmails()
	require.Len(t, emails, 1)
	assert.Equal(t, "You keep Standard, monthly", emails[0].Subject)
	assert.Contains(t, emails[0].Text, "The change to Professional, yearly was cancelled or not paid in time.")
}

func TestNotices_EndOrChangeNowReportsTheCanceledScheduledChange(t *testing.T) {
	const sentence = "The change to Professional, yearly on 1 April 2026 will not be made."
	for subject, act := range map[string]func(*noticeFixture){
		"Your Standard plan ends on 1 April 2026": func(f *noticeFixture) { f.endSubscription(f.caller) },
		"Your plan is now Professional, monthly: $37 AUD paid": func(f *noticeFixture) {
			f.changePlan(professionalMonthly, billing.ChangeNow)
		},
	} {
		t.Run(subject, func(t *testing.T) {
			f := newNoticeFixture(t)
			f.subscribe(f.caller, visa, standardMonthly, true)
			f.changePlan(professionalYearly, billing.ChangeAtRenewal)
			f.receiveSubjects()

			act(f)

			emails := f.receiveEmails()
			require.NotEmpty(t, emails)
			assert.Equal(t, subject, emails[0].Subject)
			assert.Contains(t, emails[0].Text, sentence)
		})
	}
}
