package invoicepdf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestCreditNote_HasAmountTaxAndInvoiceOfTheReturn(t *testing.T) {
	visa := &billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}
	d := newDocument("Northside Clinic")
	d.PaymentInstructions = []billing.Instruction{{Label: "BSB", Value: "062-000"}}
	d.Invoice.Returns = []billing.Return{
		{Kind: billing.ReturnRefund, Amount: aud(1000), At: noon.AddDate(0, 0, 2), Method: visa, CreditNote: "ABCDEFGH-0002-CN-01"},
		{Kind: billing.ReturnAsCredit, Amount: aud(15189), At: noon.AddDate(0, 0, 9), CreditNote: "ABCDEFGH-0002-CN-02"},
		{Kind: billing.ReturnRefund, Amount: aud(500), At: noon},
	}

	refund, found := d.CreditNote("ABCDEFGH-0002-CN-01")
	require.True(t, found)
	credit, found := d.CreditNote("ABCDEFGH-0002-CN-02")
	require.True(t, found)
	_, found = d.CreditNote("")
	assert.False(t, found)

	assert.Equal(t, "Credit note", refund.title())
	assert.Equal(t, aud(-1000), refund.Invoice.Total)
	assert.Equal(t, aud(-91), refund.Invoice.Tax, "the share of the tax")
	assert.Equal(t, aud(-1381), credit.Invoice.Tax)
	assert.Empty(t, refund.PaymentInstructions)
	assert.Equal(t, "Refund of invoice ABCDEFGH-0002", refund.Invoice.Lines[0].Description)
	assert.Equal(t, "Refunded, Visa •••• 4242.", refund.creditedInvoice.statusText())
	assert.Equal(t, "It was added to your credit.", credit.creditedInvoice.statusText())
	assert.Contains(t, refund.fields(), Field{"Number", "ABCDEFGH-0002-CN-01"})
	assert.Contains(t, refund.fields(), Field{"Date", "3 March 2026"})
	assert.Contains(t, refund.fields(), Field{"For invoice", "ABCDEFGH-0002"})
	text := renderText(t, refund)
	assert.Contains(t, text, "−$10.00")
	assert.NotContains(t, text, "Amount due")
}
