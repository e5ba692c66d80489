package billing

import (
	"slices"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/money"
)

// SubscriptionEntries returns the entries of the audit log for a change of our copy of the subscriptions. The actor is
// always the provider, because another entry records the request that caused a change.
func SubscriptionEntries(old, changed []Subscription) (entries []audit.Entry) {
	for _, sub := range changed {
		i := slices.IndexFunc(old, func(o Subscription) bool { return o.ID == sub.ID })
		if i < 0 {
			entries = append(entries, newBillingEntry(audit.PlanStarted, sub.ID,
				audit.Data{"plan": audit.Code(sub.Price.PriceID()), "status": string(sub.Status)}))
			continue
		}
		entries = append(entries, sub.entriesSince(old[i])...)
	}
	return entries
}

func newBillingEntry(kind audit.Kind, subject string, data audit.Data) audit.Entry {
	return audit.Entry{Actor: audit.Provider, Kind: kind, Subject: audit.Code(subject), Data: data}
}

// entriesSince returns the entries for a change of the subscription.
func (s Subscription) entriesSince(old Subscription) (entries []audit.Entry) { //nolint:gocyclo // a list
	add := func(hasChanged bool, kind audit.Kind, data audit.Data) {
		if hasChanged {
			entries = append(entries, newBillingEntry(kind, s.ID, data))
		}
	}
	add(old.Status != s.Status, audit.PlanStatusChanged, audit.Data{"from": string(old.Status), "to": string(s.Status)})
	add(old.Price != s.Price, audit.PlanChanged,
		audit.Data{"from": audit.Code(old.Price.PriceID()), "to": audit.Code(s.Price.PriceID())})
	add(s.Pending != nil && (old.Pending == nil || old.Pending.To != s.Pending.To), audit.PlanChangePending, pendingData(s.Pending))
	add(s.Scheduled != nil && (old.Scheduled == nil || *old.Scheduled != *s.Scheduled), audit.PlanChangeScheduled, scheduledData(s.Scheduled))
	add(s.Pending == nil && s.Scheduled == nil && old.Price == s.Price && (old.Pending != nil || old.Scheduled != nil),
		audit.PlanChangeDropped, nil)
	add(!old.EndsAt.Equal(s.EndsAt) && !s.EndsAt.IsZero(), audit.PlanEnding, audit.Data{"at": auditTime(s.EndsAt)})
	add(!old.EndsAt.IsZero() && s.EndsAt.IsZero(), audit.PlanResumed, nil)
	add(old.Hold != s.Hold, audit.HoldChanged, audit.Data{"from": string(old.Hold), "to": string(s.Hold)})
	failed := s.Next.Failed
	add(!failed.At.IsZero() && failed.At.After(old.Next.Failed.At) && !failed.IsReturn, audit.PaymentFailed,
		audit.Data{"at": auditTime(failed.At), "invoice": audit.Code(s.Next.InvoiceID)})
	return entries
}

func pendingData(c *PendingChange) audit.Data {
	if c == nil {
		return nil
	}
	return audit.Data{"to": audit.Code(c.To.PriceID()), "amount": AuditAmount(c.Amount)}
}

func scheduledData(c *ScheduledChange) audit.Data {
	if c == nil {
		return nil
	}
	return audit.Data{"to": audit.Code(c.To.PriceID()), "at": auditTime(c.At)}
}

// AuditAmount returns the amount in minor units with its currency, such as "81600 AUD".
func AuditAmount(a money.Amount) string {
	return auditMinor(a.Minor(), a.Currency())
}

func auditMinor(minor int64, c money.Currency) string {
	return strconv.FormatInt(minor, 10) + " " + c.Code
}

func auditTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// InvoiceEntries returns the entries of the audit log for a change of our copy of an invoice. old is the zero Invoice for a
// new one.
func InvoiceEntries(old, changed Invoice) (entries []audit.Entry) {
	add := func(hasChanged bool, kind audit.Kind, data audit.Data) {
		if hasChanged {
			entries = append(entries, newBillingEntry(kind, changed.ID, data))
		}
	}
	wasIssued := old.Status != "" && old.Status != InvoiceDraft
	isIssued := changed.Status != "" && changed.Status != InvoiceDraft
	add(isIssued && !wasIssued, audit.InvoiceIssued,
		audit.Data{"number": audit.Code(changed.Number), "amount": AuditAmount(changed.Total), "due": AuditAmount(changed.AmountDue)})
	add(wasIssued && old.Status != changed.Status, audit.InvoiceStatusChanged,
		audit.Data{"from": string(old.Status), "to": string(changed.Status)})
	for _, amount := range []struct {
		old, changed money.Amount
		kind         audit.Kind
	}{
		{old.AmountPaid, changed.AmountPaid, audit.PaymentReceived},
		{old.Refunded, changed.Refunded, audit.PaymentRefunded},
		{old.FailedRefunds, changed.FailedRefunds, audit.RefundFailed},
		{old.Credited, changed.Credited, audit.PaymentCredited},
		{old.Returned, changed.Returned, audit.PaymentReturned},
	} {
		add(amount.old.Minor() != amount.changed.Minor(), amount.kind, audit.Data{
			"amount": auditMinor(amount.changed.Minor()-amount.old.Minor(), changed.Total.Currency()),
			"total":  AuditAmount(amount.changed),
		})
	}
	if dispute, oldDispute := changed.lastDispute(), old.lastDispute(); dispute != oldDispute {
		add(true, audit.DisputeChanged, audit.Data{"from": string(oldDispute), "to": string(dispute)})
	}
	return entries
}

// lastDispute returns the status of the dispute that was opened last, or NoDispute.
func (i Invoice) lastDispute() DisputeStatus {
	status := NoDispute
	for _, r := range i.Returns {
		if r.Dispute != NoDispute {
			status = r.Dispute
		}
	}
	return status
}
