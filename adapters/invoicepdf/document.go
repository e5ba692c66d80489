// Package invoicepdf renders invoices as PDF documents, for payment providers without documents of their
// own.
//
// Texts may contain Latin, Greek, Cyrillic, Armenian and Georgian letters. A character of another script
// appears as a box. If the name or address of the buyer contains one, the buyer's id is printed below, so that
// the buyer can still be identified. The same document is rendered to the same bytes.
package invoicepdf

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/country"
)

// Document is the content of an invoice document.
type Document struct {
	Invoice       billing.Invoice
	Seller, Buyer Party
	PurchaseOrder string   // "" for none
	Tax           string   // name and percentage of the included tax, "GST 10 %"; "" for none
	Notes         []string // printed below the totals, such as an account to pay to
}

// Party is a seller or a buyer.
type Party struct {
	Name  string
	Lines []string // address, contact and tax id
	ID    string   // of the organisation; printed only if the rest can't be
}

// taxIDNames are the names of the types of tax ids.
var taxIDNames = map[string]string{"au_abn": "ABN", "nz_gst": "GST number", "gb_vat": "VAT number", "eu_vat": "VAT number"}

// NewBuyer returns the party for an organisation. The legal name of the details replaces the name.
func NewBuyer(id, name string, d account.BillingDetails) Party {
	p := Party{ID: id, Name: name}
	if d.LegalName != "" {
		p.Name = d.LegalName
	}
	town := strings.Join(nonEmpty(d.Address.City, d.Address.State, d.Address.PostalCode), " ")
	p.Lines = nonEmpty(d.Address.Line1, d.Address.Line2, town, cmp.Or(country.Name(d.Address.Country), d.Address.Country), d.BillingEmail)
	if d.TaxID != nil {
		p.Lines = append(p.Lines, strings.TrimSpace(taxIDNames[d.TaxID.Type]+" "+d.TaxID.Value))
	}
	return p
}

// texts returns the name and the lines.
func (p Party) texts() []string { return append([]string{p.Name}, p.Lines...) }

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}

// Measures in millimetres on A4.
const (
	margin     = 20.0
	width      = 210 - 2*margin
	half       = width / 2
	labelWidth = 40.0
	rowHeight  = 6.0
	lineHeight = 5.0
	gap        = 6.0 // between columns
	font       = "Go"
)

// page is a document that is being written.
type page struct {
	*fpdf.Fpdf
	typeface typeface
}

// Render returns the document as PDF.
func Render(d Document) ([]byte, error) {
	face, err := typefaceFor(d.text())
	if err != nil {
		return nil, err
	}
	p := page{fpdf.New("P", "mm", "A4", ""), face}
	p.SetCreationDate(d.Invoice.CreatedAt)
	p.SetModificationDate(d.Invoice.CreatedAt)
	p.SetCatalogSort(true)
	p.SetTitle(d.title()+" "+d.Invoice.Number, true)
	face.addTo(p, font)
	p.SetMargins(margin, margin, margin)
	p.AddPage()
	p.heading(d)
	p.parties(d)
	p.table(d)
	p.notes(d.Notes)
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// text returns all texts of the document that this package does not write itself.
func (d Document) text() string {
	texts := slices.Concat(d.Seller.texts(), d.Buyer.texts(), d.Notes, []string{d.Invoice.Number, d.PurchaseOrder, d.Tax})
	for _, l := range d.Invoice.Lines {
		texts = append(texts, l.Description)
	}
	return strings.Join(texts, " ")
}

// title returns what the document is. A negative total is credit, which is not invoiced.
func (d Document) title() string {
	switch {
	case d.Invoice.Total.Minor() < 0:
		return "Credit note"
	case d.Tax != "":
		return "Tax invoice"
	}
	return "Invoice"
}

func (p page) heading(d Document) {
	p.SetFont(font, "B", 20)
	p.text(width, 12, d.title(), "L", 1)
	p.Ln(2)
	p.field("Number", d.Invoice.Number)
	p.field("Date", d.date(d.Invoice.CreatedAt))
	p.field("Due", d.date(d.Invoice.DueAt))
	if d.Invoice.Total.Minor() > 0 {
		p.field("Paid", d.date(d.Invoice.PaidAt))
	}
	if d.Invoice.Status == billing.InvoiceVoid {
		p.field("Status", "Cancelled bill")
	}
	p.field("Purchase order", d.PurchaseOrder)
	p.Ln(rowHeight)
}

// field prints a label and a value, which may take several lines, unless the value is empty.
func (p page) field(label, value string) {
	if value == "" {
		return
	}
	p.SetFont(font, "B", 10)
	p.text(labelWidth, rowHeight, label, "L", 0)
	p.SetFont(font, "", 10)
	p.MultiCell(width-labelWidth, rowHeight, p.typeface.printable(value), "", "L", false)
}

func (p page) parties(d Document) {
	top := p.GetY()
	bottom := p.party(margin, top, "From", d.Seller)
	bottom = max(bottom, p.party(margin+half, top, "Bill to", d.Buyer))
	p.SetXY(margin, bottom+rowHeight)
}

// party prints a party at the position and returns where it ends.
func (p page) party(x, y float64, title string, who Party) float64 {
	p.SetXY(x, y)
	p.SetFont(font, "B", 10)
	p.text(half, rowHeight, title, "L", 2)
	p.SetFont(font, "", 10)
	texts := who.texts()
	if who.ID != "" && slices.ContainsFunc(texts, func(text string) bool { return strings.ContainsRune(p.typeface.printable(text), replacement) }) {
		texts = append(texts, "Customer "+who.ID)
	}
	for _, line := range texts {
		p.SetX(x)
		p.MultiCell(half-5, lineHeight, p.typeface.printable(line), "", "L", false)
	}
	return p.GetY()
}

func (p page) notes(notes []string) {
	p.Ln(rowHeight)
	for _, note := range notes {
		p.MultiCell(width, lineHeight, p.typeface.printable(note), "", "L", false)
	}
}

// text prints a cell; next is 0 to continue to the right, 1 on a new line and 2 below.
func (p page) text(w, h float64, text, align string, next int) {
	p.CellFormat(w, h, p.typeface.printable(text), "", next, align, false, 0, "")
}

// date returns the day in the invoice's time zone, "" for the zero time.
func (d Document) date(at time.Time) string { return d.Invoice.TimeZone.Date(at) }
