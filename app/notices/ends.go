package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
)

// end returns the data of the emails about the end of a plan.
func (w Writer) end(facts Facts, notice billing.DueNotice) emails.End {
	s := notice.Subscription
	data := emails.End{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), At: s.EndsAt, Cause: notice.Cause, NextCharge: w.nextCharge(facts, s),
	}
	switch notice.Kind {
	case billing.PlanEndRequested:
		data.DroppedChange = w.droppedChange(notice)
		setOpenInvoice(&data, facts, s)
	case billing.PlanEnded:
		setUnpaidInvoice(&data, facts, notice)
	}
	return data
}

// setOpenInvoice adds the invoice that is open when the customer requests the end of the plan. If the plan is in its
// trial, the provider voids the invoice when the trial ends.
func setOpenInvoice(data *emails.End, facts Facts, s billing.Subscription) {
	invoice := s.DueInvoice()
	if invoice == nil {
		return
	}
	data.Amount = invoice.Amount
	if s.Status == billing.Trialing {
		data.Bill, data.Number = emails.TrialBillVoided, facts.invoiceNumber(s.LatestInvoice.ID)
	}
}

// setUnpaidInvoice adds the invoice that was not paid when the plan ended.
func setUnpaidInvoice(data *emails.End, facts Facts, notice billing.DueNotice) {
	previousSub, endedSub := notice.PreviousSubscription, notice.Subscription
	inv := previousSub.LatestInvoice
	switch {
	case inv == nil:
	case previousSub.Status == billing.PastDue:
		data.Amount, data.Bill = inv.Remaining(), overdueBillAfterEnd(facts.Org.Billing, endedSub, *inv)
	case previousSub.Status == billing.Trialing && previousSub.DueInvoice() != nil && isVoid(endedSub, *inv):
		data.Amount, data.Bill, data.Number = inv.Remaining(), emails.TrialBillVoided, facts.invoiceNumber(inv.ID)
	}
}

// overdueBillAfterEnd returns whether the overdue invoice of the ended subscription is void or owed. The provider voids
// the invoice after its last attempt to collect it. If the customer has ended the subscription, the account records
// whether the invoice is void or owed.
func overdueBillAfterEnd(a billing.Account, s billing.Subscription, inv billing.Invoice) emails.Bill {
	switch {
	case isVoid(s, inv), s.ID == a.LastVoidedInvoice.SubscriptionID:
		return emails.BillVoided
	case s.ID == a.OwingSubscriptionID:
		return emails.BillOwed
	}
	return emails.NoBill
}

// isVoid reports whether the invoice is the latest one of the subscription, and is void there.
func isVoid(s billing.Subscription, inv billing.Invoice) bool {
	return s.LatestInvoice != nil && s.LatestInvoice.ID == inv.ID && s.LatestInvoice.Status == billing.InvoiceVoid
}
