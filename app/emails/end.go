package emails

import (
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// End contains the data of the emails about the end of a plan.
type End struct {
	Frame
	Plan           Plan
	At             time.Time // when the plan ends or has ended; zero when unknown
	Cause          billing.EndCause
	InvoiceOutcome InvoiceOutcome
	UnpaidAmount   money.Amount  // the unpaid amount of the invoice
	InvoiceNumber  string        // the number of the invoice, for OutcomeTrialInvoiceVoided; may be ""
	RenewsAt       time.Time     // when the plan renews before it ends; zero if it does not
	NextCharge     Charge        // the next charge after the subscription was resumed
	DroppedChange  DroppedChange // the plan change that will not be made because of the end
	Processing     ProcessingPayment
}

// ProcessingPayment contains the data of a payment that is on its way when a plan ends or its end is requested. It is the
// zero value if there is none.
type ProcessingPayment struct {
	Amount     money.Amount
	Method     string    // such as "bank account •••• 6819"; "" if unknown
	ExpectedBy time.Time // zero when unknown
}

// InvoiceOutcome describes what the end of a plan means for its unpaid invoice.
type InvoiceOutcome string

// The values of InvoiceOutcome.
const (
	NoOutcome                 InvoiceOutcome = ""             // the end is in the future, and an open invoice stays due
	OutcomeVoided             InvoiceOutcome = "voided"       // the overdue invoice need not be paid
	OutcomeOwed               InvoiceOutcome = "owed"         // the overdue invoice stays owed
	OutcomeProcessing         InvoiceOutcome = "processing"   // the payment of the overdue invoice is on its way
	OutcomeTrialInvoiceVoided InvoiceOutcome = "trial_voided" // the invoice for the time after the trial need not be paid
)

// PlanEndRequested returns the email about a plan that will end with its period. The caller sets To.
func PlanEndRequested(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan ends on "+data.Zone.Date(data.At), "Show my plan", dashPath)
	renewalSentence := "It does not renew, so nothing is charged then."
	if !data.RenewsAt.IsZero() {
		renewalSentence = "Until then it renews as before, next on " + n.date(data.RenewsAt) + "."
	}
	n.addParagraph("You can use the "+data.Plan.Name+" plan until "+n.date(data.At)+".", renewalSentence, data.DroppedChange.sentence(n))
	if !data.RenewsAt.IsZero() {
		n.setClosing("Next charge", data.NextCharge)
	}
	switch {
	case data.InvoiceOutcome == OutcomeTrialInvoiceVoided:
		n.addParagraph("Please do not pay " + data.invoiceText() + ": it is cancelled when the trial ends.")
	case data.UnpaidAmount.Minor() > 0:
		n.addParagraph("Your open invoice of " + data.UnpaidAmount.FormatWithSymbolAndCode() + " stays due.")
	}
	n.addParagraph(data.processingSentences(n)...)
	n.addParagraph("Until then you can resume the plan on your dashboard.")
	return n.message()
}

// PlanResumed returns the email about a plan whose end was canceled. The caller sets To.
func PlanResumed(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan continues", "Show my plan", dashPath)
	n.addParagraph("You have resumed the " + data.Plan.Name + " plan. It renews every " + data.Plan.intervalUnit() +
		" until you end it.")
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}

// PlanEnded returns the email about a plan that has ended. The caller sets To.
func PlanEnded(data End) mail.Message {
	n := data.newNotice("Your "+data.Plan.Name+" plan has ended", "Show the plans", plansPath)
	switch {
	case data.InvoiceOutcome == OutcomeOwed:
		n.subject += ": " + data.UnpaidAmount.FormatWithSymbolAndCode() + " is still to be paid"
		n.setFigure(data.UnpaidAmount, "still to be paid")
		n.Button, n.Link = "Pay the invoice", data.PublicURL+payPath
	case data.InvoiceOutcome == OutcomeProcessing:
		n.subject += ": " + data.Processing.Amount.FormatWithSymbolAndCode() + " is on its way"
		n.setFigure(data.Processing.Amount, "on its way")
		n.Button, n.Link = "Show my dashboard", data.PublicURL+dashPath
	case data.Cause == billing.CauseUnpaid && data.UnpaidAmount.Minor() > 0:
		n.subject += ": " + data.UnpaidAmount.FormatWithSymbolAndCode() + " was not paid"
	}
	n.addParagraph(data.reasonSentence(n))
	n.addParagraph(data.invoiceSentence())
	n.addParagraph(data.processingSentences(n)...)
	restart := "To use the product again, choose a plan."
	if data.InvoiceOutcome == OutcomeProcessing {
		restart = "To use the product again, choose a plan when your payment has arrived."
	}
	n.addParagraph("You can still sign in, and you find your invoices there. " + restart)
	return n.message()
}

// processingSentences returns sentences about the payment that is on its way, or none.
func (data End) processingSentences(n *notice) []string {
	p := data.Processing
	if p.Amount.Minor() <= 0 {
		return nil
	}
	source := ""
	if p.Method != "" {
		source = " from " + p.Method
	}
	arrival := ""
	if !p.ExpectedBy.IsZero() {
		arrival = ", expected by " + n.date(p.ExpectedBy)
	}
	return []string{
		"Your payment of " + p.Amount.FormatWithSymbolAndCode() + source + " is on its way and is not stopped" + arrival + ".",
		"Your invoice is paid when it has arrived. If it fails, the invoice stays owed. Please don't pay a second time.",
	}
}

// reasonSentence returns a sentence about when and why the plan has ended.
func (data End) reasonSentence(n *notice) string {
	statement := "Your " + data.Plan.Name + " plan has ended"
	if !data.At.IsZero() {
		statement = "Your " + data.Plan.Name + " plan ended on " + n.date(data.At)
	}
	switch data.Cause {
	case billing.CauseRequested:
		return statement + ", as you requested. It does not renew."
	case billing.CauseUnpaid:
		return statement + ", because its last invoice was not paid."
	case billing.CauseUnknown, billing.CauseNotBegun:
	}
	return statement + "."
}

// invoiceSentence returns a sentence about the unpaid invoice, or "" for NoOutcome.
func (data End) invoiceSentence() string {
	switch data.InvoiceOutcome {
	case OutcomeVoided:
		return "The overdue invoice of " + data.UnpaidAmount.FormatWithSymbolAndCode() + " is cancelled: you need not pay it."
	case OutcomeOwed:
		return "The overdue invoice of " + data.UnpaidAmount.FormatWithSymbolAndCode() + " stays owed. Pay it before you subscribe again."
	case OutcomeTrialInvoiceVoided:
		return upperFirst(data.invoiceText()) + " is cancelled: you need not pay it."
	case NoOutcome, OutcomeProcessing:
	}
	return ""
}

// invoiceText returns the unpaid invoice with its amount: "invoice INV-0001 of $420 AUD".
func (data End) invoiceText() string {
	return invoiceName(billing.Invoice{Number: data.InvoiceNumber}) + " of " + data.UnpaidAmount.FormatWithSymbolAndCode()
}
