package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
)

// end returns the data of the emails about the end of a plan.
func (e Writer) end(facts Facts, due billing.DueNotice) emails.End {
	s := due.Subscription
	out := emails.End{
		Frame: e.frame(facts.Org), Plan: e.plan(s.Price, s.Amount), At: s.EndsAt, Cause: due.Cause, Next: e.nextCharge(facts, s),
	}
	switch due.Kind {
	case billing.PlanEndRequested:
		out.Dropped = e.droppedChange(due)
		setOpenBill(&out, facts, s)
	case billing.PlanEnded:
		setUnpaidBill(&out, facts, due)
	}
	return out
}

// setOpenBill sets the bill that is open when the customer requests the end of the plan. The provider voids the invoice
// of a trial when the trial ends.
func setOpenBill(out *emails.End, facts Facts, s billing.Subscription) {
	invoice := s.DueInvoice()
	if invoice == nil {
		return
	}
	out.Amount = invoice.Amount
	if s.Status == billing.Trialing {
		out.Bill, out.Number = emails.TrialBillVoided, facts.invoiceNumber(s.LatestInvoice.ID)
	}
}

// setUnpaidBill sets the bill that was not paid when the plan ended.
func setUnpaidBill(out *emails.End, facts Facts, due billing.DueNotice) {
	s, unpaid := due.Subscription, due.Before.LatestInvoice
	switch {
	case unpaid == nil:
	case due.Before.Status == billing.PastDue:
		out.Amount, out.Bill = unpaid.Remaining(), effectOnOverdue(facts.Org.Billing, s, *unpaid)
	case due.Before.Status == billing.Trialing && due.Before.DueInvoice() != nil && isVoid(s, *unpaid):
		out.Amount, out.Bill, out.Number = unpaid.Remaining(), emails.TrialBillVoided, facts.invoiceNumber(unpaid.ID)
	}
}

// effectOnOverdue returns what happened to the overdue bill of the subscription that has ended. The provider voids it
// when it gives up on the bill, or the organisation's account has a record of the customer's request.
func effectOnOverdue(a billing.Account, s billing.Subscription, bill billing.Invoice) emails.Bill {
	switch {
	case isVoid(s, bill), s.ID == a.Voided.SubscriptionID:
		return emails.BillVoided
	case s.ID == a.OwingSubscriptionID:
		return emails.BillOwed
	}
	return emails.NoBill
}

// isVoid reports whether the invoice, the latest one of the subscription, was voided after it was reported.
func isVoid(s billing.Subscription, inv billing.Invoice) bool {
	return s.LatestInvoice != nil && s.LatestInvoice.ID == inv.ID && s.LatestInvoice.Status == billing.InvoiceVoid
}
