package invoicepdf

import (
	"bytes"
	"cmp"
	"fmt"

	"codeberg.org/go-pdf/fpdf"

	"github.com/vc-admin/diy/domain/billing"
)

// Render returns the document as PDF.
func Render(d Document) ([]byte, error) {
	faces, err := loadTypefaces()
	if err != nil {
		return nil, err
	}
	// The pages are numbered, and their number is known when they are laid out.
	p := layOut(d, faces, 1)
	if pages := p.PageCount(); pages > 1 {
		p = layOut(d, faces, pages)
	}
	var out bytes.Buffer
	if err := p.Output(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// layOut returns the pages of the document, numbered up to pages.
func layOut(d Document, faces typefaces, pages int) page {
	p := page{fpdf.New("P", "mm", "A4", ""), faces, faces.currencyFormat(d.Invoice.Total.Currency())}
	p.SetCreationDate(d.Invoice.CreatedAt)
	p.SetModificationDate(d.Invoice.CreatedAt)
	p.SetCatalogSort(true)
	p.SetLang("en")
	p.SetTitle(d.title()+" "+d.Invoice.Number, true)
	p.SetAuthor(d.Seller.Name, true)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	p.SetFooterFunc(func() { p.footer(d, pages) })
	p.AddPage()
	p.heading(d)
	p.summary(d)
	p.parties(d)
	p.lineTable(d)
	p.totalTable(d)
	p.settlementTable(d)
	p.howToPay(d.HowToPay)
	return p
}

// heading prints the logo, the seller's brand and the title.
func (p page) heading(d Document) {
	const height = 9.0
	p.logo(margin, margin, height)
	p.SetY(margin + (height-brandName.lineHeight())/2)
	p.write(brandName, margin+height+3, "L", cmp.Or(d.Seller.Brand, d.Seller.Name))
	p.write(headline, right, "R", d.title())
	p.SetY(margin + height)
	p.rule(margin, 7, 7)
}

// logo draws the mark of the web app.
func (p page) logo(x, y, size float64) {
	unit := size / 32 // of the web app's drawing
	p.SetFillColor(brand[0], brand[1], brand[2])
	p.RoundedRect(x, y, size, size, 8*unit, "1234", "F")
	p.SetDrawColor(white[0], white[1], white[2])
	p.SetFillColor(white[0], white[1], white[2])
	p.SetLineWidth(3 * unit)
	p.MoveTo(x+7.5*unit, y+10.5*unit)
	p.LineTo(x+14.5*unit, y+23.5*unit)
	p.LineTo(x+17.5*unit, y+23.5*unit)
	p.LineTo(x+24.5*unit, y+10.5*unit)
	p.DrawPath("D")
	p.Circle(x+16*unit, y+10.5*unit, 2.5*unit, "F")
}

// summary prints the total and whether it is paid.
func (p page) summary(d Document) {
	p.write(label, margin, "L", "Total")
	p.moveDown(label.lineHeight())
	total := p.currency.text(d.Invoice.Total)
	p.write(figure, margin, "L", total)
	end := margin + p.widthOf(figure, total)
	bottom := p.GetY() + figure.lineHeight()
	p.SetY(bottom - figure.lineHeight()/2 - plain.lineHeight()/2 + 1.6)
	p.write(plain, end, "L", p.currency.suffix())
	state := plain
	if d.Invoice.Status == billing.InvoicePaid {
		state.rgb = success
	}
	p.write(state, right, "R", d.state(p.currency))
	p.SetY(bottom)
	p.rule(margin, 5, 7)
}

// parties prints the seller, the buyer and the facts of the invoice in three columns.
func (p page) parties(d Document) {
	const column = (width - 2*gap) / 3
	top := p.GetY()
	end := p.party(margin, column, "From", d.Seller)
	p.SetY(top)
	end = max(end, p.party(margin+column+gap, column, "To", d.Buyer))
	p.SetY(top)
	for _, fact := range d.facts() {
		p.write(label, margin+2*(column+gap), "L", fact.Label)
		p.moveDown(label.lineHeight())
		p.wrap(plain, margin+2*(column+gap), column, fact.Value)
		p.moveDown(1.5)
	}
	p.SetY(max(end, p.GetY()))
	p.rule(margin, 5, 7)
}

// party prints a party and returns the height at which it ends.
func (p page) party(x, w float64, title string, party Party) float64 {
	p.write(label, x, "L", title)
	p.moveDown(label.lineHeight())
	p.wrap(strong, x, w, party.Name)
	texts, printable := party.Lines, p.faces.isPrintable(party.Name)
	for _, text := range texts {
		printable = printable && p.faces.isPrintable(text)
		p.wrap(plain, x, w, text)
	}
	if party.ID != "" && !printable {
		p.wrap(plain, x, w, "Customer "+party.ID)
	}
	return p.GetY()
}

// howToPay prints the payment instructions without a page break.
func (p page) howToPay(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	labels := 0.0
	for _, fact := range facts {
		labels = max(labels, p.widthOf(label, fact.Label))
	}
	p.reserve(20 + float64(len(facts))*plain.lineHeight())
	p.rule(margin, 5, 7)
	p.write(section, margin, "L", "How to pay")
	p.moveDown(section.lineHeight() + 1)
	for _, fact := range facts {
		p.write(label, margin, "L", fact.Label)
		p.wrap(strong, margin+labels+gap, width-labels-gap, fact.Value)
		p.moveDown(1)
	}
}

// footer prints the seller, the title and number of the document, and the page number.
func (p page) footer(d Document, pages int) {
	p.SetY(pageHeight - 19)
	p.rule(margin, 0, 3)
	p.write(label, margin, "L", d.Seller.Name+" · "+d.title()+" "+d.Invoice.Number)
	p.write(label, right, "R", fmt.Sprintf("Page %d of %d", p.PageNo(), pages))
}
