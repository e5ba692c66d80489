package app_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// noticeFixture is a fixture with a signed-up caller and access to the caller's emails about billing.
type noticeFixture struct {
	*fixture
	caller    identity.Identity
	readCount int // number of emails that receiveEmails has returned
}

func newNoticeFixture(t *testing.T) *noticeFixture {
	t.Helper()
	f := &noticeFixture{fixture: newFixture(t)}
	f.caller = f.signUp()
	f.receiveEmails()
	return f
}

// receiveEmails runs the background workers, delivers the emails that are due and returns the new ones, oldest first.
func (f *noticeFixture) receiveEmails() []devmail.Email {
	f.t.Helper()
	f.DeliverEvents()
	_, err := f.RefreshBilling.Do(f.t.Context())
	require.NoError(f.t, err)
	_, err = f.DeliverMail.Do(f.t.Context())
	require.NoError(f.t, err)
	allEmails := f.Mailbox.Emails()
	slices.Reverse(allEmails)
	emails := allEmails[f.readCount:]
	f.readCount = len(allEmails)
	return emails
}

// receiveSubjects returns the subjects of the new emails.
func (f *noticeFixture) receiveSubjects() []string {
	f.t.Helper()
	var subjects []string
	for _, email := range f.receiveEmails() {
		subjects = append(subjects, email.Subject)
	}
	return subjects
}

// advanceAndReceiveSubjects moves the clock by the duration, runs the background workers every six hours, and returns the
// subjects of the new emails.
func (f *noticeFixture) advanceAndReceiveSubjects(duration time.Duration) []string {
	f.t.Helper()
	const step = 6 * time.Hour
	var subjects []string
	for ; duration > 0; duration -= step {
		f.Advance(min(step, duration))
		subjects = append(subjects, f.receiveSubjects()...)
	}
	return subjects
}

// changePlan changes the plan and returns the subscription.
func (f *noticeFixture) changePlan(choice app.PriceChoice, timing billing.ChangeTiming) billing.Subscription {
	f.t.Helper()
	sub, err := f.ChangePlan.Do(f.t.Context(), f.caller, app.ChangeRequest{PriceChoice: choice, When: timing})
	require.NoError(f.t, err)
	return sub
}

// The customer pays by card. The events are a trial, failed and successful charges, plan changes, the end and refunds.
func TestNotices_ReportEveryEventOfASubscriptionPaidByCard(t *testing.T) {
	f := newNoticeFixture(t)

	f.subscribe(f.caller, visa, standardMonthly, false)
	assert.Equal(t, []string{"Your trial has started: free until 8 March, then $39 AUD"}, f.receiveSubjects())
	assert.Equal(t, []string{"Your trial ends on 8 March: $39 AUD then"}, f.advanceAndReceiveSubjects(7*day-time.Hour))
	assert.Equal(t, []string{"Payment received: $39 AUD"}, f.advanceAndReceiveSubjects(2*day))

	f.addCard(f.caller, declinedChargesCard)
	assert.Equal(t, []string{"Payment failed: $39 AUD, next attempt on 11 April"}, f.advanceAndReceiveSubjects(31*day))
	assert.Equal(t, []string{"Payment failed: $39 AUD, next attempt on 16 April"}, f.advanceAndReceiveSubjects(3*day))
	f.addCard(f.caller, visa)
	receipts := f.receiveEmails()
	require.Len(t, receipts, 1)
	assert.Contains(t, receipts[0].Text, "We received your payment: $39.00 AUD on 13 April 2026, from Visa •••• 4242\n")
	assert.Equal(t, "Payment received: $39 AUD", receipts[0].Subject)
	assert.Contains(t, receipts[0].Text, "The payment that had failed has gone through. Your Standard plan continues.")

	amount := f.changePlan(professionalMonthly, billing.ChangeNow).LatestInvoice.AmountPaid.FormatWithSymbol()
	assert.Equal(t,
		[]string{"Your plan is now Professional, monthly: " + amount + " AUD paid", "Payment received: " + amount + " AUD"},
		f.receiveSubjects())
	f.changePlan(professionalYearly, billing.ChangeAtRenewal)
	assert.Equal(t, []string{"Your plan changes to Professional, yearly on 8 May 2026"}, f.receiveSubjects())
	_, err := f.CancelScheduledChange.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, []string{"You keep Professional, monthly"}, f.receiveSubjects())

	f.endSubscription(f.caller)
	assert.Equal(t, []string{"Your Professional plan ends on 8 May 2026"}, f.receiveSubjects())
	_, err = f.ResumeSubscription.Do(t.Context(), f.caller)
	require.NoError(t, err)
	assert.Equal(t, []string{"Your Professional plan continues"}, f.receiveSubjects())
	f.endSubscription(f.caller)
	assert.Equal(t, []string{"Your Professional plan ends on 8 May 2026"}, f.receiveSubjects(), "as before the resumption")
	assert.Equal(t, []string{"Your Professional plan has ended"}, f.advanceAndReceiveSubjects(30*day))

	f.Refund(f.newestInvoice(f.caller).ID, 1000, "AUD")
	refunds := f.receiveEmails()
	require.Len(t, refunds, 1)
	assert.Equal(t, "Refund: $10 AUD of invoice "+f.newestInvoice(f.caller).Number, refunds[0].Subject)
	f.Refund(f.newestInvoice(f.caller).ID, 500, "AUD")
	assert.Equal(t, []string{"Refund: $5 AUD of invoice " + f.newestInvoice(f.caller).Number}, f.receiveSubjects())
	assert.Empty(t, f.advanceAndReceiveSubjects(60*day))
}

func TestNotices_ExtendedTrialGetsASecondReminder(t *testing.T) {
	f := newNoticeFixture(t)
	sub := f.subscribe(f.caller, visa, standardMonthly, false)
	f.receiveSubjects()
	f.advanceAndReceiveSubjects(5 * day)

	_, err := f.provider.ExtendTrial(t.Context(),
		payment.TrialExtension{Key: "extend", SubscriptionID: sub.ID, Until: sub.TrialEnd.Add(7 * day)})
	require.NoError(t, err)
	assert.Equal(t, []string{"Your trial ends on 15 March: $39 AUD then"}, f.advanceAndReceiveSubjects(8*day), "the reminder for the new end")

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Equal(t, []string{"Your Standard plan ends on 15 March 2026"}, f.receiveSubjects())
	assert.Equal(t, []string{"Your Standard plan has ended"}, f.advanceAndReceiveSubjects(3*day))
}
