package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// receiptLimit is the age from which a payment gets no receipt if a refresh reads it for the first time.
const receiptLimit = 60 * day

// checkEmails requires that the emails about the organisation agree with its invoices and subscriptions. Each payment and
// refund must be reported once with its amount, and each end, resumption and dispute once.
func (h *harness) checkEmails(t *rapid.T, o *org, state providerState) {
	notices, err := h.Store.Notices(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	for _, inv := range state.listedInvoices {
		checkReportedSum(t, state, inv, highestSum(notices, billing.PaymentReceived, inv.ID))
		assert.Equal(t, inv.Refunded.Minor(), highestSum(notices, billing.PaymentRefunded, inv.ID), "refunds of %s", inv.ID)
		if state.isProcessingInvoice(inv.ID) {
			assert.NotZero(t, countNotices(notices, billing.PaymentProcessing, inv.ID), "the payment of %s is processing", inv.ID)
		}
		checkDisputeEmails(t, state, inv, countNotices(notices, billing.PaymentReturned, inv.ID))
		h.counters["receipts"] += countNotices(notices, billing.PaymentReceived, inv.ID)
	}
	for _, sub := range state.subs {
		requestCount := countNotices(notices, billing.PlanEndRequested, sub.ID)
		resumeCount := countNotices(notices, billing.PlanResumed, sub.ID)
		startCount := countNotices(notices, billing.PlanStarted, sub.ID)
		endCount := countNotices(notices, billing.PlanEnded, sub.ID)
		if sub.Status.Live() {
			assert.Equal(t, !sub.EndsAt.IsZero(), requestCount == resumeCount+1, "%d requested ends and %d resumptions",
				requestCount, resumeCount)
			assert.LessOrEqual(t, resumeCount, requestCount)
			assert.Contains(t, o.expectedStartCounts(endCount), startCount, "starts of %s", sub.ID)
		}
		assert.LessOrEqual(t, endCount, startCount+1, "ends of %s", sub.ID)
		assert.LessOrEqual(t, countNotices(notices, billing.TrialStarted, sub.ID), 1)
	}
	h.checkReceipts(t, o, notices)
}

// checkReceipts requires that each receipt was sent once, with the amount paid since the previous receipt. The fake
// provider charges the whole amount of an invoice, so the receipt reports that amount, or a multiple of it if a payment
// was returned before it was reported.
func (h *harness) checkReceipts(t *rapid.T, o *org, notices []billing.Notice) {
	h.deliverEmails(t)
	all := h.Mailbox.Emails()
	if len(all) == devmail.Capacity {
		return // the mailbox has removed the first emails
	}
	user, err := h.Store.User(t.Context(), o.user.UserID)
	require.NoError(t, err)
	var got, want []string
	for _, email := range all {
		if email.To == user.Email && strings.HasPrefix(email.Subject, "Payment received") {
			got = append(got, email.Subject)
		}
	}
	invoices, err := h.Store.Invoices(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	for _, inv := range invoices {
		for _, amount := range receiptAmounts(t, notices, inv) {
			want = append(want, "Payment received: "+amount.FormatWithSymbolAndCode())
		}
	}
	assert.ElementsMatch(t, want, got, "receipts")
}

// checkReportedSum requires that the receipts of an invoice have reported all payments. They may lack a payment that was
// returned, or became older than receiptLimit, before a refresh read it.
func checkReportedSum(t *rapid.T, state providerState, inv billing.Invoice, reportedSum int64) {
	paidSum := inv.AmountPaid.Minor() + inv.Returned.Minor()
	switch {
	case inv.AmountPaid.Minor() > 0 && state.now.Sub(inv.PaidAt) < receiptLimit:
		assert.Equal(t, paidSum, reportedSum, "receipts of %s", inv.ID)
	case inv.Returned.Minor() > 0:
		assert.LessOrEqual(t, reportedSum, paidSum, "receipts of %s", inv.ID)
	default:
		assert.Contains(t, []int64{0, paidSum}, reportedSum, "receipts of %s", inv.ID)
	}
}

// checkDisputeEmails requires that each dispute of the invoice was reported once. No report is required for a dispute
// that was won before a refresh read it.
func checkDisputeEmails(t *rapid.T, state providerState, inv billing.Invoice, reportedCount int) {
	var minCount, maxCount int
	for _, r := range inv.Returns {
		if r.Kind == billing.ReturnByDispute {
			maxCount++
			if r.Dispute != billing.DisputeWon && state.now.Sub(r.At) < receiptLimit {
				minCount++
			}
		}
	}
	assert.GreaterOrEqual(t, reportedCount, minCount, "emails about disputes of %s", inv.ID)
	assert.LessOrEqual(t, reportedCount, maxCount, "emails about disputes of %s", inv.ID)
}

// receiptAmounts returns the amounts that the receipts of an invoice have reported.
func receiptAmounts(t *rapid.T, notices []billing.Notice, inv billing.Invoice) (amounts []money.Amount) {
	var sums []int64
	for _, notice := range notices {
		if sum, err := strconv.ParseInt(notice.Period, 10, 64); err == nil && notice.Kind == billing.PaymentReceived &&
			notice.SubjectID == inv.ID {
			sums = append(sums, sum)
		}
	}
	slices.Sort(sums)
	var reportedSum int64
	for _, sum := range sums {
		assert.Zero(t, (sum-reportedSum)%inv.AmountDue.Minor(), "a part of a payment was reported")
		amount, err := money.New(sum-reportedSum, inv.AmountDue.Currency().Code)
		require.NoError(t, err)
		amounts, reportedSum = append(amounts, amount), sum
	}
	return amounts
}

// deliverEmails sends all queued emails.
func (h *harness) deliverEmails(t *rapid.T) {
	for {
		count, err := h.servers[0].DeliverMail.Do(t.Context())
		require.NoError(t, err)
		if count == 0 {
			return
		}
	}
}

// countNotices returns the number of notices of the kind about a subscription, invoice or customer.
func countNotices(notices []billing.Notice, kind billing.NoticeKind, subjectID string) (n int) {
	for _, notice := range notices {
		if notice.Kind == kind && notice.SubjectID == subjectID {
			n++
		}
	}
	return n
}

// highestSum returns the largest sum that notices of the kind have reported about an invoice. The Period of such a notice
// is the sum.
func highestSum(notices []billing.Notice, kind billing.NoticeKind, invoiceID string) (highest int64) {
	for _, notice := range notices {
		if sum, err := strconv.ParseInt(notice.Period, 10, 64); err == nil && notice.Kind == kind && notice.SubjectID == invoiceID {
			highest = max(highest, sum)
		}
	}
	return highest
}
