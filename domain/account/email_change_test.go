package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var changeTime = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func newCredentials() *account.Credentials {
	return &account.Credentials{User: account.User{
		ID: "user", Email: "ann@old.example", PasswordHash: "old", VerifiedAt: changeTime.Add(-time.Hour), SecurityRevision: 5,
	}}
}

// requestEmail requests the address under its name as the token.
func requestEmail(t *testing.T, c *account.Credentials, email string, at time.Time) {
	t.Helper()
	require.NoError(t, c.RequestEmail(account.EmailChange{TokenHash: email, Email: email}, at))
}

// changeEmail changes the address and adds an undo link with the token "undo " and the address.
func changeEmail(t *testing.T, c *account.Credentials, email string, at time.Time) {
	t.Helper()
	previous := c.User.Email
	requestEmail(t, c, email, at)
	require.NoError(t, c.ConfirmEmail(email, at))
	c.AddUndo("undo "+email, previous, at)
}

func undoTokens(c *account.Credentials) (tokens []string) {
	for _, u := range c.Undos {
		tokens = append(tokens, u.TokenHash)
	}
	return tokens
}

func TestRequestEmail_RefusesInvalidAndOwnAddresses(t *testing.T) {
	for email, message := range map[string]string{
		"":                    "Invalid email address!",
		"ann":                 "Invalid email address!",
		"ann@old.example":     "This is your email already",
		" <ANN@old.example> ": "This is your email already",
		" ANN@new.example ":   "",
	} {
		c := newCredentials()
		err := c.RequestEmail(account.EmailChange{TokenHash: "token", Email: email}, changeTime)
		if message != "" {
			assert.Equal(t, []fault.Field{{Name: "email", Message: message}}, fault.FieldsOf(err), email)
			assert.Nil(t, c.EmailChange)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, &account.EmailChange{
			TokenHash: "token", UserID: "user", Email: "ann@new.example", ExpiresAt: changeTime.Add(48 * time.Hour),
		}, c.EmailChange)
		assert.Equal(t, newCredentials().User, c.User)
	}
}

func TestConfirmEmail_AcceptsTheLatestRequestInTime(t *testing.T) {
	for name, test := range map[string]struct {
		token  string
		after  time.Duration
		change func(*account.Credentials)
		want   bool
	}{
		"latest request":   {token: "b@new.example", after: 48*time.Hour - 1, want: true},
		"replaced request": {token: "a@new.example"},
		"unknown token":    {token: "unknown"},
		"no token":         {},
		"expired":          {token: "b@new.example", after: 48 * time.Hour},
		"canceled":         {token: "b@new.example", change: (*account.Credentials).CancelEmail},
		"used": {token: "b@new.example", change: func(c *account.Credentials) {
			require.NoError(t, c.ConfirmEmail("b@new.example", changeTime))
			c.User.Email = "ann@old.example"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCredentials()
			requestEmail(t, c, "a@new.example", changeTime)
			requestEmail(t, c, "b@new.example", changeTime)
			if test.change != nil {
				test.change(c)
			}
			before := c.User

			err := c.ConfirmEmail(test.token, changeTime.Add(test.after))

			if !test.want {
				assert.Equal(t, account.ErrUnknownLink(), err)
				assert.Equal(t, before, c.User)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "b@new.example", c.User.Email)
			assert.Equal(t, before.SecurityRevision+1, c.User.SecurityRevision)
			assert.Nil(t, c.EmailChange)
		})
	}
}

func TestUndo_RestoresTheEmailAndVoidsWhatCameLater(t *testing.T) {
	for token, want := range map[string]struct {
		email string
		undos []string
	}{
		"undo b@new.example": {"ann@old.example", nil},
		"undo c@new.example": {"b@new.example", []string{"undo b@new.example"}},
		"undo app":           {"c@new.example", []string{"undo b@new.example", "undo c@new.example"}},
		"undo request":       {"c@new.example", []string{"undo b@new.example", "undo c@new.example", "undo app"}},
	} {
		t.Run(token, func(t *testing.T) {
			c := newCredentials()
			changeEmail(t, c, "b@new.example", changeTime)
			changeEmail(t, c, "c@new.example", changeTime)
			c.AddUndo("undo app", c.User.Email, changeTime)
			c.AddUndo("undo request", c.User.Email, changeTime.Add(time.Minute))
			c.Undos[2].Revision, c.Undos[2].CreatedAt = c.Undos[1].Revision, changeTime.Add(time.Second)
			requestEmail(t, c, "d@new.example", changeTime.Add(time.Minute))
			revision := c.User.SecurityRevision

			require.NoError(t, c.Undo(token, "new", changeTime.Add(time.Hour)))

			assert.Equal(t, want.email, c.User.Email)
			assert.Equal(t, want.undos, undoTokens(c))
			assert.Equal(t, "new", c.User.PasswordHash)
			assert.Equal(t, revision+1, c.User.SecurityRevision)
			assert.Nil(t, c.EmailChange, "the pending change is void")
			assert.Equal(t, account.ErrUnknownLink(), c.Undo(token, "again", changeTime.Add(time.Hour)), "a link works once")
		})
	}
}

func TestUndo_EarlierLinkStaysValidAfterALaterOne(t *testing.T) {
	c := newCredentials()
	changeEmail(t, c, "b@new.example", changeTime)
	changeEmail(t, c, "c@new.example", changeTime)
	require.NoError(t, c.Undo("undo c@new.example", "first", changeTime))
	require.NoError(t, c.Undo("undo b@new.example", "second", changeTime))
	assert.Equal(t, "ann@old.example", c.User.Email)
	assert.Empty(t, c.Undos)
}

func TestUndo_OrdersLinksByRevisionIfTheClockWasSetBack(t *testing.T) {
	c := newCredentials()
	changeEmail(t, c, "b@new.example", changeTime)
	changeEmail(t, c, "c@new.example", changeTime.Add(-time.Hour))
	require.NoError(t, c.Undo("undo b@new.example", "new", changeTime))
	assert.Empty(t, c.Undos)
}

func TestUndo_IsValidForSevenDays(t *testing.T) {
	for after, want := range map[time.Duration]error{
		7*24*time.Hour - 1: nil,
		7 * 24 * time.Hour: account.ErrUnknownLink(),
	} {
		c := newCredentials()
		changeEmail(t, c, "b@new.example", changeTime)
		before := *c
		assert.Equal(t, want, c.Undo("undo b@new.example", "new", changeTime.Add(after)))
		if want != nil {
			assert.Equal(t, before, *c)
		}
	}
	assert.Equal(t, account.ErrUnknownLink(), newCredentials().Undo("", "new", changeTime))
}

func TestUndo_OfAnAddedAppKeepsTwoStepVerificationOn(t *testing.T) {
	c := newCredentials()
	monthAgo := changeTime.Add(-30 * 24 * time.Hour)
	require.NoError(t, c.AddPasskey(account.Authenticator{ID: "passkey", Name: "Phone", CreatedAt: monthAgo}))
	require.NoError(t, c.TurnOnTwoStep(nil, []string{"code"}, monthAgo))
	require.NoError(t, c.AddAuthenticatorApp(account.Authenticator{ID: "app", Kind: account.AuthenticatorApp, CreatedAt: changeTime}))
	c.AddUndo("undo", c.User.Email, changeTime)

	require.NoError(t, c.Undo("undo", "new", changeTime.Add(time.Hour)))

	assert.True(t, c.User.HasTwoStep())
	assert.Nil(t, c.AuthenticatorApp())
	assert.Len(t, c.Passkeys(), 1)
	assert.Equal(t, []string{"code"}, c.RecoveryCodes)
}

func TestUndo_DeletesFactorsOfTheLastSevenDays(t *testing.T) {
	day := 24 * time.Hour
	for name, test := range map[string]struct {
		appAge, passkeyAge, otherPasskeyAge time.Duration
		want                                []string
	}{
		"all are new":            {day, 0, 7*day - 1, nil},
		"all are older":          {7 * day, 8 * day, 30 * day, []string{"app", "passkey", "other"}},
		"app is older":           {8 * day, day, day, []string{"app"}},
		"passkey is older":       {day, 8 * day, day, []string{"passkey"}},
		"clock was set back":     {-day, -day, 8 * day, []string{"other"}},
		"one passkey is younger": {8 * day, 8 * day, day, []string{"app", "passkey"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCredentials()
			app := account.Authenticator{ID: "app", Kind: account.AuthenticatorApp, CreatedAt: changeTime.Add(-test.appAge)}
			require.NoError(t, c.TurnOnTwoStep(&app, []string{"code"}, app.CreatedAt))
			for id, age := range map[string]time.Duration{"passkey": test.passkeyAge, "other": test.otherPasskeyAge} {
				require.NoError(t, c.AddPasskey(account.Authenticator{
					ID: id, Name: id, CreatedAt: changeTime.Add(-age), Passkey: account.Passkey{CredentialID: id},
				}))
			}
			c.AddUndo("undo", c.User.Email, changeTime)

			require.NoError(t, c.Undo("undo", "new", changeTime))

			var got []string
			for _, a := range c.Authenticators {
				got = append(got, a.ID)
			}
			assert.ElementsMatch(t, test.want, got)
			hasApp := test.appAge >= 7*day
			assert.Equal(t, hasApp, c.User.HasTwoStep(), "an older app stays required")
			assert.Equal(t, hasApp, len(c.RecoveryCodes) > 0)
		})
	}
}

func TestUndo_AllowsMoreWrongCodesOnlyOnce(t *testing.T) {
	c := newCredentials()
	c.User.WrongCodes = account.MaxWrongCodes
	c.AddUndo("undo", c.User.Email, changeTime)
	require.NoError(t, c.Undo("undo", "new", changeTime))
	assert.Equal(t, account.MaxWrongCodes+1, c.User.WrongCodes)
}

func TestMaskEmail_KeepsTheFirstCharacterAndTheDomain(t *testing.T) {
	for email, want := range map[string]string{
		"ann@clinic.example": "a…@clinic.example", "étienne@clinic.example": "é…@clinic.example", "x@y": "x…@y", "ann": "…", "": "…", "@y": "…",
	} {
		assert.Equal(t, want, account.MaskEmail(email))
	}
}
