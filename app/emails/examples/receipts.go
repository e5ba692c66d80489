package examples

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

func (n noticeExamples) receipts() {
	card := billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}
	debit := billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}
	transfer := billing.PaymentMethod{Kind: billing.OtherMethod, Label: "Bank transfer"}
	payment := emails.Payment{
		Frame: n.frame, Plan: n.plan, Invoice: n.paidInvoice(), Amount: amount(56927, "AUD"),
		Received: newReceivedPayments(56927, 0, card),
	}
	withCredit, former, recovered, approved := payment, payment, payment, payment
	overpaid, twice, plain := payment, payment, payment
	withCredit.Credit, withCredit.Next = amount(1100, "AUD"), n.next
	former.Ended, former.Received = true, newReceivedPayments(56927, 0, debit)
	recovered.Recovered, approved.Approved = true, true
	overpaid.Received, overpaid.Credit = newReceivedPayments(56927, 3073, transfer), amount(3073, "AUD")
	twice.Amount, twice.Received, twice.Credit = amount(0, "AUD"), newReceivedPayments(0, 56927, transfer), amount(56927, "AUD")
	plain.Plan, plain.Received = emails.Plan{}, nil
	n.add(billing.PaymentReceived, "", emails.PaymentReceived(withCredit))
	n.add(billing.PaymentReceived, "of a former plan", emails.PaymentReceived(former))
	n.add(billing.PaymentReceived, "after a failed attempt", emails.PaymentReceived(recovered))
	n.add(billing.PaymentReceived, "after an approval", emails.PaymentReceived(approved))
	n.add(billing.PaymentReceived, "more than the invoice", emails.PaymentReceived(overpaid))
	n.add(billing.PaymentReceived, "for a paid invoice", emails.PaymentReceived(twice))
	n.add(billing.PaymentReceived, "without plan and method", emails.PaymentReceived(plain))
	for _, odd := range oddNames {
		other := withCredit
		other.Organisation = odd.name
		n.add(billing.PaymentReceived, odd.variant, emails.PaymentReceived(other))
	}
	for _, currency := range money.Currencies() {
		other := payment
		other.Amount, other.Received = amount(1_234_500, currency.Code), nil
		n.add(billing.PaymentReceived, "in "+currency.Code, emails.PaymentReceived(other))
	}
}

// newReceivedPayments returns a payment in AUD, of which the excess became credit.
func newReceivedPayments(minor, excess int64, method billing.PaymentMethod) []billing.ReceivedPayment {
	return []billing.ReceivedPayment{{Amount: amount(minor, "AUD"), Excess: amount(excess, "AUD"), At: trialEnd, Method: &method}}
}
