package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPasskeyName_ContainsOnlyWhatCanBeSeen(t *testing.T) {
	for name, want := range map[string]string{
		" My \t phone ": "My phone", "\u202egnp.exe": "gnp.exe", "a\x1bb": "ab", "a\u200bb": "ab",
		"\u200b": "", "\u00a0\u2800": "",
	} {
		var c account.Credentials
		err := c.AddPasskey(account.Authenticator{Name: name})
		if want == "" {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%q", name)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, c.Authenticators[0].Name, "%q", name)
	}
}

func TestTurnOnTwoStep_WithoutAnAppNeedsAPasskey(t *testing.T) {
	c := &account.Credentials{User: account.User{ID: "user"}}
	hash := account.HashRecoveryCode("ABCDEFGH")
	require.Equal(t, account.ErrNeedsPasskey(), c.TurnOnTwoStep(nil, []string{hash}, codeTime))
	assert.False(t, c.User.HasTwoStep())
	for _, id := range []string{"one", "two"} {
		require.NoError(t, c.AddPasskey(account.Authenticator{ID: id, Name: id, Passkey: account.Passkey{CredentialID: id}}))
	}
	require.NoError(t, c.TurnOnTwoStep(nil, []string{hash}, codeTime))

	assert.Equal(t, account.WrongCode, check(t, c, "000100", codeTime))
	require.NoError(t, c.RemovePasskey("one"))
	assert.Equal(t, fault.Conflict, fault.CodeOf(c.RemovePasskey("two")), "it is the only one")
	assert.Len(t, c.Passkeys(), 1)
	assert.Equal(t, account.RecoveryCode, check(t, c, "abcd-efgh", codeTime))

	require.NoError(t, c.TurnOffTwoStep())
	assert.Len(t, c.Passkeys(), 1)
	require.NoError(t, c.RemovePasskey("two"))
}

func TestUndo_TurnsOffTwoStepOfTheLastSevenDaysWithoutAnApp(t *testing.T) {
	day := 24 * time.Hour
	for name, test := range map[string]struct {
		passkeyAge, twoStepAge time.Duration
		want                   bool
	}{
		"both are older":                   {30 * day, 8 * day, true},
		"it was turned on later":           {30 * day, day, false},
		"no passkey is left":               {day, 8 * day, false},
		"both are new":                     {day, day, false},
		"turned on at the end of the week": {30 * day, 7 * day, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCredentials()
			require.NoError(t, c.AddPasskey(account.Authenticator{
				ID: "passkey", Name: "passkey", CreatedAt: changeTime.Add(-test.passkeyAge), Passkey: account.Passkey{CredentialID: "passkey"},
			}))
			require.NoError(t, c.TurnOnTwoStep(nil, []string{"code"}, changeTime.Add(-test.twoStepAge)))
			c.AddUndo("undo", c.User.Email, changeTime)

			require.NoError(t, c.Undo("undo", "new", changeTime))

			assert.Equal(t, test.want, c.User.HasTwoStep())
			assert.Equal(t, test.want, len(c.RecoveryCodes) > 0)
		})
	}
}
