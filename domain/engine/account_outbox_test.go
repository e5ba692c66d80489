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

// newOrder returns an account with a first payment that is not sent yet.
func newOrder(t *testing.T) *engine.Account {
	t.Helper()
	a := newChargedAccount()
	require.NoError(t, order(0, withMethod("card"))(a))
	return a
}

func TestAccountDue_ClaimIsForOneServer(t *testing.T) {
	a := newOrder(t)
	require.Len(t, a.Due().Send, 1)
	assert.Equal(t, a.Now, a.NextAt())
	claimed, err := a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	require.NoError(t, err)
	assert.Equal(t, []any{"card", int64(3900), "AUD", true}, []any{claimed.Method, claimed.Amount, claimed.Currency, claimed.CustomerPresent})

	assert.True(t, a.Due().IsEmpty(), "another server may still send it")
	_, err = a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, a.Now.Add(15*time.Second), a.NextAt())
}

func TestAccountDue_UnknownOutcomeIsSentAgainWhileTheKeyIsKnown(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, claimed(a))
	require.NoError(t, wait(15*time.Second)(a))
	require.Len(t, a.Due().Send, 1)
	require.NoError(t, claimed(a))

	require.NoError(t, wait(day)(a))
	assert.Empty(t, a.Due().Send, "the provider may have forgotten the key")
	require.Len(t, a.Due().Find, 1)
	_, err := a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestAccountDue_WithoutKeysNothingIsSentTwice(t *testing.T) {
	a := newOrder(t)
	a.Terms.Charging.KeyRetention = 0
	require.NoError(t, claimed(a))
	require.NoError(t, wait(15*time.Second)(a))
	require.Empty(t, a.Due().Send)
	require.Len(t, a.Due().Find, 1)

	require.NoError(t, a.ReportMissing("key_1"), "a request can be in transit")
	require.NoError(t, wait(time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	require.NoError(t, wait(59*time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, engine.AttemptClaimed, a.LatestAttempt("in_1").State)

	require.NoError(t, wait(time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, "incomplete standard_monthly; credit 0; open 0 of 3900; failed", describeCharges(a))
	require.NoError(t, reported(engine.AttemptPaid)(a))
	assert.Equal(t, "active standard_monthly; credit 0; paid 3900 of 3900; paid", describeCharges(a), "it was paid nevertheless")
}

func TestAccountDue_WaitsForThePaymentThatIsCanceled(t *testing.T) {
	a := newChargedAccount()
	for _, command := range (commands{order(0, page), sent(engine.AttemptOpen), payWith(withMethod("card"))}) {
		require.NoError(t, command(a))
	}
	due := a.Due()
	assert.Empty(t, due.Send)
	require.Len(t, due.Cancel, 1)
	assert.Equal(t, "key_1", due.Cancel[0].Key)
	_, err := a.Claim("key_2", a.Now, a.Now.Add(time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptCanceled}))
	require.Len(t, a.Due().Send, 1)
	assert.Equal(t, "key_2", a.Due().Send[0].Key)
}

func TestAccountDue_ChecksPaymentsThatAreNotReported(t *testing.T) {
	a := newOrder(t)
	expected := a.Now.Add(3 * day)
	require.NoError(t, sentWith(engine.Report{State: engine.AttemptProcessing, ExpectedBy: expected})(a))
	assert.True(t, a.Due().IsEmpty())
	assert.Equal(t, expected, a.NextAt())

	require.NoError(t, wait(3*day)(a))
	require.Len(t, a.Due().Find, 1)
	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptProcessing, ExpectedBy: expected}))
	assert.Equal(t, a.Now.Add(time.Hour), a.NextAt())
}

func TestAccountDue_ForgetsARemovedMethodAfterItsPayment(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, a.RemoveMethod("card"))
	assert.Empty(t, a.DefaultMethod)
	_, err := a.Method("card")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	assert.Empty(t, a.Due().ForgetMethods)

	require.NoError(t, sent(engine.AttemptPaid)(a))
	assert.Equal(t, []string{"card"}, a.Due().ForgetMethods)
	a.Forgotten("card")
	assert.True(t, a.Due().IsEmpty())
	assert.Equal(t, []engine.AccountMethod{savedDebit}, a.Methods)
}

func TestAccountDue_RefundIsSentOnce(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, sentWith(engine.Report{State: engine.AttemptPaid, Ref: "pay_1"})(a))
	require.NoError(t, requestRefund(900)(a))
	require.Len(t, a.Due().Refund, 1)
	refund, payment, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	assert.Equal(t, []any{int64(900), "pay_1"}, []any{refund.Amount, payment.Ref})
	assert.True(t, a.Due().IsEmpty())
	_, _, err = a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	require.NoError(t, a.ReportRefund(engine.ReportedRefund{Key: "refund", Ref: "re_1", State: engine.AttemptPaid}))
	assert.Equal(t, int64(900), a.Invoice("in_1").Refunded)
	assert.True(t, a.Due().IsEmpty())
	known := []engine.ReportedRefund{{Key: "refund", Ref: "re_1", Amount: 900, State: engine.AttemptPaid}}
	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptPaid, Refunds: known}))
	assert.Equal(t, int64(900), a.Invoice("in_1").Refunded, "it is the same refund")
}

func TestReportRefund_FailureAfterAChargebackBelongsToTheDispute(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, sent(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	_, _, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	require.NoError(t, reported(engine.AttemptReturned)(a))
	assert.Equal(t, int64(3000), a.Invoice("in_1").Dispute.Amount)

	require.NoError(t, refundReported(engine.AttemptFailed)(a))
	inv := a.Invoice("in_1")
	assert.Equal(t, []int64{3900, 0}, []int64{inv.Dispute.Amount, inv.Refunded})
}

func TestReport_ChargebackWithdrawsARefundThatIsNotSent(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, sent(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	require.NoError(t, reported(engine.AttemptReturned)(a))
	assert.True(t, a.Due().IsEmpty())
	assert.Equal(t, int64(3900), a.Invoice("in_1").Dispute.Amount)
}

func TestAccountDue_MissingRefundHasFailed(t *testing.T) {
	a := newOrder(t)
	a.Terms.Charging.KeyRetention = 0
	require.NoError(t, sent(engine.AttemptPaid)(a))
	require.NoError(t, requestRefund(900)(a))
	_, _, err := a.ClaimRefund("refund", a.Now, a.Now.Add(time.Minute))
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, wait(time.Hour)(a))
		if len(a.Due().Find) > 0 {
			require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptPaid}), "without the refund")
		}
	}
	assert.Equal(t, engine.AttemptFailed, a.Refunds[0].State)
	assert.Zero(t, a.Invoice("in_1").Refunded)
}

func TestSaveMethod_BecomesTheDefaultMethod(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, a.SaveMethod(engine.MethodOrder{Key: "save", Source: engine.Source{Token: "token"}}))
	attempt := a.Due().Send[0]
	assert.Equal(t, []any{"save", "token", int64(0)}, []any{attempt.Key, attempt.Token, attempt.Amount})
	mandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details}
	require.NoError(t, sentWith(engine.Report{State: engine.AttemptPaid, Method: &mandate})(a))

	assert.Equal(t, "mandate", a.DefaultMethod)
	assert.Equal(t, []engine.AccountMethod{mandate, savedCard, savedDebit}, a.Methods)
	saved, err := a.Attempt("save")
	require.NoError(t, err)
	assert.Empty(t, saved.Token, "it is not needed any more")

	require.NoError(t, a.SaveMethod(engine.MethodOrder{Key: "other", Source: engine.Source{Token: "token"}, KeepDefault: true}))
	other := engine.AccountMethod{Ref: "other"}
	require.NoError(t, sentWith(engine.Report{State: engine.AttemptPaid, Method: &other})(a))
	assert.Equal(t, "mandate", a.DefaultMethod)

	require.NoError(t, a.SaveMethod(engine.MethodOrder{Key: "saved", Source: withMethod("card")}))
	assert.Equal(t, "card", a.DefaultMethod)
	assert.True(t, a.Due().IsEmpty())
}

func TestSaveMethod_CompletesATrial(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, order(7, withToken)(a))
	require.NoError(t, sent(engine.AttemptOpen)(a))
	assert.Equal(t, "key_1", a.Subscriptions[0].Setup)

	require.NoError(t, a.SetDefaultMethod("debit"))
	assert.Empty(t, a.Subscriptions[0].Setup)
	require.Len(t, a.Due().Cancel, 1, "the page is not needed any more")
}

func TestAccountDue_CancelsAgainWhileThePageIsOpen(t *testing.T) {
	a := newChargedAccount()
	for _, command := range (commands{order(0, page), sent(engine.AttemptOpen), endNow(false)}) {
		require.NoError(t, command(a))
	}
	require.Len(t, a.Due().Cancel, 1)
	require.NoError(t, reported(engine.AttemptOpen)(a))
	assert.True(t, a.Due().IsEmpty())
	assert.Equal(t, a.Now.Add(time.Minute), a.NextAt())

	for range 2 {
		require.NoError(t, wait(time.Hour)(a))
		require.Len(t, a.Due().Cancel, 1)
		require.NoError(t, a.ReportMissing("key_1"))
	}
	assert.Equal(t, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed", describeCharges(a))
}

func TestReport_FailureOnThePageDoesNotExtendTheTimeToPay(t *testing.T) {
	a := newChargedAccount()
	for _, command := range (commands{order(0, page), sent(engine.AttemptOpen), wait(22 * time.Hour), reported(engine.AttemptFailed), wait(time.Hour)}) {
		require.NoError(t, command(a))
	}
	assert.Equal(t, billing.IncompleteExpired, a.Subscriptions[0].Status)
}

func TestAccountReport_KeepsChangesThatWereAnnouncedSinceTheRequest(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, sent(engine.AttemptPaid)(a))
	require.NoError(t, a.Check("key_1"))
	require.Len(t, a.Due().Find, 1)
	asked := a.Due().Find[0]
	require.NoError(t, a.Check("key_1"), "the payment is returned while the response is in transit")

	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptPaid, Announced: asked.Announced}))

	require.Len(t, a.Due().Find, 1)
	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptReturned, Announced: a.Due().Find[0].Announced}))
	assert.Empty(t, a.Due().Find)
}

func TestAccountReport_PostponesChecksThatReportAnOlderState(t *testing.T) {
	for state, next := range map[engine.AttemptState]time.Duration{engine.AttemptProcessing: time.Hour, engine.AttemptCanceled: 0} {
		a := newOrder(t)
		require.NoError(t, sent(engine.AttemptFailed)(a))
		require.NoError(t, a.Check("key_1"))

		require.NoError(t, a.Report("key_1", engine.Report{State: state, Announced: 1}))

		assert.Empty(t, a.Due().Find, state)
		require.NoError(t, wait(time.Hour)(a))
		assert.Equal(t, next > 0, len(a.Due().Find) == 1, state)
	}
}

func TestAccountReport_PostponesChecksOfRefundsThatAreNotReported(t *testing.T) {
	report := func(a *engine.Account) error { return a.Report("key_1", engine.Report{State: engine.AttemptPaid}) }
	for name, answer := range map[string]func(*engine.Account) error{
		"without the refund": report,
		"unknown payment":    func(a *engine.Account) error { return a.ReportMissing("key_1") },
	} {
		a := newOrder(t)
		require.NoError(t, sent(engine.AttemptPaid)(a))
		_, err := a.RequestRefund("refund_1", a.Invoices[0].ID, aud(100))
		require.NoError(t, err)
		_, _, err = a.ClaimRefund("refund_1", a.Now, a.Now.Add(15*time.Second))
		require.NoError(t, err)
		require.NoError(t, a.ReportRefund(engine.ReportedRefund{Key: "refund_1", State: engine.AttemptProcessing}))
		require.NoError(t, wait(time.Hour)(a))
		require.Len(t, a.Due().Find, 1, name)

		require.NoError(t, answer(a), name)

		assert.Empty(t, a.Due().Find, name)
		assert.Equal(t, a.Now.Add(time.Hour), a.NextAt(), name)
	}
}

func TestAccountPay_OpensAPageAfterOneWasRefused(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, order(0, page)(a))
	require.NoError(t, sentWith(engine.Report{State: engine.AttemptFailed, Decline: engine.HardDecline})(a))
	inv := a.Invoices[0]

	require.NoError(t, a.Pay(engine.InvoicePayment{Invoice: inv.ID, Amount: inv.Balance()}))

	assert.Len(t, a.Due().Send, 1)
}

func TestAccountReportMissing_EndsTheChecksOfAnAttemptThatIsOver(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, claimed(a))
	require.NoError(t, a.Check("key_1"))
	require.NoError(t, wait(day)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	require.NoError(t, wait(time.Hour)(a))

	require.NoError(t, a.ReportMissing("key_1"))

	given, err := a.Attempt("key_1")
	require.NoError(t, err)
	assert.Equal(t, engine.AttemptFailed, given.State)
	assert.Zero(t, given.CheckAt, "it was given up")
	require.NoError(t, a.Check("key_1"))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, a.Now.Add(time.Hour), a.NextAt(), "an announced change is looked up twice")
	require.NoError(t, wait(time.Hour)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Empty(t, a.Due().Find)
}

func TestAccountReport_ChecksARefundByHandUntilItsMoneyArrives(t *testing.T) {
	a := newOrder(t)
	require.NoError(t, sent(engine.AttemptPaid)(a))
	byHand := engine.ReportedRefund{Ref: "re_1", Amount: 100, State: engine.AttemptProcessing}
	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptPaid, Refunds: []engine.ReportedRefund{byHand}}))
	require.NoError(t, wait(time.Hour)(a))
	require.Len(t, a.Due().Find, 1)

	byHand.State = engine.AttemptFailed
	require.NoError(t, a.Report("key_1", engine.Report{State: engine.AttemptPaid, Refunds: []engine.ReportedRefund{byHand}}))

	assert.Empty(t, a.Due().Find)
	assert.Zero(t, a.Invoices[0].Refunded)
}
