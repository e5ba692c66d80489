package emails

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Dispute contains the data of the emails about a payment that the customer's bank has taken back.
type Dispute struct {
	Frame
	Invoice         billing.Invoice // the paid invoice; it has only a number if the provider reports the dispute without it
	Amount          money.Amount    // the disputed amount; zero when unknown
	Status          billing.DisputeStatus
	OnHold          bool          // the account is on hold because of the dispute
	WithdrawnCredit money.Amount  // the amount that was withdrawn from the customer's credit
	DroppedChange   DroppedChange // the plan change that will not be made because of the dispute
	Credit          money.Amount  // the customer's credit after the dispute
}

// PaymentReturned returns the email about a payment that the customer's bank has taken back, and that is not owed again.
// The caller sets To.
func PaymentReturned(data Dispute) mail.Message {
	n := data.newNotice("Your bank has taken back a payment", "Show my plan", dashPath)
	if data.Amount.Minor() > 0 {
		n.subject = "Your bank has taken back a payment of " + data.Amount.FormatWithSymbolAndCode()
		n.setFigure(data.Amount, "for "+invoiceName(data.Invoice))
	}
	n.addParagraph(data.returnSentence(), "Please contact us.")
	if data.OnHold {
		n.addParagraph("Until this is settled you keep your plan,",
			"but you can't change it or subscribe to another one, and your credit is not used.",
			"Your dashboard shows a message until then.")
	}
	n.addParagraph(withdrawalText(data.WithdrawnCredit, data.Credit, "the payment was taken back"))
	n.addParagraph(data.DroppedChange.sentence(n))
	if data.Invoice.ID != "" {
		n.addMovements(data.Invoice)
	}
	return n.message()
}

// returnSentence returns a sentence about the returned payment. A payment whose dispute is lost already may have been
// returned without a dispute of the customer.
func (data Dispute) returnSentence() string {
	reason := ""
	if data.Status == billing.DisputeOpen {
		reason = ", because it was disputed"
	}
	if data.Amount.Minor() == 0 {
		return "Your bank has taken back a payment" + reason + "."
	}
	return "Your bank has taken back your payment of " + data.Amount.FormatWithSymbolAndCode() + " for " + invoiceName(data.Invoice) + reason + "."
}

// DisputeDecided returns the email about a dispute that was won or lost after it was reported. The caller sets To.
func DisputeDecided(data Dispute) mail.Message {
	n := data.newNotice("A dispute is settled", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Dispute settled: " + data.Amount.FormatWithSymbolAndCode() + " for " + invoiceName(data.Invoice)
	n.Kicker = "Dispute of the payment for " + invoiceName(data.Invoice)
	n.setFigure(data.Amount, "")
	n.addParagraph(DisputedPayment{InvoiceNumber: data.Invoice.Number, Status: data.Status, Amount: data.Amount}.outcomeSentence())
	if data.OnHold {
		n.addParagraph("Your account is still on hold: you can't change your plan or subscribe, and your credit is not used.",
			"We send you an email when the hold ends.")
	}
	n.addMovements(data.Invoice)
	return n.message()
}

// LiftedHold contains the data of the email about a hold that was lifted.
type LiftedHold struct {
	Frame
	Payments []DisputedPayment // may be empty
	Credit   money.Amount      // the customer's credit, which is used again
}

// DisputedPayment is a payment that is or was disputed.
type DisputedPayment struct {
	InvoiceNumber string                // the number of the invoice; "" when unknown
	Status        billing.DisputeStatus // the status of the dispute
	Amount        money.Amount          // the returned amount; zero after a dispute was won
}

// HoldLifted returns the email about the end of the hold after disputed payments. The caller sets To.
func HoldLifted(data LiftedHold) mail.Message {
	n := data.newNotice("Your account is no longer on hold", "Show my plan", dashPath)
	n.addParagraph("Your account was on hold because your bank had taken back a payment.",
		"You can change your plan and subscribe again.")
	for _, p := range data.Payments {
		n.addParagraph(p.outcomeSentence())
	}
	if data.Credit.Minor() > 0 {
		n.addParagraph("You have a credit of " + data.Credit.FormatWithSymbolAndCode() + ". It is deducted from your next invoices.")
	}
	return n.message()
}

// outcomeSentence returns a sentence about how the dispute has ended.
func (p DisputedPayment) outcomeSentence() string {
	invoice := invoiceName(billing.Invoice{Number: p.InvoiceNumber})
	switch p.Status {
	case billing.DisputeWon:
		return "The dispute about the payment for " + invoice + " is settled: the payment counts as made."
	case billing.DisputeLost:
		return "The dispute about the payment for " + invoice + " is settled: your bank keeps the " + p.Amount.FormatWithSymbolAndCode() +
			" that it has taken back."
	case billing.DisputeOpen:
		return "The dispute about the payment for " + invoice + " has not been decided yet."
	case billing.NoDispute:
	}
	return ""
}
