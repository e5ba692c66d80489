package emails

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Payment contains the data of the emails about the payment of an invoice.
type Payment struct {
	Frame
	Plan    Plan
	Invoice billing.Invoice
	Amount  money.Amount // the amount of the payment that succeeded, failed or was refunded; after a Return, the amount to be paid
	Method  string       // the charged method, such as "Visa •••• 4242"; "" if unknown
	Reason  string       // the provider's message about why it failed; may be ""
	// Return is the last payment of the invoice if the customer's bank has returned it; otherwise zero.
	Return billing.Return
	EndsAt time.Time // when the plan ends unless the invoice is paid; zero when unknown
	// DueDatePassed is true if the due date of the invoice has passed.
	DueDatePassed bool
	ChangesTo     Plan // the plan after the payment of the invoice of a plan change; without a name for another invoice
	// PlanHadEnded is true if the plan had ended before the payment.
	PlanHadEnded bool
	Credit       money.Amount // the customer's credit after the payment; zero when there is none
	// WithdrawnCredit is the part of the credit that the refunds of the invoice have withdrawn.
	WithdrawnCredit money.Amount
	NextCharge      Charge // the next charge after a payment
	Instructions    []billing.Instruction

	ReceivedPayments []billing.ReceivedPayment // the known payments that PaymentReceived reports
	HadFailed        bool                      // an attempt to charge the invoice had failed before the payment
	// ApprovalRequested is true if the customer was asked to approve the charge.
	ApprovalRequested bool

	ExpectedBy time.Time // when a processing payment arrives; zero when unknown
	IsNotCard  bool      // Method is known, and is not a card
	Effect     LateFailureEffect
}

// LateFailureEffect describes how the failure of a payment, days after the customer made it, affects the plan.
type LateFailureEffect string

// The values of LateFailureEffect.
const (
	NoEffect          LateFailureEffect = ""
	PlanNotStarted    LateFailureEffect = "plan_not_started"
	PlanNotChanged    LateFailureEffect = "plan_not_changed"    // Payment.Plan is the plan that stays
	FormerInvoiceOpen LateFailureEffect = "former_invoice_open" // the invoice of a plan that has ended is still open
)

// effectSentence returns a sentence about the effect of a late failure.
func (data Payment) effectSentence() string {
	switch data.Effect {
	case PlanNotStarted:
		return "Your " + data.Plan.Name + " plan has not started."
	case PlanNotChanged:
		return "Your plan has not changed: you keep " + data.Plan.Name + "."
	case FormerInvoiceOpen:
		return "The invoice of your former plan is still open."
	case NoEffect:
	}
	return ""
}

// dueText returns the end of a sentence about the unpaid rest of the invoice, including the full stop, such as "is still to
// be paid by 18 April 2027.". After the due date a sentence about the end of the plan follows: "was due on 18 April 2027.
// Your Standard plan ends on 3 May 2027 unless the invoice is paid by then.".
func (data Payment) dueText(n *notice) string {
	dueDate := data.Invoice.TimeZone.Date(data.Invoice.DueAt)
	text := "is still to be paid by " + dueDate + "."
	switch {
	case data.Invoice.DueAt.IsZero():
		text = "is still to be paid."
	case data.DueDatePassed:
		text = "was due on " + dueDate + "."
	}
	return strings.TrimSpace(text + " " + data.planEndSentence(n))
}

// planEndSentence returns a sentence about when an overdue plan ends, or "" when that is unknown.
func (data Payment) planEndSentence(n *notice) string {
	if data.EndsAt.IsZero() {
		return ""
	}
	return "Your " + data.Plan.Name + " plan ends on " + n.date(data.EndsAt) + " unless the invoice is paid by then."
}

// PaymentProcessing returns the email about a payment that takes days. The caller sets To.
func PaymentProcessing(data Payment) mail.Message {
	n := data.newNotice("Your payment is on its way", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Your payment of " + data.Amount.FormatWithSymbolAndCode() + " is on its way"
	n.setFigure(data.Amount, strings.TrimSpace(data.fromMethodText()))
	arrivalSentence := "It can take several days to arrive."
	if !data.ExpectedBy.IsZero() {
		arrivalSentence = "It takes some days and is expected by " + n.date(data.ExpectedBy) + "."
	}
	n.addParagraph("Your payment of "+data.Amount.FormatWithSymbolAndCode()+data.fromMethodText()+" for "+invoiceName(data.Invoice)+" has been started.",
		arrivalSentence+" You need not do anything, and you receive a receipt when it has arrived. Please don't pay a second time.")
	n.addParagraph(data.ChangesTo.changeSentence("it has arrived"))
	return n.message()
}

// fromMethodText returns the method that is charged as " from Visa •••• 4242", or "" when it is unknown.
func (data Payment) fromMethodText() string {
	if data.Method == "" {
		return ""
	}
	return " from " + data.Method
}

// PaymentFailed returns the email about an automatic charge that has failed, or a payment that the customer's bank has
// returned. The caller sets To.
func PaymentFailed(data Payment) mail.Message {
	title, sentence := "Your payment has failed",
		"We could not collect "+data.Amount.FormatWithSymbolAndCode()+data.fromMethodText()+" for "+invoiceName(data.Invoice)+"."
	subject := "Payment failed: " + data.Amount.FormatWithSymbolAndCode()
	if data.Return.Kind == billing.ReturnByBank {
		title, sentence = "Your bank has returned a payment", data.returnSentence()
		subject = "Payment returned: " + data.returnedAmount().FormatWithSymbolAndCode()
	}
	n := data.newNotice(title, "Pay now", payPath)
	n.subject = subject + data.nextAttemptText(n, ", next attempt on ")
	n.setFigure(data.Amount, "for "+invoiceName(data.Invoice))
	n.addParagraph(sentence, data.Reason)
	n.addParagraph(data.nextStepsText(n), "To pay at once, or with another "+data.methodNoun()+", use the button.")
	return n.message()
}

// returnedAmount returns the amount of the payment that the customer's bank has returned. If the provider does not report
// it, it returns the amount to be paid.
func (data Payment) returnedAmount() money.Amount {
	if data.Return.Amount == (money.Amount{}) {
		return data.Amount
	}
	return data.Return.Amount
}

// returnSentence returns sentences about the payment that the customer's bank has returned: "Your bank returned your payment
// of $42 AUD from bank account •••• 6819 for invoice INV-0001 on 15 December 2026. It has to be made again.". If another
// amount is to be paid, they state it: "$30 AUD is still to be paid.".
func (data Payment) returnSentence() string {
	returned := data.returnedAmount()
	sentence := "Your bank returned your payment of " + returned.FormatWithSymbolAndCode()
	if method := data.Return.Method; method != nil {
		sentence += " from " + MethodName(*method)
	}
	sentence += " for " + invoiceName(data.Invoice)
	if at := data.Return.At; !at.IsZero() {
		sentence += " on " + data.Invoice.TimeZone.Date(at)
	}
	sentence += "."
	switch {
	case returned.Minor() != data.Amount.Minor():
		return sentence + " " + data.Amount.FormatWithSymbolAndCode() + " is still to be paid."
	case data.Invoice.NextAttemptAt.IsZero():
		return sentence + " It has to be made again."
	}
	return sentence
}

// PaymentFailedLate returns the email about a payment that has failed days after it was made. The caller sets To.
func PaymentFailedLate(data Payment) mail.Message {
	n := data.newNotice("Your payment has failed", "Pay now", payPath)
	n.subject = "Payment failed: " + data.Amount.FormatWithSymbolAndCode()
	n.setFigure(data.Amount, "for "+invoiceName(data.Invoice))
	n.addParagraph("Your payment of "+data.Amount.FormatWithSymbolAndCode()+data.fromMethodText()+" for "+invoiceName(data.Invoice)+
		" has not arrived.", data.Reason, data.effectSentence())
	n.addParagraph("To pay again, or with another " + data.methodNoun() + ", use the button.")
	return n.message()
}

// methodNoun returns "payment method" if the method is known and is not a card. Otherwise it returns "card".
func (data Payment) methodNoun() string {
	if data.IsNotCard {
		return "payment method"
	}
	return "card"
}

// ApprovalNeeded returns the email about an automatic charge that the customer's bank wants to be approved. The caller
// sets To.
func ApprovalNeeded(data Payment) mail.Message {
	n := data.newNotice("Your bank wants you to approve a payment", "Approve the payment", payPath)
	n.subject = "Please approve your payment of " + data.Amount.FormatWithSymbolAndCode()
	n.setFigure(data.Amount, "for "+invoiceName(data.Invoice))
	n.addParagraph("Your bank wants you to approve the payment of "+data.Amount.FormatWithSymbolAndCode()+" for "+invoiceName(data.Invoice)+".",
		"Without your approval it is not made.")
	n.addParagraph(data.planEndSentence(n))
	return n.message()
}

// nextAttemptText returns the prefix and the day of the next automatic attempt, or "" if there is none.
func (data Payment) nextAttemptText(n *notice, prefix string) string {
	if data.Invoice.NextAttemptAt.IsZero() {
		return ""
	}
	return prefix + n.dayAndMonth(data.Invoice.NextAttemptAt)
}

// nextStepsText returns sentences about when the payment is tried again and when the plan ends.
func (data Payment) nextStepsText(n *notice) string {
	text := "We will not try again automatically."
	if !data.Invoice.NextAttemptAt.IsZero() {
		text = "We will try again on " + n.date(data.Invoice.NextAttemptAt) + "."
	}
	return strings.TrimSpace(text + " " + data.planEndSentence(n))
}

// PaymentRefunded returns the email about money that was returned to the customer. The caller sets To.
func PaymentRefunded(data Payment) mail.Message {
	n := data.newNotice("We have refunded a payment", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Refund: " + data.Amount.FormatWithSymbolAndCode() + " of " + invoiceName(data.Invoice)
	n.Kicker = "Refund for " + invoiceName(data.Invoice)
	n.setFigure(data.Amount, "")
	n.addParagraph("The amount was returned in the way you had paid it. It can take several days to arrive.")
	n.addParagraph(withdrawalText(data.WithdrawnCredit, data.Credit, invoiceName(data.Invoice)+" was refunded"))
	n.addMovements(data.Invoice)
	return n.message()
}

// RefundFailed returns the email about a refund that was announced and has not reached the customer. The caller sets To.
func RefundFailed(data Payment) mail.Message {
	n := data.newNotice("A refund did not reach you", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Refund failed: " + data.Amount.FormatWithSymbolAndCode() + " of " + invoiceName(data.Invoice)
	n.Kicker = "Refund for " + invoiceName(data.Invoice)
	n.setFigure(data.Amount, "")
	n.addParagraph("We had announced this refund, but it was not accepted, so the money was not returned to you.",
		"Please contact us, so that we can return it in another way.")
	if data.Credit.Minor() > 0 {
		n.addParagraph("Your credit is " + data.Credit.FormatWithSymbolAndCode() + " now.")
	}
	n.addMovements(data.Invoice)
	return n.message()
}

// CreditIssued returns the email about a credit note, or a payment that has become credit. The caller sets To.
func CreditIssued(data Payment) mail.Message {
	n := data.newNotice("We have issued a credit", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Credit: " + data.Amount.FormatWithSymbolAndCode() + " for " + invoiceName(data.Invoice)
	n.Kicker = "Credit for " + invoiceName(data.Invoice)
	n.setFigure(data.Amount, "")
	if remaining := data.Invoice.AmountRemaining(); data.Invoice.Status == billing.InvoiceOpen {
		n.addParagraph("It reduces what you pay for the invoice: " + remaining.FormatWithSymbolAndCode() + " " + data.dueText(n))
	} else {
		n.addParagraph(data.creditReasonSentence(), "It is deducted from your next invoices.")
	}
	n.addMovements(data.Invoice)
	return n.message()
}

// creditReasonSentence returns a sentence about why a payment has become credit, or "" when the reason is unknown.
func (data Payment) creditReasonSentence() string {
	if data.Invoice.Status == billing.InvoiceVoid && data.Invoice.Credited.Minor() > 0 {
		return "The invoice was cancelled, so what was paid for it has become your credit."
	}
	return ""
}

// withdrawalText returns sentences about the amount that was withdrawn from the customer's credit, the reason, and the
// remaining credit. It returns "" if nothing was withdrawn.
func withdrawalText(withdrawn, credit money.Amount, reason string) string {
	if withdrawn.Minor() <= 0 {
		return ""
	}
	sentence := "You have no credit left."
	if credit.Minor() > 0 {
		sentence = "You have a credit of " + credit.FormatWithSymbolAndCode() + " left."
	}
	return withdrawn.FormatWithSymbolAndCode() + " of your credit was withdrawn, because " + reason + ". " + sentence
}
