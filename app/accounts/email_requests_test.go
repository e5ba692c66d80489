package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

func TestResendVerification_SendsANewTokenThatExpiresWithTheRegistration(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	firstToken := f.VerificationToken(user.Email)
	f.Advance(time.Hour)

	require.NoError(t, f.ResendVerification.Do(t.Context(), " ANN@example.com", nil))

	assert.NotEqual(t, firstToken, f.VerificationToken(user.Email))
	assert.Contains(t, f.Mailbox.Emails()[0].Text, "valid for 47 hours")
}

// A stranger registers the address of another person, with an advertisement as the names.
func TestEmails_ToAnUnverifiedAddressContainNoTextOfTheRegistration(t *testing.T) {
	f := newFixture(t)
	registration := apptest.Registration("ann")
	registration.FirstName, registration.LastName, registration.Org = "Advertisement One", "Advertisement Two", "Advertisement Three"
	user, err := f.App.SignUp.Do(t.Context(), registration, nil)
	require.NoError(t, err)
	require.NoError(t, f.ResendVerification.Do(t.Context(), user.Email, nil))
	require.NoError(t, f.ForgotPassword.Do(t.Context(), user.Email, nil))
	f.DeliverEmails(f.UseCases)

	require.Len(t, f.Mailbox.Emails(), 3)
	for _, email := range f.Mailbox.Emails() {
		assert.NotContains(t, email.Subject+email.Text+email.HTML, "Advertisement", email.Subject)
	}
}

func TestSendRequestedEmails_SendsNothingIfNoUserMayReceiveTheEmail(t *testing.T) {
	f := newFixture(t)
	f.signUp()
	expiredUser, err := f.App.SignUp.Do(t.Context(), apptest.Registration("ben"), nil)
	require.NoError(t, err)
	f.DeliverEmails(f.UseCases)
	f.Advance(account.VerificationLifetime)
	emailCount := len(f.Mailbox.Emails())

	for _, email := range []string{"ann@example.com", expiredUser.Email, "unknown@example.com", "no address"} {
		require.NoError(t, f.ResendVerification.Do(t.Context(), email, nil))
	}
	for _, email := range []string{expiredUser.Email, "unknown@example.com", "no address"} {
		require.NoError(t, f.ForgotPassword.Do(t.Context(), email, nil))
	}
	processedCount, err := f.SendRequestedEmails.Do(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 5, processedCount, "requests for invalid addresses are not stored")
	_, err = f.DeliverMail.Do(t.Context())
	require.NoError(t, err)
	assert.Len(t, f.Mailbox.Emails(), emailCount)
}

// failingTokenStore returns err from AddPasswordReset if it is set.
type failingTokenStore struct {
	storage.Store
	err error
}

func (s *failingTokenStore) AddPasswordReset(
	ctx context.Context, r account.PasswordReset, email mail.Message, now time.Time,
) error {
	if s.err != nil {
		return s.err
	}
	return s.Store.AddPasswordReset(ctx, r, email, now)
}

func TestSendRequestedEmails_RepeatsAFailedRequestAfter10Seconds(t *testing.T) {
	f := newFixture(t)
	f.signUp()
	store := &failingTokenStore{Store: f.Store, err: fault.New(fault.Unavailable, "The database is down.")}
	server := f.NewApp(store, f.Provider)
	require.NoError(t, f.ForgotPassword.Do(t.Context(), "ann@example.com", nil))
	emailCount := len(f.Mailbox.Emails())
	_, err := server.SendRequestedEmails.Do(t.Context())
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	store.err = nil

	f.Advance(9 * time.Second)
	count, err := server.SendRequestedEmails.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, count)
	f.Advance(time.Second)
	f.DeliverEmails(server)
	assert.Len(t, f.Mailbox.Emails(), emailCount+1)
}
