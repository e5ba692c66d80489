package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

// newAccountWithUnsentPayment returns an account with a first payment that is not sent yet.
func newAccountWithUnsentPayment(t *testing.T) *engine.Account {
	t.Helper()
	a := newChargedAccount()
	require.NoError(t, buy(0, cardSource)(a))
	return a
}

func TestClaim_ExcludesOtherServersUntilSendBy(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.Len(t, a.Outbox().Send, 1)
	assert.Equal(t, a.Now, a.NextWorkAt())
	claimedAttempt, err := a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	require.NoError(t, err)
	assert.Equal(t, []any{"card", int64(3900), "AUD", true},
		[]any{claimedAttempt.Method, claimedAttempt.Amount, claimedAttempt.Currency, claimedAttempt.CustomerPresent})

	assert.True(t, a.Outbox().IsEmpty(), "the first server may still send the payment")
	_, err = a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, a.Now.Add(15*time.Second), a.NextWorkAt())
}

func TestClaim_ExpiresOnTheClockOfClaims(t *testing.T) {
	for _, skew := range []time.Duration{-day, 0, day} {
		a := newAccountWithUnsentPayment(t)
		a.ClaimNow = a.Now.Add(skew)
		sendBy := a.ClaimNow.Add(15 * time.Second)
		_, err := a.Claim("key_1", a.ClaimNow, sendBy)
		require.NoError(t, err)
		assert.Equal(t, a.Now.Add(15*time.Second), a.NextWorkAt(), "the worker continues on the clock of the account")

		require.NoError(t, advance(3*time.Minute)(a))
		assert.Empty(t, a.Outbox().Send, "the first server may still send the payment")
		require.NoError(t, a.ReportMissing("key_1"), "a request can be in transit")
		assert.True(t, a.LatestAttempt("in_1").MissingSince.IsZero())

		a.ClaimNow = sendBy
		assert.Len(t, a.Outbox().Send, 1)
	}
}

func TestOutbox_ChecksAPaymentWhoseCheckWasComputedWithAWrongClock(t *testing.T) {
	for name, tt := range map[string]struct {
		expectedBy, checkAt time.Duration // after now; 0 for no expectation
		want                int
	}{
		"an hourly check":                          {0, time.Hour, 0},
		"a day is the latest":                      {0, engine.MaxCheckDelay, 0},
		"by a clock that was two days ahead":       {0, 2*day + time.Hour, 1},
		"by a clock that was a year ahead":         {0, 365 * day, 1},
		"at the time at which it should arrive":    {20 * day, 20 * day, 0},
		"later than it should arrive":              {20 * day, 21 * day, 1},
		"an expectation that was computed wrongly": {400 * day, 400 * day, 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccountWithUnsentPayment(t)
			attempt := &a.Attempts[0]
			attempt.State, attempt.CheckAt = engine.AttemptProcessing, a.Now.Add(tt.checkAt)
			if tt.expectedBy > 0 {
				attempt.ExpectedBy = a.Now.Add(tt.expectedBy)
			}
			assert.Len(t, a.Outbox().Find, tt.want)
			assert.False(t, a.NextWorkAt().After(a.Now.Add(engine.MaxCheckDelay)), "the account is looked at every day")
		})
	}
}

func TestClaim_EndsTooLateAfterTheClockOfClaimsWasWrong(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	_, err := a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	require.NoError(t, err)
	a.ClaimNow = a.Now.Add(365 * day) // the clock of claims was wrong at the second claim only
	require.NoError(t, advance(time.Minute)(a))
	a.Terms.ChargeTerms.KeyRetention = 400 * day
	_, err = a.Claim("key_1", a.ClaimNow, a.ClaimNow.Add(15*time.Second))
	require.NoError(t, err)

	a.ClaimNow = a.Now

	assert.Len(t, a.Outbox().Send, 1)
	_, err = a.Claim("key_1", a.ClaimNow, a.ClaimNow.Add(15*time.Second))
	require.NoError(t, err)
	assert.True(t, a.Outbox().IsEmpty())
}

func TestOutbox_FindsPaymentThatWasFirstClaimedWithAWrongClock(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	a.ClaimNow = a.Now.Add(365 * day)
	_, err := a.Claim("key_1", a.ClaimNow, a.ClaimNow.Add(15*time.Second))
	require.NoError(t, err)

	require.NoError(t, advance(time.Minute)(a))
	a.ClaimNow = a.Now

	assert.Empty(t, a.Outbox().Send, "the provider may have forgotten the key")
	require.Len(t, a.Outbox().Find, 1)
	require.NoError(t, a.ReportMissing("key_1"))
	require.NoError(t, advance(time.Hour)(a))
	a.ClaimNow = a.Now
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, engine.AttemptFailed, a.LatestAttempt("in_1").State)
}

func TestReleaseClaim_AllowsTheNextClaimOnlyWhileTheClaimIsHeld(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	sendBy := a.Now.Add(15 * time.Second)
	firstClaim, err := a.Claim("key_1", a.Now, sendBy)
	require.NoError(t, err)
	require.Empty(t, a.Outbox().Send)

	a.ReleaseClaim(firstClaim)

	assert.Equal(t, a.Now, a.NextWorkAt())
	require.Len(t, a.Outbox().Send, 1)
	secondClaim, err := a.Claim("key_1", a.Now, sendBy.Add(time.Second))
	require.NoError(t, err)
	assert.Equal(t, firstClaim.FirstClaimedAt, secondClaim.FirstClaimedAt)
	a.ReleaseClaim(firstClaim)
	assert.Empty(t, a.Outbox().Send, "the second server may still send the payment")

	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid, Ref: "ref"}))
	a.ReleaseClaim(secondClaim)
	assert.True(t, a.Outbox().IsEmpty())
}

func TestOutbox_SendsAgainWhileProviderRemembersKey(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, sendWithoutReport(a))
	require.NoError(t, advance(15*time.Second)(a))
	require.Len(t, a.Outbox().Send, 1)
	require.NoError(t, sendWithoutReport(a))

	require.NoError(t, advance(day)(a))
	assert.Empty(t, a.Outbox().Send, "the provider may have forgotten the key")
	require.Len(t, a.Outbox().Find, 1)
	_, err := a.Claim("key_1", a.Now, a.Now.Add(15*time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestOutbox_WithoutKeyRetentionSendsOnceAndFailsAfterTwoMissingReports(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	a.Terms.ChargeTerms.KeyRetention = 0
	require.NoError(t, sendWithoutReport(a))
	require.NoError(t, advance(15*time.Second)(a))
	require.Empty(t, a.Outbox().Send)
	require.Len(t, a.Outbox().Find, 1)

	require.NoError(t, a.ReportMissing("key_1"), "a request can be in transit")
	require.NoError(t, advance(time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	require.NoError(t, advance(59*time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, engine.AttemptClaimed, a.LatestAttempt("in_1").State)

	require.NoError(t, advance(time.Minute)(a))
	require.NoError(t, a.ReportMissing("key_1"))
	assert.Equal(t, "incomplete standard_monthly; credit 0; open 0 of 3900; failed", describeCharges(a))
	require.NoError(t, reportState(engine.AttemptPaid)(a))
	assert.Equal(t, "active standard_monthly; credit 0; paid 3900 of 3900; paid", describeCharges(a),
		"a late report of the payment has an effect")
}

func TestReportMissing_ReasonNamesWhatHasFailed(t *testing.T) {
	for want, begin := range map[string]func(*engine.Account) error{
		"The payment could not be made. Please try again.": buy(0, cardSource),
		"The payment method could not be saved. Please try again.": func(a *engine.Account) error {
			return a.SaveMethod(engine.SaveMethodRequest{Key: "save", Source: tokenSource})
		},
	} {
		a := newChargedAccount()
		require.NoError(t, begin(a))
		require.NoError(t, sendWithoutReport(a))
		require.NoError(t, advance(day)(a))
		key := a.Attempts[0].Key
		require.NoError(t, a.ReportMissing(key))
		require.NoError(t, advance(time.Hour)(a))
		a.ClaimNow = a.Now
		require.NoError(t, a.ReportMissing(key))
		assert.Equal(t, engine.AttemptFailed, a.Attempts[0].State)
		assert.Equal(t, want, a.Attempts[0].Reason)
	}
}

func TestOutbox_SendsPaymentAfterOpenPaymentIsCanceled(t *testing.T) {
	a := newChargedAccount()
	for _, cmd := range (commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), pay(cardSource)}) {
		require.NoError(t, cmd(a))
	}
	outbox := a.Outbox()
	assert.Empty(t, outbox.Send)
	require.Len(t, outbox.Cancel, 1)
	assert.Equal(t, "key_1", outbox.Cancel[0].Key)
	_, err := a.Claim("key_2", a.Now, a.Now.Add(time.Second))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))

	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptCanceled}))
	require.Len(t, a.Outbox().Send, 1)
	assert.Equal(t, "key_2", a.Outbox().Send[0].Key)
}

func TestOutbox_FindsPaymentThatIsNotReportedInTime(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	expectedBy := a.Now.Add(3 * day)
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptProcessing, ExpectedBy: expectedBy})(a))
	assert.True(t, a.Outbox().IsEmpty())
	assert.Equal(t, a.Now.Add(engine.MaxCheckDelay), a.NextWorkAt())

	require.NoError(t, advance(3*day)(a))
	require.Len(t, a.Outbox().Find, 1)
	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptProcessing, ExpectedBy: expectedBy}))
	assert.Equal(t, a.Now.Add(time.Hour), a.NextWorkAt())
}

func TestOutbox_CancelsAgainWhilePageStaysOpen(t *testing.T) {
	a := newChargedAccount()
	for _, cmd := range (commands{buy(0, pageSource), sendAndReportState(engine.AttemptOpen), endNow(false)}) {
		require.NoError(t, cmd(a))
	}
	require.Len(t, a.Outbox().Cancel, 1)
	require.NoError(t, reportState(engine.AttemptOpen)(a))
	assert.True(t, a.Outbox().IsEmpty())
	assert.Equal(t, a.Now.Add(time.Minute), a.NextWorkAt())

	for range 2 {
		require.NoError(t, advance(time.Hour)(a))
		require.Len(t, a.Outbox().Cancel, 1)
		require.NoError(t, a.ReportMissing("key_1"))
	}
	assert.Equal(t, "incomplete_expired standard_monthly; credit 0; void 0 of 3900; failed", describeCharges(a))
}

func TestPay_BeginsNewPageAfterDecline(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, buy(0, pageSource)(a))
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Decline: engine.HardDecline})(a))
	inv := a.Invoices[0]

	require.NoError(t, a.Pay(engine.PayRequest{Invoice: inv.ID, Amount: inv.AmountRemaining()}))

	assert.Len(t, a.Outbox().Send, 1)
}
