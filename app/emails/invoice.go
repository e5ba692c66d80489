package emails

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Invoice contains the data of the emails about an invoice. The links are absolute URLs.
type Invoice struct {
	Sender           Sender
	OrganisationName string                // name of the organisation that pays; "" when unknown
	PlanName         string                // name of the plan
	ChangesTo        Plan                  // the plan after the payment of the invoice of a plan change; without a name for another invoice
	Number           string                // may be ""
	Description      string                // what the invoice is for; may be ""
	Amount           money.Amount          // still to be paid
	IsPartlyPaid     bool                  // a part payment has arrived
	AmountRows       []Row                 // the rows from the total to Amount; empty if the two are equal
	DueOn            string                // the last day to pay, "18 April 2027"
	EndsOn           string                // the day on which the plan ends unless the invoice is paid; "" when unknown
	Instructions     []billing.Instruction // how to pay; may be empty
	InvoiceLink      string                // the page of the invoice
	PayLink          string                // the screen with the open payment
}

// InvoiceIssued returns the email about a new invoice. The caller sets To.
func InvoiceIssued(data Invoice) mail.Message {
	c := data.content(data.InvoiceLink)
	c.Title, c.Button = c.InvoiceName, "Show the invoice"
	c.Figure.Note = "due on " + c.DueOn
	c.ChangeSentence = oneLine(data.ChangesTo.changeSentence("this invoice is paid"))
	return message("invoice_issued", c.InvoiceName+": "+c.Amount+" due on "+c.DueOn, c)
}

// InvoiceOverdue returns the email about an invoice that was not paid by its due date. The caller sets To.
func InvoiceOverdue(data Invoice) mail.Message {
	c := data.content(data.PayLink)
	c.Title, c.Button = c.InvoiceName+" is overdue", "Show how to pay"
	c.Figure.Note = "was due on " + c.DueOn
	return message("invoice_overdue", c.Title+": "+c.Amount+" was due on "+c.DueOn, c)
}

// PlanEndedUnpaid returns the email about a subscription that has ended with an unpaid invoice. With
// instructions, it states that the invoice has to be paid before subscribing again. The caller sets To.
func PlanEndedUnpaid(data Invoice) mail.Message {
	c := data.content(data.InvoiceLink)
	c.Title, c.Button = "Your "+c.PlanName+" plan has ended", "Show the invoice"
	if len(c.Instructions) > 0 {
		c.Link, c.Button = data.PayLink, "Show how to pay"
	}
	c.Figure.Note = "was due on " + c.DueOn
	return message("plan_ended_unpaid", c.Title+": "+c.Amount+" was not paid", c)
}

// content returns the values that all emails about the invoice share, and the link of the button.
func (data Invoice) content(link string) content {
	c := newContent(data.Sender, "", link)
	c.Reason = billingReason(data.OrganisationName, c.Brand)
	c.InvoiceName, c.Description, c.PlanName = "Your invoice", oneLine(data.Description), oneLine(data.PlanName)
	if data.Number != "" {
		c.InvoiceName = "Invoice " + oneLine(data.Number)
	}
	c.Amount = data.Amount.FormatWithSymbolAndCode()
	c.DueOn, c.EndsOn = data.DueOn, data.EndsOn
	c.Figure.Amount, c.AmountRows = data.Amount, data.AmountRows
	c.Instructions = data.Instructions
	c.formatAmounts("")
	if data.IsPartlyPaid {
		c.InFullSuffix = " in full"
	}
	return c
}
