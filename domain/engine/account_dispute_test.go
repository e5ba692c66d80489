package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

// reportDisputes reports the disputes of the first payment, in the order in which they were opened.
func reportDisputes(disputes ...engine.DisputeReport) func(*engine.Account) error {
	return reportFirstPayment(engine.PaymentReport{State: engine.AttemptPaid, Disputes: disputes})
}

// reportReturn reports the first payment as returned, with its disputes.
func reportReturn(disputes ...engine.DisputeReport) func(*engine.Account) error {
	return reportFirstPayment(engine.PaymentReport{State: engine.AttemptReturned, Disputes: disputes})
}

// newDispute returns a dispute of an amount of a payment.
func newDispute(ref string, amount int64, status billing.DisputeStatus) engine.DisputeReport {
	return engine.DisputeReport{Ref: ref, Amount: amount, Status: status}
}

func TestCharges_DisputeHoldsAccountUntilItIsWonOrLifted(t *testing.T) {
	open, won, lost := billing.DisputeOpen, billing.DisputeWon, billing.DisputeLost
	liftHold := func(a *engine.Account) error { a.LiftHold(); return nil }
	earlierDispute := newDispute("d2", 3000, open)
	earlierDispute.OpenedAt = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	chargeCases{
		"an open dispute withdraws its amount and holds the other credit": {
			afterPurchase(addCredit(9000), reportDisputes(newDispute("d1", 3900, open))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; paid",
		},
		"a dispute of a part withdraws only the part": {
			afterPurchase(addCredit(9000), reportDisputes(newDispute("d1", 900, open))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 8100; paid",
		},
		"a won dispute ends the hold and gives the credit back": {
			afterPurchase(addCredit(9000),
				reportDisputes(newDispute("d1", 3900, open)), reportDisputes(newDispute("d1", 3900, won))),
			"active standard_monthly; credit 9000; paid 3900 of 3900; paid",
		},
		"a lost dispute keeps the hold and withdraws nothing more": {
			afterPurchase(addCredit(9000),
				reportDisputes(newDispute("d1", 3900, open)), reportDisputes(newDispute("d1", 3900, lost))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; paid",
		},
		"a report without the dispute, or with its earlier status, changes nothing": {
			afterPurchase(addCredit(9000),
				reportDisputes(newDispute("d1", 3900, open)), reportDisputes(), reportDisputes(newDispute("d1", 3900, won)),
				reportDisputes(newDispute("d1", 3900, open)), reportDisputes(newDispute("d1", 3900, lost))),
			"active standard_monthly; credit 9000; paid 3900 of 3900; paid",
		},
		"the hold lasts while another dispute is open": {
			afterPurchase(reportDisputes(newDispute("d1", 900, open), newDispute("d2", 3000, open)),
				reportDisputes(newDispute("d1", 900, open), newDispute("d2", 3000, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; paid",
		},
		"the hold lasts after another dispute was lost": {
			afterPurchase(reportDisputes(newDispute("d1", 900, open), newDispute("d2", 3000, open)),
				reportDisputes(newDispute("d1", 900, lost), newDispute("d2", 3000, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; paid",
		},
		"the hold ends when the last dispute is won": {
			afterPurchase(reportDisputes(newDispute("d1", 900, open), newDispute("d2", 3000, open)),
				reportDisputes(newDispute("d1", 900, won), newDispute("d2", 3000, open)),
				reportDisputes(newDispute("d1", 900, won), newDispute("d2", 3000, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a dispute from before the hold was lifted does not prolong a later hold": {
			afterPurchase(reportDisputes(newDispute("d1", 900, open)), advance(time.Hour), liftHold, advance(time.Hour),
				reportDisputes(newDispute("d1", 900, lost), newDispute("d2", 3000, open)),
				reportDisputes(newDispute("d1", 900, lost), newDispute("d2", 3000, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a lifted dispute does not prolong the hold of a late report of an earlier one": {
			afterPurchase(advance(time.Hour), reportDisputes(newDispute("d1", 900, lost)), liftHold, advance(time.Hour),
				reportDisputes(newDispute("d1", 900, lost), earlierDispute),
				reportDisputes(newDispute("d1", 900, lost), newDispute("d2", 3000, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a decision does not renew a lifted hold": {
			afterPurchase(reportDisputes(newDispute("d1", 3900, open)), liftHold, reportDisputes(newDispute("d1", 3900, lost))),
			"active standard_monthly; credit 0; paid 3900 of 3900; paid",
		},
		"a second dispute after a won one renews the hold": {
			afterPurchase(reportDisputes(newDispute("d1", 3900, open)), reportDisputes(newDispute("d1", 3900, won)),
				reportDisputes(newDispute("d1", 3900, won), newDispute("d2", 3900, open))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; paid",
		},
		"a dispute that is first reported as won causes no hold": {
			afterPurchase(addCredit(9000), reportDisputes(newDispute("d1", 3900, won))),
			"active standard_monthly; credit 9000; paid 3900 of 3900; paid",
		},
		"a dispute that is first reported as lost causes a hold": {
			afterPurchase(addCredit(9000), reportDisputes(newDispute("d1", 3900, lost))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; paid",
		},
		"a payment that the bank takes back for good keeps the hold after a won dispute": {
			afterPurchase(reportDisputes(newDispute("d1", 900, open)), reportState(engine.AttemptReturned),
				reportReturn(newDispute("d1", 900, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 0; returned",
		},
		"a payment that is first reported as returned with a lost dispute is withdrawn once": {
			afterPurchase(addCredit(9000), reportReturn(newDispute("d1", 3900, lost))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned",
		},
		"a payment that is first reported as returned with an open dispute is withdrawn once": {
			afterPurchase(addCredit(9000), reportReturn(newDispute("d1", 900, open)), reportReturn(newDispute("d1", 900, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned",
		},
		"a payment that is returned with the report that its dispute was won keeps the hold": {
			afterPurchase(addCredit(9000), reportDisputes(newDispute("d1", 3900, open)), reportReturn(newDispute("d1", 3900, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned",
		},
		"a dispute that is reported after the return of its payment changes nothing": {
			afterPurchase(addCredit(9000), reportState(engine.AttemptReturned), reportReturn(newDispute("d1", 3900, open)),
				reportReturn(newDispute("d1", 3900, won))),
			"active standard_monthly; credit 0; paid 3900 of 3900; disputed 5100; returned",
		},
	}.run(t)
}

func TestReportPayment_DisputeIsAReturnWithItsDates(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, advance(2*day)(a))
	opened, dispute := a.Now.Add(-time.Hour), newDispute("d1", 900, billing.DisputeOpen)
	dispute.OpenedAt = opened
	require.NoError(t, reportDisputes(dispute)(a))
	want := engine.Returns{{
		Kind: billing.ReturnByDispute, Amount: 900, At: opened, Dispute: billing.DisputeOpen, Ref: "d1",
		Method: a.Attempts[0].MethodDetails, PaymentKey: "key_1",
	}}
	assert.Equal(t, want, a.Invoice("in_1").Returns)
	assert.Equal(t, billing.DisputeOpen, a.Invoice("in_1").DisputeStatus())

	dispute.Status, dispute.DecidedAt = billing.DisputeLost, a.Now.Add(time.Hour) // the provider's clock is ahead
	require.NoError(t, reportDisputes(dispute)(a))
	want[0].Dispute, want[0].DecidedAt = billing.DisputeLost, a.Now
	assert.Equal(t, want, a.Invoice("in_1").Returns)
	assert.Equal(t, billing.DisputeLost, a.Invoice("in_1").DisputeStatus())
}

func TestReportPayment_OpenDisputeIsReadAgainEveryDay(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	for range 3 {
		require.NoError(t, reportDisputes(newDispute("d1", 900, billing.DisputeOpen))(a))
		assert.True(t, a.Outbox().IsEmpty())
		require.NoError(t, advance(engine.MaxCheckDelay)(a))
		require.Len(t, a.Outbox().Find, 1)
	}
	require.NoError(t, reportDisputes(newDispute("d1", 900, billing.DisputeWon))(a))
	require.NoError(t, advance(engine.MaxCheckDelay)(a))
	assert.True(t, a.Outbox().IsEmpty())
	assert.True(t, a.Attempts[0].IsComplete())
}

func TestReportPayment_DisputeCancelsUnsentRefundThatExceedsTheRest(t *testing.T) {
	for _, test := range []struct{ disputed, wantRefunded int64 }{{3000, 900}, {3001, 0}} {
		a := newAccountWithUnsentPayment(t)
		require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
		require.NoError(t, requestRefund(900)(a))
		require.NoError(t, reportDisputes(newDispute("d1", test.disputed, billing.DisputeOpen))(a))
		inv := a.Invoice("in_1")
		assert.Equal(t, []int64{test.wantRefunded, test.disputed}, []int64{inv.Refunded, inv.Dispute.Amount})
	}
}
