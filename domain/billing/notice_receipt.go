package billing

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// receiptNotices returns the receipts for the invoice: one for the amount that was paid so far, one for each known
// payment that became credit entirely, and PaidByCredit. A receipt is due until maxNoticeAge after the payment.
func (i Invoice) receiptNotices(now time.Time) []Notice {
	isRecent := func(at time.Time) bool { return now.Before(at.Add(maxNoticeAge)) }
	var notices []Notice
	if i.AmountPaid.Minor() > 0 && isRecent(cmp.Or(i.PaidAt, i.CreatedAt)) {
		notices = append(notices, i.receiptNotice())
	}
	if i.isPaidByCredit() && i.totalPaid() == 0 && isRecent(cmp.Or(i.PaidAt, i.CreatedAt)) {
		notices = append(notices, Notice{Kind: PaidByCredit, SubjectID: i.ID})
	}
	for _, p := range i.ReceivedPayments {
		if p.Amount.Minor() == 0 && isRecent(p.At) {
			notices = append(notices, Notice{Kind: PaymentReceived, SubjectID: i.ID, Period: p.noticePeriod()})
		}
	}
	return notices
}

// receiptNotice returns the notice about the amount that was paid for the invoice so far.
func (i Invoice) receiptNotice() Notice {
	return Notice{Kind: PaymentReceived, SubjectID: i.ID, Period: strconv.FormatInt(i.totalPaid(), 10)}
}

// totalPaid returns the sum of all payments in minor units, including those that the customer's bank took back. It grows
// with every payment.
func (i Invoice) totalPaid() int64 { return i.AmountPaid.Minor() + i.Returned.Minor() }

// noticePeriod returns the Notice.Period of the receipt for a payment that became credit entirely.
func (p ReceivedPayment) noticePeriod() string {
	return noticeTime(p.At) + " " + strconv.FormatInt(p.Excess.Minor(), 10)
}

// withUnreportedPayments returns the receipt with the payments that no earlier receipt has reported. It clears the
// refunded, credited and disputed amounts of the invoice, which other notices report.
func (d DueNotice) withUnreportedPayments(queuedNotices []Notice) DueNotice {
	inv := d.Invoice
	reportedSum := sumOfQueuedReceipts(queuedNotices, inv.ID)
	if d.Notice == inv.receiptNotice() {
		d.Amount = inv.toAmount(inv.totalPaid() - reportedSum)
		d.ReceivedPayments = inv.unreportedPayments(reportedSum)
	} else {
		d.Amount = inv.toAmount(0)
		d.ReceivedPayments = slices.DeleteFunc(slices.Clone(inv.ReceivedPayments),
			func(p ReceivedPayment) bool { return p.Amount.Minor() > 0 || p.noticePeriod() != d.Period })
	}
	wasQueued := func(kind NoticeKind) bool {
		return slices.ContainsFunc(queuedNotices, func(n Notice) bool { return n.SubjectID == inv.ID && n.Kind == kind })
	}
	d.HadFailed, d.ApprovalRequested = wasQueued(PaymentFailed), wasQueued(ApprovalNeeded)
	d.Invoice.Refunded, d.Invoice.Credited = inv.toAmount(0), inv.toAmount(0)
	d.Invoice.Returns = slices.DeleteFunc(slices.Clone(inv.Returns), func(r Return) bool { return r.Kind != ReturnByBank })
	return d
}

// unreportedPayments returns the known payments that were used for the invoice after the reported sum was paid.
func (i Invoice) unreportedPayments(reportedSum int64) []ReceivedPayment {
	sum := i.totalPaid()
	for _, p := range i.ReceivedPayments {
		sum -= p.Amount.Minor() // the remaining sum is that of earlier, unknown payments
	}
	var payments []ReceivedPayment
	for _, p := range i.ReceivedPayments {
		if sum += p.Amount.Minor(); p.Amount.Minor() > 0 && sum > reportedSum {
			payments = append(payments, p)
		}
	}
	return payments
}

// sumOfQueuedReceipts returns the sum of the payments of an invoice that queued receipts report, in minor units.
func sumOfQueuedReceipts(queuedNotices []Notice, invoiceID string) (sum int64) {
	for _, n := range queuedNotices {
		if n.Kind == PaymentReceived && n.SubjectID == invoiceID {
			paidSum, _ := strconv.ParseInt(n.Period, 10, 64) // 0 for a payment that became credit entirely
			sum = max(sum, paidSum)
		}
	}
	return sum
}
