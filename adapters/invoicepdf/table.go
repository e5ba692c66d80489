package invoicepdf

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// sum is a label with an amount.
type sum struct {
	label  string
	amount money.Amount
	strong bool
}

// totals returns the total and the tax that it includes.
func (d Document) totals() []sum {
	inv := d.Invoice
	total := sum{label: "Total", amount: inv.Total, strong: true}
	if d.Tax == "" || inv.Tax.Minor() == 0 {
		return []sum{total}
	}
	net, err := money.New(inv.Total.Minor()-inv.Tax.Minor(), inv.Total.Currency().Code)
	if err != nil {
		return []sum{total}
	}
	return []sum{{label: "Total without tax", amount: net}, {label: d.Tax, amount: inv.Tax}, total}
}

// settlement returns how the total is settled. The strong one is what is still to be paid; what was returned after the
// payment follows it.
func (d Document) settlement() []sum {
	inv := d.Invoice
	var out, returned []sum
	for _, r := range inv.Settlement() {
		s := sum{label: r.Label(), amount: r.Amount}
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
		out = append(out, sum{label: "Amount due", amount: inv.Remaining(), strong: true})
	}
	return append(out, returned...)
}

// payments returns the payments with their methods, or their sum if the provider did not report all of them.
func (d Document) payments(paid sum) []sum {
	var all []sum
	rest := -paid.amount.Minor()
	for _, p := range d.Invoice.Received {
		label := paid.label
		if p.Method != nil {
			label = p.Method.DisplayName()
		}
		amount, err := p.Amount.Mul(-1)
		if err != nil { // impossible: it is an amount of money that was received
			return []sum{paid}
		}
		all = append(all, sum{label: label + " on " + d.date(p.At), amount: amount})
		rest -= p.Amount.Minor()
	}
	if rest == 0 {
		return all
	}
	if on := d.date(d.Invoice.PaidAt); on != "" {
		paid.label += " on " + on
	}
	return []sum{paid}
}

// lineTable prints the lines: what was charged, for which time, and how much. Its heading is on each page.
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
	p.down(label.lineHeight())
	p.rule(margin, 1.5, 2.5)
}

// period returns the time that a line is for: "26 May 2027 to 26 May 2028".
func (d Document) period(l billing.Line) string {
	if l.End.After(l.Start) {
		return d.date(l.Start) + " to " + d.date(l.End)
	}
	return d.date(l.Start)
}

// totalTable prints the total and its tax at the right, on one page.
func (p page) totalTable(d Document) {
	const x = margin + width/2
	sums := d.totals()
	p.reserve(float64(len(sums))*8 + 8)
	for _, s := range sums {
		look := plain
		if s.strong {
			look = strong
			if len(sums) > 1 {
				p.rule(x, 1, 2)
			}
		}
		p.sum(look, x, s)
	}
	if d.reverseCharge() {
		p.down(1)
		p.wrap(label, x, width/2, "Reverse charge: the customer accounts for the VAT.")
	}
}

// settlementTable prints how the total is settled, and what remains to be paid, on one page.
func (p page) settlementTable(d Document) {
	sums := d.settlement()
	if len(sums) == 0 {
		return
	}
	p.reserve(float64(len(sums))*8 + 30)
	p.rule(margin, 4, 6)
	if len(sums) > 1 {
		p.write(section, margin, "L", "How it was settled")
		p.down(section.lineHeight() + 1)
	}
	for i, s := range sums {
		if !s.strong {
			p.sum(plain, margin, s)
			continue
		}
		if i > 0 {
			p.rule(margin, 1, 2)
		}
		p.sum(remaining, margin, s)
	}
}

// sum prints a label at x and its amount at the right.
func (p page) sum(look style, x float64, s sum) {
	amount := p.currency.text(s.amount)
	if look == remaining {
		amount += p.currency.suffix()
	}
	p.write(look, right, "R", amount)
	p.wrap(look, x, right-x-gap-p.widthOf(look, amount), s.label)
	p.down(1)
}
