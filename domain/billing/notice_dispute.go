package billing

import (
	"slices"
	"strconv"
	"time"
)

// dispute is a disputed payment of an invoice with the Notice.Period that identifies it.
type dispute struct {
	Return
	period string
}

// disputes returns the disputes of the invoice's payments, oldest first. The period of a dispute is the time at which it
// was opened. A number distinguishes disputes that were opened in the same second.
func (i Invoice) disputes() (disputes []dispute) {
	counts := map[string]int{}
	for _, r := range i.Returns {
		if r.Kind != ReturnByDispute {
			continue
		}
		period := noticeTime(r.At)
		if counts[period]++; counts[period] > 1 {
			period += " " + strconv.Itoa(counts[period])
		}
		disputes = append(disputes, dispute{r, period})
	}
	return disputes
}

// findDispute returns the dispute with the period, or the zero dispute.
func (i Invoice) findDispute(period string) dispute {
	disputes := i.disputes()
	if n := slices.IndexFunc(disputes, func(d dispute) bool { return d.period == period }); n >= 0 {
		return disputes[n]
	}
	return dispute{}
}

// disputeNotices returns a notice about each disputed payment of the invoice, until maxNoticeAge after the dispute was
// opened. It returns none about a dispute that was won: the seller keeps that payment.
func (i Invoice) disputeNotices(now time.Time) (notices []Notice) {
	for _, d := range i.disputes() {
		isRecent := d.At.IsZero() || now.Before(d.At.Add(maxNoticeAge))
		if isRecent && d.Dispute != DisputeWon {
			notices = append(notices, i.disputeNotice(d))
		}
	}
	return notices
}

// hasOpenOrLostDispute reports whether a dispute of the invoice is open or was lost.
func (i Invoice) hasOpenOrLostDispute() bool {
	return slices.ContainsFunc(i.disputes(), func(d dispute) bool { return d.Dispute != DisputeWon })
}

// disputeNotice returns the notice that reports the dispute of the invoice.
func (i Invoice) disputeNotice(d dispute) Notice {
	return Notice{Kind: PaymentReturned, SubjectID: i.ID, Period: d.period}
}

// decidedDisputes returns the disputes that were open in the previous copy of the invoice and were won or lost since.
func (i Invoice) decidedDisputes(previousInvoice Invoice) []dispute {
	return slices.DeleteFunc(i.disputes(), func(d dispute) bool {
		return d.Dispute == DisputeOpen || previousInvoice.findDispute(d.period).Dispute != DisputeOpen
	})
}

// holdNotice returns the notice about the hold of the account if no notice about a disputed payment has reported this hold.
// The provider then does not report disputes with their invoices, or the disputed payment was made for no invoice. The
// number of holds that were lifted distinguishes the holds of an account.
func (c Copy) holdNotice(queuedNotices []Notice, dueNotices []DueNotice) (notice Notice, applies bool) {
	if c.Account.DevLicense != nil || c.Account.Hold() == NoHold {
		return Notice{}, false
	}
	noticesSinceLift, liftCount := splitLiftedHolds(queuedNotices)
	isReported := liftCount == 0 && slices.ContainsFunc(c.Invoices, Invoice.hasOpenOrLostDispute) ||
		slices.ContainsFunc(noticesSinceLift, func(n Notice) bool { return n.Kind == PaymentReturned }) ||
		slices.ContainsFunc(dueNotices, func(d DueNotice) bool { return d.Kind == PaymentReturned })
	return Notice{Kind: PaymentReturned, SubjectID: c.Account.CustomerID, Period: strconv.Itoa(liftCount)}, !isReported
}

// splitLiftedHolds returns the notices that were queued after the last hold was lifted, and the number of lifted holds.
// Disputes that were reported earlier have caused earlier holds.
func splitLiftedHolds(queuedNotices []Notice) (noticesSinceLift []Notice, liftCount int) {
	noticesSinceLift = queuedNotices
	for i, n := range queuedNotices {
		if n.Kind == HoldLifted {
			noticesSinceLift, liftCount = queuedNotices[i+1:], liftCount+1
		}
	}
	return noticesSinceLift, liftCount
}

// withoutDecisionsOfEndedHold removes the notices about disputes that were won if the hold ends at the same time. The email
// about the end of the hold reports them. It has one sentence for each invoice, so the notices stay if another dispute of
// the same invoice is open or was lost.
func withoutDecisionsOfEndedHold(notices []DueNotice) []DueNotice {
	if !slices.ContainsFunc(notices, func(d DueNotice) bool { return d.Kind == HoldLifted }) {
		return notices
	}
	return slices.DeleteFunc(notices, func(d DueNotice) bool {
		return d.Kind == DisputeDecided && !d.Invoice.hasOpenOrLostDispute()
	})
}

// withDroppedChange moves a plan change that a disputed payment has dropped to the first notice about such a payment. It
// removes the notice about the dropped change.
func withDroppedChange(notices []DueNotice) []DueNotice {
	indexOf := func(kind NoticeKind) int {
		return slices.IndexFunc(notices, func(d DueNotice) bool { return d.Kind == kind })
	}
	returned, dropped := indexOf(PaymentReturned), indexOf(ChangeDropped)
	if returned < 0 || dropped < 0 {
		return notices
	}
	d := notices[dropped]
	notices[returned].Subscription, notices[returned].PreviousSubscription = d.Subscription, d.PreviousSubscription
	return slices.Delete(notices, dropped, dropped+1)
}
