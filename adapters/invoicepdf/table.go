package invoicepdf

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// tableRow is a row of a table. It has a label and an amount.
type tableRow struct {
	label    string
	amount   money.Amount
	isStrong bool
}

// totalRows returns the rows of the included tax, if there is any, and then the row of the total.
func (d Document) totalRows() []tableRow {
	inv := d.Invoice
	total := tableRow{label: "Total", amount: inv.Total, isStrong: true}
	if d.Tax == "" || inv.Tax.Minor() == 0 {
		return []tableRow{total}
	}
	net, err := money.New(inv.Total.Minor()-inv.Tax.Minor(), inv.Total.Currency().Code)
	if err != nil {
		return []tableRow{total}
	}
	return []tableRow{{label: "Total without tax", amount: net}, {label: d.Tax, amount: inv.Tax}, total}
}

// movementRows returns the movements of money that settle the total, and then a strong row with the amount still due. A
// credit note has none.
func (d Document) movementRows() []tableRow {
	if d.creditedInvoice != nil {
		return nil
	}
	inv := d.Invoice
	var rows []tableRow
	for _, m := range inv.Movements() {
		rows = append(rows, tableRow{label: m.Title() + d.onDate(m.At), amount: m.Amount})
	}
	if inv.Total.Minor() > 0 {
		rows = append(rows, tableRow{label: "Amount due", amount: inv.AmountRemaining(), isStrong: true})
	}
	return rows
}

// onDate returns " on 26 May 2027", or "" for the zero time.
func (d Document) onDate(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return " on " + d.date(at)
}

// printLineTable prints the description, period and amount of each line. Each page of the table begins with its heading.
func (p page) printLineTable(d Document) {
	amountWidth := 0.0
	for _, l := range d.Invoice.Lines {
		amountWidth = max(amountWidth, p.textWidth(plainStyle, p.currency.format(l.Amount)))
	}
	p.printTableHeading()
	for i, l := range d.Invoice.Lines {
		w := contentWidth - amountWidth - columnGap
		description, period := p.splitLines(plainStyle, w, l.Description), d.period(l)
		if p.startPageIfFull(float64(len(description))*plainStyle.lineHeight() + labelStyle.lineHeight() + 5) {
			p.printTableHeading()
		} else if i > 0 {
			p.drawRule(margin, 2.5, 2.5)
		}
		p.writeLine(plainStyle, contentRight, "R", p.currency.format(l.Amount))
		p.writeWrapped(plainStyle, margin, w, l.Description)
		p.writeWrapped(labelStyle, margin, w, period)
	}
	p.drawRule(margin, 2.5, 2.5)
}

func (p page) printTableHeading() {
	p.writeLine(labelStyle, margin, "L", "Description")
	p.writeLine(labelStyle, contentRight, "R", "Amount")
	p.moveDown(labelStyle.lineHeight())
	p.drawRule(margin, 1.5, 2.5)
}

// period formats the period of a line, such as "26 May 2027 to 26 May 2028".
func (d Document) period(l billing.Line) string {
	if l.End.After(l.Start) {
		return d.date(l.Start) + " to " + d.date(l.End)
	}
	return d.date(l.Start)
}

// printTotals prints the total and its tax at the right margin, on a new page if they don't fit on the current one.
func (p page) printTotals(d Document) {
	const x = margin + contentWidth/2
	rows := d.totalRows()
	p.startPageIfFull(float64(len(rows))*8 + 8)
	for _, row := range rows {
		rowStyle := plainStyle
		if row.isStrong {
			rowStyle = strongStyle
			if len(rows) > 1 {
				p.drawRule(x, 1, 2)
			}
		}
		p.writeRow(rowStyle, x, row)
	}
	if d.isReverseCharge() {
		p.moveDown(1)
		p.writeWrapped(labelStyle, x, contentWidth/2, "Reverse charge: the customer accounts for the VAT.")
	}
}

// printMovements prints how the total is settled and the amount that is still due, on a new page if they don't fit on
// the current one.
func (p page) printMovements(d Document) {
	rows := d.movementRows()
	if len(rows) == 0 {
		return
	}
	p.startPageIfFull(float64(len(rows))*8 + 30)
	p.drawRule(margin, 4, 6)
	if len(rows) > 1 {
		p.writeLine(sectionStyle, margin, "L", d.movementsTitle())
		p.moveDown(sectionStyle.lineHeight() + 1)
	}
	for i, row := range rows {
		if !row.isStrong {
			p.writeRow(plainStyle, margin, row)
			continue
		}
		if i > 0 {
			p.drawRule(margin, 1, 2)
		}
		p.writeRow(dueStyle, margin, row)
	}
}

// movementsTitle returns the heading of the movements, the same as on the invoice's screen. The negative total of a credit
// note becomes credit, and nothing is paid.
func (d Document) movementsTitle() string {
	if d.Invoice.Total.Minor() < 0 {
		return "Credit"
	}
	return "Payments"
}

// writeRow prints a label at x and its amount at the right margin.
func (p page) writeRow(s style, x float64, row tableRow) {
	amount := p.currency.format(row.amount)
	if s == dueStyle {
		amount += p.currency.codeSuffix()
	}
	p.writeLine(s, contentRight, "R", amount)
	p.writeWrapped(s, x, contentRight-x-columnGap-p.textWidth(s, amount), row.label)
	p.moveDown(1)
}
