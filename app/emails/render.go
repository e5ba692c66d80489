package emails

import (
	"cmp"
	"embed"
	htmltemplate "html/template"
	"io"
	"strconv"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

//go:embed templates
var templateFiles embed.FS

var (
	textTemplates = texttemplate.Must(texttemplate.ParseFS(templateFiles, "templates/*.txt"))
	htmlTemplates = htmltemplate.Must(htmltemplate.New("").Funcs(htmltemplate.FuncMap{
		"initial": initial, "join": joinLines, "outlook": outlookOnly,
	}).ParseFS(templateFiles, "templates/*.html"))
)

// content contains the values for the templates. Each email sets only the values that it shows.
type content struct {
	Brand     string
	Address   []string // lines of the sender's postal address
	FirstName string   // the recipient's first name; "" in emails to several people
	Title     string   // the heading
	Button    string   // the label of the button
	Link      string   // the absolute URL that the button opens
	ValidFor  string   // how long the link works
	At        string   // the time of the event that the email reports

	// Optional parts of the frame.
	Preview         string // the text that mail programs show after the subject; "" for the first words of the email
	Kicker          string // above the heading, "Receipt for invoice INV-0001"
	Figure          Figure // a large amount below the heading, instead of the greeting
	Reason          string // why the recipient gets the email, in the footer
	PreferencesLink string // see Sender.PreferencesLink

	// The fields of the emails about invoices.
	InvoiceName  string // "Invoice INV-0001"
	Description  string // what the invoice is for; may be ""
	PlanName     string
	Amount       string // "$816 AUD"
	DueOn        string // a date
	EndsOn       string // a date; "" when the plan does not end
	InFullSuffix string // " in full" after a part payment
	// ChangeSentence is about the plan change that the payment makes; "" for an invoice that changes no plan.
	ChangeSentence string
	AmountRows     []Row
	Instructions   []billing.Instruction

	// The text of the emails that share the template "notice".
	Paragraphs []string
	Closing    string // a paragraph below the amounts; may be ""
}

// Figure is the most important amount of an email. The zero value is no amount.
type Figure struct {
	Amount     money.Amount
	Note       string // below the amount, "on 26 May 2027, from Visa •••• 4242"; may be ""
	AmountText string // Amount as text, "$569.27"; set when the email is composed
	Currency   string // beside AmountText, "AUD"; set when the email is composed
}

// Row is a row of a table of amounts.
type Row struct {
	Label      string // "Professional, yearly"
	Detail     string // below the label, "26 May 2027 to 26 May 2028"; may be ""
	Amount     money.Amount
	Tax        money.Amount // the tax that Amount includes, for Detail; zero for none
	Strong     bool         // for a total
	AmountText string       // Amount as text, "$816.00"; set when the email is composed
}

// Sender contains the sender's data, which is in every email.
type Sender struct {
	Brand           string   // the product's name
	Address         []string // lines of the postal address, at the end of every email; may be empty
	PreferencesLink string   // opens the page on which the recipient turns such emails off; "" if they are required
}

// newContent returns content in which the names can't add a header or a line.
func newContent(sender Sender, firstName, link string) content {
	c := content{
		Brand: oneLine(sender.Brand), FirstName: oneLine(firstName), Link: link, PreferencesLink: sender.PreferencesLink,
	}
	for _, line := range sender.Address {
		c.Address = append(c.Address, oneLine(line))
	}
	return c
}

// formatAmounts formats the figure, the rows and the instructions, which are one block, and removes line breaks. The last row
// and the instructions have the currency code. taxName is the name of the tax of Row.Tax.
func (c *content) formatAmounts(taxName string) {
	amounts := []money.Amount{c.Figure.Amount}
	for _, row := range c.AmountRows {
		amounts = append(amounts, row.Amount, row.Tax)
	}
	for _, line := range c.Instructions {
		amounts = append(amounts, line.Amount)
	}
	format := money.BlockFormat(amounts...)
	if a := c.Figure.Amount; a != (money.Amount{}) {
		c.Figure.AmountText, c.Figure.Currency = format(a), a.Currency().Code
	}
	c.Figure.Note = oneLine(c.Figure.Note)
	var rows []Row
	for i, row := range c.AmountRows {
		row.Label, row.Detail, row.AmountText = oneLine(row.Label), oneLine(row.Detail), format(row.Amount)
		if row.Tax.Minor() > 0 {
			row.Detail = "includes " + format(row.Tax) + " " + cmp.Or(taxName, "tax")
		}
		if i == len(c.AmountRows)-1 {
			row.AmountText = strings.TrimSpace(row.AmountText + " " + row.Amount.Currency().Code)
		}
		rows = append(rows, row)
	}
	c.AmountRows = rows
	c.Instructions = formatInstructions(c.Instructions, format)
}

// formatInstructions returns the instructions with their amounts as text and without line breaks.
func formatInstructions(instructions []billing.Instruction, format func(money.Amount) string) []billing.Instruction {
	var lines []billing.Instruction
	for _, line := range instructions {
		if line.Amount != (money.Amount{}) {
			line.Value = format(line.Amount) + " " + line.Amount.Currency().Code
		}
		lines = append(lines, billing.Instruction{Label: oneLine(line.Label), Value: oneLine(line.Value)})
	}
	return lines
}

// executor is a text or HTML template.
type executor interface {
	ExecuteTemplate(w io.Writer, name string, data any) error
}

// message returns the email whose parts are rendered from the templates with the name. html/template escapes every value
// for its context and replaces links with unsafe schemes, such as javascript, by a harmless URL.
func message(name, subject string, c content) mail.Message {
	html := render(htmlTemplates, name+".html", c)
	html = strings.ReplaceAll(html, "•••• ", "••••&nbsp;") // keeps the digits of a card on its line
	return mail.Message{
		Subject: subject, Text: render(textTemplates, name+".txt", c), HTML: html, Unsubscribe: c.PreferencesLink,
	}
}

// render panics when a template fails. The templates are embedded and the tests execute all of them.
func render(t executor, name string, c content) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, c); err != nil {
		panic("emails: " + err.Error())
	}
	return b.String()
}

// oneLine replaces all white space by single spaces, so that a value can't add a header or a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// formatDuration returns a duration such as "7 days", "48 hours" or "90 minutes", rounded down. It uses hours below three
// days, and minutes below two hours, except for exactly one hour.
func formatDuration(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= 3*day {
		return plural(int64(d/day), "day")
	}
	if d >= 2*time.Hour || d%time.Hour == 0 {
		return plural(int64(d/time.Hour), "hour")
	}
	return plural(int64(d/time.Minute), "minute")
}

func plural(n int64, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatInt(n, 10) + " " + unit
}

// initial returns the first letter of a name in upper case. Emails show it instead of a logo, because many mail programs
// block images.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}

func joinLines(lines []string) string { return strings.Join(lines, ", ") }

// outlookOnly returns markup that only Outlook for Windows reads. It sets the width there, because that program
// ignores max-width. The argument is a constant of a template.
func outlookOnly(markup string) htmltemplate.HTML {
	return htmltemplate.HTML("<!--[if mso]>" + markup + "<![endif]-->") //nolint:gosec // not a value of a user
}
