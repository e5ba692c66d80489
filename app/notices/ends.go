package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
)

// end returns the data of the emails about the end of a plan.
func (w Writer) end(facts Facts, due billing.DueNotice) emails.End {
	s := due.Subscription
	data := emails.End{
		Frame: w.frame(facts.Org), Plan: w.plan(s.Price, s.Amount), At: s.EndsAt, Cause: due.Cause, Next: w.nextCharge(facts, s),
	}
	switch due.Kind {
	case billing.PlanEndRequested:
		data.DroppedChange = w.droppedChange(due)
		setOpenBill(&data, facts, s)
	case billing.PlanEnded:
		setUnpaidBill(&data, facts, due)
	}
	return data
}

// setOpenBill sets the bill that is open when the customer requests the end of the plan. If the plan is in its trial,
// the provider voids the invoice when the trial ends.
func setOpenBill(data *emails.End, facts Facts, s billing.Subscription) {
	invoice := s.DueInvoice()
	if invoice == nil {
		return
	}
	data.Amount = invoice.Amount
	if s.Status == billing.Trialing {
		data.Bill, data.Number = emails.TrialBillVoided, facts.invoiceNumber(s.LatestInvoice.ID)
	}
}

// setUnpaidBill sets the bill that was not paid when the plan ended.
func setUnpaidBill(data *emails.End, facts Facts, due billing.DueNotice) {
	before, after := due.PreviousSubscription, due.Subscription
	bill := before.LatestInvoice
	switch {
	case bill == nil:
	case before.Status == billing.PastDue:
		data.Amount, data.Bill = bill.Remaining(), overdueBillAfterEnd(facts.Org.Billing, after, *bill)
	case before.Status == billing.Trialing && before.DueInvoice() != nil && isVoid(after, *bill):
		data.Amount, data.Bill, data.Number = bill.Remaining(), emails.TrialBillVoided, facts.invoiceNumber(bill.ID)
	}
}

// overdueBillAfterEnd reports whether the overdue bill of the ended subscription is void or owed. The provider voids the
// bill after its last attempt to collect it. If the customer has ended the subscription, the organisation's account
// contains a record.
func overdueBillAfterEnd(a billing.Account, s billing.Subscription, bill billing.Invoice) emails.Bill {
	switch {
	case isVoid(s, bill), s.ID == a.LastVoidedBill.SubscriptionID:
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
