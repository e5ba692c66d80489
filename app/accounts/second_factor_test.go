package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// TestSignIn_EmailAboutAWrongCodeSaysWhetherCodesAreStillAccepted gives a user counts of earlier wrong codes, and then
// enters one in an unknown browser.
func TestSignIn_EmailAboutAWrongCodeSaysWhetherCodesAreStillAccepted(t *testing.T) {
	const countAfterReset = account.MaxWrongCodes + 1
	for name, c := range map[string]struct {
		unknown, known int
		want           string
	}{
		"after a reset because of a known browser": {0, countAfterReset, "another person knows your password. Choose a new one."},
		"until the next reset":                     {account.MaxWrongCodes - 1, 0, "No more codes are accepted until you choose a new password."},
		"after all resets":                         {2*account.MaxWrongCodes - 1, 0, "no more are accepted. Choose a new password"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			caller := f.signUp()
			_, err := f.Store.UpdateCredentials(t.Context(), caller.UserID, f.Clock.Now(),
				func(credentials *account.Credentials) (storage.CredentialsEffects, error) {
					app := account.Authenticator{
						ID: "auth_app", Kind: account.AuthenticatorApp, CreatedAt: f.Clock.Now(), Secret: "JBSWY3DPEHPK3PXP",
					}
					err := credentials.TurnOnTwoStep(&app, nil, f.Clock.Now())
					credentials.User.WrongCodes, credentials.User.WrongCodesOfKnownBrowsers = c.unknown, c.known
					return storage.CredentialsEffects{}, err
				})
			require.NoError(t, err)

			login := accounts.Login{Email: "ann@example.com", Password: "Tide-And-Time-7", Code: "wrong"}
			assertCode(t, fault.WrongCode, f.SignIn.Do(t.Context(), login, unknownBrowser))

			f.DeliverEmails(f.UseCases)
			email := f.Mailbox.Emails()[0]
			assert.Equal(t, "Your Vision password was used with a wrong code", email.Subject)
			assert.Contains(t, email.Text, c.want)
		})
	}
}
