package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
)

// end returns the data of the emails about the end of a plan.
func (w Writer) end(facts Facts, notice billing.DueNotice) emails.End {
	sub := notice.Subscription
	data := emails.End{
		Frame: w.frame(facts.Org), Plan: w.plan(sub.Price, sub.Amount), At: sub.EndsAt, RenewsAt: sub.NextChargeAt(), Cause: notice.Cause, NextCharge: w.nextCharge(facts, sub),
	}
	switch notice.Kind {
	case billing.PlanEndRequested:
		data.DroppedChange = w.droppedChange(notice)
		setOpenInvoice(&data, facts, sub)
		data.Processing = processingPayment(facts.Org.Billing, sub)
	case billing.PlanEnded:
		setUnpaidInvoice(&data, facts, notice)
	}
	return data
}

// setOpenInvoice adds the invoice that is open when the customer requests the end of the plan. If the plan is in its
// trial, the provider voids the invoice when the trial ends.
func setOpenInvoice(data *emails.End, facts Facts, sub billing.Subscription) {
	invoice := sub.DueTransfer()
	if invoice == nil {
		return
	}
	data.UnpaidAmount = invoice.Remaining
	if sub.Status == billing.Trialing {
		data.InvoiceOutcome, data.InvoiceNumber = emails.OutcomeTrialInvoiceVoided, facts.invoiceNumber(sub.LatestInvoice.ID)
	}
}

// setUnpaidInvoice adds the invoice that was not paid when the plan ended.
func setUnpaidInvoice(data *emails.End, facts Facts, notice billing.DueNotice) {
	previousSub, endedSub := notice.PreviousSubscription, notice.Subscription
	inv := previousSub.LatestInvoice
	processing := processingPayment(facts.Org.Billing, endedSub)
	switch {
	case inv == nil:
	case processing.Amount.Minor() > 0:
		data.InvoiceOutcome, data.Processing = emails.OutcomeProcessing, processing
	case previousSub.Status == billing.PastDue:
		data.UnpaidAmount, data.InvoiceOutcome = inv.AmountRemaining(), overdueInvoiceOutcome(facts.Org.Billing, endedSub, *inv)
	case previousSub.Status == billing.Trialing && previousSub.DueTransfer() != nil && isLatestInvoiceVoid(endedSub, *inv):
		data.UnpaidAmount, data.InvoiceOutcome, data.InvoiceNumber = inv.AmountRemaining(), emails.OutcomeTrialInvoiceVoided, facts.invoiceNumber(inv.ID)
	}
}

// processingPayment returns the payment of the subscription's invoice that is on its way, or the zero value.
func processingPayment(a billing.Account, sub billing.Subscription) emails.ProcessingPayment {
	payment := a.ProcessingPayment()
	if payment == nil || payment.SubscriptionID != sub.ID {
		return emails.ProcessingPayment{}
	}
	data := emails.ProcessingPayment{Amount: payment.Amount, ExpectedBy: payment.ExpectedBy}
	if payment.Method != nil {
		data.Method = emails.MethodName(*payment.Method)
	}
	return data
}

// overdueInvoiceOutcome returns the outcome of the overdue invoice of an ended subscription: void or owed. The provider
// voids the invoice after its last attempt to collect it. If the customer has ended the subscription, the account records
// whether the invoice is void or owed.
func overdueInvoiceOutcome(a billing.Account, sub billing.Subscription, inv billing.Invoice) emails.InvoiceOutcome {
	switch {
	case isLatestInvoiceVoid(sub, inv), sub.ID == a.LastVoidedInvoice.SubscriptionID:
		return emails.OutcomeVoided
	case sub.ID == a.OwingSubscriptionID:
		return emails.OutcomeOwed
	}
	return emails.NoOutcome
}

// isLatestInvoiceVoid reports whether the invoice is the subscription's latest one, and the subscription shows it as
// void.
func isLatestInvoiceVoid(sub billing.Subscription, inv billing.Invoice) bool {
	return sub.LatestInvoice != nil && sub.LatestInvoice.ID == inv.ID && sub.LatestInvoice.Status == billing.InvoiceVoid
}
