package diycmd

import (
	"compress/zlib"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/timezone"
)

// The due date of an invoice is compared in the API, the instructions, the email, the document and the operator's
// list. The invoice is due at the end of a day in Sydney, where the organisation is: in Auckland, the next day has begun.
func TestInvoice_DueDateIsTheSameEverywhere(t *testing.T) {
	s := startInvoiceServer(t, "TZ=Pacific/Auckland")
	server, ada := s.url, s.ada
	var clock struct{ Now time.Time }
	require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/dev/clock")), &clock))
	nextNight := clock.Now.Truncate(24 * time.Hour).Add(38*time.Hour + 30*time.Minute) // 14:30 UTC of the next day
	ada.advanceClock(server, nextNight.Sub(clock.Now))
	require.Equal(t, http.StatusOK, ada.post(server+"/vc-admin/user-diy/subscribe",
		`{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD", "no_trial": true}`))
	s.runInvoiceCommand("allow", "--org", s.orgID)
	ada.advanceClock(server, time.Hour) // processes the order

	const sydney = timezone.Zone("Australia/Sydney")
	type invoiceDate struct {
		At, DueAt time.Time
		TimeZone  timezone.Zone
	}
	assertSameDate := func() {
		t.Helper()
		var list struct {
			Data []struct {
				invoiceDate
				ID string
			}
		}
		_, response := ada.send(http.MethodPost, server+"/vc-admin/org/invoices/list", "{}")
		require.NoError(t, json.Unmarshal([]byte(response), &list))
		require.Len(t, list.Data, 1)
		dueDate := sydney.Date(list.Data[0].DueAt)
		assert.Equal(t, sydney.EndOfDay(list.Data[0].DueAt, 0), list.Data[0].DueAt)
		assert.NotEqual(t, timezone.Zone("Pacific/Auckland").Date(list.Data[0].DueAt), dueDate)

		var user struct {
			Detail struct {
				License struct{ Invoiced invoiceDate }
				Next    struct {
					Instructions []struct{ Label, Value string }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/user/detail")), &user))
		var billing struct{ Invoiced invoiceDate }
		require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/org/billing")), &billing))
		assert.Equal(t, sydney, list.Data[0].TimeZone)
		for _, date := range []invoiceDate{user.Detail.License.Invoiced, billing.Invoiced} {
			assert.Equal(t, list.Data[0].DueAt, date.At)
			assert.Equal(t, sydney, date.TimeZone)
		}
		assert.Contains(t, user.Detail.Next.Instructions, struct{ Label, Value string }{"Due", dueDate})
		ada.waitForEmail(server, "Invoice INV-000001: $39 AUD due on "+dueDate)
		assert.Contains(t, pdfText(t, ada.get(server+"/vc-admin/org/invoices/"+list.Data[0].ID+"/pdf")), "("+dueDate+")")

		assert.Contains(t, s.runInvoiceCommand("list"), " "+sydney.In(list.Data[0].DueAt).Format(time.DateOnly)+" ")
	}

	assertSameDate()
	newAddress := `{"address": {"line1": "1 Quay Street", "city": "Auckland", "state": "Auckland", "postal_code": "1010", "country": "NZ"}}`
	require.Equal(t, http.StatusOK, ada.post(server+"/vc-admin/org/billing/edit", newAddress))
	assert.Contains(t, ada.get(server+"/vc-admin/org/detail/"+s.orgID), `"timeZone":"Pacific/Auckland"`)
	assertSameDate()
}

// assertInvoiceOverdueEverywhere asserts that the open payment, from which the invoice's page and list derive their status,
// the email and the document call the first invoice overdue and name the same due day.
func (b browser) assertInvoiceOverdueEverywhere(server string) {
	b.t.Helper()
	var user struct {
		Detail struct {
			OpenPayment struct{ Kind, InvoiceID string }
			Next        struct {
				Instructions []struct{ Label, Value string }
			}
		}
	}
	require.NoError(b.t, json.Unmarshal([]byte(b.get(server+"/vc-admin/user/detail")), &user))
	payment, instructions := user.Detail.OpenPayment, user.Detail.Next.Instructions
	require.NotEmpty(b.t, instructions)
	due := instructions[len(instructions)-1]
	assert.Equal(b.t, []string{"overdue", "Due"}, []string{payment.Kind, due.Label})
	b.waitForEmail(server, "Invoice INV-000001 is overdue: $39 AUD was due on "+due.Value)
	document := pdfText(b.t, b.get(server+"/vc-admin/org/invoices/"+payment.InvoiceID+"/pdf"))
	assert.Contains(b.t, document, "($39.00 is overdue. It was due on "+due.Value+".)")
}

// The amounts of an invoice of which credit pays a part are compared in the API, the open payment, the email, the document
// and the operator's list. The web app compares its lists in App.invoice-amounts.test.tsx.
func TestInvoice_PartPaidByCreditIsTheSameAmountEverywhere(t *testing.T) {
	s := startInvoiceServer(t)
	s.orderAndApprovePlan()
	s.ada.advanceClock(s.url, 24*time.Hour)
	s.recordTransfer("paid", "51.50", "ANZ 1") // 12.50 become credit
	s.ada.advanceClock(s.url, 38*24*time.Hour)
	type amount struct{ Amount int64 }
	const wantTotal, wantCredit, wantDue = 3900, 1250, 2650

	var list struct {
		Data []struct {
			ID                                       string
			Total, CreditUsed, AmountDue, AmountPaid amount
		}
	}
	_, response := s.ada.send(http.MethodPost, s.url+"/vc-admin/org/invoices/list", "{}")
	require.NoError(t, json.Unmarshal([]byte(response), &list))
	require.Len(t, list.Data, 2)
	inv := list.Data[0]
	assert.Equal(t, []amount{{wantTotal}, {wantCredit}, {wantDue}, {0}},
		[]amount{inv.Total, inv.CreditUsed, inv.AmountDue, inv.AmountPaid})
	var billing struct{ Invoiced struct{ Amount, Total int64 } }
	require.NoError(t, json.Unmarshal([]byte(s.ada.get(s.url+"/vc-admin/org/billing")), &billing))
	assert.Equal(t, struct{ Amount, Total int64 }{wantDue, wantTotal}, billing.Invoiced)
	assert.Regexp(t, `INV-000002 +open +AUD 39.00 +AUD 12.50 +AUD 0.00 +AUD 26.50 `, s.runInvoiceCommand("list"))
	document := pdfText(t, s.ada.get(s.url+"/vc-admin/org/invoices/"+inv.ID+"/pdf"))
	for _, text := range []string{"39.00", "12.50", "26.50"} {
		assert.Contains(t, document, text)
	}
	s.ada.waitForEmail(s.url, "Invoice INV-000002: $26.50 AUD due on ")
	assert.Regexp(t, `Total: \$39\.00.*Credit used[^:]*: −\$12\.50.*Amount due: \$26\.50`, s.ada.get(s.url+"/dev/mailbox.json"))

	s.ada.advanceClock(s.url, 15*24*time.Hour)
	var user struct {
		Detail struct {
			OpenPayment struct{ Amount, Total, CreditUsed int64 }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.ada.get(s.url+"/vc-admin/user/detail")), &user))
	assert.Equal(t, struct{ Amount, Total, CreditUsed int64 }{wantDue, wantTotal, wantCredit}, user.Detail.OpenPayment)
	assert.Contains(t, s.runInvoiceCommand("paid", "--number", "2", "--amount", "1", "--currency", "aud", "--reference", "ANZ 2"),
		"open, AUD 25.50 of AUD 39.00 are owed")
}

// pdfText returns the text of the first page of a document of package invoicepdf.
func pdfText(t *testing.T, document string) string {
	t.Helper()
	_, compressed, found := strings.Cut(document, "stream\n")
	require.True(t, found, document)
	page, err := zlib.NewReader(strings.NewReader(compressed))
	require.NoError(t, err)
	content, err := io.ReadAll(page)
	require.NoError(t, err)
	return strings.ReplaceAll(string(content), "\x00", "") // the upper bytes of UTF-16
}
