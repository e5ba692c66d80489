package examples

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// addReceipts adds the emails about payments in full. addFailures adds the email about a part payment.
func (n noticeCollector) addReceipts() {
	card := billing.PaymentMethod{Card: billing.Card{Brand: "visa", Last4: "4242"}}
	debit := billing.PaymentMethod{Kind: billing.BankDebitMethod, Label: "Bank account •••• 6819"}
	transfer := billing.PaymentMethod{Kind: billing.OtherMethod, Label: "Bank transfer"}
	payment := emails.Payment{
		Frame: n.frame, Plan: n.plan, Invoice: n.newPaidInvoice(), Amount: amount(56927, "AUD"),
		ReceivedPayments: newReceivedPayments(56927, 0, card),
	}
	receipt := modify(payment, func(p *emails.Payment) { p.Credit, p.NextCharge = amount(1100, "AUD"), n.nextCharge })
	n.addReceipt("", receipt)
	n.addReceipt("of a former plan", modify(payment, func(p *emails.Payment) {
		p.PlanHadEnded, p.ReceivedPayments = true, newReceivedPayments(56927, 0, debit)
	}))
	n.addReceipt("after a failed attempt", modify(payment, func(p *emails.Payment) { p.HadFailed = true }))
	n.addReceipt("after an approval", modify(payment, func(p *emails.Payment) { p.ApprovalRequested = true }))
	n.addReceipt("more than the invoice", modify(payment, func(p *emails.Payment) {
		p.ReceivedPayments, p.Credit = newReceivedPayments(56927, 3073, transfer), amount(3073, "AUD")
	}))
	n.addReceipt("for a paid invoice", modify(payment, func(p *emails.Payment) {
		p.Amount, p.ReceivedPayments, p.Credit = amount(0, "AUD"), newReceivedPayments(0, 56927, transfer), amount(56927, "AUD")
	}))
	n.addReceipt("without plan and method",
		modify(payment, func(p *emails.Payment) { p.Plan, p.ReceivedPayments = emails.Plan{}, nil }))
	n.add(billing.PaidByCredit, "", emails.PaidByCredit(modify(payment, func(p *emails.Payment) {
		p.Invoice.CreditUsed, p.Invoice.ReceivedPayments = p.Invoice.Total, nil
		p.Invoice.AmountDue, p.Invoice.AmountPaid = amount(0, "AUD"), amount(0, "AUD")
		p.Amount, p.ReceivedPayments, p.Credit = amount(0, "AUD"), nil, amount(80350, "AUD")
		p.NextCharge = n.nextCharge
		p.NextCharge.Amount, p.NextCharge.AfterCredit = amount(0, "AUD"), n.chargeAfterCredit()
	})))
	for _, unusual := range unusualNames {
		n.addReceipt(unusual.variant, modify(receipt, func(p *emails.Payment) { p.OrganisationName = unusual.name }))
	}
	for _, currency := range money.Currencies() {
		n.addReceipt("in "+currency.Code, modify(payment, func(p *emails.Payment) {
			p.Amount, p.ReceivedPayments = amount(1_234_500, currency.Code), nil
		}))
	}
}

func (n noticeCollector) addReceipt(variant string, p emails.Payment) {
	n.add(billing.PaymentReceived, variant, emails.PaymentReceived(p))
}

// newReceivedPayments returns a list of one payment in AUD, of which minor paid an invoice and excess became credit.
func newReceivedPayments(minor, excess int64, method billing.PaymentMethod) []billing.ReceivedPayment {
	return []billing.ReceivedPayment{{Amount: amount(minor, "AUD"), Excess: amount(excess, "AUD"), At: trialEnd, Method: &method}}
}
