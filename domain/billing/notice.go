package billing

import (
	"cmp"
	"slices"
	"time"
)

// NoticeKind is the kind of an email about a subscription or an invoice.
type NoticeKind string

// The kinds of notices. They are about invoices that the customer pays by a date, such as by bank transfer.
const (
	InvoiceIssued  NoticeKind = "invoice_issued"  // about an invoice
	InvoiceOverdue NoticeKind = "invoice_overdue" // about an invoice
	EndedUnpaid    NoticeKind = "ended_unpaid"    // about a subscription, and the period that was not paid
)

// noticeLimit limits how long after the due date of its invoice EndedUnpaid applies, so that a server on which these
// emails are turned on sends none about old invoices.
const noticeLimit = 60 * 24 * time.Hour

// Notice identifies an email. Each is sent once.
type Notice struct {
	Kind   NoticeKind
	About  string // the id of an invoice or a subscription
	Period string // the first day of the period that it is about, in RFC 3339; "" for an invoice
}

// DueNotice is a notice with what the email reports.
type DueNotice struct {
	Notice
	Invoice      Invoice
	Subscription Subscription
}

// DueNotices returns the notices that apply at the time. The result depends only on its arguments, and not on
// the order of the invoices, so every refresh computes the same notices. The caller sends each
// notice once, unless it does not apply any more at the time of sending. An account with a developer license
// gets none.
//
// To add a kind, add its condition to the notices of an invoice, or of a subscription.
func DueNotices(a *Account, invoices []Invoice, now time.Time) []DueNotice {
	if a.DevLicense != nil {
		return nil
	}
	newestFirst := func(x, y Invoice) int { return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(x.ID, y.ID)) }
	var due []DueNotice
	for _, inv := range slices.SortedFunc(slices.Values(invoices), newestFirst) {
		i := slices.IndexFunc(a.Subscriptions, func(s Subscription) bool { return s.ID == inv.SubscriptionID && s.CustomerID == a.CustomerID })
		if i < 0 {
			continue
		}
		s := a.Subscriptions[i]
		notice, applies := s.noticeOf(inv, now)
		if notice.Kind == EndedUnpaid && (a.Live() != nil || containsNotice(due, notice)) {
			continue // subscribed again, or ended with a newer unpaid invoice
		}
		if applies {
			due = append(due, DueNotice{notice, inv, s})
		}
	}
	return due
}

// noticeOf returns the notice about an invoice of the subscription, if one applies.
func (s Subscription) noticeOf(inv Invoice, now time.Time) (notice Notice, applies bool) {
	if !inv.awaitsTransfer() {
		return Notice{}, false
	}
	isDue := !now.Before(inv.DueAt)
	switch {
	case (s.Status == Canceled || s.Status == Unpaid) && isDue:
		period := s.PeriodStart.UTC().Format(time.DateOnly)
		return Notice{Kind: EndedUnpaid, About: s.ID, Period: period}, now.Before(inv.DueAt.Add(noticeLimit))
	case s.Status == PastDue && isDue:
		return Notice{Kind: InvoiceOverdue, About: inv.ID}, s.Pending == nil || s.Pending.InvoiceID != inv.ID
	}
	return Notice{Kind: InvoiceIssued, About: inv.ID}, !s.Status.Ended() && !isDue
}

func containsNotice(due []DueNotice, n Notice) bool {
	return slices.ContainsFunc(due, func(d DueNotice) bool { return d.Notice == n })
}

// NoticeApplies reports whether the notice is one of the due ones.
func NoticeApplies(a *Account, invoices []Invoice, n Notice, now time.Time) bool {
	return containsNotice(DueNotices(a, invoices, now), n)
}
