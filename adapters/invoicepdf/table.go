package invoicepdf

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// row is a row of the table of lines.
type row struct{ description, period, amount string }

// sum is an amount below the lines.
type sum struct {
	label  string
	amount string // "" for none
	strong bool
}

// rows returns the rows of the table, with the heading first.
func (d Document) rows() []row {
	rows := []row{{"Description", "Period", "Amount"}}
	for _, l := range d.Invoice.Lines {
		period := d.date(l.Start)
		if l.End.After(l.Start) {
			period += " – " + d.date(l.End)
		}
		rows = append(rows, row{l.Description, period, l.Amount.FormatWithCode()})
	}
	return rows
}

// sums returns how the total is settled. The strong one says what is still to be paid; what was returned after
// the payment follows it.
func (d Document) sums() []sum {
	inv := d.Invoice
	amount := func(a money.Amount) string { return a.FormatWithCode() }
	out := []sum{{label: "Total", amount: amount(inv.Total)}}
	if d.Tax != "" {
		out = append(out, sum{label: "Includes " + d.Tax, amount: amount(inv.Tax)})
	}
	nothingDue := sum{label: "Nothing is due", strong: true}
	settled := inv.Remaining().Minor() == 0
	for _, r := range inv.Settlement() {
		switch label := r.Label(); r.Kind {
		case billing.RowPaid:
			if on := d.date(inv.PaidAt); on != "" {
				label += " on " + on
			}
			out = append(out, sum{label: label, amount: amount(r.Amount)})
		case billing.RowDue:
			out = append(out, sum{label: label, amount: amount(r.Amount), strong: true})
		case billing.RowRefunded, billing.RowCredited:
			if settled {
				out, settled = append(out, nothingDue), false
			}
			out = append(out, sum{label: label, amount: amount(r.Amount)})
		default:
			out = append(out, sum{label: label, amount: amount(r.Amount)})
		}
	}
	if settled {
		out = append(out, nothingDue)
	}
	return out
}

// table prints the lines and the sums. The columns of periods and amounts are as wide as their texts, and
// descriptions wrap in the rest.
func (p page) table(d Document) {
	rows, sums := d.rows(), d.sums()
	periods, amounts := 0.0, 0.0
	p.SetFont(font, "B", 10) // bold texts are the widest
	for _, r := range rows {
		periods, amounts = max(periods, p.textWidth(r.period)), max(amounts, p.textWidth(r.amount))
	}
	for _, s := range sums {
		amounts = max(amounts, p.textWidth(s.amount))
	}
	for i, r := range rows {
		p.row(r, periods+gap, amounts+gap)
		if i == 0 {
			p.rule()
			p.SetFont(font, "", 10)
		}
	}
	p.rule()
	for _, s := range sums {
		p.sum(s, amounts+gap)
	}
}

// row prints a row on one page.
func (p page) row(r row, periods, amounts float64) {
	descriptions := width - periods - amounts
	lines := p.SplitText(p.typeface.printable(r.description), descriptions)
	height := rowHeight + float64(max(len(lines)-1, 0))*lineHeight
	if _, pageHeight := p.GetPageSize(); p.GetY()+height > pageHeight-margin {
		p.AddPage()
	}
	top := p.GetY()
	for i, line := range lines {
		p.SetXY(margin, top+float64(i)*lineHeight)
		p.text(descriptions, rowHeight, line, "L", 0)
	}
	p.SetXY(margin+descriptions, top)
	p.text(periods, rowHeight, r.period, "L", 0)
	p.text(amounts, rowHeight, r.amount, "R", 0)
	p.SetXY(margin, top+height)
}

func (p page) sum(s sum, amounts float64) {
	if s.strong {
		p.SetFont(font, "B", 10)
		defer p.SetFont(font, "", 10)
	}
	if s.amount == "" {
		p.text(width, rowHeight, s.label, "R", 1)
		return
	}
	p.text(width-amounts, rowHeight, s.label, "R", 0)
	p.text(amounts, rowHeight, s.amount, "R", 1)
}

func (p page) rule() {
	y := p.GetY() + 1
	p.Line(margin, y, margin+width, y)
	p.SetY(y + 1)
}

func (p page) textWidth(text string) float64 { return p.GetStringWidth(p.typeface.printable(text)) }
