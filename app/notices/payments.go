package notices

import (
	"net/url"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// invoice returns the data of the emails about an invoice with a due date.
func (w Writer) invoice(facts Facts, notice billing.DueNotice) emails.Invoice {
	inv := notice.Invoice
	return emails.Invoice{
		Sender: w.sender, OrganisationName: facts.Org.Name, PlanName: w.catalogue.PlanName(notice.Subscription.Price.Product),
		Number:      inv.Number,
		Description: inv.Description(), Amount: inv.AmountRemaining(), DueOn: inv.TimeZone.Date(inv.DueAt),
		EndsOn:       facts.Org.TimeZone().Date(notice.Subscription.PlanEndsAt),
		InvoiceLink:  w.publicURL + "/vc-admin/diy/invoices/" + url.PathEscape(inv.ID),
		PayLink:      w.publicURL + "/vc-admin/diy/pay",
		IsPartlyPaid: inv.AmountPaid.Minor() > 0, AmountRows: amountRows(inv), Instructions: instructions(notice),
	}
}

// instructions returns the instructions for paying the invoice of the notice outside the browser. It returns none if the
// customer has to pay another invoice.
func instructions(notice billing.DueNotice) []emails.Instruction {
	var lines []emails.Instruction
	if notice.Invoice.ID == "" || notice.Subscription.Next.InvoiceID == notice.Invoice.ID {
		for _, line := range notice.Subscription.Next.Instructions {
			lines = append(lines, emails.Instruction(line))
		}
	}
	return lines
}

// amountRows returns the rows from the total to the remaining amount. It returns nil if the two amounts are equal.
func amountRows(inv billing.Invoice) []emails.Row {
	if inv.IsTotalSufficient() {
		return nil
	}
	return append([]emails.Row{{Label: "Total", Amount: inv.Total}}, emails.MovementRows(inv)...)
}

// payment returns the data of the emails about the payment of an invoice.
func (w Writer) payment(facts Facts, notice billing.DueNotice) emails.Payment {
	sub := notice.Subscription
	data := emails.Payment{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), Invoice: notice.Invoice, Amount: notice.Amount,
		Reason: sub.Next.Reason, EndsAt: sub.PlanEndsAt, PlanHadEnded: sub.HadEndedBy(notice.Invoice.PaidAt),
		Instructions:     instructions(notice),
		NextCharge:       w.nextCharge(facts, sub),
		ReceivedPayments: notice.ReceivedPayments, HadFailed: notice.HadFailed, ApprovalRequested: notice.ApprovalRequested,
	}
	if method := paymentMethod(facts, notice); method != nil {
		data.Method, data.IsNotCard = emails.MethodName(*method), method.Kind != billing.CardMethod
	}
	switch notice.Kind {
	case billing.PaymentProcessing:
		data.ExpectedBy = sub.Next.Until
	case billing.PaymentRefunded:
		data.WithdrawnCredit = facts.withdrawnCredit(notice.Invoice)
	case billing.PaymentFailedLate:
		data.Effect = lateFailureEffect(sub)
	}
	if data.Amount == (money.Amount{}) {
		data.Amount = notice.Invoice.AmountRemaining()
	}
	if facts.Customer != nil {
		data.Credit = facts.Customer.Credit
	}
	return data
}

// paymentMethod returns the payment method of the notice's payment, or nil when it is unknown.
func paymentMethod(facts Facts, notice billing.DueNotice) *billing.PaymentMethod {
	switch {
	case notice.Kind == billing.PaymentProcessing:
		return notice.Subscription.Next.Method
	case notice.Kind == billing.PaymentFailedLate:
		return notice.PreviousSubscription.Next.Method
	case notice.Subscription.Method != nil:
		return notice.Subscription.Method
	case facts.Customer != nil:
		return facts.Customer.Default
	}
	return nil
}

// lateFailureEffect returns the effect on the plan when a payment fails days after the customer made it.
func lateFailureEffect(sub billing.Subscription) emails.LateFailureEffect {
	switch {
	case sub.Status == billing.Incomplete:
		return emails.PlanNotStarted
	case sub.Pending != nil:
		return emails.PlanNotChanged
	}
	return emails.FormerInvoiceOpen
}

// disputes returns the data of the emails about disputes. It contains the payments that are disputed, or were disputed
// before the hold was lifted, and the plan change that was canceled.
func (w Writer) disputes(facts Facts, notice billing.DueNotice) emails.Disputes {
	data := emails.Disputes{Frame: w.frame(facts.Org), DroppedChange: w.droppedChange(notice)}
	for _, p := range facts.ReturnedPayments {
		if p.Dispute == billing.DisputeOpen || notice.Kind == billing.HoldLifted && p.Dispute != billing.NoDispute {
			data.Payments = append(data.Payments, emails.DisputedPayment{
				InvoiceNumber: facts.returnedInvoiceNumber(p), Status: p.Dispute, Amount: p.Amount, WithdrawnCredit: p.Withdrawn,
			})
		}
	}
	if facts.Customer != nil {
		data.Credit = facts.Customer.Credit
	}
	return data
}
