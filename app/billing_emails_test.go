package app_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// The subjects of the emails about the first invoice.
const (
	issuedSubject  = "Invoice INV-000001: $39 AUD due on 15 March 2026"
	overdueSubject = "Invoice INV-000001 is overdue: $39 AUD was due on 15 March 2026"
	endedSubject   = "Your Standard plan has ended: $39 AUD was not paid"
	receiptSubject = "Payment received: $39 AUD"
)

func TestBillingEmails_UnpaidInvoiceIsReportedAtIssueWhenOverdueAndAtTheEndOfThePlan(t *testing.T) {
	f := newInvoiceFixture(t)
	assert.Empty(t, f.deliverAndListAllSubjects())
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{issuedSubject}, f.deliverAndListAllSubjects(), "no event of the provider is needed")
	assert.Equal(t, "$39", f.newestInvoice(f.caller).AmountDue.FormatWithSymbol())
	text := f.Mailbox.Emails()[0].Text
	for _, line := range []string{"Reference: INV-000001", "https://diy.test/vc-admin/diy/invoices"} {
		assert.Contains(t, text, line)
	}

	f.advanceInSteps(15, day)
	assert.Equal(t, []string{issuedSubject, overdueSubject}, f.deliverAndListAllSubjects())
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "Your Standard plan ends on 22 March 2026")
	f.advanceInSteps(7, day)
	assert.Equal(t, []string{issuedSubject, overdueSubject, endedSubject}, f.deliverAndListAllSubjects())
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "pay it first")
	f.advanceInSteps(30, day)
	assert.Len(t, f.deliverAndListAllSubjects(), 3)
}

func TestBillingEmails_OmitAnInvoicePaidBeforeDelivery(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{receiptSubject}, f.deliverAndListAllSubjects(), "paid before the first delivery")

	f.advanceInSteps(31, day)
	assert.Len(t, f.deliverAndListAllSubjects(), 2, "the invoice of the renewal was issued")
	f.advanceInSteps(15, day)
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, receiptSubject, f.deliverAndListAllSubjects()[2], "paid after it was overdue, before the delivery")
	assert.Len(t, f.deliverAndListAllSubjects(), 3)
	assert.Equal(t, billing.InvoicePaid, f.newestInvoice(f.caller).Status)
}

func TestBillingEmails_ReceiptAndReminderShowAPartPayment(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	partPayment, err := money.New(1000, "AUD")
	require.NoError(t, err)
	_, err = f.invoices.RecordPayment(t.Context(),
		payment.Transfer{InvoiceNumber: f.newestInvoice(f.caller).Number, Amount: partPayment, Reference: "part"})
	require.NoError(t, err)

	f.advanceInSteps(1, time.Minute)
	assert.Equal(t, []string{issuedSubject, "Payment received: $10 AUD, $29 AUD still to be paid"}, f.deliverAndListAllSubjects())
	receipt := f.Mailbox.Emails()[0]
	for _, want := range []string{
		"Receipt for invoice INV-000001", "$29 AUD of invoice INV-000001 is still to be paid by 15 March 2026.",
		"Paid (Bank transfer, 1 March 2026): −$10.00\nAmount due: $29.00 AUD", "Reference: INV-000001", "Amount: $29.00 AUD",
	} {
		assert.Contains(t, receipt.Text, want)
	}
	f.advanceInSteps(15, day)
	f.deliverAndListAllSubjects()
	overdueEmail := f.Mailbox.Emails()[0]

	assert.Equal(t, "Invoice INV-000001 is overdue: $29 AUD was due on 15 March 2026", overdueEmail.Subject)
	for _, want := range []string{
		"has not been paid in full yet", "Total: $39\nPaid (Bank transfer, 1 March 2026): −$10\nAmount due: $29 AUD", "Amount: $29 AUD",
	} {
		assert.Contains(t, overdueEmail.Text, want)
	}

	_, err = f.invoices.RecordPayment(t.Context(),
		payment.Transfer{InvoiceNumber: f.newestInvoice(f.caller).Number, Amount: partPayment, Reference: "late part"})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	f.deliverAndListAllSubjects()
	lateReceipt := f.newestEmail("Payment received: $10 AUD, $19 AUD still to be paid")
	const planEnd = "Your Standard plan ends on 22 March 2026 unless"
	assert.Contains(t, overdueEmail.Text, planEnd)
	assert.Contains(t, lateReceipt.Text, "$19 AUD of invoice INV-000001 was due on 15 March 2026. "+planEnd)
}

func TestBillingEmails_OfAPlanChangeStateThatThePaymentMakesIt(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	f.receiveSubjects()
	_, err := f.ChangePlan.Do(t.Context(), f.caller, app.ChangeRequest{PriceChoice: professionalMonthly})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	subjects := f.receiveSubjects()
	require.Len(t, subjects, 1)
	const changeSentence = "Your plan changes to Professional, monthly when "
	assert.Contains(t, f.newestEmail(subjects[0]).Text, "is due on 15 March 2026. "+changeSentence+"this invoice is paid.")

	partPayment, err := money.New(1000, "AUD")
	require.NoError(t, err)
	_, err = f.invoices.RecordPayment(t.Context(),
		payment.Transfer{InvoiceNumber: f.newestInvoice(f.caller).Number, Amount: partPayment, Reference: "part"})
	require.NoError(t, err)
	f.advanceInSteps(1, time.Minute)
	subjects = f.receiveSubjects()
	require.Len(t, subjects, 1)
	assert.Contains(t, f.newestEmail(subjects[0]).Text, changeSentence+"the invoice is paid.")
}

func TestBillingEmails_NameOnlyTheOrganisation(t *testing.T) {
	f := newInvoiceFixture(t)
	_, err := f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		details := o.BillingDetails()
		details.LegalName, details.Phone, details.PurchaseOrder = "Customer text A", "Customer text B", "Customer text C"
		details.Address.Line1, details.Address.City = "Customer text D", "Customer text E"
		o.Details = &details
		return nil
	})
	require.NoError(t, err)
	organisationName := f.User(f.caller).Organisation().Name
	for _, days := range []int{1, 15, 7} { // until the invoice is issued, overdue, and the plan has ended
		f.advanceInSteps(days, day)
		f.deliverAndListAllSubjects()
	}

	subjects := f.deliverAndListAllSubjects()

	require.Equal(t, []string{issuedSubject, overdueSubject, endedSubject}, subjects)
	for _, email := range f.Mailbox.Emails() {
		if slices.Contains(subjects, email.Subject) {
			assert.Contains(t, email.Text, "in charge of the billing of "+organisationName+" at Vision.")
			assert.Equal(t, 1, strings.Count(email.Text, organisationName))
			assert.NotContains(t, email.Subject, organisationName)
			assert.NotContains(t, email.Subject+email.Text+email.HTML, "Customer text")
		}
	}
}

// The background work runs at random times on random servers.
func TestBillingEmails_AreTheSameForAnyScheduleOfTheWorkers(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 0))
		f := newInvoiceFixture(t)
		start := f.Clock.Now()
		for f.Clock.Now().Before(start.Add(22 * day)) {
			f.Advance(time.Duration(1 + random.Int64N(int64(5*day))))
			for range random.IntN(4) {
				f.runWorkers(f.servers[random.IntN(2)])
			}
			if random.IntN(2) == 0 {
				_, err := f.servers[random.IntN(2)].DeliverMail.Do(t.Context())
				require.NoError(t, err)
			}
			f.runWorkers(f.UseCases)
			f.deliverAndListAllSubjects()
		}
		assert.Equal(t, []string{issuedSubject, overdueSubject, endedSubject}, f.deliverAndListAllSubjects(), "seed %d", seed)
	}
}

func TestBillingEmails_ConcurrentServersQueueAnEmailOnce(t *testing.T) {
	f := newInvoiceFixture(t)
	f.Advance(time.Minute)
	event := payment.Event{ID: "evt_1", Kind: payment.SubscriptionChanged, CustomerID: f.account(f.caller).CustomerID}
	errs := make(chan error)
	for i := range 8 {
		go func() { errs <- f.servers[i%2].ReceiveEvent.Apply(t.Context(), event) }()
	}
	for range 8 {
		require.NoError(t, <-errs)
	}
	assert.Equal(t, []string{issuedSubject}, f.deliverAndListAllSubjects())
}

func TestBillingEmails_AreNotSentWhenTheProviderSendsThem(t *testing.T) {
	f := newInvoiceFixture(t)
	f.Advance(time.Minute)
	f.runWorkers(app.New(app.Ports{Store: f.Store, Provider: f.invoices, Clock: f.Clock, NoBillingEmails: true}))
	assert.Empty(t, f.deliverAndListAllSubjects())
	assert.Equal(t, billing.InvoiceOpen, f.newestInvoice(f.caller).Status, "the invoice is stored")
}

func TestBillingEmails_AreNotSentToAnOrganisationWithADeveloperLicense(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	_, err := f.Store.UpdateOrganisation(t.Context(), f.caller.OrganisationID, func(o *account.Organisation) error {
		o.Billing.DevLicense = &billing.License{ID: "dev_1", IsDev: true, Status: billing.Active}
		return nil
	})
	require.NoError(t, err)
	f.advanceInSteps(20, day)
	assert.Empty(t, f.deliverAndListAllSubjects())
}
