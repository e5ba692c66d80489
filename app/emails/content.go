package emails

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
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
	Address         []string // lines of the postal address and the contact, at the end of every email; may be empty
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
