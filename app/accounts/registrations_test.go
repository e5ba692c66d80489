package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func registeringBrowser(account.User) bool { return true }
func otherBrowser(account.User) bool       { return false }

func TestVerifyEmail_VerifiesOnlyInTheBrowserThatRegistered(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	token := f.VerificationToken(user.Email)

	_, isVerified, err := f.VerifyEmail.Do(t.Context(), token, otherBrowser)
	require.NoError(t, err)
	assert.False(t, isVerified)
	email, isVerified, err := f.VerifyEmail.Do(t.Context(), token, func(u account.User) bool { return u == user })
	require.NoError(t, err)
	assert.True(t, isVerified)
	assert.Equal(t, user.Email, email)
	email, isVerified, err = f.VerifyEmail.Do(t.Context(), token, otherBrowser)
	require.NoError(t, err)
	assert.True(t, isVerified, "the link may be opened again")
	assert.Empty(t, email)

	customer, err := f.Provider.Customer(t.Context(), f.customerID(user))
	require.NoError(t, err)
	assert.Equal(t, user.OrganisationID, customer.OrganisationID)
}

func TestVerifyEmail_SucceedsWhenTheProviderIsDown(t *testing.T) {
	f := newFixture(t)
	server := f.NewApp(f.Store, flakypayment.New(f.Provider, func(c flakypayment.Call) flakypayment.Fault {
		if c.Method == "CreateCustomer" {
			return flakypayment.TimeoutBeforeExecution.Fault()
		}
		return nil
	}))
	caller := f.SignUpOnServer(server, "ann").Identity
	user, _, err := server.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	assert.True(t, user.IsVerified())
	assert.Empty(t, f.customerID(user))
}

func TestRegistrations_UnknownAndExpiredTokensReturnTheSameError(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	token := f.VerificationToken(user.Email)
	calls := map[string]func(token string) error{
		"VerifyEmail": func(token string) error {
			_, _, err := f.VerifyEmail.Do(t.Context(), token, registeringBrowser)
			return err
		},
		"ShowRegistration": func(token string) error { _, err := f.ShowRegistration.Do(t.Context(), token); return err },
		"ConfirmRegistration": func(token string) error {
			return f.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", "", knownBrowser)
		},
		"RejectRegistration": func(token string) error { return f.RejectRegistration.Do(t.Context(), token) },
	}
	for name, call := range calls {
		unknownErr := call("unknown")
		assertCode(t, fault.NotFound, unknownErr)
		assert.Equal(t, unknownErr, call(""), name)
	}
	f.Advance(account.VerificationLifetime)
	for name, call := range calls {
		assert.Equal(t, call("unknown"), call(token), name)
	}
	require.NoError(t, f.Sweep.Do(t.Context()))
	for name, call := range calls {
		assert.Equal(t, call("unknown"), call(token), name)
	}
}

func TestConfirmRegistration_SignsInOnlyWithTheCorrectPassword(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	token := f.VerificationToken(user.Email)
	registration, err := f.ShowRegistration.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, user, registration.User)
	assert.Equal(t, user.OrganisationID, registration.Organisation.ID)
	assert.Empty(t, registration.TakenFields)

	assertCode(t, fault.Credentials, f.ConfirmRegistration.Do(t.Context(), token, "wrong", "", knownBrowser))
	_, isSignedIn := f.Session.Current(t.Context())
	assert.False(t, isSignedIn)
	require.NoError(t, f.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", "", knownBrowser))

	f.assertSignedIn(identityOf(user))
}

func TestRejectRegistration_DeletesOnlyAnUnverifiedRegistration(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	require.NoError(t, f.RejectRegistration.Do(t.Context(), f.VerificationToken(user.Email)))
	_, err := f.Store.User(t.Context(), user.ID)
	assertCode(t, fault.NotFound, err)

	verifiedUser := f.signUpUnverified()
	token := f.VerificationToken(verifiedUser.Email)
	f.Verify(f.UseCases, verifiedUser.Email)
	assertCode(t, fault.Conflict, f.RejectRegistration.Do(t.Context(), token))
}

func TestConfirmRegistration_RefusesAUserThatWasChangedInTheMeantime(t *testing.T) {
	for name, change := range map[string]func(*fixture, account.User) error{
		"password was replaced": func(f *fixture, user account.User) error {
			_, err := f.Store.UpdateUser(t.Context(), user.ID, func(u *account.User) error {
				u.PasswordHash = "another"
				u.SecurityRevision++
				return nil
			})
			return err
		},
		"registration was deleted": func(f *fixture, user account.User) error {
			_, err := f.Store.DeleteRegistration(t.Context(), user.ID)
			return err
		},
		"registration has expired": func(f *fixture, _ account.User) error { f.Advance(account.VerificationLifetime); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			user := f.signUpUnverified()
			token := f.VerificationToken(user.Email)
			server := app.New(app.Ports{
				Store: f.Store, Clock: f.Clock, Sessions: f.Session,
				Passwords: passwordsWithHook{plainPasswords{}, func() { assert.NoError(t, change(f, user)) }},
			})
			assertCode(t, fault.NotFound, server.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", "", knownBrowser))
			_, isSignedIn := f.Session.Current(t.Context())
			assert.False(t, isSignedIn)
		})
	}
}

func TestSignUp_CorrectionInTheSameBrowserReplacesTheRegistration(t *testing.T) {
	f := newFixture(t)
	mistypedReg := apptest.Registration("ann")
	mistypedReg.Email = "ann@exmaple.com"
	mistyped, err := f.App.SignUp.Do(t.Context(), mistypedReg, nil)
	require.NoError(t, err)
	oldToken := f.VerificationToken(mistyped.Email)
	isMistyped := func(u account.User) bool { return u == mistyped }

	user, err := f.App.SignUp.Do(t.Context(), apptest.Registration("ann"), isMistyped)

	require.NoError(t, err)
	_, isVerified, err := f.VerifyEmail.Do(t.Context(), oldToken, registeringBrowser)
	require.NoError(t, err)
	assert.False(t, isVerified)
	registration, err := f.ShowRegistration.Do(t.Context(), oldToken)
	require.NoError(t, err)
	assert.True(t, registration.User.IsReplaced())
	assertCode(t, fault.NotFound, f.ConfirmRegistration.Do(t.Context(), oldToken, "Tide-And-Time-7", "", knownBrowser))
	assertCode(t, fault.NotFound, f.RejectRegistration.Do(t.Context(), oldToken))
	assertCode(t, fault.Credentials, f.SignIn.Do(t.Context(), accounts.Login{Email: mistyped.Email, Password: "Tide-And-Time-7"}, knownBrowser))
	f.Verify(f.UseCases, user.Email)
	assert.Len(t, f.CustomerIDs(), 1)
}

func TestVerifyEmail_SecondOfTwoRegistrationsLosesAndCanChooseAnotherName(t *testing.T) {
	f := newFixture(t)
	winner, loser := f.signUpTwiceWithOneName()
	token := f.VerificationToken(loser.Email)
	f.Verify(f.UseCases, winner.Email)

	_, isVerified, err := f.VerifyEmail.Do(t.Context(), token, registeringBrowser)

	require.NoError(t, err)
	assert.False(t, isVerified)
	registration, err := f.ShowRegistration.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, []string{"org"}, registration.TakenFields)
	assertCode(t, fault.Duplicate, f.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", "", knownBrowser))
	assertCode(t, fault.Credentials, f.ConfirmRegistration.Do(t.Context(), token, "wrong", "Another Clinic", knownBrowser))
	assertCode(t, fault.Invalid, f.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", "\x00", knownBrowser))
	assert.Empty(t, f.customerID(loser), "a registration that lost has no customer")
	require.NoError(t, f.ConfirmRegistration.Do(t.Context(), token, "Tide-And-Time-7", " Another  Clinic ", knownBrowser))
	org, err := f.Store.Organisation(t.Context(), loser.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, "Another Clinic", org.Name)
	assert.NotEmpty(t, org.Billing.CustomerID)
}

func TestResetPassword_RefusesARegistrationWhoseNameWasVerifiedFirst(t *testing.T) {
	f := newFixture(t)
	winner, loser := f.signUpTwiceWithOneName()
	f.Verify(f.UseCases, winner.Email)
	_, err := f.ResetPassword.Do(t.Context(), f.requestResetToken(loser.Email), "Secret456", "Secret456")
	assertCode(t, fault.Conflict, err)
	assert.Empty(t, f.customerID(loser))
}
