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
	"time"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func aud(minor int64) money.Amount {
	a, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return a
}

func TestSums_AccountForCreditPaymentsAndRefunds(t *testing.T) {
	paid := billing.Invoice{Status: billing.InvoicePaid, Total: aud(3900), AmountDue: aud(3900), AmountPaid: aud(3900), PaidAt: noon}
	partlyPaid := billing.Invoice{Status: billing.InvoiceOpen, Total: aud(81600), AmountDue: aud(81600), AmountPaid: aud(30000)}
	byCredit, refunded, void, credit := paid, paid, partlyPaid, paid
	byCredit.CreditUsed, byCredit.AmountDue, byCredit.AmountPaid = aud(3165), aud(735), aud(735)
	refunded.Refunded = aud(1000)
	void.Status, void.AmountPaid, void.Credited = billing.InvoiceVoid, aud(0), aud(30000)
	credit.Total, credit.CreditUsed, credit.AmountDue, credit.AmountPaid = aud(-36187), aud(-36187), aud(0), aud(0)
	for name, c := range map[string]struct {
		invoice billing.Invoice
		title   string
		want    []string
	}{
		"paid":                 {paid, "Tax invoice", []string{"Total AUD 39.00", "Paid on 1 March 2026 AUD -39.00", "*Nothing is due"}},
		"paid with credit":     {byCredit, "Tax invoice", []string{"Total AUD 39.00", "Credit used AUD -31.65", "Paid on 1 March 2026 AUD -7.35", "*Nothing is due"}},
		"refunded":             {refunded, "Tax invoice", []string{"Total AUD 39.00", "Paid on 1 March 2026 AUD -39.00", "*Nothing is due", "Refunded AUD 10.00"}},
		"partly paid":          {partlyPaid, "Tax invoice", []string{"Total AUD 816.00", "Paid AUD -300.00", "*Amount due AUD 516.00"}},
		"void after a payment": {void, "Tax invoice", []string{"Total AUD 816.00", "*Nothing is due", "Returned as credit AUD 300.00"}},
		"negative total":       {credit, "Credit note", []string{"Total AUD -361.87", "Added to your credit AUD 361.87", "*Nothing is due"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.invoice.Tax = aud(0)
			d := Document{Invoice: c.invoice, Tax: "GST 10 %"}
			var got []string
			for _, s := range d.sums() {
				text := strings.TrimSpace(s.label + " " + s.amount)
				if s.strong {
					text = "*" + text
				}
				got = append(got, text)
			}
			tax := "Includes GST 10 % AUD 0.00"
			assert.Equal(t, append([]string{c.want[0], tax}, c.want[1:]...), got)
			assert.Equal(t, c.title, d.title())
		})
	}
}

func TestSums_WithoutTaxHaveNoTaxLine(t *testing.T) {
	d := Document{Invoice: billing.Invoice{Status: billing.InvoiceOpen, Total: aud(3900), AmountDue: aud(3900)}}
	assert.Equal(t, []sum{{label: "Total", amount: "AUD 39.00"}, {label: "Amount due", amount: "AUD 39.00", strong: true}}, d.sums())
	assert.Equal(t, "Invoice", d.title())
}

// printed is a text of a document with its horizontal extent in millimetres.
type printed struct {
	text       string
	start, end float64
}

var textOperator = regexp.MustCompile(`(?s)BT ([\d.]+) [\d.]+ Td \((.*?)\)Tj ET`)

// printedTexts returns the texts on the first page of the document. They are as wide as in the regular weight.
func printedTexts(t *testing.T, d Document) []printed {
	t.Helper()
	document, err := Render(d)
	require.NoError(t, err)
	_, compressed, _ := bytes.Cut(document, []byte("stream\n"))
	reader, err := zlib.NewReader(bytes.NewReader(compressed))
	require.NoError(t, err)
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	face, err := typefaceFor(d.text())
	require.NoError(t, err)
	measure := page{fpdf.New("P", "mm", "A4", ""), face}
	face.addTo(measure, font)
	measure.SetFont(font, "", 10)
	var all []printed
	for _, match := range textOperator.FindAllSubmatch(content, -1) {
		points, err := strconv.ParseFloat(string(match[1]), 64)
		require.NoError(t, err)
		units := make([]uint16, len(match[2])/2) // UTF-16
		for i := range units {
			units[i] = binary.BigEndian.Uint16(match[2][2*i:])
		}
		text, start := string(utf16.Decode(units)), points*25.4/72
		all = append(all, printed{text, start, start + measure.textWidth(text)})
	}
	require.NotEmpty(t, all)
	return all
}

func TestRender_TextsStayApartAndOnThePage(t *testing.T) {
	for name, buyer := range map[string]string{"standard typeface": "Northside", "fallback typeface": "Phòng khám Hạnh Phúc"} {
		t.Run(name, func(t *testing.T) {
			order := strings.Repeat("PO/2026/4711/", 11)[:140]
			texts := printedTexts(t, Document{
				Buyer: Party{Name: buyer}, PurchaseOrder: order, Tax: "GST 10 %",
				Invoice: billing.Invoice{
					Number: "A-1", Status: billing.InvoicePaid, CreatedAt: noon, PaidAt: noon, Total: aud(123456700), AmountDue: aud(123456700), AmountPaid: aud(123456700),
					Lines: []billing.Line{{
						Description: "Unused time on Professional for several clinics", Amount: aud(-123456700),
						Start: time.Date(2026, 9, 28, 0, 0, 0, 0, time.UTC), End: time.Date(2027, 9, 28, 0, 0, 0, 0, time.UTC),
					}},
				},
			})

			for _, text := range texts {
				assert.LessOrEqual(t, text.end, margin+width+0.5, text.text)
			}
			at := func(prefix string) int {
				return slices.IndexFunc(texts, func(p printed) bool { return strings.HasPrefix(p.text, prefix) })
			}
			var printedOrder strings.Builder
			for _, line := range texts[at("Purchase order")+1 : at("From")] {
				printedOrder.WriteString(line.text)
			}
			assert.Equal(t, order, printedOrder.String(), "on several lines")
			period, amount := texts[at("28 September")], texts[at("AUD -1,234,567.00")]
			for _, line := range texts[at("Unused time"):at("28 September")] {
				assert.Less(t, line.end, period.start, line.text)
			}
			assert.Greater(t, amount.start-period.end, 3.0, "between the period and the amount")
		})
	}
}
