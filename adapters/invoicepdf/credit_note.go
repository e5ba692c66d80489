package invoicepdf

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// creditedInvoice describes what a credit note is issued for.
type creditedInvoice struct {
	number       string // of the invoice
	creditReturn billing.Return
}

// RenderCreditNote returns a credit note of the invoice as PDF. It returns NotFound if the invoice has no credit note with
// the number.
func RenderCreditNote(d Document, number string) ([]byte, error) {
	note, found := d.CreditNote(number)
	if !found {
		return nil, fault.New(fault.NotFound, "There is no such credit note.")
	}
	return Render(note)
}

// CreditNote returns the document of the invoice's credit note with the number. Its total is the negative amount that
// was returned. The document does not change when the invoice changes later. found is false if the invoice has no such
// credit note.
func (d Document) CreditNote(number string) (note Document, found bool) {
	r, found := d.Invoice.FindCreditNote(number)
	if !found {
		return Document{}, false
	}
	inv := d.Invoice
	currency := inv.Total.Currency().Code
	total, errTotal := money.New(-r.Amount.Minor(), currency)
	tax, errTax := money.New(-shareOf(inv.Tax.Minor(), r.Amount.Minor(), inv.Total.Minor()), currency)
	if errTotal != nil || errTax != nil { // impossible: the return has the currency of the invoice
		return Document{}, false
	}
	description := "Credit for invoice " + inv.Number
	if r.Kind == billing.ReturnRefund {
		description = "Refund of invoice " + inv.Number
	}
	d.creditedInvoice = &creditedInvoice{number: inv.Number, creditReturn: r}
	d.PaymentInstructions = nil
	d.Invoice = billing.Invoice{
		ID: inv.ID, Number: number, Status: billing.InvoicePaid, Total: total, Tax: tax, CreatedAt: r.At, TimeZone: inv.TimeZone,
		Lines: []billing.Line{{Description: description, Amount: total, Start: r.At, End: r.At}},
	}
	return d, true
}

// shareOf returns the part of the tax that the amount includes, rounded to the nearest minor unit.
func shareOf(tax, amount, total int64) int64 {
	if total <= 0 {
		return 0
	}
	return (2*tax*amount + total) / (2 * total)
}

// statusText returns the sentence about where the credited amount went.
func (c creditedInvoice) statusText() string {
	switch r := c.creditReturn; {
	case r.Kind == billing.ReturnAsCredit:
		return "It was added to your credit."
	case r.Method != nil:
		return "Refunded, " + r.Method.DisplayName() + "."
	}
	return "It was refunded."
}
