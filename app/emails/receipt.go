package emails

import (
	"strings"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/mail"
)

// PaymentReceived returns the receipt for a charge or bank transfer that paid an invoice in full or in part. The caller
// sets To.
func PaymentReceived(data Payment) mail.Message {
	n := data.newNotice("We received your payment", "Show the invoice", invoicePath(data.Invoice.ID))
	received, excess := data.receivedAmount()
	n.subject = "Payment received: " + received.FormatWithSymbolAndCode()
	remaining := data.Invoice.AmountRemaining()
	if remaining.Minor() > 0 {
		n.subject += ", " + remaining.FormatWithSymbolAndCode() + " still to be paid"
	}
	n.Kicker = "Receipt for " + invoiceName(data.Invoice)
	n.Figure = Figure{Amount: received, Note: data.paymentNote()}
	n.addParagraph(data.paymentEffectSentence())
	n.addParagraph(data.excessText(excess))
	if remaining.Minor() > 0 {
		n.addParagraph(remaining.FormatWithSymbolAndCode() + " of " + invoiceName(data.Invoice) + " " + data.dueText(n))
		n.addParagraph(data.ChangesTo.changeSentence("the invoice is paid"))
		n.Instructions = data.Instructions
	}
	n.addParagraph(data.creditSentence())
	n.addInvoiceLines(data.Invoice)
	n.addMovements(data.Invoice)
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}

// PaidByCredit returns the email about an invoice that credit alone has paid. The caller sets To.
func PaidByCredit(data Payment) mail.Message {
	n := data.newNotice("Your credit has paid an invoice", "Show the invoice", invoicePath(data.Invoice.ID))
	n.subject = "Paid with your credit: " + data.Invoice.CreditUsed.FormatWithSymbolAndCode()
	n.Kicker = upperFirst(invoiceName(data.Invoice))
	note := "paid with your credit"
	if !data.Invoice.PaidAt.IsZero() {
		note += " on " + data.Invoice.TimeZone.Date(data.Invoice.PaidAt)
	}
	n.setFigure(data.Invoice.CreditUsed, note)
	n.addParagraph("Nothing was charged for "+invoiceName(data.Invoice)+".", data.creditSentence())
	n.addInvoiceLines(data.Invoice)
	n.addMovements(data.Invoice)
	n.setClosing("Next charge", data.NextCharge)
	return n.message()
}

// creditSentence returns a sentence about the credit that is left, or "" if none is left.
func (data Payment) creditSentence() string {
	if data.Credit.Minor() <= 0 {
		return ""
	}
	return "You have a credit of " + data.Credit.FormatWithSymbolAndCode() + ". It is deducted from your next invoices."
}

// paymentEffectSentence returns a sentence about how the payment affects the plan, or "" if the plan is not affected.
func (data Payment) paymentEffectSentence() string {
	switch {
	case data.Amount.Minor() == 0 || data.Invoice.AmountRemaining().Minor() > 0:
		return ""
	case data.PlanHadEnded:
		return "The invoice of your former plan is paid."
	case data.HadFailed:
		return "The payment that had failed has gone through. Your " + data.Plan.Name + " plan continues."
	case data.ApprovalRequested:
		return "The payment has gone through. Your " + data.Plan.Name + " plan continues."
	}
	return ""
}

// excessText returns sentences that state which part of a payment paid the invoice and which part became credit. It
// returns "" if nothing became credit.
func (data Payment) excessText(excess money.Amount) string {
	switch {
	case excess.Minor() == 0:
		return ""
	case data.Amount.Minor() == 0:
		return "The " + excess.FormatWithSymbolAndCode() + " became your credit, because " + invoiceName(data.Invoice) + " was paid already."
	}
	return data.Amount.FormatWithSymbolAndCode() + " paid " + invoiceName(data.Invoice) + ". The other " + excess.FormatWithSymbolAndCode() + " became your credit."
}

// receivedAmount returns the received amount, and the part of this amount that exceeds the invoice.
func (data Payment) receivedAmount() (received, excess money.Amount) {
	received, excess = data.Amount, money.Amount{}
	for _, p := range data.ReceivedPayments {
		if p.Excess.Minor() > 0 {
			received, excess = addAmounts(received, p.Excess), addAmounts(excess, p.Excess)
		}
	}
	return received, excess
}

// addAmounts returns the sum of amounts in one currency.
func addAmounts(a, b money.Amount) money.Amount {
	sum, err := money.New(a.Minor()+b.Minor(), b.Currency().Code)
	if err != nil {
		return a // impossible: b has a currency
	}
	return sum
}

// paymentNote returns the dates and methods of the payments: "on 26 May 2027, from Visa •••• 4242". If the payments are
// not known, it returns the date on which the invoice was paid.
func (data Payment) paymentNote() string {
	var notes []string
	for _, p := range data.ReceivedPayments {
		note := strings.TrimPrefix(paymentSource(p.Method), ", ")
		if !p.At.IsZero() {
			note = "on " + data.Invoice.TimeZone.Date(p.At) + paymentSource(p.Method)
		}
		notes = append(notes, note)
	}
	if len(notes) == 0 && !data.Invoice.PaidAt.IsZero() {
		notes = append(notes, "on "+data.Invoice.TimeZone.Date(data.Invoice.PaidAt))
	}
	return strings.Join(notes, "; ")
}

// paymentSource returns the method of a payment after a comma: ", from Visa •••• 4242", ", by bank transfer" or
// ", with PayPal". It returns "" if the method is unknown.
func paymentSource(m *billing.PaymentMethod) string {
	switch {
	case m == nil:
		return ""
	case m.Kind == billing.OtherMethod && strings.HasPrefix(m.DisplayName(), "Bank "):
		return ", by " + lowerFirst(MethodName(*m))
	case m.Label == billing.PaidOutsideLabel:
		return ", outside of our online payments"
	case m.Kind == billing.OtherMethod:
		return ", with " + MethodName(*m)
	}
	return ", from " + MethodName(*m)
}
