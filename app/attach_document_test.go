package app_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
)

const accountantEmail = "accounts@example.com" // the billing email of newInvoiceFixture

// editDetails changes the stored billing details without the payment provider.
func (f *fixture) editDetails(caller identity.Identity, edit func(*account.BillingDetails)) {
	f.t.Helper()
	_, err := f.Store.UpdateOrganisation(f.t.Context(), caller.OrganisationID, func(o *account.Organisation) error {
		details := o.BillingDetails()
		edit(&details)
		o.Details = &details
		return nil
	})
	require.NoError(f.t, err)
}

// attachmentNames returns the name of the attachment of each email about an invoice to the address, oldest first.
func attachmentNames(t *testing.T, emails []devmail.Email, to string) []string {
	t.Helper()
	names := []string{}
	for _, email := range emails {
		if a := email.Attachment; a != nil && email.To == to {
			assert.Equal(t, "application/pdf", a.ContentType)
			assert.True(t, bytes.HasPrefix(a.Data, []byte("%PDF-")))
			names = append([]string{a.Name}, names...)
		}
	}
	return names
}

// The billing email gets the tax invoice of a renewal although nothing is charged for it.
func TestInvoiceEmails_RenewalPaidByCreditHasThePDF(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	f.deliverAndListAllSubjects()
	amount, err := money.New(9000, "AUD")
	require.NoError(t, err)
	_, err = f.invoices.AddCredit(t.Context(),
		payment.CreditGrant{Key: "credit", CustomerID: f.account(f.caller).CustomerID, Amount: amount})
	require.NoError(t, err)
	f.advanceInSteps(31, day)
	subjects := f.deliverAndListAllSubjects()

	assert.Equal(t, "Paid with your credit: $39 AUD", subjects[len(subjects)-1])
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "Your credit pays until 1 June 2026, then $27 AUD.")
	names := attachmentNames(t, f.Mailbox.Emails(), accountantEmail)
	assert.Equal(t, "INV-000002.pdf", names[len(names)-1])
}

func TestInvoiceEmails_OnlyTheBillingEmailGetsThePDF(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(15, day) // the invoice is issued and becomes overdue
	f.deliverAndListAllSubjects()
	f.payNewestInvoice()
	f.advanceInSteps(1, time.Minute)
	f.deliverAndListAllSubjects()

	assert.Equal(t, []string{"INV-000001.pdf", "INV-000001.pdf"}, attachmentNames(t, f.Mailbox.Emails(), accountantEmail),
		"the reminder and the receipt")
	assert.Empty(t, attachmentNames(t, f.Mailbox.Emails(), "ann@example.com"), "the user downloads it after signing in")
}

func TestInvoiceEmails_ReceiptOfACardPaymentHasThePDF(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.editDetails(caller, func(d *account.BillingDetails) { d.BillingEmail = accountantEmail })
	f.subscribe(caller, visa, standardMonthly, false)
	f.Advance(8 * day) // the trial ends
	f.DeliverEvents()
	f.DeliverEmails(f.UseCases)

	names := attachmentNames(t, f.Mailbox.Emails(), accountantEmail)
	require.Len(t, names, 1, "the email about the trial is about no invoice")
	assert.Regexp(t, `^[0-9A-Z]+-\d+\.pdf$`, names[0])
}

// The document of the first refund is still the first credit note after a second refund.
func TestInvoiceEmails_RefundsHaveTheirCreditNotes(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.editDetails(caller, func(d *account.BillingDetails) { d.BillingEmail = accountantEmail })
	f.subscribe(caller, visa, standardMonthly, true)
	f.DeliverEvents()
	f.DeliverEmails(f.UseCases)
	inv := f.newestInvoice(caller)
	for _, minor := range []int64{1000, 500} {
		f.Refund(inv.ID, minor, "AUD")
		f.DeliverEvents()
	}
	f.DeliverEmails(f.UseCases)

	assert.Equal(t, []string{inv.Number + ".pdf", inv.Number + "-CN-01.pdf", inv.Number + "-CN-02.pdf"},
		attachmentNames(t, f.Mailbox.Emails(), accountantEmail), "the receipt and the refunds")
}

func TestInvoiceEmails_RefundHasTheInvoiceWithoutADocumentOfItsCreditNote(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.editDetails(caller, func(d *account.BillingDetails) { d.BillingEmail = accountantEmail })
	f.subscribe(caller, visa, standardMonthly, true)
	f.DeliverEvents()
	f.DeliverEmails(f.UseCases)
	f.Refund(f.newestInvoice(caller).ID, 1000, "AUD")
	f.DeliverEvents()
	var names []string
	server, _ := f.newAppWithMailerAndProvider(func(_ context.Context, m mail.Message) error {
		if m.To == accountantEmail && assert.NotNil(t, m.Attachment) {
			names = append(names, m.Attachment.Name)
		}
		return nil
	}, documentProvider{f.Provider, func() (payment.InvoiceDocument, error) {
		return payment.InvoiceDocument{Number: "VISION-0001", PDF: []byte("%PDF-")}, nil
	}})
	_, err := server.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"VISION-0001.pdf"}, names)
}

func TestInvoiceEmails_HaveNoPDFIfItIsTurnedOff(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute) // queues the email
	f.editDetails(f.caller, func(d *account.BillingDetails) { d.OmitPDF = true })
	assert.Equal(t, []string{issuedSubject}, f.deliverAndListAllSubjects())
	assert.Empty(t, attachmentNames(t, f.Mailbox.Emails(), accountantEmail), "the setting applies at the delivery")
}

// documentProvider is a provider whose invoices have the documents of the function. Its credit notes have none.
type documentProvider struct {
	payment.Provider
	read func() (payment.InvoiceDocument, error)
}

func (p documentProvider) InvoicePDF(context.Context, string, string) (payment.InvoiceDocument, error) {
	return p.read()
}

func (documentProvider) CreditNotePDF(context.Context, string, string, string) (payment.InvoiceDocument, error) {
	return payment.InvoiceDocument{}, fault.New(fault.NotFound, "no such credit note")
}

func TestInvoiceEmails_WaitForAPDFThatCannotBeReadAndGoWithoutItAfterFourHours(t *testing.T) {
	f := newInvoiceFixture(t)
	f.advanceInSteps(1, time.Minute)
	var sentEmails []mail.Message
	provider := documentProvider{f.invoices, func() (payment.InvoiceDocument, error) {
		return payment.InvoiceDocument{}, fault.New(fault.Unavailable, "not reachable")
	}}
	server, log := f.newAppWithMailerAndProvider(func(_ context.Context, m mail.Message) error {
		sentEmails = append(sentEmails, m)
		return nil
	}, provider)
	deliver := func() {
		t.Helper()
		_, err := server.DeliverMail.Do(t.Context())
		require.NoError(t, err)
	}
	deliver()
	require.Len(t, sentEmails, 1, "the email to the user does not wait")
	for range 3 {
		f.Advance(time.Hour)
		deliver()
	}
	require.Len(t, sentEmails, 1)
	assert.NotContains(t, log.String(), "without the document")

	f.Advance(time.Hour)
	deliver()

	require.Len(t, sentEmails, 2)
	assert.Equal(t, accountantEmail, sentEmails[1].To)
	assert.Nil(t, sentEmails[1].Attachment)
	assert.Contains(t, sentEmails[1].Text, "https://diy.test/vc-admin/diy/invoices", "the link leads to the invoice")
	assert.Contains(t, log.String(), "notice goes without the document of its invoice")
	assert.NotContains(t, log.String(), "@", "logs contain no address")
}

func TestInvoiceEmails_GoWithoutAPDFThatIsMissingOrTooLarge(t *testing.T) {
	for name, read := range map[string]func() (payment.InvoiceDocument, error){
		"missing": func() (payment.InvoiceDocument, error) {
			return payment.InvoiceDocument{}, fault.New(fault.NotFound, "no such invoice")
		},
		"no documents": func() (payment.InvoiceDocument, error) {
			return payment.InvoiceDocument{}, payment.Unsupported(payment.InvoicePDF)
		},
		"too large": func() (payment.InvoiceDocument, error) {
			return payment.InvoiceDocument{Number: "INV-000001", PDF: make([]byte, 5<<20+1)}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newInvoiceFixture(t)
			f.advanceInSteps(1, time.Minute)
			sentCount := 0
			server, log := f.newAppWithMailerAndProvider(func(_ context.Context, m mail.Message) error {
				if m.To == accountantEmail {
					sentCount++
					assert.Nil(t, m.Attachment)
				}
				return nil
			}, documentProvider{f.invoices, read})
			_, err := server.DeliverMail.Do(t.Context())
			require.NoError(t, err)
			assert.Equal(t, 1, sentCount)
			assert.Contains(t, log.String(), "notice goes without the document of its invoice")
		})
	}
}
