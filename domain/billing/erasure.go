package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// CheckErasure returns the Conflict that states why the organisation's data can't be erased now: a plan is live, money is
// owed or moving, or a request to the provider has no outcome yet. It returns nil if the data can be erased.
func (a *Account) CheckErasure(invoices []Invoice, isOperationPending bool) error {
	obstacles := []struct {
		exists bool
		text   string
	}{
		{a.DevLicense != nil, "Your organisation has a developer license. Please contact us."},
		{a.Hold() != NoHold, "A payment of your organisation is disputed. Please contact us."},
		{isOperationPending || a.PaymentInProgress(),
			"A payment or a change of your plan is in progress. Please wait until it has an outcome."},
		{a.LiveSubscription() != nil, "Your organisation has a plan. Its data can be deleted after the plan has ended."},
		{a.OpenSubscription() != nil, "A purchase of your organisation is not finished. Please pay or cancel it first."},
		{a.OwingSubscription() != nil || slices.ContainsFunc(invoices, Invoice.isOwed), "An invoice is still to be paid."},
		{slices.ContainsFunc(invoices, Invoice.hasFailedRefund), "A refund has not reached you. Please contact us."},
	}
	for _, obstacle := range obstacles {
		if obstacle.exists {
			return fault.New(fault.Conflict, obstacle.text)
		}
	}
	return nil
}

func (i Invoice) isOwed() bool {
	return i.Status == InvoiceDraft || i.Status == InvoiceOpen && i.AmountDue.Minor() > i.AmountPaid.Minor()
}

func (i Invoice) hasFailedRefund() bool { return i.FailedRefunds.Minor() > 0 }

// KeepInvoicesUntil returns the time until which the law requires the invoices to be kept: the number of years after the
// end of the newest invoice's calendar year. It returns the zero time without an invoice.
func KeepInvoicesUntil(invoices []Invoice, years int) time.Time {
	if len(invoices) == 0 {
		return time.Time{}
	}
	newest := slices.MaxFunc(invoices, func(a, b Invoice) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return time.Date(newest.CreatedAt.UTC().Year()+years+1, time.January, 1, 0, 0, 0, 0, time.UTC)
}
