package invoicepdf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// textItem is a text of a page with its position in millimetres from the left and the bottom.
type textItem struct {
	text         string
	left, bottom float64
}

// streamPattern matches a compressed stream of a document, textPattern an operator that prints a text, and
// unescapePattern an escaped character of a text.
var (
	streamPattern   = regexp.MustCompile(`(?s)/FlateDecode[^>]*>>\nstream\n(.*?)\nendstream`)
	textPattern     = regexp.MustCompile(`(?s)BT ([\d.]+) ([\d.]+) Td \((.*?)\)Tj ET`)
	unescapePattern = regexp.MustCompile(`\\[()\\r]`)
)

// renderPages returns the texts on each page of the document.
func renderPages(t *testing.T, d Document) [][]textItem {
	t.Helper()
	document, err := Render(d)
	require.NoError(t, err)
	var pages [][]textItem
	for _, stream := range streamPattern.FindAllSubmatch(document, -1) {
		reader, err := zlib.NewReader(bytes.NewReader(stream[1]))
		require.NoError(t, err)
		content, err := io.ReadAll(reader)
		require.NoError(t, err)
		if texts := extractTexts(t, content); len(texts) > 0 { // else the stream is a font
			pages = append(pages, texts)
		}
	}
	require.NotEmpty(t, pages)
	return pages
}

// extractTexts returns the texts that the content of a stream prints.
func extractTexts(t *testing.T, content []byte) []textItem {
	t.Helper()
	millimetres := func(points []byte) float64 {
		n, err := strconv.ParseFloat(string(points), 64)
		require.NoError(t, err)
		return n * 25.4 / 72
	}
	var items []textItem
	for _, match := range textPattern.FindAllSubmatch(content, -1) {
		text := unescapePattern.ReplaceAllFunc(match[3], func(escape []byte) []byte {
			return bytes.ReplaceAll(escape[1:], []byte("r"), []byte("\r"))
		})
		units := make([]uint16, len(text)/2) // UTF-16
		for i := range units {
			units[i] = binary.BigEndian.Uint16(text[2*i:])
		}
		items = append(items, textItem{string(utf16.Decode(units)), millimetres(match[1]), millimetres(match[2])})
	}
	return items
}

// renderText returns the texts of all pages, each on its own line.
func renderText(t *testing.T, d Document) string {
	t.Helper()
	var texts []string
	for _, page := range renderPages(t, d) {
		for _, item := range page {
			texts = append(texts, item.text)
		}
	}
	return strings.Join(texts, "\n") + "\n"
}

func TestRender_IsDeterministicForAllScripts(t *testing.T) {
	for _, name := range []string{"Northside", "Klinika Łódź", "Клиника Север", "診療所 🏥", "two\nlines", ""} {
		t.Run(name, func(t *testing.T) {
			d := newDocument(name)

			document, err := Render(d)

			require.NoError(t, err)
			assert.Contains(t, string(document), "/CreationDate (D:20260301120000")
			secondDocument, err := Render(d)
			require.NoError(t, err)
			assert.Equal(t, document, secondDocument)
		})
	}
}

func TestRender_PrintsPaidInvoice(t *testing.T) {
	text := renderText(t, newDocument("Northside"))
	for _, want := range []string{
		"Vision", "Tax invoice", "$151.89", " AUD", "Paid on 1 March 2026. Nothing is due.",
		"From", "Seller Pty Ltd", "To", "Northside", "2 Example Street", "ABCDEFGH-0002", "PO 17",
		"Professional", "1 March 2026 to 1 July 2026", "$312.99", "−$161.10", "Total without tax", "$138.08", "GST 10 %", "$13.81",
		"Payments", "Credit used on 1 March 2026", "−$10.00", "Paid on 1 March 2026", "−$141.89", "Amount due", "$0.00 AUD", "Page 1 of 1",
	} {
		assert.Contains(t, text, want+"\n")
	}
	assert.NotContains(t, text, "How to pay")
}

func TestRender_PrintsPaymentInstructionsOfOpenInvoice(t *testing.T) {
	d := newDocument("Northside")
	d.Invoice.Status, d.Invoice.AmountPaid, d.Invoice.DueAt = billing.InvoiceOpen, aud(0), noon.AddDate(0, 0, 14)
	d.Invoice.PaidAt = noon.AddDate(-9, 0, 0)
	d.PaymentInstructions = []billing.Instruction{
		{Label: "BSB", Value: "062-000"}, {Label: "Reference", Value: "ABCDEFGH-0002"},
		{Label: "Amount", Value: "$42 AUD", Amount: aud(4200)},
	}

	text := renderText(t, d)

	for _, want := range []string{
		"$141.89 is due on 15 March 2026.", "Due\n15 March 2026", "Amount due",
		"How to pay\nBSB\n062-000\nReference\nABCDEFGH-0002\nAmount\n$42.00 AUD",
	} {
		assert.Contains(t, text, want+"\n")
	}
	assert.NotContains(t, text, "Nothing is due")
}

func TestRender_WritesDatesInTheTimeZoneOfTheInvoice(t *testing.T) {
	d := newDocument("Northside")
	d.Invoice.TimeZone = "Pacific/Kiritimati" // 14 hours ahead

	text := renderText(t, d)

	assert.Contains(t, text, "2 March 2026 to 2 July 2026\n")
	assert.Contains(t, text, "Paid on 2 March 2026\n")
	assert.NotContains(t, text, "1 March")
}

func TestRender_PrintsCustomerIDIfNameCannotBePrinted(t *testing.T) {
	d := newDocument("")
	d.Buyer = NewBuyer("org_4711", "診療所 🏥", account.BillingDetails{})
	assert.Contains(t, renderText(t, d), "診療所 □\nCustomer org_4711\n")
}

func TestRender_RepeatsTableHeadingAndNumbersPages(t *testing.T) {
	d := newDocument("Northside")
	for range 30 {
		d.Invoice.Lines = append(d.Invoice.Lines, d.Invoice.Lines[1])
	}

	pages := renderPages(t, d)

	require.Len(t, pages, 3)
	for i, page := range pages {
		assert.Equal(t, "Page "+strconv.Itoa(i+1)+" of 3", page[len(page)-1].text)
		assert.True(t, slices.ContainsFunc(page, func(item textItem) bool { return item.text == "Description" }),
			"the table's heading is on each page")
	}
	assert.Equal(t, 31, strings.Count(renderText(t, d), "$312.99\n"))
}

func TestRender_TextsDoNotOverlapOrLeaveThePage(t *testing.T) {
	for name, buyer := range map[string]string{
		"main typeface": "Northside", "fallback typeface": "Phòng khám Hạnh Phúc", "shaped": "株式会社さくら",
	} {
		t.Run(name, func(t *testing.T) {
			d := newDocument(strings.Repeat(buyer, 8) + " " + buyer)
			d.PurchaseOrder = strings.Repeat("PO/2026/4711/", 11)[:140]
			d.Invoice.Lines[0].Description = strings.Repeat("Unused time on Professional for several clinics ", 4)
			d.Invoice.Lines[0].Amount = aud(-123456700)

			faces, err := loadTypefaces()
			require.NoError(t, err)
			p := layOut(d, faces, 1)
			amountLeft := contentRight - p.textWidth(plainStyle, "−$1,234,567.00")

			texts := renderPages(t, d)[0]
			indexOf := func(text string) int {
				return slices.IndexFunc(texts, func(item textItem) bool { return item.text == text })
			}
			var purchaseOrder strings.Builder
			for _, line := range texts[indexOf("Purchase order")+1 : indexOf("Description")] {
				purchaseOrder.WriteString(line.text)
			}
			assert.Equal(t, d.PurchaseOrder, purchaseOrder.String(), "the number is printed on several lines")
			for _, item := range texts {
				right := item.left + p.textWidth(labelStyle, item.text)
				assert.LessOrEqual(t, right, contentRight+0.5, item.text)
				assert.Greater(t, item.bottom, 10.0, item.text)
				switch {
				case strings.HasPrefix(item.text, "−$1,234,567"):
					assert.InDelta(t, amountLeft, item.left, 0.1)
				case strings.Contains(item.text, "Professional for"):
					assert.Less(t, right, amountLeft-columnGap/2, item.text)
				}
			}
		})
	}
}
