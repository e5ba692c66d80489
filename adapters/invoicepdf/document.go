// Package invoicepdf renders invoices as PDF documents, for payment providers without documents of their
// own.
//
// Texts may contain Latin, Greek, Cyrillic, Armenian, Georgian, Arabic, Hebrew, Thai, Devanagari, Chinese, Japanese and
// Korean letters. Fonts of the last five scripts are in package adapters/invoicepdf/fonts, which the build of the web
// app fills. Each other character is printed as a box. If the name or address of a buyer contains such a character, the
// buyer's ID is printed below the address, so that the buyer can still be identified. Equal documents are rendered to
// equal bytes.
package invoicepdf

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/country"
)

// Document contains the data of an invoice document.
type Document struct {
	Invoice             billing.Invoice
	Seller, Buyer       Party
	PurchaseOrder       string                // "" for none
	Tax                 string                // name and percentage of the included tax, "GST 10 %"; "" for none
	PaymentInstructions []billing.Instruction // such as the account to pay to
	IsOverdue           bool                  // the invoice is open and should have been paid

	creditedInvoice *creditedInvoice // of a credit note, see CreditNote
}

// Party is a seller or a buyer.
type Party struct {
	Brand        string // of a seller: the product's name, printed beside the logo; default: Name
	Name         string
	Lines        []string // address, contact and tax ID
	HasVATNumber bool     // of the European Union or the United Kingdom
	ID           string   // of the organisation; printed only if the name or the lines contain unprintable characters
}

// Seller returns the party as the issuer of an invoice, or nil if it has no name.
func (p Party) Seller() *billing.Seller {
	if p.Name == "" {
		return nil
	}
	return &billing.Seller{Name: p.Name, Lines: p.Lines}
}

// Field is a value that is printed with a label.
type Field struct{ Label, Value string }

// taxIDNames are the printed names of the types of tax IDs.
var taxIDNames = map[string]string{"au_abn": "ABN", "nz_gst": "GST number", "gb_vat": "VAT number", "eu_vat": "VAT number"}

// NewBuyer returns the party for an organisation. A legal name in the details replaces the name.
func NewBuyer(id, name string, d account.BillingDetails) Party {
	p := Party{ID: id, Name: name}
	if d.LegalName != "" {
		p.Name = d.LegalName
	}
	countryName := cmp.Or(country.Name(d.Address.Country), d.Address.Country)
	p.Lines = removeEmpty(slices.Concat(
		[]string{d.Address.Line1, d.Address.Line2}, d.Address.TownLines(), []string{countryName, d.BillingEmail},
	)...)
	if d.TaxID != nil {
		p.Lines = append(p.Lines, strings.TrimSpace(taxIDNames[d.TaxID.Type]+" "+d.TaxID.Text()))
		p.HasVATNumber = taxIDNames[d.TaxID.Type] == "VAT number"
	}
	return p
}

func removeEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// title returns the kind of the document. An invoice with a negative total is a credit note.
func (d Document) title() string {
	switch {
	case d.Invoice.Total.Minor() < 0:
		return "Credit note"
	case d.Tax != "":
		return "Tax invoice"
	}
	return "Invoice"
}

// statusText returns the sentence that states what is paid or due. The invoice's screen shows the same sentence; both
// follow the test vectors invoice-status.
func (d Document) statusText(currency currencyFormat) string {
	if d.creditedInvoice != nil {
		return d.creditedInvoice.statusText()
	}
	inv := d.Invoice
	remaining := currency.format(inv.AmountRemaining())
	switch inv.Status {
	case billing.InvoiceDraft:
		return "It is being prepared."
	case billing.InvoiceVoid:
		return "This invoice was cancelled. Nothing is due."
	case billing.InvoiceUncollectible:
		return remaining + " was not paid."
	case billing.InvoiceOpen:
		if inv.Payment != nil && inv.Payment.Status == billing.Processing {
			return "The payment of " + remaining + " is on its way. Please don’t pay a second time."
		}
		return remaining + d.dueText()
	case billing.InvoicePaid:
	}
	return d.paidText(currency)
}

// dueText returns the end of the statusText of an open invoice.
func (d Document) dueText() string {
	dueDate := d.date(d.Invoice.DueAt)
	switch {
	case d.IsOverdue && dueDate == "":
		return " is overdue."
	case d.IsOverdue:
		return " is overdue. It was due on " + dueDate + "."
	case dueDate == "":
		return " is due."
	}
	return " is due on " + dueDate + "."
}

// paidText returns the statusText of an invoice for which nothing is to be paid any more.
func (d Document) paidText(currency currencyFormat) string {
	inv := d.Invoice
	switch {
	case inv.Total.Minor() < 0:
		return "It was added to your credit."
	case inv.CarriedForward.Minor() > 0:
		return currency.format(inv.CarriedForward) + " is carried to the next invoice. Nothing is due now."
	case inv.PaidAt.IsZero() || !inv.WasPaid():
		return "Nothing is due."
	}
	return "Paid on " + d.date(inv.PaidAt) + ". Nothing is due."
}

// fields returns the number, the dates and the purchase order, except those without a value.
func (d Document) fields() []Field {
	fields := []Field{
		{"Number", d.Invoice.Number},
		{"Date", d.date(d.Invoice.CreatedAt)},
		{"Due", d.date(d.Invoice.DueAt)},
		{"Purchase order", d.PurchaseOrder},
	}
	if d.creditedInvoice != nil {
		fields = append(fields, Field{"For invoice", d.creditedInvoice.number})
	}
	return slices.DeleteFunc(fields, func(f Field) bool { return f.Value == "" })
}

// isReverseCharge reports whether the buyer owes the tax. This is the case if the invoice has no tax, and the buyer has a
// VAT number and is in another country than the seller.
func (d Document) isReverseCharge() bool {
	seller := d.Seller.country()
	return d.Buyer.HasVATNumber && d.Invoice.Tax.Minor() == 0 && d.Invoice.Total.Minor() != 0 &&
		seller != "" && seller != d.Buyer.country()
}

// country returns the last line that is the name of a country, or "" if there is none.
func (p Party) country() string {
	for _, line := range slices.Backward(p.Lines) {
		if country.IsName(line) {
			return line
		}
	}
	return ""
}

// date returns the day in the invoice's time zone, or "" for the zero time.
func (d Document) date(at time.Time) string { return d.Invoice.TimeZone.Date(at) }
