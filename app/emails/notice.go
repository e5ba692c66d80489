package emails

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/mail"
)

// Frame contains the data that all emails about a plan or a payment share.
type Frame struct {
	OrganisationName string // name of the organisation that pays; "" when unknown
	Sender           Sender
	PublicURL        string        // prefix of the links, without a slash at the end
	Zone             timezone.Zone // the zone of all dates in the email
	TaxName          string        // name of the tax in the prices, "GST"; "" for "tax"
}

// Plan is a plan with its price.
type Plan struct {
	Name     string // "Professional"
	Interval catalogue.Interval
	Price    money.Amount // for one interval; zero when unknown
}

// String returns the plan with its interval: "Professional, yearly".
func (p Plan) String() string {
	if p.Interval == "" {
		return p.Name
	}
	return p.Name + ", " + string(p.Interval)
}

// changeSentence returns "Your plan changes to Professional, yearly when this invoice is paid." for the condition "this invoice
// is paid". It returns "" for a plan without a name.
func (p Plan) changeSentence(condition string) string {
	if p.Name == "" {
		return ""
	}
	return "Your plan changes to " + p.String() + " when " + condition + "."
}

// intervalUnit returns the unit of the interval: "month" or "year", or "period" for another interval.
func (p Plan) intervalUnit() string {
	switch p.Interval {
	case catalogue.Yearly:
		return "year"
	case catalogue.Monthly:
		return "month"
	}
	return "period"
}

// Charge describes a future charge, or an invoice that will be issued in the future.
type Charge struct {
	Amount money.Amount
	At     time.Time // the time of the charge; zero when nothing will be charged
	// Method is the payment method that will be charged, "Visa •••• 4242"; "" when unknown.
	Method      string
	HasNoMethod bool // the customer has saved no payment method
	// IsInvoiced is true if the customer pays an invoice, so that nothing is charged.
	IsInvoiced bool
	// DueAt is the due date of an invoice that the provider sends by email at At; zero for another invoice or a charge.
	DueAt time.Time
	// IsCreditUnknown is true if the customer may have credit when the charge is made. The credit will be deducted from
	// Amount.
	IsCreditUnknown bool
	// AfterCredit is the first charge that credit does not pay, if Amount is zero; nil when unknown.
	AfterCredit *Charge
}

// creditSentence returns a sentence about the charge after the credit: "Your credit pays until 1 January 2027, then
// $9 AUD." It returns "" if credit does not pay the charge, or it is unknown how long the credit lasts.
func (c Charge) creditSentence(n *notice) string {
	if c.AfterCredit == nil {
		return ""
	}
	return "Your credit pays until " + n.date(c.AfterCredit.At) + ", then " + c.AfterCredit.Amount.FormatWithSymbolAndCode() + "."
}

// The screens that the emails open.
const (
	dashPath  = "/vc-admin/dash"
	payPath   = "/vc-admin/diy/pay"
	plansPath = "/vc-admin/diy/plans"
	cardsPath = "/vc-admin/diy/cards"
)

// invoicePath returns the path of the page that shows the invoice.
func invoicePath(id string) string { return "/vc-admin/diy/invoices/" + url.PathEscape(id) }

// notice composes an email from its title, paragraphs and table of amounts.
type notice struct {
	content
	zone    timezone.Zone
	taxName string
	subject string
}

// newNotice returns an email with a button that opens the screen.
func (f Frame) newNotice(title, button, path string) *notice {
	n := &notice{
		content: newContent(f.Sender, "", f.PublicURL+path), zone: f.Zone, taxName: oneLine(f.TaxName), subject: oneLine(title),
	}
	n.Title, n.Button = n.subject, button
	n.Reason = billingReason(f.OrganisationName, n.Brand)
	return n
}

// billingReason returns the sentence that explains why the recipient gets an email about billing. It names the
// organisation, because an accountant may work for several organisations.
func billingReason(organisationName, brand string) string {
	return "You receive this email because you are in charge of the billing of " + cmp.Or(oneLine(organisationName),
		"an organisation") + " at " + brand + "."
}

// addParagraph adds a paragraph with the sentences that are not empty. It adds nothing if all are empty.
func (n *notice) addParagraph(sentences ...string) {
	if text := oneLine(strings.Join(sentences, " ")); text != "" {
		n.Paragraphs = append(n.Paragraphs, text)
	}
}

func (n *notice) message() mail.Message {
	n.formatAmounts(n.taxName)
	if len(n.Paragraphs) > 0 {
		n.Preview = n.Paragraphs[0]
	}
	return message("notice", n.subject, n.content)
}

// setFigure shows the amount large below the heading, unless it is zero. The note describes it.
func (n *notice) setFigure(amount money.Amount, note string) {
	if amount.Minor() != 0 {
		n.Figure = Figure{Amount: amount, Note: note}
	}
}

// date returns the day as "18 April 2027".
func (n *notice) date(t time.Time) string { return n.zone.Date(t) }

// dayAndMonth returns the day without its year, for subjects: "18 April", or "" for the zero time.
func (n *notice) dayAndMonth(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return n.zone.In(t).Format("2 January")
}

// setClosing sets the sentence below the amounts to the amount and the date of the charge, if there is one. If credit pays
// the charge, the sentence states the first charge after the credit.
func (n *notice) setClosing(label string, c Charge) {
	if c.At.IsZero() {
		return
	}
	switch {
	case !c.DueAt.IsZero():
		label = "Next invoice by email"
	case c.IsInvoiced:
		label = "Next invoice"
	}
	if c.Amount.Minor() == 0 {
		n.Closing = cmp.Or(c.creditSentence(n), "Nothing is charged on "+n.date(c.At)+".")
		return
	}
	text := label + ": " + c.Amount.FormatWithSymbolAndCode() + " on " + n.date(c.At) + c.dueClause(n)
	if c.IsCreditUnknown {
		text += ", less any credit you have then"
	}
	n.Closing = oneLine(text + ".")
}

// chargePhrase returns the verb of a sentence about the charge: "is charged to Visa •••• 4242", or "is invoiced".
func (c Charge) chargePhrase() string {
	switch {
	case !c.DueAt.IsZero():
		return "is invoiced by email"
	case c.IsInvoiced:
		return "is invoiced"
	case c.Method != "":
		return "is charged to " + c.Method
	case c.HasNoMethod:
		return "is due"
	}
	return "is charged to your saved payment method"
}

// dueClause returns the due date of an invoice that is sent by email: ", due on 3 May 2027". It returns "" for other
// charges.
func (c Charge) dueClause(n *notice) string {
	if c.DueAt.IsZero() {
		return ""
	}
	return ", due on " + n.date(c.DueAt)
}

// methodNote returns how the charge will be paid, for the note of its amount: "from Visa •••• 4242", "by invoice". It
// returns "" if that is unknown.
func (c Charge) methodNote() string {
	switch {
	case c.IsInvoiced:
		return "by invoice"
	case c.Method != "":
		return "from " + c.Method
	}
	return ""
}

// addInvoiceLines adds a row for each line of the invoice, with its period.
func (n *notice) addInvoiceLines(inv billing.Invoice) {
	for _, line := range inv.Lines {
		row := Row{Label: line.Description, Amount: line.Amount}
		if !line.Proration && line.Price.Interval != "" {
			row.Label = Plan{Name: line.Description, Interval: line.Price.Interval}.String()
		}
		if line.Start.Before(line.End) {
			row.Detail = inv.TimeZone.Date(line.Start) + " to " + inv.TimeZone.Date(line.End)
		}
		n.AmountRows = append(n.AmountRows, row)
	}
}

// addMovements adds a row with the total of the invoice, and the rows of MovementRows.
func (n *notice) addMovements(inv billing.Invoice) {
	n.AmountRows = append(n.AmountRows, Row{Label: "Total", Amount: inv.Total, Tax: inv.Tax, Strong: true})
	n.AmountRows = append(n.AmountRows, MovementRows(inv)...)
}

// MovementRows returns the movements of money that settle the total of the invoice, as its document lists them, and then
// the amount that is due, if there is one.
func MovementRows(inv billing.Invoice) []Row {
	var rows []Row
	for _, m := range inv.Movements() {
		var details []string
		if m.Method != nil {
			details = append(details, oneLine(m.Method.DisplayName()))
		}
		if m.CreditNote != "" {
			details = append(details, oneLine(m.CreditNote))
		}
		if !m.At.IsZero() {
			details = append(details, inv.TimeZone.Date(m.At))
		}
		rows = append(rows, Row{Label: m.Label(), Detail: strings.Join(details, ", "), Amount: m.Amount})
	}
	if inv.AmountRemaining().Minor() > 0 {
		rows = append(rows, Row{Label: "Amount due", Amount: inv.AmountRemaining(), Strong: true})
	}
	return rows
}

// invoiceName returns the name of an invoice within a sentence: "invoice INV-0001", or "your invoice" without a number.
func invoiceName(inv billing.Invoice) string {
	if inv.Number == "" {
		return "your invoice"
	}
	return "invoice " + oneLine(inv.Number)
}
