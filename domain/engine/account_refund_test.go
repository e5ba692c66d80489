package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestClaimRefund_RefundIsSentAndRecordedOnce(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptPaid, Ref: "pay_1"})(a))
	require.NoError(t, requestRefund(900)(a))
	require.Len(t, a.Outbox().Refund, 1)
	refund, payment, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	assert.Equal(t, []any{int64(900), "pay_1"}, []any{refund.Amount, payment.Ref})
	assert.True(t, a.Outbox().IsEmpty())
	_, _, err = a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	require.NoError(t, a.ReportRefund(engine.RefundReport{Key: "refund", Ref: "re_1", State: engine.AttemptPaid}))
	assert.Equal(t, int64(900), a.Invoice("in_1").Refunded)
	assert.True(t, a.Outbox().IsEmpty())
	refunds := []engine.RefundReport{{Key: "refund", Ref: "re_1", Amount: 900, State: engine.AttemptPaid}}
	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid, Refunds: refunds}))
	assert.Equal(t, int64(900), a.Invoice("in_1").Refunded, "the refund is recorded already")
}

func TestReportRefund_FailureAfterChargebackAddsToDispute(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	_, _, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	require.NoError(t, reportState(engine.AttemptReturned)(a))
	assert.Equal(t, int64(3000), a.Invoice("in_1").Dispute.Amount)

	require.NoError(t, reportRefund(engine.AttemptFailed)(a))
	inv := a.Invoice("in_1")
	assert.Equal(t, []int64{3900, 0}, []int64{inv.Dispute.Amount, inv.Refunded})
}

func TestReportPayment_ChargebackCancelsUnsentRefund(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	require.NoError(t, reportState(engine.AttemptReturned)(a))
	assert.True(t, a.Outbox().IsEmpty())
	assert.Equal(t, int64(3900), a.Invoice("in_1").Dispute.Amount)
}

func TestReportPayment_RefundThatStaysMissingFails(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	a.Terms.ChargeTerms.KeyRetention = 0
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	_, _, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, advance(time.Hour)(a))
		if len(a.Outbox().Find) > 0 {
			require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid}), "without the refund")
		}
	}
	assert.Equal(t, engine.AttemptFailed, a.Refunds[0].State)
	assert.Zero(t, a.Invoice("in_1").Refunded)
}

func TestReportPayment_UnreportedRefundIsCheckedAgainAfterAnHour(t *testing.T) {
	reportWithoutRefund := func(a *engine.Account) error {
		return a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid})
	}
	for name, respond := range map[string]func(*engine.Account) error{
		"refund not reported": reportWithoutRefund,
		"payment unknown":     func(a *engine.Account) error { return a.ReportMissing("key_1") },
	} {
		a := newAccountWithUnsentPayment(t)
		require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
		_, err := a.RequestRefund("refund_1", a.Invoices[0].ID, aud(100))
		require.NoError(t, err)
		_, _, err = a.ClaimRefund("refund_1", a.Now, a.Now.Add(15*time.Second))
		require.NoError(t, err)
		require.NoError(t, a.ReportRefund(engine.RefundReport{Key: "refund_1", State: engine.AttemptProcessing}))
		require.NoError(t, advance(time.Hour)(a))
		require.Len(t, a.Outbox().Find, 1, name)

		require.NoError(t, respond(a), name)

		assert.Empty(t, a.Outbox().Find, name)
		assert.Equal(t, a.Now.Add(time.Hour), a.NextWorkAt(), name)
	}
}

func TestReportPayment_ManualRefundIsCheckedUntilItIsFinal(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	reportManualRefund := func(state engine.AttemptState) {
		refunds := []engine.RefundReport{{Ref: "re_1", Amount: 100, State: state}}
		require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid, Refunds: refunds}))
	}
	reportManualRefund(engine.AttemptProcessing)
	require.NoError(t, advance(time.Hour)(a))
	require.Len(t, a.Outbox().Find, 1)

	reportManualRefund(engine.AttemptFailed)

	assert.Empty(t, a.Outbox().Find)
	assert.Zero(t, a.Invoices[0].Refunded)
}

// The provider reports a refund before the payment, because the reports arrive in another order.
func TestReportPayment_RefundOfUnpaidInvoiceIsWithdrawnOnceWhenTheInvoiceIsVoided(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, addCredit(100)(a))
	require.NoError(t, buy(0, cardSource)(a))
	require.NoError(t, sendAndReport(engine.PaymentReport{
		State: engine.AttemptFailed, Refunds: []engine.RefundReport{{Ref: "re_1", Amount: 1, State: engine.AttemptPaid}},
	})(a))
	require.NoError(t, advance(day)(a))
	inv := a.Invoice("in_1")
	assert.Equal(t, billing.InvoiceVoid, inv.Status)
	assert.Equal(t, []int64{99, 1}, []int64{a.Credit, inv.Refund.Withdrawn})
}
