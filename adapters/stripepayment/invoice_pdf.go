package stripepayment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// maxRedirects limits the redirects to a document. Stripe uses one.
const maxRedirects = 5

// InvoicePDF fetches the document of an invoice without sending the API key. It reads the invoice each time, because the
// URL of the document expires. The URL alone gives access to the document, so it is neither stored nor logged.
func (p *Provider) InvoicePDF(ctx context.Context, customerID, invoiceID string) (payment.InvoiceDocument, error) {
	inv, err := p.readInvoiceOfCustomer(ctx, customerID, invoiceID)
	switch {
	case err != nil:
		return payment.InvoiceDocument{}, err
	case inv.InvoicePDF == "":
		return payment.InvoiceDocument{}, errNotFound("invoice")
	}
	return p.fetchDocument(ctx, inv.ID, inv.Number, inv.InvoicePDF)
}

// CreditNotePDF fetches the document of a credit note, see InvoicePDF.
func (p *Provider) CreditNotePDF(ctx context.Context, customerID, invoiceID, number string) (payment.InvoiceDocument, error) {
	inv, err := p.readInvoiceOfCustomer(ctx, customerID, invoiceID)
	if err != nil {
		return payment.InvoiceDocument{}, err
	}
	params := &stripe.CreditNoteListParams{Invoice: &inv.ID}
	params.Limit = new(int64(pageSize))
	for note, err := range p.stripe.V1CreditNotes.List(ctx, params).All(ctx) {
		if err != nil {
			return payment.InvoiceDocument{}, p.logFault(ctx, "list credit notes", err)
		}
		if creditNoteNumberOf(note) == number && number != "" {
			return p.fetchDocument(ctx, inv.ID, number, note.PDF)
		}
	}
	return payment.InvoiceDocument{}, errNotFound("credit note")
}

// creditNoteNumberOf returns the number of the credit note, or "" if it has no document.
func creditNoteNumberOf(note *stripe.CreditNote) string {
	if note.PDF == "" || note.Status == stripe.CreditNoteStatusVoid {
		return ""
	}
	return note.Number
}

// fetchDocument fetches the document with the number from documentURL. invoiceID is for the log.
func (p *Provider) fetchDocument(ctx context.Context, invoiceID, number, documentURL string) (payment.InvoiceDocument, error) {
	document, err := p.fetchPDF(ctx, documentURL)
	if err != nil {
		if urlErr, ok := errors.AsType[*url.Error](err); ok {
			err = urlErr.Err // the outer error contains the URL
		}
		p.Log.WarnContext(ctx, "fetching an invoice document failed", "invoice", invoiceID, "error", err)
		return payment.InvoiceDocument{}, fault.Wrap(err, fault.Unavailable,
			"The document could not be fetched. Please try again.")
	}
	return payment.InvoiceDocument{Number: number, PDF: document}, nil
}

// fetchPDF fetches a document of up to payment.MaxPDFSize bytes.
func (p *Provider) fetchPDF(ctx context.Context, documentURL string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, documentURL, nil)
	if err != nil {
		return nil, errors.New("the URL is malformed")
	}
	if err := p.checkDocumentURL(req.URL); err != nil {
		return nil, err
	}
	response, err := p.documentClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if response.StatusCode != http.StatusOK || mediaType != "application/pdf" {
		return nil, fmt.Errorf("the response is %d with type %q", response.StatusCode, mediaType)
	}
	document, err := io.ReadAll(io.LimitReader(response.Body, payment.MaxPDFSize+1))
	if err == nil && len(document) > payment.MaxPDFSize {
		err = errors.New("the document is too large")
	}
	return document, err
}

// newDocumentClient returns the client that fetches documents. It sends no API key and checks every redirect.
func (p *Provider) newDocumentClient() *http.Client {
	return &http.Client{Transport: newTransport(), CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return errors.New("there are too many redirects")
		}
		return p.checkDocumentURL(req.URL)
	}}
}

// checkDocumentURL accepts https URLs on Stripe's hosts and URLs of the configured API, and refuses all others. A fake API
// serves documents itself.
func (p *Provider) checkDocumentURL(u *url.URL) error {
	if u.Scheme == "https" && strings.HasSuffix(u.Hostname(), ".stripe.com") && (u.Port() == "" || u.Port() == "443") &&
		u.User == nil {
		return nil
	}
	if api, err := url.Parse(p.APIURL); err == nil && u.Scheme == api.Scheme && u.Host == api.Host && u.User == nil {
		return nil
	}
	return errors.New("the document is not on a host of Stripe's")
}
