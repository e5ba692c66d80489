package invoicepdf_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

func TestNewBuyer(t *testing.T) {
	details := account.BillingDetails{
		LegalName: "Northside Clinic Pty Ltd", BillingEmail: "accounts@example.com",
		Address: account.Address{Line1: "1 High Street", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
		TaxID:   &account.TaxID{Type: "au_abn", Value: "51 824 753 556"},
	}
	assert.Equal(t, invoicepdf.Party{
		ID: "org_1", Name: "Northside Clinic Pty Ltd",
		Lines: []string{"1 High Street", "Sydney NSW 2000", "Australia", "accounts@example.com", "ABN 51 824 753 556"},
	}, invoicepdf.NewBuyer("org_1", "Northside", details))
	assert.Equal(t, "Northside", invoicepdf.NewBuyer("org_1", "Northside", account.BillingDetails{}).Name)
}

func TestRender_IsDeterministicForAllScripts(t *testing.T) {
	for _, name := range []string{"Northside", "Klinika Łódź", "Клиника Север", "診療所 🏥", "two\nlines", ""} {
		t.Run(name, func(t *testing.T) {
			d := newDocument(t, name)

			document, err := invoicepdf.Render(d)

			require.NoError(t, err)
			assert.Contains(t, string(document), "/CreationDate (D:20260301120000")
			second, err := invoicepdf.Render(d)
			require.NoError(t, err)
			assert.Equal(t, document, second)
		})
	}
}

func TestRender_PrintsLinesAndTotals(t *testing.T) {
	text := textOf(t, newDocument(t, "Northside"))
	for _, want := range []string{
		"Tax invoice", "ABCDEFGH-0002", "PO 17", "Seller Pty Ltd", "2 Example Street", "Thank you.", "(Professional)", "312.99",
		"161.10", "(Includes GST 10 %)", "13.81", "151.89", "(Credit used)", "-10.00", "(Paid on 1 March 2026)", "141.89", "(Nothing is due)",
	} {
		assert.Contains(t, text, want)
	}
}

func TestRender_WritesDatesInTheTimeZoneOfTheInvoice(t *testing.T) {
	d := newDocument(t, "Northside")
	d.Invoice.TimeZone = "Pacific/Kiritimati" // 14 hours ahead
	d.Invoice.DueAt = d.Invoice.CreatedAt.AddDate(0, 0, 14)

	text := textOf(t, d)

	for _, want := range []string{"(2 March 2026)", "(16 March 2026)", "(2 March 2026 ", " 2 July 2026)"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "(1 March")
}

// textOf renders the document and returns the content of its first page.
func textOf(t *testing.T, d invoicepdf.Document) string {
	t.Helper()
	document, err := invoicepdf.Render(d)
	require.NoError(t, err)
	_, compressed, _ := bytes.Cut(document, []byte("stream\n"))
	page, err := zlib.NewReader(bytes.NewReader(compressed))
	require.NoError(t, err)
	content, err := io.ReadAll(page)
	require.NoError(t, err)
	return strings.ReplaceAll(string(content), "\x00", "") // of UTF-16
}

func newDocument(t *testing.T, buyer string) invoicepdf.Document {
	amount := func(minor int64) money.Amount {
		a, err := money.New(minor, "AUD")
		require.NoError(t, err)
		return a
	}
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return invoicepdf.Document{
		Seller: invoicepdf.Party{Name: "Seller Pty Ltd", Lines: []string{"1 Example Street", "Sydney NSW 2000"}},
		Buyer:  invoicepdf.Party{Name: buyer, Lines: []string{"2 Example Street"}}, PurchaseOrder: "PO 17", Tax: "GST 10 %",
		Notes: []string{"Thank you."},
		Invoice: billing.Invoice{
			Number: "ABCDEFGH-0002", Status: billing.InvoicePaid, CreatedAt: noon, PaidAt: noon,
			Lines: []billing.Line{
				{Description: "Unused time on Standard", Amount: amount(-16110), Start: noon, End: noon.AddDate(0, 4, 0), Proration: true},
				{Description: "Professional", Amount: amount(31299), Start: noon, End: noon.AddDate(0, 4, 0), Proration: true},
			},
			Total: amount(15189), Tax: amount(1381), CreditUsed: amount(1000), AmountDue: amount(14189), AmountPaid: amount(14189),
		},
	}
}
