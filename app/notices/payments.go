package notices

import (
	"net/url"
	"slices"

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
		EndsOn:       facts.Org.TimeZone().Date(notice.Subscription.UnpaidEndsAt),
		InvoiceLink:  w.publicURL + "/vc-admin/diy/invoices/" + url.PathEscape(inv.ID),
		PayLink:      w.publicURL + "/vc-admin/diy/pay",
		IsPartlyPaid: inv.AmountPaid.Minor() > 0, AmountRows: amountRows(inv), Instructions: instructions(notice),
		ChangesTo: w.planAfterPayment(notice),
	}
}

// instructions returns the instructions for paying the invoice of the notice outside the browser. It returns none if the
// customer has to pay another invoice.
func instructions(notice billing.DueNotice) []billing.Instruction {
	if notice.Invoice.ID != "" && notice.Subscription.Next.InvoiceID != notice.Invoice.ID {
		return nil
	}
	return notice.Subscription.Next.Instructions
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
		Reason: sub.Next.Reason, DueDatePassed: facts.hasDueDatePassed(notice.Invoice), ChangesTo: w.planAfterPayment(notice), PlanHadEnded: sub.HadEndedBy(notice.Invoice.PaidAt),
		Instructions:     instructions(notice),
		NextCharge:       w.nextCharge(facts, sub),
		ReceivedPayments: notice.ReceivedPayments, HadFailed: notice.HadFailed, ApprovalRequested: notice.ApprovalRequested,
	}
	if method := paymentMethod(facts, notice); method != nil {
		data.Method, data.IsNotCard = emails.MethodName(*method), method.Kind != billing.CardMethod
	}
	if sub.Next.InvoiceID == notice.Invoice.ID {
		data.EndsAt = sub.UnpaidEndsAt
	}
	switch notice.Kind {
	case billing.PaymentProcessing:
		data.ExpectedBy = sub.Next.Until
	case billing.PaymentFailed:
		data.Return = lastReturn(notice)
	case billing.PaymentRefunded:
		data.WithdrawnCredit = facts.withdrawnCredit(notice.Invoice, false)
	case billing.PaymentFailedLate:
		data.Effect = lateFailureEffect(sub)
	}
	if data.Amount == (money.Amount{}) {
		data.Amount = notice.Invoice.AmountRemaining()
	}
	data.Credit = facts.credit()
	if notice.Kind == billing.PaidByCredit || notice.Kind == billing.PaymentReceived {
		data.Credit = facts.creditAfter(notice.Invoice)
	}
	return data
}

// lastReturn returns the last payment that the bank has returned, or the zero Return if the latest failure is not a return.
func lastReturn(notice billing.DueNotice) billing.Return {
	failed := notice.Subscription.Next.Failed
	if !failed.IsReturn {
		return billing.Return{}
	}
	for _, r := range slices.Backward(notice.Invoice.Returns) {
		if r.Kind == billing.ReturnByBank {
			return r
		}
	}
	return billing.Return{Kind: billing.ReturnByBank, At: failed.At}
}

// planAfterPayment returns the plan to which the subscription changes when the invoice of the notice is paid. It returns the
// zero Plan if the invoice is not that of a pending change.
func (w Writer) planAfterPayment(notice billing.DueNotice) emails.Plan {
	pending := notice.Subscription.Pending
	if pending == nil || pending.InvoiceID != notice.Invoice.ID {
		return emails.Plan{}
	}
	return w.plan(pending.To, pending.Amount)
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

// dispute returns the data of the emails about a disputed payment.
func (w Writer) dispute(facts Facts, notice billing.DueNotice) emails.Dispute {
	inv := notice.Invoice
	data := emails.Dispute{
		Frame: w.frame(facts.Org), Invoice: inv, Amount: notice.Return.Amount, Status: notice.Return.Dispute,
		OnHold: facts.Org.Billing.Hold() != billing.NoHold, DroppedChange: w.droppedChange(notice),
	}
	switch {
	case inv.ID == "": // the provider does not report the payment with its invoice
		p := facts.latestDispute()
		data.Invoice.Number, data.Amount, data.Status, data.WithdrawnCredit = facts.returnedInvoiceNumber(p), p.Amount, p.Dispute, p.Withdrawn
	case notice.Kind == billing.PaymentReturned:
		data.WithdrawnCredit = facts.withdrawnCredit(inv, true)
		if data.WithdrawnCredit.Minor() > data.Amount.Minor() { // a part was withdrawn because of an earlier dispute
			data.WithdrawnCredit = data.Amount
		}
		// The provider puts the account on hold because of an open dispute, perhaps after it has reported the dispute.
		data.OnHold = data.OnHold || data.Status == billing.DisputeOpen && inv.SubscriptionID != ""
	}
	data.Credit = facts.credit()
	return data
}

// liftedHold returns the data of the email about a hold that was lifted. It contains the payments that are or were
// disputed.
func (w Writer) liftedHold(facts Facts, _ billing.DueNotice) emails.LiftedHold {
	data := emails.LiftedHold{Frame: w.frame(facts.Org)}
	for _, p := range facts.ReturnedPayments {
		if p.Dispute != billing.NoDispute {
			data.Payments = append(data.Payments,
				emails.DisputedPayment{InvoiceNumber: facts.returnedInvoiceNumber(p), Status: p.Dispute, Amount: p.Amount})
		}
	}
	data.Credit = facts.credit()
	return data
}
