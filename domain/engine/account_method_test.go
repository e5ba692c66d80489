package engine_test

import (
	"testing"

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

func TestSetDefaultMethod_CancelsSetupPageOfTrial(t *testing.T) {
	a := newChargedAccount()
	require.NoError(t, buy(7, tokenSource)(a))
	require.NoError(t, sendAndReportState(engine.AttemptOpen)(a))
	assert.Equal(t, "key_1", a.Subscriptions[0].SetupKey)

	require.NoError(t, a.SetDefaultMethod("debit"))
	assert.Empty(t, a.Subscriptions[0].SetupKey)
	require.Len(t, a.Outbox().Cancel, 1, "the trial has a method without the page")
}

func TestOutbox_ForgetsRemovedMethodAfterItsPayment(t *testing.T) {
	a := newAccountWithUnsentPayment(t)
	require.NoError(t, a.RemoveMethod("card"))
	assert.Empty(t, a.DefaultMethod)
	_, err := a.Method("card")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	assert.Empty(t, a.Outbox().ForgetMethods)

	require.NoError(t, sendAndReportState(engine.AttemptPaid)(a))
	assert.Equal(t, []string{"card"}, a.Outbox().ForgetMethods)
	a.ReportMethodForgotten("card")
	assert.True(t, a.Outbox().IsEmpty())
	assert.Equal(t, []engine.AccountMethod{savedDebit}, a.Methods)
}
