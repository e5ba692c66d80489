package notices

import (
	"context"
	"time"

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

// documentReader reads an invoice as a PDF from the payment provider.
type documentReader interface {
	InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error)
}

// withDocument returns the message of a notice with the PDF of its invoice as an attachment, if its recipient gets the PDF;
// see account.Organisation.GetsPDF. The document is read at the delivery, so it is not stored in the outbox. Until
// maxDocumentWait has passed, the email waits for a document that can't be read. The email is sent without a document that
// is missing or too large; its link leads to the invoice.
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
	document, err := u.readDocument(ctx, org.Billing.CustomerID, email.Notice.SubjectID)
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

// readDocument reads the document of the invoice. Without a number it has the id of the invoice. readDocument returns
// Invalid for a document that is too large for an email.
func (u *DeliverMail) readDocument(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	ctx, cancel := context.WithTimeout(ctx, documentTimeout)
	defer cancel()
	document, err := u.documents.InvoicePDF(ctx, customerID, invoiceID)
	switch {
	case err != nil:
		return payment.InvoiceDocument{}, err
	case len(document.PDF) > maxDocumentSize:
		return payment.InvoiceDocument{}, fault.Newf(fault.Invalid, "The document has %d bytes.", len(document.PDF))
	case document.Number == "":
		document.Number = invoiceID
	}
	return document, nil
}
