package stripepayment_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	fetchPDFRoute       = "GET /invoice/pdf"
	redirectTargetRoute = "GET /file"
)

// stubForPDF returns a stub that responds to requests for the document of in_1 with the responses, in order.
func stubForPDF(t *testing.T, responses ...response) *stub {
	s := newStub(t)
	invoiceWithPDF := paidInvoice.withFields(object{"invoice_pdf": s.URL + "/invoice/pdf?s=hush"})
	return s.respond(readInvoiceRoute, okResponse(invoiceWithPDF)).respond(fetchPDFRoute, responses...)
}

func pdfResponse(text string) response {
	return response{status: http.StatusOK, text: text, header: map[string]string{"Content-Type": "application/pdf"}}
}

func redirectResponse(location string) response {
	return response{status: http.StatusFound, text: "moved", header: map[string]string{"Location": location}}
}

func TestInvoicePDF_ReadsTheURLEachTimeAndFetchesItWithoutTheAPIKey(t *testing.T) {
	s := stubForPDF(t, redirectResponse("/file")).respond(redirectTargetRoute, pdfResponse("%PDF-1.4"))
	p := s.provider()
	for range 2 {
		document, err := p.InvoicePDF(t.Context(), "cus_1", "in_1")
		require.NoError(t, err)
		assert.Equal(t, "%PDF-1.4", string(document.PDF))
	}
	assert.Equal(t, []string{readInvoiceRoute, fetchPDFRoute, redirectTargetRoute, readInvoiceRoute, fetchPDFRoute,
		redirectTargetRoute}, s.routes())
	for _, r := range s.requests() {
		assert.Equal(t, r.route == readInvoiceRoute, r.header.Get("Authorization") != "", r.route)
	}
}

func TestInvoicePDF_RefusesHostsOutsideOfStripe(t *testing.T) {
	otherHost := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the file was fetched")
	}))
	t.Cleanup(otherHost.Close)
	for _, documentURL := range []string{
		otherHost.URL, "http://files.stripe.com/1", "https://stripe.com.example/1", "https://evilstripe.com/1",
		"https://x@files.stripe.com/1",
		"https://files.stripe.com:8443/1", "file:///etc/passwd", "//127.0.0.1:1/", "https://stripe.com/1",
	} {
		_, err := stubForPDF(t, redirectResponse(documentURL)).provider().InvoicePDF(t.Context(), "cus_1", "in_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "redirect to %s", documentURL)
		s := newStub(t).respond(readInvoiceRoute, okResponse(paidInvoice.withFields(object{"invoice_pdf": documentURL})))
		_, err = s.provider().InvoicePDF(t.Context(), "cus_1", "in_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), documentURL)
	}
}

func TestInvoicePDF_InvalidDocumentResponseIsUnavailable(t *testing.T) {
	for name, c := range map[string]response{
		"HTML":          {status: http.StatusOK, text: "<html>", header: map[string]string{"Content-Type": "text/html"}},
		"too large":     pdfResponse(strings.Repeat("x", payment.MaxPDFSize+1)),
		"expired":       {status: http.StatusGone, text: "gone"},
		"redirect loop": redirectResponse("/invoice/pdf"),
	} {
		s := stubForPDF(t, c)
		_, err := s.provider().InvoicePDF(t.Context(), "cus_1", "in_1")
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), name)
		assert.NotContains(t, s.log.String(), "hush")
		assert.NotContains(t, err.Error(), "hush")
	}
}

func TestInvoicePDF_DoesNotRevealInvoicesOfOtherCustomers(t *testing.T) {
	messages := map[string]bool{}
	for _, res := range []response{
		okResponse(paidInvoice.withFields(object{"customer": "cus_2"})), resourceMissingResponse("invoice"),
		okResponse(paidInvoice.withFields(object{"invoice_pdf": nil})),
	} {
		_, err := newStub(t).respond(readInvoiceRoute, res).provider().InvoicePDF(t.Context(), "cus_1", "in_1")
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
		messages[fault.MessageOf(err)] = true
	}
	assert.Len(t, messages, 1, "all responses are the same")
}

func TestCreditNotePDF_FetchesTheDocumentOfTheNote(t *testing.T) {
	s := newStub(t)
	note := object{"id": "cn_1", "object": "credit_note", "invoice": "in_1", "status": "issued", "number": "INV-1-CN-01",
		"pdf": s.URL + "/invoice/pdf?s=hush"}
	s.respond(readInvoiceRoute, okResponse(paidInvoice)).respond(fetchPDFRoute, pdfResponse("%PDF-1.4")).
		respond(listCreditNotesRoute, okResponse(list(note.withFields(object{"number": "INV-1-CN-02", "status": "void"}), note)))

	document, err := s.provider().CreditNotePDF(t.Context(), "cus_1", "in_1", "INV-1-CN-01")

	require.NoError(t, err)
	assert.Equal(t, payment.InvoiceDocument{Number: "INV-1-CN-01", PDF: []byte("%PDF-1.4")}, document)
	assert.Equal(t, "in_1", s.lastRequest(listCreditNotesRoute).params.Get("invoice"))
	for _, number := range []string{"INV-1-CN-02", "INV-1-CN-03", ""} {
		_, err := s.provider().CreditNotePDF(t.Context(), "cus_1", "in_1", number)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), number)
	}
	_, err = s.provider().CreditNotePDF(t.Context(), "cus_2", "in_1", "INV-1-CN-01")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err), "another customer's invoice")
}
