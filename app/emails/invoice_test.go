package emails

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

func newInvoice(t *testing.T) Invoice {
	t.Helper()
	amount, err := money.Parse("816", "AUD")
	require.NoError(t, err)
	return Invoice{
		Sender: Sender{Brand: "Vision", Address: []string{"Example Pty Ltd", "1 High <Street>"}}, PlanName: "Professional",
		Number: "INV-0001", Description: "Professional",
		Amount: amount, DueOn: "12 December 2026", EndsOn: "19 December 2026",
		Instructions: []billing.Instruction{{Label: "BSB", Value: "062-000"}, {Label: "Reference", Value: "INV-0001"}},
		InvoiceLink:  "https://vision.example/vc-admin/diy/invoices/in_1", PayLink: "https://vision.example/vc-admin/diy/pay",
	}
}

func TestInvoiceEmails_HaveTheirSubjectsAndTexts(t *testing.T) {
	for name, tt := range map[string]struct {
		write       func(Invoice) mail.Message
		wantSubject string
		wantTexts   []string
	}{
		"issued": {InvoiceIssued, "Invoice INV-0001: $816 AUD due on 12 December 2026", []string{
			"Invoice INV-0001 for Professional was issued. $816 AUD is due on 12 December 2026.", "BSB", "062-000",
			"Show the invoice",
			"https://vision.example/vc-admin/diy/invoices",
		}},
		"overdue": {InvoiceOverdue, "Invoice INV-0001 is overdue: $816 AUD was due on 12 December 2026", []string{
			"$816 AUD was due on 12 December 2026.", "Your Professional plan ends on 19 December 2026 unless it is paid by then.",
			"Reference", "https://vision.example/vc-admin/diy/pay",
		}},
		"ended": {PlanEndedUnpaid, "Your Professional plan has ended: $816 AUD was not paid", []string{
			"Invoice INV-0001 was not paid: $816 AUD was due on 12 December 2026.",
			"It is still owed. To subscribe again, pay it first.",
			"https://vision.example/vc-admin/diy/pay",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := tt.write(newInvoice(t))
			require.NoError(t, mail.Message{To: "ann@example.com", Subject: m.Subject, Text: m.Text, HTML: m.HTML}.Check())
			assert.Equal(t, tt.wantSubject, m.Subject)
			assertBothPartsContain(t, m, append(tt.wantTexts, "$816", "Example Pty Ltd", "1 High <Street>")...)
			assert.NotContains(t, m.HTML, "<Street>")
			assert.True(t, strings.HasSuffix(m.Text, "\n\nVision\nExample Pty Ltd\n1 High <Street>\n"), m.Text)
			assert.Equal(t, 1, strings.Count(m.HTML, `<a class="button"`))
		})
	}
}

func TestInvoiceEmails_OmitUnknownParts(t *testing.T) {
	data := newInvoice(t)
	data.Number, data.Description, data.EndsOn, data.Instructions, data.Sender.Address = "", "", "", nil, nil

	issueEmail, overdueEmail, endEmail := InvoiceIssued(data), InvoiceOverdue(data), PlanEndedUnpaid(data)

	assert.Equal(t, "Your invoice: $816 AUD due on 12 December 2026", issueEmail.Subject)
	assertBothPartsContain(t, issueEmail, "Your invoice was issued. $816 AUD is due")
	assertBothPartsContain(t, overdueEmail, "was due on 12 December 2026. If you have paid")
	assertBothPartsContain(t, endEmail, "To subscribe again, sign in and choose a plan.", data.InvoiceLink)
	assert.NotContains(t, issueEmail.Text+overdueEmail.Text, "How to pay")
	assert.NotContains(t, issueEmail.HTML+overdueEmail.HTML, "How to pay")
	assert.True(t, strings.HasSuffix(issueEmail.Text, data.InvoiceLink+"\n\n"+billingReason("", "Vision")+"\n\nVision\n"),
		issueEmail.Text)
}

func aud(t *testing.T, minor int64) money.Amount {
	t.Helper()
	a, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return a
}

func TestFormatAmounts_FormatsFigureTaxAndRowsAsOneBlock(t *testing.T) {
	format := func(c content) content {
		c.formatAmounts("GST")
		return c
	}
	whole := format(content{Figure: Figure{Amount: aud(t, 81600)}, AmountRows: []Row{{Amount: aud(t, 111600)}, {Amount: aud(t, -30000)}}})
	assert.Equal(t, []string{"$816", "AUD", "$1,116", "−$300 AUD"},
		[]string{whole.Figure.AmountText, whole.Figure.Currency, whole.AmountRows[0].AmountText, whole.AmountRows[1].AmountText})

	taxed := format(content{Figure: Figure{Amount: aud(t, 81600)}, AmountRows: []Row{{Amount: aud(t, 81600), Tax: aud(t, 7418)}}})
	assert.Equal(t, []string{"$816.00", "includes $74.18 GST", "$816.00 AUD"},
		[]string{taxed.Figure.AmountText, taxed.AmountRows[0].Detail, taxed.AmountRows[0].AmountText})
}

func TestInvoiceEmails_ShowAPartPayment(t *testing.T) {
	data := newInvoice(t)
	data.IsPartlyPaid = true
	data.AmountRows = []Row{
		{Label: "Total", Amount: aud(t, 111600)}, {Label: "Paid", Amount: aud(t, -30000)},
		{Label: "Amount due", Amount: aud(t, 81600), Strong: true},
	}

	overdueEmail, endEmail := InvoiceOverdue(data), PlanEndedUnpaid(data)

	assertBothPartsContain(t, InvoiceIssued(data), "$1,116", "−$300", "Amount due")
	assertBothPartsContain(t, overdueEmail, "Invoice INV-0001 has not been paid in full yet. $816 AUD was due on 12 December 2026.",
		"−$300")
	assertBothPartsContain(t, endEmail, "Invoice INV-0001 was not paid in full: $816 AUD was due on 12 December 2026.", "−$300")
	assert.Contains(t, overdueEmail.Text,
		"\n\nTotal: $1,116\nPaid: −$300\nAmount due: $816 AUD\n\nHow to pay:\n\nBSB: 062-000\n")
}
