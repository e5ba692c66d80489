package accounts_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
)

var resetLink = regexp.MustCompile(`https://diy\.test/vc-admin/auth/reset\?token=(\w+)`)

// requestResetToken requests a password reset and returns the token in its email.
func (f *fixture) requestResetToken(email string) string {
	f.t.Helper()
	require.NoError(f.t, f.ForgotPassword.Do(f.t.Context(), email, nil))
	f.DeliverEmails(f.UseCases)
	message := f.Mailbox.Emails()[0]
	require.Equal(f.t, email, message.To)
	link := resetLink.FindStringSubmatch(message.Text)
	require.NotNil(f.t, link, "the email has no link")
	return link[1]
}

func TestResetPassword_ReplacesThePasswordEndsTheSessionAndNotifies(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	token := f.requestResetToken(user.Email)
	assert.GreaterOrEqual(t, len(token), 26)
	require.NoError(t, f.Session.Start(t.Context(), identityOf(user)))

	resetUser, err := f.ResetPassword.Do(t.Context(), token, "Secret456", "Secret456")

	require.NoError(t, err)
	assert.Equal(t, user.Email, resetUser.Email)
	assert.NotEqual(t, user.PasswordHash, resetUser.PasswordHash)
	_, isSignedIn := f.Session.Current(t.Context())
	assert.False(t, isSignedIn, "the session of this browser ends")
	require.NoError(t, f.SignIn.Do(t.Context(), accounts.Login{Email: user.Email, Password: "Secret456"}, knownBrowser), "the address is verified")
	assert.NotEmpty(t, f.customerID(user))
	f.DeliverEmails(f.UseCases)
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "was changed")
	_, err = f.ResetPassword.Do(t.Context(), token, "Secret789", "Secret789")
	assertCode(t, fault.NotFound, err)
}

func TestResetPassword_RefusesPasswordWithTheOrganisationsNameAndKeepsTheLink(t *testing.T) {
	f := newFixture(t)
	token := f.requestResetToken(f.signUpUnverified().Email)

	_, err := f.ResetPassword.Do(t.Context(), token, "Practice-2026", "Practice-2026")
	assert.Equal(t, []fault.Field{{Name: "password", Message: "Too easy to guess: contains your clinic's name."}}, fault.FieldsOf(err))

	_, err = f.ResetPassword.Do(t.Context(), token, "Low-And-Tide-8", "Low-And-Tide-8")
	require.NoError(t, err)
}

func TestResetPassword_KeepsTheSessionOfAnotherUser(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	ben := f.SignUpOnServer(f.UseCases, "ben").Identity
	token := f.requestResetToken(user.Email)
	require.NoError(t, f.Session.Start(t.Context(), ben))
	_, err := f.ResetPassword.Do(t.Context(), token, "Secret456", "Secret456")
	require.NoError(t, err)
	f.assertSignedIn(ben)
}

func TestResetPassword_UnknownAndExpiredTokensReturnTheSameError(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	token := f.requestResetToken(user.Email)
	_, unknownErr := f.ResetPassword.Do(t.Context(), "unknown", "Secret456", "Secret456")
	assertCode(t, fault.NotFound, unknownErr)
	f.Advance(account.PasswordResetLifetime)
	_, err := f.ResetPassword.Do(t.Context(), token, "Secret456", "Secret456")
	assert.Equal(t, unknownErr, err)
	f.Advance(account.VerificationLifetime - account.PasswordResetLifetime - time.Minute)
	token = f.requestResetToken(user.Email)
	f.Advance(time.Minute)
	_, err = f.ResetPassword.Do(t.Context(), token, "Secret456", "Secret456")
	assert.Equal(t, unknownErr, err, "the registration has expired")
}

func TestResetPassword_InvalidPasswordReturnsAMessageForEachField(t *testing.T) {
	_, err := newFixture(t).ResetPassword.Do(t.Context(), "token", "secret", "other")
	assertCode(t, fault.Invalid, err)
	fields := fault.FieldsOf(err)
	require.Len(t, fields, 2)
	assert.Contains(t, fields[0].Message, "Password policy not followed")
	assert.Equal(t, fault.Field{Name: "password_repeat", Message: "Passwords did not match"}, fields[1])
}

func TestResetPassword_SecondOfTwoConcurrentRequestsIsRefused(t *testing.T) {
	f := newFixture(t)
	token := f.requestResetToken(f.signUpUnverified().Email)
	server := app.New(app.Ports{
		Store: f.Store, Clock: f.Clock, Sessions: f.Session, Provider: f.Provider,
		Passwords: passwordsWithHook{plainPasswords{}, func() {
			_, err := f.ResetPassword.Do(t.Context(), token, "Secret789", "Secret789")
			assert.NoError(t, err)
		}},
	})
	_, err := server.ResetPassword.Do(t.Context(), token, "Secret456", "Secret456")
	assertCode(t, fault.NotFound, err)
	assert.NoError(t, f.SignIn.Do(t.Context(), accounts.Login{Email: "ann@example.com", Password: "Secret789"}, knownBrowser))
}

func TestResetPassword_NotifiesInTheTimeZoneOfTheOrganisation(t *testing.T) {
	f := newFixture(t)
	caller := f.signUp()
	_, _, err := f.EditBillingDetails.Do(t.Context(), caller, func(d *account.BillingDetails) {
		d.Address.Country, d.Address.State = "US", "Hawaii"
	})
	require.NoError(t, err)

	_, err = f.ResetPassword.Do(t.Context(), f.requestResetToken("ann@example.com"), "Another-Pass-1", "Another-Pass-1")

	require.NoError(t, err)
	f.DeliverEmails(f.UseCases)
	assert.Contains(t, f.Mailbox.Emails()[0].Text,
		"was changed on "+timezone.Zone("Pacific/Honolulu").DateTime(f.Clock.Now())+".")
}

func TestResetPassword_MarksTheAddressAsReachable(t *testing.T) {
	f := newFixture(t)
	user := f.signUp()
	require.NoError(t, f.Store.MarkUnreachable(t.Context(), user.OrganisationID, "ann@example.com", f.Clock.Now()))

	_, err := f.ResetPassword.Do(t.Context(), f.requestResetToken("ann@example.com"), "Another-Secret-9", "Another-Secret-9")

	require.NoError(t, err)
	addresses, err := f.Store.Unreachable(t.Context(), user.OrganisationID, "ann@example.com")
	require.NoError(t, err)
	assert.Empty(t, addresses)
}
