package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
)

func TestReportPayment_FailureOnPageDoesNotExtendTimeToPay(t *testing.T) {
	a := newChargedAccount()
	for _, cmd := range (commands{
		buy(0, pageSource), sendAndReportState(engine.AttemptOpen), advance(22 * time.Hour), reportState(engine.AttemptFailed),
		advance(time.Hour),
	}) {
		require.NoError(t, cmd(a))
	}
	assert.Equal(t, billing.IncompleteExpired, a.Subscriptions[0].Status)
}

func TestReportPayment_ChangeAnnouncedDuringFindCausesAnotherFind(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, a.RecordAnnouncedChange("key_1"))
	require.Len(t, a.Outbox().Find, 1)
	attempt := a.Outbox().Find[0]
	require.NoError(t, a.RecordAnnouncedChange("key_1"), "the payment is returned while the response is in transit")

	require.NoError(t,
		a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid, AnnouncedChanges: attempt.AnnouncedChanges}))

	require.Len(t, a.Outbox().Find, 1)
	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{
		State: engine.AttemptReturned, AnnouncedChanges: a.Outbox().Find[0].AnnouncedChanges,
	}))
	assert.Empty(t, a.Outbox().Find)
}

func TestReportPayment_OlderStateIsCheckedAgainUnlessFinal(t *testing.T) {
	for state, isCheckedAgain := range map[engine.AttemptState]bool{
		engine.AttemptProcessing: true, engine.AttemptCanceled: false,
	} {
		a := newAccountWithUnsentPayment(t)
		require.NoError(t, sendAndReportState(engine.AttemptFailed)(a))
		require.NoError(t, a.RecordAnnouncedChange("key_1"))

		require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: state, AnnouncedChanges: 1}))

		assert.Empty(t, a.Outbox().Find, state)
		require.NoError(t, advance(time.Hour)(a))
		assert.Equal(t, isCheckedAgain, len(a.Outbox().Find) == 1, state)
	}
}

func TestReportMissing_FinishedAttemptIsCheckedTwice(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendWithoutReport(a))
	require.NoError(t, a.RecordAnnouncedChange("key_1"))
	require.NoError(t, advance(day)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	require.NoError(t, advance(time.Hour)(a))

	require.NoError(t, a.ReportMissing("key_1"))

	attempt, err := a.Attempt("key_1")
	require.NoError(t, err)
	assert.Equal(t, engine.AttemptFailed, attempt.State)
	assert.Zero(t, attempt.CheckAt)
	require.NoError(t, a.RecordAnnouncedChange("key_1"))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, a.Now.Add(time.Hour), a.NextWorkAt(), "the attempt is checked twice after an announced change")
	require.NoError(t, advance(time.Hour)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Empty(t, a.Outbox().Find)
}
