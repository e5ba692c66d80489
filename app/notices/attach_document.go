package notices

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	documentTimeout = 10 * time.Second // limits how long a delivery waits for a document
	// maxDocumentWait is the time after which an email is sent without its document.
	maxDocumentWait = 4 * time.Hour
	// maxDocumentSize is the size, in bytes, up to which mail servers accept an attachment. Base64 makes it a third larger.
	maxDocumentSize = 5 << 20
)

// documentReader reads documents as PDF from the payment provider.
type documentReader interface {
	InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error)
	CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (payment.InvoiceDocument, error)
}

// withDocument returns the message of a notice. It attaches a PDF if the recipient gets one; see
// account.Organisation.GetsPDF. The PDF is the credit note that the notice reports, or else its invoice. It is read at
// the delivery, so that the outbox need not store it. An email waits up to maxDocumentWait for a document that can't be
// read. It is sent without a document that is missing or too large, because it links to the invoice.
func (u *DeliverMail) withDocument(ctx context.Context, email storage.Email) (mail.Message, error) {
	if !email.Notice.Kind.HasDocument() {
		return email.Message, nil
	}
	org, err := u.store.Organisation(ctx, email.OrganisationID)
	if err != nil {
		return mail.Message{}, err
	}
	if !org.GetsPDF(email.Message.To) {
		return email.Message, nil
	}
	document, err := u.readDocument(ctx, org, email.Notice)
	isMissing := fault.Is(err, fault.NotFound) || fault.Is(err, fault.Unsupported) || fault.Is(err, fault.Invalid)
	if err != nil && !isMissing && u.clock.Now().Sub(email.CreatedAt) < maxDocumentWait {
		return mail.Message{}, err
	}
	if err != nil {
		u.log.WarnContext(ctx, "notice goes without the document of its invoice", "email", email.ID, "kind", email.Notice.Kind,
			"org", org.ID, "invoice", email.Notice.SubjectID, "error", err)
		return email.Message, nil
	}
	message := email.Message
	message.Attachment = mail.NewAttachment(document.Number+".pdf", "application/pdf", document.PDF)
	return message, nil
}

// readDocument reads the credit note that the notice reports, or the invoice if there is no such document. An invoice
// without a number has its id as the number. readDocument returns Invalid for a document that is too large for an email.
func (u *DeliverMail) readDocument(ctx context.Context, org account.Organisation, n billing.Notice) (payment.InvoiceDocument, error) {
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	creditNote, err := u.creditNoteNumber(ctx, org.ID, n)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	var document payment.InvoiceDocument
	if creditNote != "" {
		document, err = u.documents.CreditNotePDF(ctx, org.Billing.CustomerID, n.SubjectID, creditNote)
	}
	if creditNote == "" || fault.Is(err, fault.NotFound) {
		document, err = u.documents.InvoicePDF(ctx, org.Billing.CustomerID, n.SubjectID)
	}
	switch {
	case err != nil:
		return payment.InvoiceDocument{}, err
	case len(document.PDF) > maxDocumentSize:
		return payment.InvoiceDocument{}, fault.Newf(fault.Invalid, "The document has %d bytes.", len(document.PDF))
	case document.Number == "":
		document.Number = n.SubjectID
	}
	return document, nil
}

// creditNoteNumber returns the number of the credit note that the notice reports, or "" if it reports none.
func (u *DeliverMail) creditNoteNumber(ctx context.Context, organisationID string, n billing.Notice) (string, error) {
	if !n.Kind.MayReportCreditNote() {
		return "", nil
	}
	invoices, err := u.store.Invoices(ctx, organisationID)
	for _, inv := range invoices {
		if inv.ID == n.SubjectID {
			return inv.ReportedCreditNote(n), nil
		}
	}
	return "", err
}
