package examples

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// receipts adds the emails about payments in full; failures has one about a part payment.
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
	n.addReceipt("", withCredit)
	n.addReceipt("of a former plan", former)
	n.addReceipt("after a failed attempt", recovered)
	n.addReceipt("after an approval", approved)
	n.addReceipt("more than the invoice", overpaid)
	n.addReceipt("for a paid invoice", twice)
	n.addReceipt("without plan and method", plain)
	for _, odd := range oddNames {
		other := withCredit
		other.Organisation = odd.name
		n.addReceipt(odd.variant, other)
	}
	for _, currency := range money.Currencies() {
		other := payment
		other.Amount, other.Received = amount(1_234_500, currency.Code), nil
		n.addReceipt("in "+currency.Code, other)
	}
}

func (n noticeExamples) addReceipt(variant string, p emails.Payment) {
	n.add(billing.PaymentReceived, variant, emails.PaymentReceived(p))
}

// newReceivedPayments returns a payment in AUD, of which the excess became credit.
func newReceivedPayments(minor, excess int64, method billing.PaymentMethod) []billing.ReceivedPayment {
	return []billing.ReceivedPayment{{Amount: amount(minor, "AUD"), Excess: amount(excess, "AUD"), At: trialEnd, Method: &method}}
}
