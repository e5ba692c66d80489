package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// The customer pays by bank transfer, and an operator approves the order.
func TestNotices_ReportEveryEventOfASubscriptionPaidByTransfer(t *testing.T) {
	f := newOrderFixture(t)
	f.advanceInSteps(1, 30*time.Minute)
	assert.Equal(t, []string{"Your order of Standard, monthly: $39 AUD per month"}, f.receiveSubjects())
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{"Your Standard plan has started", "Invoice INV-000001: $39 AUD due on 15 March 2026"},
		f.receiveSubjects())
	startEmail := f.newestEmail("Your Standard plan has started")
	assert.Contains(t, startEmail.Text, "Your order is approved.")
	assert.Contains(t, startEmail.Text, "It is free of charge until 8 March 2026.")
	assert.Contains(t, startEmail.Text, "Reference: INV-000001")

	f.advanceInSteps(4, day)
	reminderSubject := "Your trial ends on 8 March: $39 AUD then"
	assert.Equal(t, []string{reminderSubject}, f.receiveSubjects())
	assert.Contains(t, f.newestEmail(reminderSubject).Text, "Your first invoice of $39 AUD is due on 15 March 2026.")
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{receiptSubject}, f.receiveSubjects())

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{"Your Standard plan ends on 8 March 2026"}, f.receiveSubjects())
	f.advanceInSteps(5, day)
	assert.ElementsMatch(t, []string{"Your Standard plan has ended", "Credit: $39 AUD for invoice INV-000001"}, f.receiveSubjects())
}

// The invoice for the time after the trial is voided when the trial ends.
func TestNotices_EmailsAboutTheEndOfATrialSayNotToPayItsInvoice(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()

	_, err = f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	const endSubject, pastEndSubject = "Your Standard plan ends on 8 March 2026", "Your Standard plan has ended"
	assert.Equal(t, []string{endSubject}, f.receiveSubjects())
	assert.Contains(t, f.newestEmail(endSubject).Text,
		"Please do not pay invoice INV-000001 of $39 AUD: it is cancelled when the trial ends.")

	f.advanceInSteps(8, day)
	assert.Equal(t, billing.InvoiceVoid, f.newestInvoice(f.caller).Status)
	assert.Equal(t, []string{pastEndSubject}, f.receiveSubjects())
	assert.Contains(t, f.newestEmail(pastEndSubject).Text, "Invoice INV-000001 of $39 AUD is cancelled: you need not pay it.")
}

func TestNotices_OrderApprovedImmediatelyIsReportedOnlyAsStarted(t *testing.T) {
	f := newOrderFixture(t)
	f.advanceInSteps(1, time.Second)
	f.receiveSubjects()
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(2, 30*time.Second)
	assert.Equal(t, []string{"Your Standard plan has started", "Invoice INV-000001: $39 AUD due on 15 March 2026"},
		f.receiveSubjects())
}

func TestNotices_ReportAnOrderThatWasNotApproved(t *testing.T) {
	f := newOrderFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	f.advanceInSteps(40, day)
	assert.Equal(t, []string{"Your order of Standard has ended"}, f.receiveSubjects())
}

func TestNotices_ReportThatTheCustomerWithdrewTheOrder(t *testing.T) {
	f := newOrderFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	const endSubject = "Your order of Standard has ended"
	assert.Equal(t, []string{endSubject}, f.receiveSubjects())
	assert.Contains(t, f.newestEmail(endSubject).Text, "Your order of the Standard plan is withdrawn, as you requested.")
}

// The receipt for an overpayment states the part that became credit.
func TestNotices_ReportTheCreditFromAnOverpayment(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	pay := func(text, reference string) devmail.Email {
		amount, err := money.Parse(text, "AUD")
		require.NoError(t, err)
		_, err = f.invoices.RecordPayment(t.Context(),
			payment.Transfer{InvoiceNumber: f.newestInvoice(f.caller).Number, Amount: amount, Reference: reference})
		require.NoError(t, err)
		f.advanceInSteps(1, time.Minute)
		subject := "Payment received: $" + text + " AUD"
		assert.Equal(t, []string{subject}, f.receiveSubjects())
		return f.newestEmail(subject)
	}
	receipt := pay("50", "1")
	assert.Contains(t, receipt.Text, "We received your payment: $50.00 AUD on 1 March 2026, by bank transfer")
	assert.Contains(t, receipt.Text, "$39 AUD paid invoice INV-000001. The other $11 AUD became your credit.")
	assert.Contains(t, receipt.Text, "You have a credit of $11 AUD. It is deducted from your next invoices.")

	receipt = pay("7", "2")
	assert.Contains(t, receipt.Text, "The $7 AUD became your credit, because invoice INV-000001 was paid already.")
	assert.Contains(t, receipt.Text, "You have a credit of $18 AUD.")

	refundAmount, err := money.Parse("30", "AUD")
	require.NoError(t, err)
	_, err = f.invoices.RecordRefund(t.Context(),
		payment.Transfer{InvoiceNumber: f.newestInvoice(f.caller).Number, Amount: refundAmount, Reference: "3"})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	const refundSubject = "Refund: $30 AUD of invoice INV-000001"
	assert.Equal(t, []string{refundSubject}, f.receiveSubjects())
	assert.Contains(t, f.newestEmail(refundSubject).Text,
		"$18 AUD of your credit was withdrawn, because invoice INV-000001 was refunded. You have no credit left.")
	f.advanceInSteps(3, day)
	assert.Empty(t, f.receiveSubjects())
}

// The report pauses the reminder only: the plan ends when the grace period of seven days is over.
func TestReportTransfer_DelaysTheOverdueReminderButNotTheEnd(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	assertCode(t, fault.Conflict, f.ReportTransfer.Do(t.Context(), f.caller, "another"))
	f.advanceInSteps(13, day)
	f.receiveSubjects()
	invoice := f.newestInvoice(f.caller)
	reportedAt := f.Clock.Now()

	require.NoError(t, f.ReportTransfer.Do(t.Context(), f.caller, invoice.ID))

	f.advanceInSteps(4, day)
	assert.Empty(t, f.receiveSubjects())
	account := f.accountShownToUser()
	assert.Equal(t, billing.PastDue, account.LiveSubscription().Status)
	assert.Equal(t, billing.TransferReport{InvoiceID: invoice.ID, At: reportedAt}, account.TransferReport)
	assert.Equal(t, billing.InvoiceOpen, f.newestInvoice(f.caller).Status)
	f.advanceInSteps(1, day)
	assert.Equal(t, []string{"Invoice INV-000001 is overdue: $39 AUD was due on 15 March 2026"}, f.receiveSubjects())
	require.NoError(t, f.ReportTransfer.Do(t.Context(), f.caller, invoice.ID))
	f.advanceInSteps(4, day)
	assert.Equal(t, []string{"Your Standard plan has ended: $39 AUD was not paid"}, f.receiveSubjects())
}

// The notice about the overdue invoice is queued only once, so an email that waits for its delivery when the customer
// reports the transfer must be kept.
func TestReportTransfer_DelaysAReminderThatIsQueuedAlready(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	f.advanceInSteps(15, day) // the email is queued and not delivered

	require.NoError(t, f.ReportTransfer.Do(t.Context(), f.caller, f.newestInvoice(f.caller).ID))

	f.advanceInSteps(1, time.Hour)
	assert.Empty(t, f.receiveSubjects())
	f.advanceInSteps(4, day)
	assert.Empty(t, f.receiveSubjects())
	f.advanceInSteps(1, day)
	assert.Equal(t, []string{"Invoice INV-000001 is overdue: $39 AUD was due on 15 March 2026"}, f.receiveSubjects())
}

func TestReportTransfer_ReminderThatIsQueuedAlreadyIsNotSentAfterThePayment(t *testing.T) {
	f := newOrderFixture(t)
	_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	f.advanceInSteps(15, day)
	require.NoError(t, f.ReportTransfer.Do(t.Context(), f.caller, f.newestInvoice(f.caller).ID))
	assert.Empty(t, f.receiveSubjects())

	f.payNewestInvoice()
	f.advanceInSteps(6, day)

	assert.Equal(t, []string{receiptSubject}, f.receiveSubjects())
}
