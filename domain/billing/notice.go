package billing

import (
	"cmp"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// NoticeKind is the kind of an email about a subscription or an invoice.
type NoticeKind string

// The kinds of notices that apply while a condition holds. The server checks the condition again before it sends a
// notice.
const (
	InvoiceIssued     NoticeKind = "invoice_issued"     // an invoice that the customer pays by a date
	InvoiceOverdue    NoticeKind = "invoice_overdue"    // an unpaid invoice after its due date
	PlanEndedUnpaid   NoticeKind = "plan_ended_unpaid"  // the plan has ended, and an overdue invoice is not paid
	TrialStarted      NoticeKind = "trial_started"      // a trial is running
	TrialEndsSoon     NoticeKind = "trial_ends_soon"    // the trial ends within trialReminderLead
	PlanRenewsSoon    NoticeKind = "plan_renews_soon"   // a plan renews within renewalReminderLead; see reminderAt
	CardExpires       NoticeKind = "card_expires"       // the card of the next charge expires before it
	OrderReceived     NoticeKind = "order_received"     // an order waits for its approval
	PaymentProcessing NoticeKind = "payment_processing" // a payment takes days
	PaymentFailed     NoticeKind = "payment_failed"     // an automatic charge has failed
	ApprovalNeeded    NoticeKind = "approval_needed"    // the bank wants the customer to approve an automatic charge
)

// The kinds of notices that report a past event. They always apply after the event.
const (
	PaymentReceived   NoticeKind = "payment_received"    // the customer has paid an invoice in full or in part
	PaidByCredit      NoticeKind = "paid_by_credit"      // credit alone has paid an invoice
	PaymentRefunded   NoticeKind = "payment_refunded"    // a payment was returned to the customer
	RefundFailed      NoticeKind = "refund_failed"       // a refund that was reported has not reached the customer
	CreditIssued      NoticeKind = "credit_issued"       // a credit note, or a payment that has become credit
	PaymentReturned   NoticeKind = "payment_returned"    // the customer's bank has taken back a payment, which is not owed again
	DisputeDecided    NoticeKind = "dispute_decided"     // a dispute that was reported was won or lost
	HoldLifted        NoticeKind = "hold_lifted"         // the hold after a returned payment has ended
	PaymentFailedLate NoticeKind = "payment_failed_late" // a payment that was processing has failed, and no plan is overdue
	PlanStarted       NoticeKind = "plan_started"        // an approval or a late payment has started the plan
	PlanChanged       NoticeKind = "plan_changed"        // the plan was changed, immediately or at the renewal
	ChangeScheduled   NoticeKind = "change_scheduled"    // a plan change was scheduled for the renewal
	ChangeDropped     NoticeKind = "change_dropped"      // a scheduled or unpaid plan change was dropped
	PlanEndRequested  NoticeKind = "plan_end_requested"  // the plan ends with its period
	PlanResumed       NoticeKind = "plan_resumed"        // the end was canceled
	PlanEnded         NoticeKind = "plan_ended"          // the plan has ended
	OrderEnded        NoticeKind = "order_ended"         // an order was withdrawn or refused, or has expired
)

// OptionalNotices returns the notices that recipients can turn off, because neither the contract nor the law requires
// them. Some jurisdictions require reminders of a renewal, so these reminders are optional only if the operator has
// configured them as optional.
func OptionalNotices(areRenewalRemindersOptional bool) []NoticeKind {
	if areRenewalRemindersOptional {
		return []NoticeKind{CardExpires, PlanRenewsSoon}
	}
	return []NoticeKind{CardExpires}
}

// IsOptional reports whether recipients can turn off the notice.
func (k NoticeKind) IsOptional(areRenewalRemindersOptional bool) bool {
	return slices.Contains(OptionalNotices(areRenewalRemindersOptional), k)
}

// HasDocument reports whether the document of the invoice is attached to the email about the notice: the invoice has to
// be paid, or the document shows the movement of money that the notice reports. The subject of such a notice is the
// invoice.
func (k NoticeKind) HasDocument() bool {
	switch k {
	case InvoiceIssued, InvoiceOverdue, PaymentReceived, PaidByCredit, PaymentRefunded, RefundFailed, CreditIssued:
		return true
	}
	return false
}

// maxNoticeAge is the time for which PlanEndedUnpaid, PaymentReceived and PaidByCredit apply after the event. The limit
// prevents emails about old invoices when an operator turns such emails on.
const maxNoticeAge = 60 * 24 * time.Hour

// trialReminderLead is the time before the end of a trial at which the customer is reminded of the first charge.
const trialReminderLead = 3 * 24 * time.Hour

// renewalReminderLead is the time before the renewal of a yearly plan, or the first charge after credit, at which the
// customer is reminded of it.
const renewalReminderLead = 14 * 24 * time.Hour

// approvalDelay is the time after which the customer is asked to approve a payment by email. A customer who pays in the
// browser is asked there, and usually approves or fails to approve the payment within this time.
const approvalDelay = 15 * time.Minute

// Delay returns the time between the queueing of a notice and its delivery. The notice is not sent if its condition does
// not hold any more then.
func (k NoticeKind) Delay() time.Duration {
	if k == ApprovalNeeded {
		return approvalDelay
	}
	return 0
}

// Notice identifies an email. Emails with the same Notice are sent once.
type Notice struct {
	Kind      NoticeKind
	SubjectID string // the id of an invoice, a subscription or a customer
	Period    string // distinguishes notices of the same kind about the same object; the format depends on the kind
}

// DueNotice is a notice with the data that its email reports.
type DueNotice struct {
	Notice
	Invoice              Invoice      // zero for a notice that is about a subscription only
	Subscription         Subscription // zero if the notice is about no subscription
	PreviousSubscription Subscription // the subscription before the change that the notice reports
	Amount               money.Amount // the amount paid for the invoice, refunded or credited since the last such notice
	Cause                EndCause     // why the plan ended; CauseRequested if the customer has withdrawn the order

	// ReceivedPayments contains the known payments that PaymentReceived reports. Their sum can exceed Amount; see
	// ReceivedPayment.Excess.
	ReceivedPayments  []ReceivedPayment
	HadFailed         bool // an earlier attempt to charge the invoice of PaymentReceived has failed
	ApprovalRequested bool // the customer was asked to approve the charge of the invoice of PaymentReceived

	// Return is the disputed payment that PaymentReturned or DisputeDecided reports. It is zero if it is not known.
	Return Return
}

// Copy contains the stored subscriptions and invoices of an organisation, as its provider last reported them.
type Copy struct {
	Account  *Account
	Invoices []Invoice
}

// DueNotices returns the notices that are due when newCopy replaces oldCopy. A notice with a condition is due while the
// condition holds, unless the notice is queued. The condition depends only on newCopy, so lost, repeated or late events
// make no difference. The other notices report changes between the copies: changes of the plan ([ChangeNotices]), of
// refunded or credited amounts, of a dispute, and of a payment that was processing. queuedNotices contains all notices
// that were queued before, as storage.Invoices.Notices lists them.
//
// An account with a developer license gets no notices.
func DueNotices(oldCopy, newCopy Copy, queuedNotices []Notice, now time.Time) []DueNotice {
	notices := ChangeNotices(oldCopy.Account, newCopy.Account)
	notices = append(notices, invoiceChangeNotices(oldCopy, newCopy, queuedNotices)...)
	notices = append(notices, lateFailureNotices(oldCopy, newCopy)...)
	for _, d := range conditionalNotices(newCopy, now) {
		isStartReported := d.Kind == TrialStarted && hasStartNotice(d.SubjectID, notices, queuedNotices)
		if isStartReported || slices.Contains(queuedNotices, d.Notice) {
			continue
		}
		switch d.Kind {
		case PaymentReceived:
			d = d.withUnreportedPayments(queuedNotices)
			if d.Amount.Minor() <= 0 && len(d.ReceivedPayments) == 0 {
				continue // all payments are reported already
			}
		case PaymentReturned:
			d.Return = d.Invoice.findDispute(d.Period).Return
		}
		notices = append(notices, d)
	}
	if n, applies := newCopy.holdNotice(queuedNotices, notices); applies {
		notices = append(notices, DueNotice{Notice: n})
	}
	notices = withoutDecisionsOfEndedHold(withDroppedChange(notices))
	slices.SortStableFunc(notices, func(a, b DueNotice) int { return cmp.Compare(a.Kind.rank(), b.Kind.rank()) })
	return notices
}

// hasStartNotice reports whether a PlanStarted notice of the subscription is due or queued.
func hasStartNotice(subscriptionID string, notices []DueNotice, queuedNotices []Notice) bool {
	reportsStart := func(n Notice) bool { return n.Kind == PlanStarted && n.SubjectID == subscriptionID }
	return slices.ContainsFunc(queuedNotices, reportsStart) ||
		slices.ContainsFunc(notices, func(d DueNotice) bool { return reportsStart(d.Notice) })
}

// rank returns the position of the kind among notices that are due at the same time. The notice about a payment precedes
// those about its consequences.
func (k NoticeKind) rank() int {
	switch k {
	case PaymentReceived, PaidByCredit:
		return 0
	case PaymentReturned:
		return 1
	}
	return 2
}

// NoticePausedUntil returns the time until which a reminder is paused because the customer reported a transfer. It
// returns the zero time if the notice is not paused.
func NoticePausedUntil(a *Account, n Notice, now time.Time) time.Time {
	pausedUntil := a.TransferReport.RemindersPausedUntil(n.SubjectID)
	if n.Kind != InvoiceOverdue || !now.Before(pausedUntil) {
		return time.Time{}
	}
	return pausedUntil
}

// NoticeApplies reports whether a queued notice must still be sent, because its condition holds or because it reports a
// past event.
func NoticeApplies(c Copy, n Notice, now time.Time) bool {
	if c.Account.DevLicense != nil {
		return false
	}
	switch n.Kind {
	case CardExpires: // Account.CardNotice checks the expiry, because the copy does not contain the card
		liveSub := c.Account.LiveSubscription()
		return liveSub != nil && liveSub.newCardNotice() == n && now.Before(liveSub.NextChargeAt())
	case InvoiceIssued, InvoiceOverdue, PlanEndedUnpaid, TrialStarted, TrialEndsSoon, PlanRenewsSoon, OrderReceived,
		PaymentProcessing, PaymentFailed, ApprovalNeeded:
		return slices.ContainsFunc(conditionalNotices(c, now), func(d DueNotice) bool { return d.Notice == n })
	}
	return true
}

// conditionalNotices returns the notices whose condition holds for the copy. The order of the invoices makes no
// difference.
//
// To add a kind, add its condition to invoiceNotices or subscriptionNotices.
func conditionalNotices(c Copy, now time.Time) []DueNotice {
	a := c.Account
	if a.DevLicense != nil {
		return nil
	}
	var notices []DueNotice
	for i := range a.Subscriptions {
		if s := &a.Subscriptions[i]; s.CustomerID == a.CustomerID {
			notices = append(notices, a.subscriptionNotices(s, now)...)
		}
	}
	return append(notices, invoiceNotices(c, now)...)
}

// subscriptionNotices returns the notices that depend on the subscription only, not on its invoices.
func (a *Account) subscriptionNotices(s *Subscription, now time.Time) []DueNotice {
	var notices []DueNotice
	add := func(n Notice) { notices = append(notices, DueNotice{Notice: n, Subscription: *s}) }
	isOnTrial := s.Status == Trialing && !s.endsBy(s.TrialEnd) && now.Before(s.TrialEnd)
	if isOnTrial && !s.startedAfterOrder() {
		add(Notice{Kind: TrialStarted, SubjectID: s.ID})
	}
	if s.awaitsOrderApproval() {
		add(Notice{Kind: OrderReceived, SubjectID: s.ID})
	}
	if reminder := s.reminder(); isReached(s.reminderAt(), now) && now.Before(s.CurrentPeriodEnd) {
		add(reminder)
	}
	return notices
}

// reminder returns the notice that reminds the customer of the end of the trial or of the renewal.
func (s *Subscription) reminder() Notice {
	if s.Status == Trialing {
		return Notice{Kind: TrialEndsSoon, SubjectID: s.ID, Period: noticeTime(s.TrialEnd)}
	}
	return Notice{Kind: PlanRenewsSoon, SubjectID: s.ID, Period: noticeTime(s.CurrentPeriodEnd)}
}

// reminderAt returns the time of the reminder before the next charge. There is one before the first charge after a trial,
// before the renewal of a yearly plan or a change to one, and before a renewal after a period that credit paid; see
// DueNotice.IsNeeded. reminderAt returns the zero time if no charge or payment follows, or if the trial began after the
// time of the reminder.
func (s *Subscription) reminderAt() time.Time {
	chargeAt := s.NextChargeAt()
	switch {
	case s.Status == Trialing && !s.endsBy(s.TrialEnd) && (!chargeAt.IsZero() || s.DueTransfer() != nil):
		if at := s.TrialEnd.Add(-trialReminderLead); s.CreatedAt.Before(at) {
			return at
		}
	case s.Status == Active && (s.isYearlyRenewal() || s.IsPaidByCredit()) && !chargeAt.IsZero():
		return chargeAt.Add(-renewalReminderLead)
	}
	return time.Time{}
}

// isYearlyRenewal reports whether the renewal ends or begins a yearly period.
func (s *Subscription) isYearlyRenewal() bool {
	change := s.RenewalChange()
	return s.Price.Interval == catalogue.Yearly || change != nil && change.To.Interval == catalogue.Yearly
}

// IsPaidByCredit reports whether credit alone has paid the latest invoice.
func (s *Subscription) IsPaidByCredit() bool {
	return s.LatestInvoice != nil && s.LatestInvoice.isPaidByCredit()
}

// IsNeeded returns false for the reminder of a renewal of a monthly plan if credit pays the renewal too, or the amount is
// unknown. An amount below the minimum, in minor units, is not charged. The account does not contain the credit, so the
// caller reads it from the provider.
func (d DueNotice) IsNeeded(credit money.Amount, minimum int64) bool {
	s := d.Subscription
	if d.Kind != PlanRenewsSoon || s.isYearlyRenewal() {
		return true
	}
	charge := s.NextCharge(credit, minimum)
	return charge != nil && charge.Amount.Minor() > 0
}

// startedAfterOrder reports whether the subscription began more than a minute after it was ordered. In this case
// PlanStarted reports its beginning.
func (s *Subscription) startedAfterOrder() bool {
	return s.PeriodStart.After(s.CreatedAt.Add(time.Minute))
}

// noticeTime formats a time for Notice.Period; the zero time becomes "".
func noticeTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
