package invoicepdf

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// tableRow is a row of a table: a label with an amount.
type tableRow struct {
	label  string
	amount money.Amount
	strong bool
}

// totals returns the total and the tax that it includes.
func (d Document) totals() []tableRow {
	inv := d.Invoice
	total := tableRow{label: "Total", amount: inv.Total, strong: true}
	if d.Tax == "" || inv.Tax.Minor() == 0 {
		return []tableRow{total}
	}
	net, err := money.New(inv.Total.Minor()-inv.Tax.Minor(), inv.Total.Currency().Code)
	if err != nil {
		return []tableRow{total}
	}
	return []tableRow{{label: "Total without tax", amount: net}, {label: d.Tax, amount: inv.Tax}, total}
}

// settlement returns how the total is settled. The strong row is the amount that is still due. Refunds and credits
// after the payment follow it.
func (d Document) settlement() []tableRow {
	inv := d.Invoice
	var out, returned []tableRow
	for _, r := range inv.Settlement() {
		s := tableRow{label: r.Label(), amount: r.Amount}
		switch r.Kind {
		case billing.RowDue:
		case billing.RowRefunded, billing.RowCredited:
			returned = append(returned, s)
		case billing.RowPaid:
			out = append(out, d.payments(s)...)
		default:
			out = append(out, s)
		}
	}
	if inv.Total.Minor() > 0 {
		out = append(out, tableRow{label: "Amount due", amount: inv.Remaining(), strong: true})
	}
	return append(out, returned...)
}

// payments returns the payments with their methods, or their sum if the provider did not report all of them.
func (d Document) payments(paid tableRow) []tableRow {
	var all []tableRow
	rest := -paid.amount.Minor()
	for _, p := range d.Invoice.Received {
		label := paid.label
		if p.Method != nil {
			label = p.Method.DisplayName()
		}
		amount, err := p.Amount.Mul(-1)
		if err != nil { // impossible: the amount is positive
			return []tableRow{paid}
		}
		all = append(all, tableRow{label: label + " on " + d.date(p.At), amount: amount})
		rest -= p.Amount.Minor()
	}
	if rest == 0 {
		return all
	}
	if date := d.date(d.Invoice.PaidAt); date != "" {
		paid.label += " on " + date
	}
	return []tableRow{paid}
}

// lineTable prints the description, period and amount of each line. Its heading is on each page.
func (p page) lineTable(d Document) {
	amounts := 0.0
	for _, l := range d.Invoice.Lines {
		amounts = max(amounts, p.widthOf(plain, p.currency.text(l.Amount)))
	}
	p.tableHeading()
	for i, l := range d.Invoice.Lines {
		w := width - amounts - gap
		description, period := p.lines(plain, w, l.Description), d.period(l)
		if p.reserve(float64(len(description))*plain.lineHeight() + label.lineHeight() + 5) {
			p.tableHeading()
		} else if i > 0 {
			p.rule(margin, 2.5, 2.5)
		}
		p.write(plain, right, "R", p.currency.text(l.Amount))
		p.wrap(plain, margin, w, l.Description)
		p.wrap(label, margin, w, period)
	}
	p.rule(margin, 2.5, 2.5)
}

func (p page) tableHeading() {
	p.write(label, margin, "L", "Description")
	p.write(label, right, "R", "Amount")
	p.moveDown(label.lineHeight())
	p.rule(margin, 1.5, 2.5)
}

// period returns the period of a line: "26 May 2027 to 26 May 2028".
func (d Document) period(l billing.Line) string {
	if l.End.After(l.Start) {
		return d.date(l.Start) + " to " + d.date(l.End)
	}
	return d.date(l.Start)
}

// totalTable prints the total and its tax at the right, without a page break.
func (p page) totalTable(d Document) {
	const x = margin + width/2
	rows := d.totals()
	p.reserve(float64(len(rows))*8 + 8)
	for _, s := range rows {
		look := plain
		if s.strong {
			look = strong
			if len(rows) > 1 {
				p.rule(x, 1, 2)
			}
		}
		p.writeRow(look, x, s)
	}
	if d.reverseCharge() {
		p.moveDown(1)
		p.wrap(label, x, width/2, "Reverse charge: the customer accounts for the VAT.")
	}
}

// settlementTable prints how the total is settled and the amount that is still due, without a page break.
func (p page) settlementTable(d Document) {
	rows := d.settlement()
	if len(rows) == 0 {
		return
	}
	p.reserve(float64(len(rows))*8 + 30)
	p.rule(margin, 4, 6)
	if len(rows) > 1 {
		p.write(section, margin, "L", "How it was settled")
		p.moveDown(section.lineHeight() + 1)
	}
	for i, s := range rows {
		if !s.strong {
			p.writeRow(plain, margin, s)
			continue
		}
		if i > 0 {
			p.rule(margin, 1, 2)
		}
		p.writeRow(remaining, margin, s)
	}
}

// writeRow prints a label at x and its amount at the right.
func (p page) writeRow(look style, x float64, row tableRow) {
	amount := p.currency.text(row.amount)
	if look == remaining {
		amount += p.currency.suffix()
	}
	p.write(look, right, "R", amount)
	p.wrap(look, x, right-x-gap-p.widthOf(look, amount), row.label)
	p.moveDown(1)
}
