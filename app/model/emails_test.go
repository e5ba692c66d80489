package model

import (
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/billing"
)

// receiptLimit is the age after which a payment that no refresh has seen is not reported any more.
const receiptLimit = 60 * day

// checkEmails requires that the emails about the organisation agree with its invoices and subscriptions: each payment
// and refund was reported once with its amount, and each end, resumption and dispute.
func (h *harness) checkEmails(t *rapid.T, o *org, state providerState) {
	queued, err := h.Store.Notices(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	for _, inv := range state.listed {
		reported := highestPeriod(queued, billing.PaymentReceived, inv.ID)
		if reported != 0 || state.now.Sub(inv.PaidAt) < receiptLimit {
			assert.Equal(t, inv.AmountPaid.Minor()+inv.Returned.Minor(), reported, "receipts of %s", inv.ID)
		}
		assert.Equal(t, inv.Refunded.Minor(), highestPeriod(queued, billing.PaymentRefunded, inv.ID), "refunds of %s", inv.ID)
		h.counters["receipts"] += countOf(queued, billing.PaymentReceived, inv.ID)
	}
	for _, sub := range state.subs {
		ends, resumptions := countOf(queued, billing.PlanEndRequested, sub.ID), countOf(queued, billing.PlanResumed, sub.ID)
		if sub.Status.Live() {
			assert.Equal(t, !sub.EndsAt.IsZero(), ends == resumptions+1, "%d ends and %d resumptions", ends, resumptions)
			assert.LessOrEqual(t, resumptions, ends)
		}
		begins, over := countOf(queued, billing.PlanStarted, sub.ID), countOf(queued, billing.PlanEnded, sub.ID)
		if sub.Status.Live() {
			assert.Equal(t, begins, over, "an unpaid plan begins again when it is paid")
		}
		assert.LessOrEqual(t, over, begins+1, "ends of %s", sub.ID)
		assert.LessOrEqual(t, countOf(queued, billing.TrialStarted, sub.ID), 1)
	}
	if state.account.Hold() != billing.NoHold {
		assert.NotZero(t, countOf(queued, billing.PaymentReturned, state.customer.ID), "the dispute")
	}
	h.checkReceipts(t, o, queued)
}

// checkReceipts requires that each receipt was sent once with the amount of its invoice. The fake charges all of an
// invoice at once.
func (h *harness) checkReceipts(t *rapid.T, o *org, queued []billing.Notice) {
	h.deliverEmails(t)
	all := h.Mailbox.Emails()
	if len(all) == devmail.Capacity {
		return // it has dropped the first ones
	}
	user, err := h.Store.User(t.Context(), o.user.UserID)
	require.NoError(t, err)
	var sent, want []string
	for _, email := range all {
		if email.To == user.Email && strings.HasPrefix(email.Subject, "Payment received") {
			sent = append(sent, email.Subject)
		}
	}
	invoices, err := h.Store.Invoices(t.Context(), o.user.OrganisationID)
	require.NoError(t, err)
	for _, inv := range invoices {
		for range countOf(queued, billing.PaymentReceived, inv.ID) {
			want = append(want, "Payment received: "+emails.Price(inv.AmountPaid))
		}
	}
	assert.ElementsMatch(t, want, sent, "receipts")
}

// deliverEmails sends all emails that wait.
func (h *harness) deliverEmails(t *rapid.T) {
	for {
		sent, err := h.servers[0].DeliverMail.Do(t.Context())
		require.NoError(t, err)
		if sent == 0 {
			return
		}
	}
}

func countOf(queued []billing.Notice, kind billing.NoticeKind, about string) (n int) {
	for _, notice := range queued {
		if notice.Kind == kind && notice.About == about {
			n++
		}
	}
	return n
}

// highestPeriod returns the largest sum that was reported about an invoice.
func highestPeriod(queued []billing.Notice, kind billing.NoticeKind, about string) (highest int64) {
	for _, notice := range queued {
		if sum, err := strconv.ParseInt(notice.Period, 10, 64); err == nil && notice.Kind == kind && notice.About == about {
			highest = max(highest, sum)
		}
	}
	return highest
}
