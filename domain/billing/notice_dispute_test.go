package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// newDisputedInvoice returns a paid invoice of sub_1 with disputes of its payments.
func newDisputedInvoice(disputes ...billing.Return) billing.Invoice {
	return newChargedInvoice(func(i *billing.Invoice) {
		setAmountPaid(81600)(i)
		i.Returns = append([]billing.Return{{Kind: billing.ReturnRefund, Amount: aud(100), At: day0}}, disputes...)
	})
}

// newDispute returns a dispute of 10 AUD that was opened the number of days after day0.
func newDispute(days int, status billing.DisputeStatus) billing.Return {
	return billing.Return{Kind: billing.ReturnByDispute, Amount: aud(1000), At: day0.AddDate(0, 0, days), Dispute: status}
}

// dueOf returns the due notices of the kinds when the invoice replaces the previous one.
func dueOf(
	t *testing.T, hold billing.Hold, previousInvoice, inv billing.Invoice, queued []billing.Notice, kinds ...billing.NoticeKind,
) (due []billing.DueNotice) {
	t.Helper()
	account := newAccount(newActiveSub(func(s *billing.Subscription) { s.Hold = hold }))
	for _, d := range billing.DueNotices(billing.Copy{Account: newAccount(newActiveSub(func(*billing.Subscription) {})),
		Invoices: []billing.Invoice{previousInvoice}}, billing.Copy{Account: account, Invoices: []billing.Invoice{inv}}, queued,
		day0.AddDate(0, 0, 30)) {
		for _, kind := range kinds {
			if d.Kind == kind {
				due = append(due, d)
			}
		}
	}
	return due
}

func TestDueNotices_EachDisputeIsReportedOnce(t *testing.T) {
	first, second := newDispute(3, billing.DisputeLost), newDispute(20, billing.DisputeOpen)
	inv := newDisputedInvoice(first, second)

	due := dueOf(t, billing.HoldDisputed, newDisputedInvoice(), inv, nil, billing.PaymentReturned)

	require.Equal(t, []billing.Notice{
		{Kind: billing.PaymentReturned, SubjectID: "in_1", Period: "2026-02-03T10:00:00Z"},
		{Kind: billing.PaymentReturned, SubjectID: "in_1", Period: "2026-02-20T10:00:00Z"},
	}, toNotices(due))
	assert.Equal(t, first, due[0].Return)
	assert.Equal(t, second, due[1].Return)
	assert.Equal(t, inv, due[1].Invoice)
	assert.Len(t, dueOf(t, billing.HoldDisputed, inv, inv, toNotices(due[:1]), billing.PaymentReturned), 1,
		"the second dispute has a notice of its own, also while the account is on hold")
	assert.Empty(t, dueOf(t, billing.HoldDisputed, inv, inv, toNotices(due), billing.PaymentReturned), "an event was repeated")
}

func TestDueNotices_TellDisputesOfTheSameSecondApart(t *testing.T) {
	inv := newDisputedInvoice(newDispute(3, billing.DisputeOpen), newDispute(3, billing.DisputeOpen))
	due := toNotices(dueOf(t, billing.HoldDisputed, newDisputedInvoice(), inv, nil, billing.PaymentReturned))
	require.Len(t, due, 2)
	assert.NotEqual(t, due[0], due[1])
}

func TestDueNotices_OmitOldAndWonDisputes(t *testing.T) {
	won := newDisputedInvoice(newDispute(3, billing.DisputeWon))
	assert.Empty(t, dueOf(t, billing.NoHold, newDisputedInvoice(), won, nil, billing.PaymentReturned))
	old := newDisputedInvoice(newDispute(-31, billing.DisputeLost))
	assert.Empty(t, dueOf(t, billing.NoHold, newDisputedInvoice(), old, nil, billing.PaymentReturned))
}

// A dispute that was won before it was first read has not caused the hold.
func TestDueNotices_OmitAWonDisputeDuringTheHoldOfAnotherOne(t *testing.T) {
	won, open := newDispute(3, billing.DisputeWon), newDispute(20, billing.DisputeOpen)
	due := dueOf(t, billing.HoldDisputed, newDisputedInvoice(), newDisputedInvoice(won, open), nil, billing.PaymentReturned)
	require.Len(t, due, 1)
	assert.Equal(t, open, due[0].Return)

	inv := newDisputedInvoice(won)
	due = dueOf(t, billing.HoldDisputed, inv, inv, nil, billing.PaymentReturned)
	assert.Equal(t, []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "cus_1", Period: "0"}}, toNotices(due),
		"the hold has a cause that is not known")
}

// The email about the end of the hold has one sentence for each invoice.
func TestDueNotices_ReportAWonDisputeWithTheEndOfTheHoldIfItsInvoiceHasOtherDisputes(t *testing.T) {
	onHold := newAccount(newActiveSub(func(s *billing.Subscription) { s.Hold = billing.HoldDisputed }))
	lifted := newAccount(newActiveSub(func(*billing.Subscription) {}))
	for otherStatus, isReported := range map[billing.DisputeStatus]bool{
		billing.DisputeOpen: true, billing.DisputeLost: true, billing.DisputeWon: false,
	} {
		withDisputes := func(status billing.DisputeStatus) []billing.Invoice {
			return []billing.Invoice{newDisputedInvoice(newDispute(3, otherStatus), newDispute(20, status))}
		}
		due := billing.DueNotices(billing.Copy{Account: onHold, Invoices: withDisputes(billing.DisputeOpen)},
			billing.Copy{Account: lifted, Invoices: withDisputes(billing.DisputeWon)}, nil, day0.AddDate(0, 0, 30))

		isDecision := func(d billing.DueNotice) bool { return d.Kind == billing.DisputeDecided }
		isLift := func(d billing.DueNotice) bool { return d.Kind == billing.HoldLifted }
		assert.True(t, slices.ContainsFunc(due, isLift))
		assert.Equal(t, isReported, slices.ContainsFunc(due, isDecision), "the other dispute is %s", otherStatus)
	}
}

func TestDueNotices_ReportTheDecisionOfADisputeThatWasOpen(t *testing.T) {
	open := newDisputedInvoice(newDispute(3, billing.DisputeOpen))
	for _, status := range []billing.DisputeStatus{billing.DisputeWon, billing.DisputeLost} {
		decided := newDisputedInvoice(newDispute(3, status))
		due := dueOf(t, billing.HoldDisputed, open, decided, nil, billing.DisputeDecided)
		want := []billing.Notice{{Kind: billing.DisputeDecided, SubjectID: "in_1", Period: "2026-02-03T10:00:00Z " + string(status)}}
		require.Equal(t, want, toNotices(due))
		assert.Equal(t, decided.Returns[1], due[0].Return)
		assert.Empty(t, dueOf(t, billing.HoldDisputed, decided, decided, nil, billing.DisputeDecided))
		assert.Empty(t, dueOf(t, billing.HoldDisputed, newDisputedInvoice(), decided, nil, billing.DisputeDecided),
			"PaymentReturned reports the decided dispute")
	}
}

// A provider need not report disputes with their invoices.
func TestDueNotices_ReportAHoldWithoutAKnownDispute(t *testing.T) {
	inv := newDisputedInvoice()
	due := toNotices(dueOf(t, billing.HoldDisputed, inv, inv, nil, billing.PaymentReturned))
	require.Equal(t, []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "cus_1", Period: "0"}}, due)
	assert.Empty(t, dueOf(t, billing.HoldDisputed, inv, inv, due, billing.PaymentReturned))

	afterLift := append(due, billing.Notice{Kind: billing.HoldLifted, SubjectID: "cus_1", Period: "7"})
	assert.Len(t, dueOf(t, billing.HoldDisputed, inv, inv, afterLift, billing.PaymentReturned), 1, "a second hold")
}

// The notice about an earlier dispute has reported an earlier hold, which an operator has lifted.
func TestDueNotices_ReportALaterHoldAfterAnOldDispute(t *testing.T) {
	oldDispute := newDispute(3, billing.DisputeLost)
	inv := newDisputedInvoice(oldDispute)
	lift := func(period string) billing.Notice {
		return billing.Notice{Kind: billing.HoldLifted, SubjectID: "cus_1", Period: period}
	}
	reportedHold := toNotices(dueOf(t, billing.HoldDisputed, newDisputedInvoice(), inv, nil, billing.PaymentReturned))
	require.Equal(t, []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "in_1", Period: "2026-02-03T10:00:00Z"}}, reportedHold)
	queued := append(reportedHold, lift("7"))

	due := toNotices(dueOf(t, billing.HoldDisputed, inv, inv, queued, billing.PaymentReturned))
	require.Equal(t, []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "cus_1", Period: "1"}}, due)
	queued = append(queued, due...)
	assert.Empty(t, dueOf(t, billing.HoldDisputed, inv, inv, queued, billing.PaymentReturned), "the hold is reported once")

	queued = append(queued, lift("9"))
	withNewDispute := newDisputedInvoice(oldDispute, newDispute(20, billing.DisputeLost))
	due = toNotices(dueOf(t, billing.HoldDisputed, inv, withNewDispute, queued, billing.PaymentReturned))
	require.Equal(t, []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "in_1", Period: "2026-02-20T10:00:00Z"}}, due,
		"the notice about the dispute reports the third hold")
	assert.Empty(t, dueOf(t, billing.HoldDisputed, withNewDispute, withNewDispute, append(queued, due...), billing.PaymentReturned))
}

func TestDueNotices_ReportADisputeTogetherWithTheDroppedChange(t *testing.T) {
	scheduledChange := billing.ScheduledChange{To: standardAUD, At: day0}
	before := newAccount(newActiveSub(func(s *billing.Subscription) { s.Scheduled = &scheduledChange }))
	after := newAccount(newActiveSub(func(s *billing.Subscription) { s.Hold = billing.HoldDisputed }))
	due := billing.DueNotices(billing.Copy{Account: before},
		billing.Copy{Account: after, Invoices: []billing.Invoice{newDisputedInvoice(newDispute(3, billing.DisputeOpen))}},
		[]billing.Notice{{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "81600"}}, day0.Add(4*24*time.Hour))
	var returned []billing.DueNotice
	for _, d := range due {
		assert.NotEqual(t, billing.ChangeDropped, d.Kind)
		if d.Kind == billing.PaymentReturned {
			returned = append(returned, d)
		}
	}
	require.Len(t, returned, 1)
	droppedChange, _ := returned[0].DroppedChange()
	assert.Equal(t, scheduledChange, droppedChange)
}
