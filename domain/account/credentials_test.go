package account_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// codeTime is in the middle of the step 100.
var codeTime = time.Unix(100*30+15, 0).UTC()

// codeAt returns the step as the code.
func codeAt(secret string, step int64) (string, error) {
	if secret == "" {
		return "", errors.New("no secret")
	}
	return fmt.Sprintf("%06d", step), nil
}

// newTwoStep returns credentials with an authenticator app, which accepted the code of step 90, and two recovery codes.
func newTwoStep(t *testing.T) *account.Credentials {
	t.Helper()
	c := &account.Credentials{User: account.User{ID: "user"}}
	app := account.Authenticator{ID: "app", Kind: account.AuthenticatorApp, Secret: "secret", LastStep: 90}
	codes := []string{account.HashRecoveryCode("ABCDEFGH"), account.HashRecoveryCode("IJKLMNOP")}
	require.NoError(t, c.TurnOnTwoStep(&app, codes, codeTime))
	return c
}

func check(t *testing.T, c *account.Credentials, code string, at time.Time) account.SecondFactor {
	t.Helper()
	outcome, err := c.CheckSecondFactor(code, at, false, codeAt)
	require.NoError(t, err)
	return outcome
}

func TestCheckSecondFactor_AcceptsCodesOfTheStepsAroundNow(t *testing.T) {
	for code, want := range map[string]account.SecondFactor{
		"000098": account.WrongCode, "000099": account.AppCode, "000100": account.AppCode, "000 101": account.AppCode,
		"000102": account.WrongCode, "100": account.WrongCode, "": account.WrongCode, "000000": account.WrongCode,
	} {
		assert.Equal(t, want, check(t, newTwoStep(t), code, codeTime), code)
	}
}

func TestCheckSecondFactor_RefusesReplayedAndOlderCodes(t *testing.T) {
	c := newTwoStep(t)
	require.Equal(t, account.AppCode, check(t, c, "000100", codeTime))
	assert.Equal(t, codeTime, c.AuthenticatorApp().LastUsedAt)
	assert.Equal(t, account.UsedCode, check(t, c, "000100", codeTime))
	assert.Equal(t, account.UsedCode, check(t, c, "000099", codeTime))
	assert.Zero(t, c.User.WrongCodes)
	assert.Equal(t, account.AppCode, check(t, c, "000101", codeTime))
}

func TestCheckSecondFactor_IgnoresALastStepOfAWrongClock(t *testing.T) {
	c := newTwoStep(t)
	require.Equal(t, account.AppCode, check(t, c, "001000", time.Unix(1000*30, 0)))
	assert.Equal(t, account.AppCode, check(t, c, "000100", codeTime))
	assert.Equal(t, account.UsedCode, check(t, c, "000100", codeTime))
}

func TestCheckSecondFactor_AcceptsEachRecoveryCodeOnce(t *testing.T) {
	c := newTwoStep(t)
	require.Equal(t, account.RecoveryCode, check(t, c, " abcd-efgh ", codeTime))
	assert.Equal(t, account.WrongCode, check(t, c, "ABCDEFGH", codeTime))
	assert.Equal(t, account.RecoveryCode, check(t, c, "IJKL MNOP", codeTime))
	assert.Empty(t, c.RecoveryCodes)
	assert.Equal(t, account.WrongCode, check(t, c, "", codeTime))
}

func TestCheckSecondFactor_BlocksAfterFiftyWrongCodesPerKindOfBrowser(t *testing.T) {
	c := newTwoStep(t)
	for i := range account.MaxWrongCodes {
		require.Equal(t, account.WrongCode, check(t, c, "wrong", codeTime))
		assert.Equal(t, i == 0 || i == account.MaxWrongCodes-1, c.User.MustReportWrongCode(false), i)
	}
	assert.Equal(t, account.TooManyErrors, check(t, c, "000100", codeTime))
	outcome, err := c.CheckSecondFactor("wrong", codeTime, true, codeAt)
	require.NoError(t, err)
	assert.Equal(t, account.WrongCode, outcome)
	assert.False(t, c.User.MustReportWrongCode(true))
	outcome, err = c.CheckSecondFactor("000100", codeTime, true, codeAt)
	require.NoError(t, err)
	assert.Equal(t, account.AppCode, outcome, "known browsers have a counter of their own")
	assert.Zero(t, c.User.WrongCodesOfKnownBrowsers)

	c.User.ResetPassword("new", codeTime)
	assert.Equal(t, account.AppCode, check(t, c, "000101", codeTime))
}

func TestCheckSecondFactor_CountsConsecutiveWrongCodes(t *testing.T) {
	c := newTwoStep(t)
	check(t, c, "wrong", codeTime)
	check(t, c, "000100", codeTime)
	assert.Zero(t, c.User.WrongCodes)
}

func TestCheckSecondFactor_ReturnsTheErrorOfAnUnreadableSecret(t *testing.T) {
	c := newTwoStep(t)
	c.AuthenticatorApp().Secret = ""
	_, err := c.CheckSecondFactor("000100", codeTime, false, codeAt)
	assert.Error(t, err)
}

func TestTwoStep_EachChangeRaisesTheRevision(t *testing.T) {
	c := newTwoStep(t)
	assert.True(t, c.User.HasTwoStep())
	assert.EqualValues(t, 1, c.User.SecurityRevision)
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.TurnOnTwoStep(&account.Authenticator{}, nil, codeTime)))

	require.NoError(t, c.RenewRecoveryCodes([]string{"new"}))
	assert.Equal(t, []string{"new"}, c.RecoveryCodes)
	assert.EqualValues(t, 2, c.User.SecurityRevision)

	require.NoError(t, c.TurnOffTwoStep())
	assert.False(t, c.User.HasTwoStep())
	assert.Nil(t, c.AuthenticatorApp())
	assert.Empty(t, c.RecoveryCodes)
	assert.EqualValues(t, 3, c.User.SecurityRevision)
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.TurnOffTwoStep()))
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.RenewRecoveryCodes(nil)))
}

func TestAddAuthenticatorApp_KeepsTheRecoveryCodesAndIsAddedOnce(t *testing.T) {
	app := account.Authenticator{ID: "app", Kind: account.AuthenticatorApp, Secret: "secret"}
	c := &account.Credentials{User: account.User{ID: "user"}}
	require.NoError(t, c.AddPasskey(account.Authenticator{ID: "passkey", Name: "Phone"}))
	before := *c
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.AddAuthenticatorApp(app)), "two-step verification is off")
	assert.Equal(t, before, *c)
	require.NoError(t, c.TurnOnTwoStep(nil, []string{account.HashRecoveryCode("ABCDEFGH")}, codeTime))
	revision := c.User.SecurityRevision

	require.NoError(t, c.AddAuthenticatorApp(app))

	assert.Equal(t, revision+1, c.User.SecurityRevision)
	assert.Equal(t, codeTime, c.User.TwoStepSince)
	assert.Equal(t, account.AppCode, check(t, c, "000100", codeTime))
	assert.Equal(t, account.RecoveryCode, check(t, c, "ABCDEFGH", codeTime))
	require.NoError(t, c.RemovePasskey("passkey"), "the app is enough")
	before = *c
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.AddAuthenticatorApp(app)), "there is an app")
	assert.Equal(t, before, *c)
}

func TestResetTwoStep_RemovesAllFactorsAndThePassword(t *testing.T) {
	c := newTwoStep(t)
	require.NoError(t, c.AddPasskey(account.Authenticator{ID: "passkey", Name: "Phone"}))
	c.User.PasswordHash = "hash"
	before := c.User.SecurityRevision

	require.NoError(t, c.ResetTwoStep())

	assert.False(t, c.User.HasTwoStep())
	assert.Empty(t, c.Authenticators)
	assert.Empty(t, c.RecoveryCodes)
	assert.Empty(t, c.User.PasswordHash)
	assert.Greater(t, c.User.SecurityRevision, before)
}

func TestResetTwoStep_ChangesNothingIfTwoStepVerificationIsOff(t *testing.T) {
	c := account.Credentials{User: account.User{PasswordHash: "hash"}}
	require.NoError(t, c.AddPasskey(account.Authenticator{ID: "passkey", Name: "Phone"}))
	before := c

	assert.Equal(t, fault.Conflict, fault.CodeOf(c.ResetTwoStep()))

	assert.Equal(t, before, c)
}

func TestSignOutEverywhere_RaisesTheRevisionAndKeepsTheFactors(t *testing.T) {
	c := newTwoStep(t)
	before := *c
	c.SignOutEverywhere()
	before.User.SecurityRevision++
	assert.Equal(t, before, *c)
}
