package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSaveMethod_ReplacesDefaultUnlessKeepDefaultIsSet(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, a.SaveMethod(engine.SaveMethodRequest{Key: "save", Source: engine.Source{Token: "token"}}))
	attempt := a.Outbox().Send[0]
	assert.Equal(t, []any{"save", "token", int64(0)}, []any{attempt.Key, attempt.Token, attempt.Amount})
	mandate := engine.AccountMethod{Ref: "mandate", Details: savedDebit.Details}
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptPaid, Method: &mandate})(a))

	assert.Equal(t, "mandate", a.DefaultMethod)
	mandate, err := a.MethodOfToken("token")
	require.NoError(t, err)
	assert.Equal(t, []engine.AccountMethod{mandate, savedCard, savedDebit}, a.Methods)
	savedAttempt, err := a.Attempt("save")
	require.NoError(t, err)
	assert.Empty(t, savedAttempt.Token, "a token can be used once")

	require.NoError(t,
		a.SaveMethod(engine.SaveMethodRequest{Key: "other", Source: engine.Source{Token: "token"}, KeepDefault: true}))
	other := engine.AccountMethod{Ref: "other"}
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptPaid, Method: &other})(a))
	assert.Equal(t, "mandate", a.DefaultMethod)

	require.NoError(t, a.SaveMethod(engine.SaveMethodRequest{Key: "saved", Source: cardSource}))
	assert.Equal(t, "card", a.DefaultMethod)
	assert.True(t, a.Outbox().IsEmpty())
}

func TestRetireSetup_SendsNothingAgain(t *testing.T) {
	claim := func(a *engine.Account) error {
		_, err := a.Claim("save", a.Now, a.Now.Add(time.Second))
		return err
	}
	for name, tt := range map[string]struct {
		before    func(*engine.Account) error
		wantState engine.AttemptState
		wantFind  []string // the attempts to look up after the claim
	}{
		"a stored attempt":  {func(*engine.Account) error { return nil }, engine.AttemptCanceled, nil},
		"a claimed attempt": {claim, engine.AttemptClaimed, []string{"save"}},
		"an open attempt":   {sendAndReportState(engine.AttemptOpen), engine.AttemptCanceling, nil},
		"a saved method":    {sendAndReportState(engine.AttemptPaid), engine.AttemptPaid, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := newChargedAccount()
			require.NoError(t, a.SaveMethod(engine.SaveMethodRequest{Key: "save", Source: tokenSource, KeepDefault: true}))
			require.NoError(t, tt.before(a))

			a.RetireSetup("save")

			attempt, err := a.Attempt("save")
			require.NoError(t, err)
			assert.Equal(t, tt.wantState, attempt.State)
			assert.Empty(t, attempt.Token, "the attempt is not sent again")
			a.Advance(a.Now.Add(time.Minute))
			assert.Empty(t, a.Outbox().Send)
			assert.Equal(t, tt.wantFind, attemptKeys(a.Outbox().Find))
		})
	}
}

func TestResumeSetup_SendsARetiredAttemptAgain(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, a.SaveMethod(engine.SaveMethodRequest{Key: "save", Source: tokenSource, KeepDefault: true}))
	stored, found := a.ResumeSetup(tokenSource.Token)
	require.True(t, found, "two attempts would send the token twice")
	assert.Equal(t, "save", stored.Key)
	_, err := a.Claim("save", a.Now, a.Now.Add(time.Second))
	require.NoError(t, err)
	a.RetireSetup("save")
	_, found = a.ResumeSetup("another token")
	assert.False(t, found)

	resumed, found := a.ResumeSetup(tokenSource.Token)

	require.True(t, found)
	assert.Equal(t, "save", resumed.Key)
	a.Advance(a.Now.Add(time.Minute))
	require.Equal(t, []string{"save"}, attemptKeys(a.Outbox().Send))
	assert.Equal(t, tokenSource.Token, a.Outbox().Send[0].Token)
}

func TestSetDefaultMethod_AuthenticatesNewMethodOfTrial(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, buy(7, tokenSource)(a))
	require.NoError(t, sendAndReportState(engine.AttemptOpen)(a))
	assert.Equal(t, "key_1", a.Subscriptions[0].SetupKey)

	require.NoError(t, a.SetDefaultMethod("debit"))

	assert.Equal(t, []string{"key_1"}, attemptKeys(a.Outbox().Cancel))
	require.Len(t, a.Outbox().Send, 1)
	setup := a.Outbox().Send[0]
	assert.Equal(t, []any{"debit", int64(0), a.Subscriptions[0].SetupKey}, []any{setup.Method, setup.Amount, setup.Key})
	require.NoError(t, a.SetDefaultMethod("debit"))
	assert.Len(t, a.Outbox().Send, 1, "the method is being authenticated already")
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	assert.Empty(t, a.Subscriptions[0].SetupKey)
}

func TestReportPayment_FailedAuthenticationKeepsSavedMethod(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, a.Subscribe(engine.SubscribeRequest{
		ID: "sub", Price: monthly, Amount: prices[monthly], TrialDays: 7, Source: cardSource, AuthenticateMethod: true,
	}))
	require.NoError(t, sendAndReport(engine.PaymentReport{State: engine.AttemptFailed, Reason: "Not authenticated."})(a))
	assert.Equal(t, "card", a.DefaultMethod)
	assert.Equal(t, "key_1", a.Subscriptions[0].SetupKey, "the customer can authenticate another method")
}

func TestPay_KeepsOpenPaymentOfTheSameMethod(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, buy(0, cardSource)(a))
	require.NoError(t, sendAndReportState(engine.AttemptOpen)(a))
	req := engine.PayRequest{Invoice: a.Invoices[0].ID, Amount: a.Invoices[0].AmountDue, Source: cardSource}

	require.NoError(t, a.Pay(req))

	assert.True(t, a.Outbox().IsEmpty())
	req.Source = engine.Source{Method: "debit"}
	require.NoError(t, a.Pay(req))
	assert.Len(t, a.Outbox().Cancel, 1)
}

func TestReportPayment_RemovesTheTokenOfAPaymentThatIsNotSentAnyMore(t *testing.T) {
	a := newChargedAccount()
	for _, cmd := range (commands{
		buy(0, tokenSource), sendAndReportState(engine.AttemptOpen), pay(engine.Source{Token: "other_token"}),
	}) {
		require.NoError(t, cmd(a))
	}
	require.Equal(t, "other_token", a.Attempts[0].Token)

	require.NoError(t, a.ReportPayment("key_1", engine.PaymentReport{State: engine.AttemptPaid}))

	assert.Equal(t, engine.AttemptCanceled, a.Attempts[0].State)
	assert.Empty(t, a.Attempts[0].Token)
	assert.True(t, a.Attempts[0].HasToken("other_token"), "a repeated request finds the attempt")
}

func attemptKeys(attempts []engine.Attempt) (keys []string) {
	for _, attempt := range attempts {
		keys = append(keys, attempt.Key)
	}
	return keys
}

func TestOutbox_ForgetsRemovedMethodAfterItsPayment(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, a.RemoveMethod("card"))
	assert.Empty(t, a.DefaultMethod)
	_, err := a.Method("card")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	assert.Empty(t, a.Outbox().RemovedMethods)

	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	assert.Equal(t, []string{"card"}, a.Outbox().RemovedMethods)
	a.ReportMethodDeleted("card")
	assert.True(t, a.Outbox().IsEmpty())
	assert.Equal(t, []engine.AccountMethod{savedDebit}, a.Methods)
}

func TestReportPayment_RepeatedReportDoesNotSaveARemovedMethodAgain(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	paidWithCard := func(a *engine.Account) error {
		return a.ReportPayment(a.Attempts[0].Key, engine.PaymentReport{State: engine.AttemptPaid, Method: &savedCard})
	}
	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	require.NoError(t, paidWithCard(a))
	require.NoError(t, a.RemoveMethod(savedCard.Ref))
	a.ReportMethodDeleted(savedCard.Ref)

	require.NoError(t, paidWithCard(a))

	assert.Equal(t, []engine.AccountMethod{savedDebit}, a.Methods)
	assert.Empty(t, a.DefaultMethod)
}

func TestSetDefaultMethod_AuthenticatesTheCardOfATrialAgain(t *testing.T) {
	useCard := func(a *engine.Account) error { return a.SetDefaultMethod(savedCard.Ref) }
	for state, want := range map[engine.AttemptState]string{
		engine.AttemptOpen: "open", engine.AttemptFailed: "failed/stored", engine.AttemptCanceled: "canceled/stored",
	} {
		chargeCases{string(state): {
			commands{buy(7, tokenSource), sendAndReportState(engine.AttemptFailed), useCard, sendAndReportState(state), useCard},
			"trialing standard_monthly; credit 0; paid 0 of 0; failed/" + want,
		}}.run(t)
	}
}
