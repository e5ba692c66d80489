package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// EndKind states how a subscription ends when its customer ends it.
type EndKind string

// The kinds of ends.
const (
	EndAtPeriodEnd EndKind = "period_end" // when the period or the trial ends
	EndNowVoid     EndKind = "now_void"   // now, and nothing is owed
	EndNowOwed     EndKind = "now_owed"   // now, and the overdue invoice stays owed
)

// voidIntervalMonths is the minimum time between two voided invoices of an organisation. Without it a
// customer could use a part of every period without paying for it.
const voidIntervalMonths = 12

// End describes the effect of ending a subscription.
type End struct {
	Kind EndKind
	At   time.Time // when the subscription would end
}

// VoidedInvoice records that the end of a subscription voided its overdue invoice.
type VoidedInvoice struct {
	SubscriptionID string
	At             time.Time
}

// EndReason is a customer's reason for ending a subscription.
type EndReason string

// The reasons that a customer can choose.
const (
	NoEndReason      EndReason = ""
	TooExpensive     EndReason = "too_expensive"
	MissingFeature   EndReason = "missing_feature"
	NotNeeded        EndReason = "not_needed"
	SwitchingProduct EndReason = "switching"
	OtherReason      EndReason = "other"
)

// Valid reports whether the reason is one of the constants.
func (r EndReason) Valid() bool {
	switch r {
	case NoEndReason, TooExpensive, MissingFeature, NotNeeded, SwitchingProduct, OtherReason:
		return true
	}
	return false
}

// MaxEndCommentLength limits EndFeedback.Comment, in characters.
const MaxEndCommentLength = 2000

// EndFeedback contains the reason why a customer ended a subscription. The comment may contain personal data and is never
// logged.
type EndFeedback struct {
	OrganisationID string
	SubscriptionID string
	RequestedAt    time.Time
	Reason         EndReason
	Comment        string
}

// CheckEnd returns an error when the subscription may not be ended: Forbidden for a developer license;
// Conflict without a subscription, with more than one, and while the payment of a plan change is
// processing. A subscription that is on hold or already ending may be ended, and a pending order withdrawn.
func CheckEnd(a *Account) error {
	switch {
	case a.DevLicense != nil:
		return errDeveloperLicense()
	case len(a.SurplusSubscriptionIDs) > 0:
		return errSeveralSubscriptions()
	case a.LiveSubscription() == nil && a.PendingOrder() == nil:
		return errNoSubscription()
	case a.LiveSubscription() == nil:
		return nil
	}
	return a.LiveSubscription().checkChangeNotProcessing()
}

// PreviewEnd returns the effect of a request to end the live subscription now. It returns nil if there is no live
// subscription, or if it can't be ended or is already ending. mayVoid is false if only an operator may void invoices, as
// with collection by invoice: a customer could otherwise use one plan after the other for weeks without paying.
func (a *Account) PreviewEnd(now time.Time, mayVoid bool) *End {
	liveSub := a.LiveSubscription()
	if CheckEnd(a) != nil || liveSub == nil {
		return nil
	}
	switch {
	case liveSub.Status == PastDue && mayVoid && a.voidsInvoice(liveSub, now):
		return &End{Kind: EndNowVoid, At: now}
	case liveSub.Status == PastDue:
		return &End{Kind: EndNowOwed, At: now}
	case !liveSub.EndsAt.IsZero():
		return nil
	}
	return &End{Kind: EndAtPeriodEnd, At: liveSub.CurrentPeriodEnd}
}

// voidsInvoice reports whether nothing is owed after the end of the subscription: its invoice is void, an operator has
// written it off, or the end voids it. At most one invoice is voided in voidIntervalMonths; an earlier attempt to end
// the same subscription does not count. An invoice is not voided while its payment is processing. The first invoice of
// a plan that began before its payment arrived is not voided either, because otherwise a customer could use one plan
// after the other with an empty bank account.
func (a *Account) voidsInvoice(s *Subscription, now time.Time) bool {
	switch inv := s.LatestInvoice; {
	case s.Next.isProcessing():
		return false
	case inv != nil && (inv.Status == InvoiceVoid || inv.Status == InvoiceUncollectible):
		return true
	case s.owesFirstInvoice():
		return false
	}
	last := a.LastVoidedInvoice
	return last.At.IsZero() || last.SubscriptionID == s.ID || !now.Before(last.At.AddDate(0, voidIntervalMonths, 0))
}

// owesFirstInvoice reports whether the latest invoice is the first invoice of a subscription without a trial. If this
// invoice is unpaid, nothing was ever paid for the subscription.
func (s *Subscription) owesFirstInvoice() bool {
	inv := s.LatestInvoice
	return inv != nil && s.TrialEnd.IsZero() && !inv.CreatedAt.IsZero() && !inv.CreatedAt.After(s.CreatedAt.Add(chargeDelay))
}

// DecideEnd returns the actions that end the subscription, or the error of CheckEnd. A pending or scheduled change
// is canceled first. An overdue subscription ends immediately; see PreviewEnd for mayVoid. A pending order is withdrawn.
// DecideEnd returns no actions if the subscription is ending already.
func DecideEnd(a *Account, now time.Time, mayVoid bool) ([]Action, error) {
	if err := CheckEnd(a); err != nil {
		return nil, err
	}
	if order := a.PendingOrder(); order != nil {
		return []Action{a.subscriptionAction(WithdrawOrderAction, order.SubscriptionID)}, nil
	}
	end, liveSub := a.PreviewEnd(now, mayVoid), a.LiveSubscription()
	if end == nil {
		return nil, nil
	}
	if end.Kind != EndAtPeriodEnd {
		action := a.subscriptionAction(EndNowAction, liveSub.ID)
		action.VoidInvoices = end.Kind == EndNowVoid
		return []Action{action}, nil
	}
	cancelPending, _ := DecideCancelPendingChange(a) // no error, because CheckEnd has succeeded
	var cancelScheduled []Action
	if liveSub.Scheduled != nil || liveSub.Pending != nil && liveSub.Pending.Replaces != nil {
		cancelScheduled = []Action{a.subscriptionAction(CancelScheduledChangeAction, liveSub.ID)}
	}
	return slices.Concat(cancelPending, cancelScheduled, []Action{a.subscriptionAction(EndAtPeriodEndAction, liveSub.ID)}), nil
}

// RecordEnd records whether an action of DecideEnd, which is about to be sent, voids the invoice or leaves it owed. The
// record has no effect if the subscription does not end.
func (a *Account) RecordEnd(action Action, now time.Time) {
	if action.Kind != EndNowAction {
		return
	}
	if action.VoidInvoices {
		a.LastVoidedInvoice = VoidedInvoice{SubscriptionID: action.SubscriptionID, At: now}
	} else {
		a.OwingSubscriptionID = action.SubscriptionID
	}
}

// OwingSubscription returns the canceled subscription whose last invoice is still owed, or nil. The invoice is owed if
// the customer ended the subscription while it was overdue, or if the provider still waits for a transfer or a
// processing payment. The customer can't subscribe again before the invoice is paid. Paying does not restart the
// subscription. An invoice that the provider no longer collects is not owed.
func (a *Account) OwingSubscription() *Subscription {
	for i := range a.Subscriptions {
		s := &a.Subscriptions[i]
		isOpen := s.LatestInvoice != nil && s.LatestInvoice.Status == InvoiceOpen
		if isOpen && s.Status == Canceled &&
			(s.ID == a.OwingSubscriptionID || s.Next.isOutsideBrowser() || s.Next.isProcessing()) {
			return s
		}
	}
	return nil
}

// OwedInvoice returns the latest invoice of OwingSubscription, or nil.
func (a *Account) OwedInvoice() *Invoice {
	if owingSub := a.OwingSubscription(); owingSub != nil {
		return owingSub.LatestInvoice
	}
	return nil
}

// CheckResume returns an error when the end of the subscription can't be canceled: Forbidden for a developer
// license, Conflict when the subscription has ended or its invoice is overdue.
func CheckResume(a *Account) error {
	liveSub := a.LiveSubscription()
	switch {
	case a.DevLicense != nil:
		return errDeveloperLicense()
	case liveSub == nil && a.PastLicense() != nil:
		return fault.New(fault.Conflict, "It has ended. Subscribe again.")
	case liveSub == nil:
		return errNoSubscription()
	case liveSub.Status == PastDue && !liveSub.EndsAt.IsZero() && liveSub.NeedsBankApproval():
		return fault.New(fault.Conflict,
			"Your bank wants you to approve your last payment. Approve it first; then you can resume.")
	case liveSub.Status == PastDue && !liveSub.EndsAt.IsZero():
		return fault.New(fault.Conflict, "Your last payment did not go through. Pay the invoice first; then you can resume.")
	}
	return nil
}

// DecideResume returns the action that cancels the end of the subscription, or the error of CheckResume. It returns no
// action if the subscription is not ending. A plan change that DecideEnd has canceled is not restored.
func DecideResume(a *Account) ([]Action, error) {
	if err := CheckResume(a); err != nil {
		return nil, err
	}
	liveSub := a.LiveSubscription()
	if liveSub.EndsAt.IsZero() {
		return nil, nil
	}
	return []Action{a.subscriptionAction(ResumeAction, liveSub.ID)}, nil
}
