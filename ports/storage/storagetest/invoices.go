package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var invoiceScenarios = []scenario{
	{"Invoices returns invoices newest first, and a later report replaces an invoice with the same id", testInvoices},
	{"UpdateBilling stores nothing if the callback fails", testRefusedUpdateBilling},
	{"each notice is queued once", testQueuedNotices},
	{"notices are listed in the order of their times and kinds", testOrderOfNotices},
	{"the emails of a notice are due after its delay", testDelayedNotice},
	{"concurrent reports queue a notice once", testConcurrentNotices},
	{"ClaimEmails returns emails about accounts before notices", testAccountEmailsBeforeNotices},
}

// newInvoice returns an invoice without zero fields.
func newInvoice(id string, status billing.InvoiceStatus, createdAt time.Time) billing.Invoice {
	return billing.Invoice{
		ID: id, Number: "INV-" + id, SubscriptionID: "sub of " + id, Status: status,
		Lines: []billing.Line{{Description: "Standard é", Amount: euros(1 << 40)}},
		Total: euros(1 << 40), Tax: euros(1), CreditUsed: euros(-1 << 40), CarriedForward: euros(7), AmountDue: euros(3900), AmountPaid: euros(-1),
		Refunded: euros(1 << 41), Credited: euros(7), Returned: euros(9), FailedRefunds: euros(11),
		CreatedAt: createdAt, DueAt: createdAt.AddDate(0, 0, 14), PaidAt: createdAt.Add(time.Hour),
		NextAttemptAt: createdAt.Add(time.Minute),
		TimeZone:      "Australia/Sydney",
	}
}

func updateBilling(t *testing.T, s storage.Store, organisationID string, r storage.BillingUpdate) {
	t.Helper()
	_, err := s.UpdateBilling(t.Context(), organisationID, r, func(*account.Organisation) error { return nil })
	require.NoError(t, err)
}

func requireInvoices(t *testing.T, s storage.Store, organisationID string, want ...billing.Invoice) {
	t.Helper()
	invoices, err := s.Invoices(t.Context(), organisationID)
	require.NoError(t, err)
	require.Equal(t, want, invoices)
}

func testInvoices(t *testing.T, h Harness) {
	s := h.Open(t)
	orgID, otherOrgID := storeSignUp(t, s, "ada").Organisation.ID, storeSignUp(t, s, "other").Organisation.ID
	requireInvoices(t, s, orgID)
	olderInvoice, newerInvoice := newInvoice("1", billing.InvoicePaid, noon),
		newInvoice("2", billing.InvoiceOpen, noon.Add(time.Microsecond))
	minimalInvoice := billing.Invoice{ID: "3", Status: billing.InvoiceVoid, CreatedAt: noon.Add(-time.Hour)}
	otherInvoice := newInvoice("1", billing.InvoiceOpen, noon)

	updateBilling(t, s, orgID, storage.BillingUpdate{Invoices: []billing.Invoice{olderInvoice, minimalInvoice}})
	updateBilling(t, s, orgID, storage.BillingUpdate{Invoices: []billing.Invoice{newerInvoice}})
	updateBilling(t, s, otherOrgID, storage.BillingUpdate{Invoices: []billing.Invoice{otherInvoice}})
	requireInvoices(t, s, orgID, newerInvoice, olderInvoice, minimalInvoice)
	requireInvoices(t, s, otherOrgID, otherInvoice)

	replacement := newInvoice("2", billing.InvoicePaid, newerInvoice.CreatedAt)
	replacement.Number, replacement.DueAt, replacement.AmountPaid, replacement.Lines = "", time.Time{}, euros(5), nil
	replacement.CreditUsed, replacement.Refunded = euros(0), euros(3)
	replacement.Credited, replacement.Returned, replacement.FailedRefunds = euros(0), euros(0), euros(0)
	updateBilling(t, s, orgID, storage.BillingUpdate{Invoices: []billing.Invoice{replacement}})
	requireInvoices(t, s, orgID, replacement, olderInvoice, minimalInvoice)
}

func testRefusedUpdateBilling(t *testing.T, h Harness) {
	s := h.Open(t)
	o := storeSignUp(t, s, "ada").Organisation
	errRefused := fault.New(fault.Conflict, "another report was stored")
	report := storage.BillingUpdate{
		EmailsDueAt: noon, Invoices: []billing.Invoice{newInvoice("1", billing.InvoiceOpen, noon)},
		Notices: []storage.QueuedNotice{newNotice("1")},
	}

	_, err := s.UpdateBilling(t.Context(), o.ID, report, func(*account.Organisation) error { return errRefused })
	require.Same(t, errRefused, err)
	_, err = s.UpdateBilling(t.Context(), "unknown", report, func(*account.Organisation) error { return nil })
	requireFault(t, fault.NotFound, err)

	requireInvoices(t, s, o.ID)
	require.Equal(t, []string{o.ContactEmail}, recipients(claimEmails(t, s, noon, 10)),
		"the outbox contains only the email of the sign-up")
}

// newNotice returns a notice with emails to two recipients, "owner" and "copy".
func newNotice(subjectID string) storage.QueuedNotice {
	return storage.QueuedNotice{
		Notice: billing.Notice{Kind: billing.InvoiceIssued, SubjectID: subjectID, Period: "2026-03-04"},
		Emails: []mail.Message{newMessage("owner"), newMessage("copy")},
	}
}

func testQueuedNotices(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	orgID, otherOrgID := "organisation-ada", storeSignUp(t, s, "other").Organisation.ID
	require.Len(t, claimEmails(t, s, noon, 10), 1)
	queuedNotice, otherKindNotice, otherPeriodNotice := newNotice("1"), newNotice("1"), newNotice("1")
	otherKindNotice.Notice.Kind, otherPeriodNotice.Notice.Period = billing.InvoiceOverdue, ""
	at := noon.Add(time.Minute)

	updateBilling(t, s, orgID, storage.BillingUpdate{EmailsDueAt: at, Notices: []storage.QueuedNotice{queuedNotice, queuedNotice}})
	require.Empty(t, claimEmails(t, s, at.Add(-time.Microsecond), 10))
	emails := claimEmails(t, s, at, 10)
	require.Equal(t, []string{"owner", "copy"}, recipients(emails))
	for _, email := range emails {
		assert.Equal(t, queuedNotice.Notice, email.Notice)
		assert.Equal(t, orgID, email.OrganisationID)
		require.NoError(t, s.FinishEmail(t.Context(), email.ID, storage.EmailOutcome{SentAt: noon}))
	}

	secondReport := storage.BillingUpdate{
		EmailsDueAt: at, Notices: []storage.QueuedNotice{queuedNotice, otherKindNotice, newNotice("2"), otherPeriodNotice},
	}
	updateBilling(t, s, orgID, secondReport)
	updateBilling(t, s, orgID, secondReport)
	require.Len(t, claimEmails(t, s, at, 100), 6, "two emails for each of three other notices")
	notices, err := s.Notices(t.Context(), orgID)
	require.NoError(t, err)
	assert.ElementsMatch(t, []billing.Notice{
		queuedNotice.Notice, otherKindNotice.Notice, newNotice("2").Notice, otherPeriodNotice.Notice,
	}, notices)
	notices, err = s.Notices(t.Context(), otherOrgID)
	require.NoError(t, err)
	assert.Empty(t, notices)
	updateBilling(t, s, otherOrgID, storage.BillingUpdate{EmailsDueAt: at, Notices: []storage.QueuedNotice{queuedNotice}})
	require.Len(t, claimEmails(t, s, at, 100), 2, "the other organisation gets the notice, too")
}

func testOrderOfNotices(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	var want []billing.Notice
	for i, subjectID := range []string{"2", "3", "1"} {
		notice := newNotice(subjectID)
		want = append(want, notice.Notice)
		at := noon.Add(time.Duration(i) * time.Microsecond)
		updateBilling(t, s, "organisation-ada", storage.BillingUpdate{EmailsDueAt: at, Notices: []storage.QueuedNotice{notice}})
	}
	lifted, returned := newNotice("4"), newNotice("1")
	lifted.Notice.Kind, returned.Notice.Kind = billing.HoldLifted, billing.PaymentReturned
	update := storage.BillingUpdate{EmailsDueAt: noon.Add(time.Second), Notices: []storage.QueuedNotice{returned, lifted}}
	updateBilling(t, s, "organisation-ada", update)
	notices, err := s.Notices(t.Context(), "organisation-ada")
	require.NoError(t, err)
	require.Equal(t, append(want, lifted.Notice, returned.Notice), notices, "notices with the same time are ordered by kind")
	notices, err = s.Notices(t.Context(), "organisation-ada", billing.PaymentReturned, billing.HoldLifted)
	require.NoError(t, err)
	require.Equal(t, []billing.Notice{lifted.Notice, returned.Notice}, notices)
}

func testDelayedNotice(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	notice := newNotice("1")
	notice.Delay = 15 * time.Minute
	updateBilling(t, s, "organisation-ada", storage.BillingUpdate{EmailsDueAt: noon, Notices: []storage.QueuedNotice{notice}})
	dueAt := noon.Add(notice.Delay)
	require.Empty(t, claimEmails(t, s, dueAt.Add(-time.Microsecond), 10))
	require.Equal(t, []string{"owner", "copy"}, recipients(claimEmails(t, s, dueAt, 10)))
}

func testAccountEmailsBeforeNotices(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	updateBilling(t, s, "organisation-ada", storage.BillingUpdate{
		EmailsDueAt: noon, Notices: []storage.QueuedNotice{newNotice("1")},
	})
	addEmail(t, s, userID, "later", noon.Add(time.Second))
	require.Equal(t, []string{"later", "owner", "copy"}, recipients(claimEmails(t, s, noon.Add(time.Minute), 10)))
}

func testConcurrentNotices(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	h.runConcurrently(t, s, func(_ int, store storage.Store) {
		_, err := store.UpdateBilling(t.Context(), "organisation-ada",
			storage.BillingUpdate{
				EmailsDueAt: noon, Notices: []storage.QueuedNotice{newNotice("1")},
				Invoices: []billing.Invoice{newInvoice("1", billing.InvoiceOpen, noon)},
			},
			func(*account.Organisation) error { return nil })
		assert.NoError(t, err)
	})
	require.Equal(t, []string{"owner", "copy"}, recipients(claimEmails(t, s, noon, 10)))
}
