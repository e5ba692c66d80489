package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestNotices_ReportADisputeWithTheCanceledChange(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.changePlan(professionalYearly, billing.ChangeAtRenewal)
	f.receiveSubjects()
	f.Dispute(f.newestInvoice(f.caller).ID)
	emails := f.receiveEmails()
	require.Len(t, emails, 1)
	assert.Equal(t, "Your bank has taken back a payment of $39 AUD", emails[0].Subject)
	assert.Contains(t, emails[0].Text, "taken back your payment of $39 AUD for invoice "+f.newestInvoice(f.caller).Number+
		", because it was disputed")
	assert.Contains(t, emails[0].Text, "The change to Professional, yearly on 1 April 2026 will not be made.")
	assert.Empty(t, f.advanceAndReceiveSubjects(10*day))
}

// The email about the dispute says that the hold lasts "until this is settled". A dispute that is won ends the hold.
func TestNotices_EmailAboutAnEndedHoldReportsTheOutcomeOfTheDispute(t *testing.T) {
	for isWon, want := range map[bool]string{
		true:  "the payment counts as made.\n\nYou have a credit of $12.50 AUD. It is deducted from your next invoices.",
		false: "your bank keeps the $39 AUD that it has taken back.",
	} {
		f := newNoticeFixture(t)
		f.subscribe(f.caller, visa, standardMonthly, true)
		f.addCredit(f.caller, 1250)
		f.receiveSubjects()
		f.Dispute(f.newestInvoice(f.caller).ID)
		f.receiveSubjects()
		f.CloseDispute(f.newestInvoice(f.caller).ID, isWon)
		if !isWon {
			assert.Equal(t, []string{"Dispute settled: $39 AUD for invoice " + f.newestInvoice(f.caller).Number}, f.receiveSubjects(),
				"the hold stays")
			err := f.LiftHold.Do(asOperator(t.Context()), newActionRequest(f.caller, "act_1"))
			require.NoError(t, err)
		}

		emails := f.receiveEmails()
		require.Len(t, emails, 1)
		assert.Equal(t, "Your account is no longer on hold", emails[0].Subject)
		assert.Contains(t, emails[0].Text,
			"The dispute about the payment for invoice "+f.newestInvoice(f.caller).Number+" is settled: "+want)
		assert.Empty(t, f.advanceAndReceiveSubjects(10*day))
	}
}

// The first dispute is won, and the second one is lost.
func TestNotices_EachDisputeOfAnInvoiceHasAnEmail(t *testing.T) {
	f := newNoticeFixture(t)
	f.subscribe(f.caller, visa, standardMonthly, true)
	f.receiveSubjects()
	invoice := f.newestInvoice(f.caller)
	want := []string{"Your bank has taken back a payment of $39 AUD"}
	f.Dispute(invoice.ID)
	assert.Equal(t, want, f.receiveSubjects())
	f.CloseDispute(invoice.ID, true)
	assert.Equal(t, []string{"Your account is no longer on hold"}, f.receiveSubjects())
	f.Advance(5 * day)

	f.Dispute(invoice.ID)
	emails := f.receiveEmails()

	require.Len(t, emails, 1)
	assert.Equal(t, want[0], emails[0].Subject)
	assert.Contains(t, emails[0].Text, "for invoice "+invoice.Number)
	f.CloseDispute(invoice.ID, false)
	assert.Equal(t, []string{"Dispute settled: $39 AUD for invoice " + invoice.Number}, f.receiveSubjects())
	assert.Empty(t, f.advanceAndReceiveSubjects(10*day))
}
