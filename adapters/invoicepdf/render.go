package invoicepdf

import (
	"bytes"
	"cmp"
	"fmt"

	"codeberg.org/go-pdf/fpdf"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// Render returns the document as PDF.
func Render(d Document) ([]byte, error) {
	faces, err := loadTypefaces()
	if err != nil {
		return nil, err
	}
	// The footer contains the number of pages, which is known after the first layout.
	p := layOut(d, faces, 1)
	if pageCount := p.PageCount(); pageCount > 1 {
		p = layOut(d, faces, pageCount)
	}
	var pdf bytes.Buffer
	if err := p.Output(&pdf); err != nil {
		return nil, err
	}
	return pdf.Bytes(), nil
}

// layOut returns the pages of the document. The footer states the number of pages.
func layOut(d Document, faces typefaces, pageCount int) page {
	p := page{fpdf.New("P", "mm", "A4", ""), faces, newShaper(faces), faces.newCurrencyFormat(d.Invoice.Total.Currency())}
	p.SetCreationDate(d.Invoice.CreatedAt)
	p.SetModificationDate(d.Invoice.CreatedAt)
	p.SetCatalogSort(true)
	p.SetLang("en")
	p.SetTitle(d.title()+" "+d.Invoice.Number, true)
	p.SetAuthor(d.Seller.Name, true)
	p.SetMargins(margin, margin, margin)
	p.SetAutoPageBreak(false, 0)
	p.SetCellMargin(0)
	p.SetFooterFunc(func() { p.printFooter(d, pageCount) })
	p.AddPage()
	p.printHeading(d)
	p.printSummary(d)
	p.printParties(d)
	p.printLineTable(d)
	p.printTotals(d)
	p.printMovements(d)
	p.printPaymentInstructions(d.PaymentInstructions)
	return p
}

// printHeading prints the logo, the seller's brand and the title.
func (p page) printHeading(d Document) {
	const height = 9.0
	p.printLogo(margin, margin, height)
	p.SetY(margin + (height-brandStyle.lineHeight())/2)
	p.writeLine(brandStyle, margin+height+3, "L", cmp.Or(d.Seller.Brand, d.Seller.Name))
	p.writeLine(headlineStyle, contentRight, "R", d.title())
	p.SetY(margin + height)
	p.drawRule(margin, 7, 7)
}

// printLogo prints the logo of the web app.
func (p page) printLogo(x, y, size float64) {
	unit := size / 32 // the web app's logo is 32 units wide
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

// printSummary prints the total and whether it is paid.
func (p page) printSummary(d Document) {
	p.writeLine(labelStyle, margin, "L", "Total")
	p.moveDown(labelStyle.lineHeight())
	total := p.currency.format(d.Invoice.Total)
	p.writeLine(totalStyle, margin, "L", total)
	totalRight := margin + p.textWidth(totalStyle, total)
	bottom := p.GetY() + totalStyle.lineHeight()
	p.SetY(bottom - totalStyle.lineHeight()/2 - plainStyle.lineHeight()/2 + 1.6)
	p.writeLine(plainStyle, totalRight, "L", p.currency.codeSuffix())
	statusStyle := plainStyle
	if d.Invoice.Status == billing.InvoicePaid {
		statusStyle.rgb = success
	}
	p.writeLine(statusStyle, contentRight, "R", d.statusText(p.currency))
	p.SetY(bottom)
	p.drawRule(margin, 5, 7)
}

// printParties prints the seller, the buyer and the fields of the invoice in three columns.
func (p page) printParties(d Document) {
	const columnWidth = (contentWidth - 2*columnGap) / 3
	top := p.GetY()
	bottom := p.printParty(margin, columnWidth, "From", d.Seller)
	p.SetY(top)
	bottom = max(bottom, p.printParty(margin+columnWidth+columnGap, columnWidth, "To", d.Buyer))
	p.SetY(top)
	fieldsLeft := margin + 2*(columnWidth+columnGap)
	for _, field := range d.fields() {
		p.writeLine(labelStyle, fieldsLeft, "L", field.Label)
		p.moveDown(labelStyle.lineHeight())
		p.writeWrapped(plainStyle, fieldsLeft, columnWidth, field.Value)
		p.moveDown(1.5)
	}
	p.SetY(max(bottom, p.GetY()))
	p.drawRule(margin, 5, 7)
}

// printParty prints a party at x in lines of at most the width w, and returns the height at which it ends.
func (p page) printParty(x, w float64, title string, party Party) float64 {
	p.writeLine(labelStyle, x, "L", title)
	p.moveDown(labelStyle.lineHeight())
	p.writeWrapped(strongStyle, x, w, party.Name)
	isPrintable := p.isPrintable(party.Name)
	for _, line := range party.Lines {
		isPrintable = isPrintable && p.isPrintable(line)
		p.writeWrapped(plainStyle, x, w, line)
	}
	if party.ID != "" && !isPrintable {
		p.writeWrapped(plainStyle, x, w, "Customer "+party.ID)
	}
	return p.GetY()
}

// printPaymentInstructions prints the payment instructions, on a new page if they don't fit on the current one.
func (p page) printPaymentInstructions(lines []billing.Instruction) {
	if len(lines) == 0 {
		return
	}
	labelWidth := 0.0
	for _, line := range lines {
		labelWidth = max(labelWidth, p.textWidth(labelStyle, line.Label))
	}
	p.startPageIfFull(20 + float64(len(lines))*plainStyle.lineHeight())
	p.drawRule(margin, 5, 7)
	p.writeLine(sectionStyle, margin, "L", "How to pay")
	p.moveDown(sectionStyle.lineHeight() + 1)
	for _, line := range lines {
		p.writeLine(labelStyle, margin, "L", line.Label)
		p.writeWrapped(strongStyle, margin+labelWidth+columnGap, contentWidth-labelWidth-columnGap, p.instructionText(line))
		p.moveDown(1)
	}
}

// instructionText returns the value of a payment instruction. An amount has the format of the document's other amounts.
func (p page) instructionText(line billing.Instruction) string {
	if line.Amount == (money.Amount{}) {
		return line.Value
	}
	return p.currency.format(line.Amount) + p.currency.codeSuffix()
}

// printFooter prints the seller, the title and number of the document, and the page number.
func (p page) printFooter(d Document, pageCount int) {
	p.SetY(pageHeight - 19)
	p.drawRule(margin, 0, 3)
	p.writeLine(labelStyle, margin, "L", d.Seller.Name+" · "+d.title()+" "+d.Invoice.Number)
	p.writeLine(labelStyle, contentRight, "R", fmt.Sprintf("Page %d of %d", p.PageNo(), pageCount))
}
