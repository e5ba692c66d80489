package emails

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// Disputes contains the data of the emails about disputed payments.
type Disputes struct {
	Frame
	Payments      []DisputedPayment // may be empty
	DroppedChange DroppedChange     // the plan change that will not be made because of the disputes
	Credit        money.Amount      // the customer's credit after the dispute
}

// DisputedPayment is a payment that is or was disputed.
type DisputedPayment struct {
	InvoiceNumber   string                // the number of the invoice; "" when unknown
	Status          billing.DisputeStatus // the status of the dispute
	Amount          money.Amount          // the returned amount; zero after a dispute was won
	WithdrawnCredit money.Amount          // the amount that was withdrawn from the customer's credit
}

// PaymentReturned returns the email about a payment that was disputed. The caller sets To.
func PaymentReturned(data Disputes) mail.Message {
	n := data.newNotice("Your bank has taken back a payment", "Show my plan", billingPath)
	for _, p := range data.Payments {
		n.AmountRows = append(n.AmountRows,
			Row{Label: "Taken back for " + invoiceName(billing.Invoice{Number: p.InvoiceNumber}), Amount: p.Amount})
	}
	if len(data.Payments) == 1 {
		n.subject = "Your bank has taken back a payment of " + FormatAmount(data.Payments[0].Amount)
		n.setFigure(data.Payments[0].Amount, "")
	}
	n.addParagraph("Your bank has taken back a payment, because it was disputed. Please contact us.")
	n.addParagraph("Until this is settled you keep your plan,",
		"but you can't change it or subscribe to another one, and your credit is not used.",
		"Your billing page shows a message until then.")
	n.addParagraph(withdrawalText(data.withdrawnCredit(), data.Credit, "the payment was taken back"))
	n.addParagraph(data.DroppedChange.sentence(n))
	return n.message()
}

// withdrawnCredit returns the amount that all payments together have withdrawn from the customer's credit.
func (data Disputes) withdrawnCredit() (sum money.Amount) {
	for _, p := range data.Payments {
		if p.WithdrawnCredit.Minor() > 0 {
			sum = addAmounts(sum, p.WithdrawnCredit)
		}
	}
	return sum
}

// HoldLifted returns the email about the end of the hold after disputed payments. The caller sets To.
func HoldLifted(data Disputes) mail.Message {
	n := data.newNotice("Your account is no longer on hold", "Show my plan", billingPath)
	n.addParagraph("Your account was on hold because your bank had taken back a payment.",
		"You can change your plan and subscribe again.")
	for _, p := range data.Payments {
		n.addParagraph(p.outcomeSentence())
	}
	if data.Credit.Minor() > 0 {
		n.addParagraph("You have a credit of " + FormatAmount(data.Credit) + ". It is deducted from your next invoices.")
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
		return "The dispute about the payment for " + invoice + " is settled: your bank keeps the " + FormatAmount(p.Amount) +
			" that it has taken back."
	case billing.DisputeOpen:
		return "The dispute about the payment for " + invoice + " has not been decided yet."
	case billing.NoDispute:
	}
	return ""
}
