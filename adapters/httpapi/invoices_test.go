package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

const invoicesPath = "/vc-admin/org/invoices/list"

type invoicePage struct {
	Data []struct {
		ID                                                                           string
		Number                                                                       string
		Status                                                                       string
		Description                                                                  string
		Tax, Total, AmountDue, AmountPaid, CreditUsed, Refunded, Credited, Remaining struct {
			Amount   int64
			Currency string
		}
		HasPDF   bool            `json:"hasPdf"`
		BilledTo json.RawMessage `json:"billedTo"`
		Received json.RawMessage
		Seller   json.RawMessage
		TaxName  string

		Movements []struct{ Kind, CreditNote string }
	}
	HasMore bool
}

func TestInvoices_AreListedAndDownloadedByTheirOrganisationOnly(t *testing.T) {
	s := newTestServer(t)
	ada, bob := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example"), s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	assert.JSONEq(t, `{"data":[],"hasMore":false}`, string(ada.post(invoicesPath, nil).Body))
	ada.subscribe(disableTrial(subscribeBody(ada.createCard("4242424242424242"))))

	page := decodeJSON[invoicePage](ada.post(invoicesPath, nil))

	require.Len(t, page.Data, 1)
	invoice := page.Data[0]
	assert.Equal(t, []any{"paid", "Professional", int64(7418), int64(81600), "AUD", true},
		[]any{invoice.Status, invoice.Description, invoice.Tax.Amount, invoice.Total.Amount, invoice.Tax.Currency, invoice.HasPDF})
	assert.NotEmpty(t, invoice.Number)
	assert.Regexp(t,
		`^\{"name":"Sunrise Clinic","address":\{"line1":"1 Example Street",.*"country":"AU".*\},"taxId":null,"purchaseOrder":""\}$`,
		string(invoice.BilledTo))
	assert.Regexp(t, `^\[\{"amount":\{"amount":81600,"currency":"AUD"\},"excess":\{"amount":0,"currency":"AUD"\},`+
		`"at":"[^"]+Z","method":\{"card":\{"brand":"visa","last4":"4242",`,
		string(invoice.Received))
	assert.JSONEq(t,
		`{"name":"Test Seller Pty Ltd","lines":["1 Example Street","Sydney NSW 2000","Australia","ABN 00 000 000 000"]}`,
		string(invoice.Seller))
	assert.Equal(t, "GST 10 %", invoice.TaxName)
	assert.False(t, page.HasMore)

	pdf := ada.get("/vc-admin/org/invoices/" + invoice.ID + "/pdf")
	require.Equal(t, http.StatusOK, pdf.Status)
	assert.True(t, strings.HasPrefix(string(pdf.Body), "%PDF-"))
	assert.Equal(t, "application/pdf", pdf.Header.Get("Content-Type"))
	assert.Equal(t, `attachment; filename="invoice-`+invoice.Number+`.pdf"`, pdf.Header.Get("Content-Disposition"))
	assert.Equal(t, "no-store", pdf.Header.Get("Cache-Control"))
	assert.Equal(t, "nosniff", pdf.Header.Get("X-Content-Type-Options"))

	unknownInvoice := bob.get("/vc-admin/org/invoices/in_unknown/pdf")
	unknownInvoice.requireError(http.StatusNotFound, "ERRNOTFOUND")
	requireSameResponse(t, unknownInvoice, bob.get("/vc-admin/org/invoices/"+invoice.ID+"/pdf"))
	nextPageBody := map[string]any{"startingAfter": invoice.ID}
	assert.Empty(t, decodeJSON[invoicePage](ada.post(invoicesPath, nextPageBody)).Data)
	requireSameResponse(t,
		bob.post(invoicesPath, map[string]any{"startingAfter": "in_unknown"}), bob.post(invoicesPath, nextPageBody))
}

func TestInvoices_ReportRefunds(t *testing.T) {
	s, b := newServerWithUser(t)
	b.subscribe(disableTrial(subscribeBody(b.createCard("4242424242424242"))))
	invoice := decodeJSON[invoicePage](b.post(invoicesPath, nil)).Data[0]
	refund, err := money.New(1000, "AUD")
	require.NoError(t, err)
	_, err = s.provider.Refund(t.Context(), payment.RefundRequest{Key: "refund", InvoiceID: invoice.ID, Amount: refund})
	require.NoError(t, err)

	invoice = decodeJSON[invoicePage](b.post(invoicesPath, nil)).Data[0]

	assert.Equal(t, []int64{81600, 81600, 81600, 0, 1000, 0, 0}, []int64{
		invoice.Total.Amount, invoice.AmountDue.Amount, invoice.AmountPaid.Amount, invoice.CreditUsed.Amount,
		invoice.Refunded.Amount, invoice.Credited.Amount, invoice.Remaining.Amount,
	})
	assert.Equal(t, "AUD", invoice.Refunded.Currency)

	number := invoice.Number + "-CN-01"
	require.Len(t, invoice.Movements, 3)
	assert.Equal(t, []string{"payment", "refund", "credit_note"},
		[]string{invoice.Movements[0].Kind, invoice.Movements[1].Kind, invoice.Movements[2].Kind})
	assert.Equal(t, number, invoice.Movements[2].CreditNote)
	creditNotesPath := "/vc-admin/org/invoices/" + invoice.ID + "/credit-notes/"
	pdf := b.get(creditNotesPath + number + "/pdf")
	require.Equal(t, http.StatusOK, pdf.Status)
	assert.True(t, strings.HasPrefix(string(pdf.Body), "%PDF-"))
	assert.Equal(t, `attachment; filename="credit-note-`+number+`.pdf"`, pdf.Header.Get("Content-Disposition"))
	unknownNote := b.get(creditNotesPath + invoice.Number + "-CN-02/pdf")
	unknownNote.requireError(http.StatusNotFound, "ERRNOTFOUND")
	other := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	requireSameResponse(t, unknownNote, other.get(creditNotesPath+number+"/pdf"))
}

func TestReportTransfer_ReportsTheDateInTheNextActionAndIsRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b.subscribe(subscribeBody(b.createCard("4242424242424242")))
	_, err := s.store.UpdateOrganisation(t.Context(), b.detail().OrgID, func(o *account.Organisation) error {
		o.Billing.Subscriptions[0].Next = billing.NextAction{
			Kind: billing.Wait, InvoiceID: "in_1", Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
		}
		return nil
	})
	require.NoError(t, err)
	report := func(id string) response { return b.post("/vc-admin/org/invoices/"+id+"/transfer", nil) }
	require.Nil(t, b.detail().Next.ReportedAt)

	report("in_2").requireError(http.StatusConflict, "ERRCONFLICT")
	for range 9 {
		assert.JSONEq(t, `{}`, string(report("in_1").Body))
	}
	report("in_1").requireRateLimited("360", "6 minutes")

	now := s.clock.Now().UTC()
	next := b.detail().Next
	require.NotNil(t, next.ReportedAt)
	require.NotNil(t, next.RemindersPausedUntil)
	assert.WithinDuration(t, now, *next.ReportedAt, time.Minute)
	assert.Equal(t, next.ReportedAt.AddDate(0, 0, 5), *next.RemindersPausedUntil)
}
