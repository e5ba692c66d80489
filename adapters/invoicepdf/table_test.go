package invoicepdf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/billing/billingtest"
	"github.com/vc-admin/diy/domain/money"
)

// rowTexts returns the labels and amounts of the rows. The texts of strong rows begin with an asterisk.
func rowTexts(rows []tableRow) []string {
	var texts []string
	for _, row := range rows {
		text := row.label + " " + row.amount.FormatWithDecimals()
		if row.isStrong {
			text = "*" + text
		}
		texts = append(texts, text)
	}
	return texts
}

func TestMovementRows_AddUpToTheAmountDue(t *testing.T) {
	paidInvoice := billing.Invoice{
		Status: billing.InvoicePaid, Total: aud(3900), AmountDue: aud(3900), AmountPaid: aud(3900), PaidAt: noon,
	}
	partlyPaidInvoice := billing.Invoice{
		Status: billing.InvoiceOpen, Total: aud(81600), AmountDue: aud(81600), AmountPaid: aud(30000),
	}
	creditedInvoice, refundedInvoice, creditNote := paidInvoice, paidInvoice, paidInvoice
	creditedInvoice.CreditUsed, creditedInvoice.AmountDue, creditedInvoice.AmountPaid = aud(3165), aud(735), aud(735)
	refundedInvoice.Refunded = aud(1000)
	creditNote.Total, creditNote.CreditUsed, creditNote.AmountDue, creditNote.AmountPaid = aud(-36187), aud(-36187), aud(0), aud(0)
	voidInvoice, openInvoice := partlyPaidInvoice, partlyPaidInvoice
	voidInvoice.Status, voidInvoice.AmountPaid, voidInvoice.Credited = billing.InvoiceVoid, aud(0), aud(30000)
	openInvoice.AmountPaid = aud(0)
	carriedInvoice := paidInvoice
	carriedInvoice.Total, carriedInvoice.CarriedForward, carriedInvoice.AmountDue, carriedInvoice.AmountPaid = aud(41), aud(41), aud(0), aud(0)
	for name, c := range map[string]struct {
		invoice billing.Invoice
		want    []string
	}{
		"carried forward":  {carriedInvoice, []string{"Carried to the next invoice −$0.41", "*Amount due $0.00"}},
		"paid":             {paidInvoice, []string{"Paid on 1 March 2026 −$39.00", "*Amount due $0.00"}},
		"paid with credit": {creditedInvoice, []string{"Credit used −$31.65", "Paid on 1 March 2026 −$7.35", "*Amount due $0.00"}},
		"refunded": {refundedInvoice, []string{
			"Paid on 1 March 2026 −$39.00", "Refunded $10.00", "Credit note −$10.00", "*Amount due $0.00",
		}},
		"open":        {openInvoice, []string{"*Amount due $816.00"}},
		"partly paid": {partlyPaidInvoice, []string{"Paid −$300.00", "*Amount due $516.00"}},
		"void after a payment": {voidInvoice, []string{
			"Paid −$300.00", "Returned as credit $300.00", "Cancelled −$816.00", "*Amount due $0.00",
		}},
		"negative total": {creditNote, []string{"Added to your credit $361.87"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, rowTexts(Document{Invoice: c.invoice}.movementRows()))
		})
	}
}

func TestMovementRows_NameDateAndMethodOfEachMovement(t *testing.T) {
	inv := billing.Invoice{
		Status: billing.InvoicePaid, Total: aud(81600), AmountDue: aud(81600), AmountPaid: aud(81600), PaidAt: noon.AddDate(0, 0, 1),
		ReceivedPayments: []billing.ReceivedPayment{
			{Amount: aud(30000), At: noon, Method: &billing.PaymentMethod{Kind: billing.OtherMethod, Label: "Bank transfer"}},
			{Amount: aud(51600), At: noon.AddDate(0, 0, 1), Method: &billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}},
		},
	}
	assert.Equal(t,
		[]string{"Bank transfer on 1 March 2026 −$300.00", "Visa •••• 4242 on 2 March 2026 −$516.00", "*Amount due $0.00"},
		rowTexts(Document{Invoice: inv}.movementRows()))

	inv.ReceivedPayments = inv.ReceivedPayments[:1]
	assert.Equal(t, []string{"Bank transfer on 1 March 2026 −$300.00", "Paid on 2 March 2026 −$516.00", "*Amount due $0.00"},
		rowTexts(Document{Invoice: inv}.movementRows()))
}

func TestMovementRows_MatchTestVectors(t *testing.T) {
	for _, c := range billingtest.LoadPaymentRows(t) {
		t.Run(c.Name, func(t *testing.T) {
			d := Document{Invoice: c.Invoice}
			var want []string
			for _, row := range c.Rows {
				label := row.Label
				switch {
				case row.Kind == billing.MovementPayment && row.Method != "":
					label = row.Method
				case row.Method != "":
					label += ", " + row.Method
				case row.CreditNote != "":
					label += " " + row.CreditNote
				}
				if row.At != nil {
					label += " on " + d.date(*row.At)
				}
				want = append(want, label+" "+aud(row.Amount).FormatWithDecimals())
			}
			want = append(want, "*Amount due "+aud(c.Remaining).FormatWithDecimals())
			assert.Equal(t, want, rowTexts(d.movementRows()))
		})
	}
}

func TestTotalRows_ShowTheIncludedTax(t *testing.T) {
	inv := billing.Invoice{Total: aud(3900), Tax: aud(355)}
	assert.Equal(t, []string{"Total without tax $35.45", "GST 10 % $3.55", "*Total $39.00"},
		rowTexts(Document{Invoice: inv, Tax: "GST 10 %"}.totalRows()))
	assert.Equal(t, []string{"*Total $39.00"}, rowTexts(Document{Invoice: billing.Invoice{Total: aud(3900)}}.totalRows()))
}

func TestCurrencyFormat_IsExactAndPrintable(t *testing.T) {
	faces, err := loadTypefaces()
	require.NoError(t, err)
	for code, want := range map[string]string{
		"AUD": "−$1,234,567.89 AUD", "EUR": "−€1,234,567.89 EUR", "JPY": "−JPY 123,456,789", "AED": "−AED 1,234,567.89",
		"HUF": "−Ft1,234,567.89 HUF",
	} {
		amount, err := money.New(-123456789, code)
		require.NoError(t, err)
		format := faces.newCurrencyFormat(amount.Currency())
		assert.Equal(t, want, format.format(amount)+format.codeSuffix())
		assert.False(t, strings.ContainsRune(format.format(amount), replacementChar))
	}
}
