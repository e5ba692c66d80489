package billing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// invoiceNotices returns the notices that follow from the invoices of the customer's subscriptions.
func invoiceNotices(c Copy, now time.Time) []DueNotice {
	newestFirst := func(x, y Invoice) int { return cmp.Or(y.CreatedAt.Compare(x.CreatedAt), cmp.Compare(x.ID, y.ID)) }
	var notices []DueNotice
	for _, inv := range slices.SortedFunc(slices.Values(c.Invoices), newestFirst) {
		s, isKnown := c.Account.findSubscription(inv)
		if !isKnown {
			continue
		}
		for _, n := range s.noticesAboutInvoice(inv, now) {
			isReported := slices.ContainsFunc(notices, func(d DueNotice) bool { return d.Notice == n })
			if n.Kind == PlanEndedUnpaid && (isReported || c.Account.LiveSubscription() != nil) {
				continue // a newer invoice reports the end, or the organisation has subscribed again
			}
			if !NoticePausedUntil(c.Account, n, now).IsZero() {
				continue
			}
			notices = append(notices, DueNotice{Notice: n, Invoice: inv, Subscription: *s})
		}
	}
	return notices
}

// findSubscription returns the subscription of the invoice, or the zero Subscription for an invoice that an operator
// issued without a subscription. isKnown is false for a subscription of another customer.
func (a *Account) findSubscription(inv Invoice) (s *Subscription, isKnown bool) {
	if inv.SubscriptionID == "" {
		return &Subscription{}, true
	}
	i := slices.IndexFunc(a.Subscriptions,
		func(s Subscription) bool { return s.ID == inv.SubscriptionID && s.CustomerID == a.CustomerID })
	if i < 0 {
		return nil, false
	}
	return &a.Subscriptions[i], true
}

// noticesAboutInvoice returns the notices about an invoice of the subscription. For the zero Subscription it returns
// notices about received and disputed payments only.
func (s *Subscription) noticesAboutInvoice(inv Invoice, now time.Time) []Notice {
	notices := append(inv.receiptNotices(now), inv.disputeNotices(now)...)
	if s.ID == "" {
		return notices
	}
	if n, applies := s.transferNotice(inv, now); applies {
		notices = append(notices, n)
	}
	if n, applies := s.chargeNotice(inv); applies {
		notices = append(notices, n)
	}
	return notices
}

// transferNotice returns the notice about an invoice that the customer pays by a date, if one applies.
func (s *Subscription) transferNotice(inv Invoice, now time.Time) (notice Notice, applies bool) {
	if !inv.awaitsTransfer() {
		return Notice{}, false
	}
	isDue := !now.Before(inv.DueAt)
	switch {
	case (s.Status == Canceled || s.Status == Unpaid) && isDue:
		period := s.PeriodStart.UTC().Format(time.DateOnly)
		return Notice{Kind: PlanEndedUnpaid, SubjectID: s.ID, Period: period}, now.Before(inv.DueAt.Add(maxNoticeAge))
	case s.Status == PastDue && isDue:
		return Notice{Kind: InvoiceOverdue, SubjectID: inv.ID}, s.isOverdue(inv)
	}
	return Notice{Kind: InvoiceIssued, SubjectID: inv.ID}, !s.Status.Ended() && !isDue
}

// isOverdue reports whether the subscription is past due and the invoice does not belong to a pending change.
func (s *Subscription) isOverdue(inv Invoice) bool {
	return s.Status == PastDue && (s.Pending == nil || s.Pending.InvoiceID != inv.ID)
}

// chargeNotice returns the notice about an invoice if its automatic charge has failed or takes days.
// A failed first payment or plan change is not reported, because the customer sees it on the screen.
func (s *Subscription) chargeNotice(inv Invoice) (notice Notice, applies bool) {
	if inv.Status != InvoiceOpen || inv.awaitsTransfer() || s.Next.InvoiceID != inv.ID {
		return Notice{}, false
	}
	period, isOverdue := s.failedAttemptPeriod(inv), s.isOverdue(inv)
	switch s.Next.Kind {
	case Wait:
		return Notice{Kind: PaymentProcessing, SubjectID: inv.ID, Period: noticeTime(s.Next.Until)}, len(s.Next.Instructions) == 0
	case NewPaymentMethod, Redirect:
		return Notice{Kind: PaymentFailed, SubjectID: inv.ID, Period: period}, isOverdue
	case ConfirmPayment:
		return Notice{Kind: ApprovalNeeded, SubjectID: inv.ID, Period: period}, isOverdue
	case NoAction, ConfirmSetup:
	}
	return Notice{}, false
}

// failedAttemptPeriod returns the Period of the notice about a failed attempt to charge the invoice. The time of the next
// attempt distinguishes failed attempts. Without such a time, the returned amount and the end of the plan distinguish
// them: a repeated payment that fails late can move the end.
func (s *Subscription) failedAttemptPeriod(inv Invoice) string {
	if !inv.NextAttemptAt.IsZero() {
		return noticeTime(inv.NextAttemptAt)
	}
	period := ""
	if inv.Returned.Minor() > 0 {
		period = "returned " + strconv.FormatInt(inv.Returned.Minor(), 10)
	}
	if !s.UnpaidEndsAt.IsZero() {
		period += " ends " + noticeTime(s.UnpaidEndsAt)
	}
	return period
}

// invoiceChangeNotices returns the notices about the amounts that were refunded or became credit between the copies, and
// about the disputes that were decided. A failed refund was reported earlier as a refund. Its notice reports the amount
// by which Refunded has decreased.
func invoiceChangeNotices(oldCopy, newCopy Copy, queuedNotices []Notice) []DueNotice {
	if newCopy.Account.DevLicense != nil {
		return nil
	}
	var notices []DueNotice
	for _, inv := range newCopy.Invoices {
		s, isKnown := newCopy.Account.findSubscription(inv)
		if !isKnown {
			continue
		}
		var previousInvoice Invoice
		if i := slices.IndexFunc(oldCopy.Invoices, func(oldInv Invoice) bool { return oldInv.ID == inv.ID }); i >= 0 {
			previousInvoice = oldCopy.Invoices[i]
		}
		add := func(kind NoticeKind, period string, increase int64) {
			if increase > 0 {
				notices = append(notices, DueNotice{
					Notice:  Notice{Kind: kind, SubjectID: inv.ID, Period: period},
					Invoice: inv, Subscription: *s, Amount: inv.toAmount(increase),
				})
			}
		}
		refunded, previousRefunded := inv.Refunded.Minor(), previousInvoice.Refunded.Minor()
		failed := inv.FailedRefunds.Minor()
		credited := inv.amountCredited()
		suffix := failedRefundsSuffix(inv.ID, queuedNotices)
		add(PaymentRefunded, strconv.FormatInt(refunded, 10)+suffix, refunded-previousRefunded)
		add(RefundFailed, strconv.FormatInt(failed, 10)+suffix,
			min(failed-previousInvoice.FailedRefunds.Minor(), previousRefunded-refunded))
		add(CreditIssued, strconv.FormatInt(credited, 10), credited-previousInvoice.amountCredited())
		for _, d := range inv.decidedDisputes(previousInvoice) {
			notices = append(notices, DueNotice{
				Notice:  Notice{Kind: DisputeDecided, SubjectID: inv.ID, Period: d.period + " " + string(d.Dispute)},
				Invoice: inv, Subscription: *s, Return: d.Return,
			})
		}
	}
	return notices
}

// MayReportCreditNote reports whether notices of the kind can be about a credit note, see Invoice.ReportedCreditNote.
func (k NoticeKind) MayReportCreditNote() bool { return k == PaymentRefunded || k == CreditIssued }

// ReportedCreditNote returns the number of the credit note for the refund or credit that the notice about the invoice
// reports, the last one if it reports several. It returns "" if the provider has no document of it.
func (i Invoice) ReportedCreditNote(n Notice) string {
	amount, _, _ := strings.Cut(n.Period, " ")
	rest, err := strconv.ParseInt(amount, 10, 64)
	if err != nil || !n.Kind.MayReportCreditNote() {
		return ""
	}
	kind := ReturnRefund
	if n.Kind == CreditIssued {
		kind = ReturnAsCredit
		rest -= i.amountCredited() - i.Credited.Minor()
	}
	for _, r := range i.Returns {
		if r.Kind != kind {
			continue
		}
		if rest -= r.Amount.Minor(); rest == 0 {
			return r.CreditNote
		}
	}
	return ""
}

// failedRefundsSuffix returns the end of Notice.Period that distinguishes a refund from an earlier one of the same amount
// that has failed. It is "" before a refund of the invoice has failed.
func failedRefundsSuffix(invoiceID string, queuedNotices []Notice) string {
	count := 0
	for _, n := range queuedNotices {
		if n.Kind == RefundFailed && n.SubjectID == invoiceID {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return " after " + strconv.Itoa(count) + " failed"
}

// lateFailureNotices returns the notices about payments that were processing and have failed.
func lateFailureNotices(oldCopy, newCopy Copy) []DueNotice {
	var notices []DueNotice
	for _, inv := range newCopy.Invoices {
		s, isKnown := newCopy.Account.findSubscription(inv)
		previousSub, wasKnown := oldCopy.Account.findSubscription(inv)
		if !isKnown || !wasKnown || newCopy.Account.DevLicense != nil || !s.hasFailedLate(previousSub, inv) {
			continue
		}
		notices = append(notices, DueNotice{
			Notice:  Notice{Kind: PaymentFailedLate, SubjectID: inv.ID, Period: strconv.FormatInt(newCopy.Account.Revision, 10)},
			Invoice: inv, Subscription: *s, PreviousSubscription: *previousSub,
		})
	}
	return notices
}

// hasFailedLate reports whether the payment of the invoice was processing in the previous copy and has failed. It
// returns false if the plan is overdue because of the failure, because then PaymentFailed applies.
func (s *Subscription) hasFailedLate(previousSub *Subscription, inv Invoice) bool {
	needsMethod := s.Next.Kind == NewPaymentMethod || s.Next.Kind == Redirect
	return previousSub.Next.isProcessing() && previousSub.Next.InvoiceID == inv.ID && s.Next.InvoiceID == inv.ID &&
		needsMethod && !s.isOverdue(inv)
}

// amountCredited returns the sum of the deductions by credit notes before the payment and the credit issued after it, in
// minor units.
func (i Invoice) amountCredited() int64 {
	deduction := i.Total.Minor() - i.CreditUsed.Minor() - i.CarriedForward.Minor() - i.AmountDue.Minor()
	if i.Status == InvoiceVoid || i.Total.Minor() <= 0 {
		deduction = 0
	}
	return max(deduction, 0) + i.Credited.Minor()
}
