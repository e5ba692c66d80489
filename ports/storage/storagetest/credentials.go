package storagetest

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var credentialsScenarios = []scenario{
	{"UpdateCredentials stores the credentials and emails", testUpdateCredentials},
	{"UpdateCredentials keeps password resets and their emails unless the revision is raised", testUpdateCredentialsKeepsResets},
	{"UpdateCredentials deletes password resets if the revision is raised", testUpdateCredentialsDeletesResets},
	{"UpdateCredentials stores a new password reset and its email", testUpdateCredentialsAddsReset},
	{"UpdateCredentials changes nothing if the callback fails", testUpdateCredentialsRollsBack},
	{"UpdateCredentials stores the email change, the undo links and the email with a link", testEmailLinks},
	{"UpdateCredentials deletes the email change but no undo links if the revision is raised", testEmailLinksOfRaisedRevision},
	{"UpdateCredentials changes the email of the user and of all organisations", testUpdateCredentialsChangesEmail},
	{"UpdateCredentials returns Duplicate for the email of a verified user", testUpdateCredentialsEmailIsTaken},
	{"the email links of a user are deleted with the user", testEmailLinksOfDeletedUser},
	{"SweepEmailChanges and SweepUndos delete expired links", testSweepEmailLinks},
	{"only one of several concurrent UpdateCredentials calls gives users the same email", testConcurrentEmailChanges},
	{"an email change while the user joins changes the emails of both organisations", testEmailChangeDuringJoin},
	{"UpdateCredentials accepts a challenge and a passkey once", testUsedChallenges},
	{"SweepChallenges deletes expired challenges", testSweepChallenges},
	{"only one of several concurrent UpdateCredentials calls uses a challenge", testConcurrentChallenges},
	{"only one of several concurrent UpdateCredentials calls uses a recovery code", testConcurrentRecoveryCodes},
	{"only one of several concurrent UpdateCredentials calls uses a password reset", testConcurrentPasswordResets},
}

// changeCredentials returns change as the callback of UpdateCredentials.
func changeCredentials(
	change func(*account.Credentials), emails ...mail.Message,
) func(*account.Credentials) (storage.CredentialsEffects, error) {
	return func(c *account.Credentials) (storage.CredentialsEffects, error) {
		change(c)
		return storage.CredentialsEffects{Emails: emails}, nil
	}
}

func newAuthenticator(id string, createdAt time.Time) account.Authenticator {
	return account.Authenticator{
		ID: id, Kind: account.AuthenticatorApp, Name: "Authenticator app", CreatedAt: createdAt,
		LastUsedAt: noon.Add(time.Hour), Secret: "GEZDGNBV", LastStep: 1 << 40,
	}
}

func requireCredentials(t *testing.T, s storage.Store, want account.Credentials) {
	t.Helper()
	got, err := s.Credentials(t.Context(), want.User.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func testUpdateCredentials(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	other := storeSignUp(t, s, "other").User
	deleteEmails(t, s)
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	requireCredentials(t, s, account.Credentials{User: user})
	want := account.Credentials{
		User:           user,
		Authenticators: []account.Authenticator{newAuthenticator("b", noon), newAuthenticator("a", noon.Add(time.Second))},
		RecoveryCodes:  []string{"code 1", "code 2", "code 3"},
	}
	want.User.TwoStepSince, want.User.WrongCodes, want.User.WrongCodesOfKnownBrowsers = noon, 3, 50

	updatedUser, err := s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) {
		*c = want
	}, newMessage("one@example.test"), newMessage("two@example.test")))

	require.NoError(t, err)
	require.Equal(t, want.User, updatedUser)
	requireCredentials(t, s, want)
	require.Equal(t, []string{"one@example.test", "two@example.test"}, recipients(claimEmails(t, s, noon, 10)))

	_, err = s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) {
		c.Authenticators = c.Authenticators[:1]
		c.Authenticators[0].LastStep++
		c.RecoveryCodes = []string{"code 2", "code 4"}
	}))
	require.NoError(t, err)
	want.Authenticators, want.RecoveryCodes = []account.Authenticator{newAuthenticator("b", noon)}, []string{"code 2", "code 4"}
	want.Authenticators[0].LastStep++
	requireCredentials(t, s, want)
	requireCredentials(t, s, account.Credentials{User: other})
	_, err = s.UpdateCredentials(t.Context(), "unknown", noon, changeCredentials(func(*account.Credentials) {}))
	requireFault(t, fault.NotFound, err)
	_, err = s.Credentials(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func testUpdateCredentialsKeepsResets(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one", "other")

	_, err := s.UpdateCredentials(t.Context(), user.ID, noon, changeCredentials(func(c *account.Credentials) {
		c.User.WrongCodes = 1
		c.PasswordResets = nil
	}))

	require.NoError(t, err)
	user.WrongCodes = 1
	requireCredentials(t, s, account.Credentials{
		User: user, PasswordResets: []account.PasswordReset{newPasswordReset("one", user.ID), newPasswordReset("other", user.ID)},
	})
}

func testUpdateCredentialsDeletesResets(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one", "other")

	_, err := s.UpdateCredentials(t.Context(), user.ID, noon, changeCredentials(func(c *account.Credentials) {
		c.User.SecurityRevision++
	}))

	require.NoError(t, err)
	for _, token := range []string{"one", "other"} {
		_, err := s.PasswordReset(t.Context(), token)
		requireFault(t, fault.NotFound, err)
	}
}

func testUpdateCredentialsAddsReset(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one")
	deleteEmails(t, s)
	reset := storage.NewPasswordReset{PasswordReset: newPasswordReset("new", user.ID), Email: newMessage("reset@example.test")}

	_, err := s.UpdateCredentials(t.Context(), user.ID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		c.User.SecurityRevision++
		return storage.CredentialsEffects{Emails: []mail.Message{newMessage("notice@example.test")}, Reset: &reset}, nil
	})

	require.NoError(t, err)
	user.SecurityRevision++
	requireCredentials(t, s, account.Credentials{User: user, PasswordResets: []account.PasswordReset{reset.PasswordReset}})
	require.Equal(t, []string{"notice@example.test", "reset@example.test"}, recipients(claimEmails(t, s, noon, 10)))
}

func testUpdateCredentialsRollsBack(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "token")
	deleteEmails(t, s)
	errRefused := errors.New("refused")

	_, err := s.UpdateCredentials(t.Context(), user.ID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		c.User.SecurityRevision++
		c.RecoveryCodes = []string{"code"}
		c.Authenticators = []account.Authenticator{newAuthenticator("app", noon)}
		return storage.CredentialsEffects{Emails: []mail.Message{newMessage("x@example.test")}}, errRefused
	})

	require.ErrorIs(t, err, errRefused)
	requireCredentials(t, s, account.Credentials{
		User: user, PasswordResets: []account.PasswordReset{newPasswordReset("token", user.ID)},
	})
	require.Empty(t, claimEmails(t, s, noon, 10))
}

// raceCredentials lets all workers update the user's credentials with use, which returns NotFound if it comes too late. It
// requires that one call succeeds.
func (h Harness) raceCredentials(
	t *testing.T, s storage.Store, userID string, use func(worker int, c *account.Credentials) error,
) (winner int) {
	t.Helper()
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		_, errs[worker] = store.UpdateCredentials(t.Context(), userID, noon,
			func(c *account.Credentials) (storage.CredentialsEffects, error) {
				return storage.CredentialsEffects{}, use(worker, c)
			})
	})
	winner = -1
	for worker, err := range errs {
		if err == nil {
			assert.Equal(t, -1, winner, "a second call succeeded")
			winner = worker
			continue
		}
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
	}
	require.NotEqual(t, -1, winner)
	return winner
}

func newPasskey() account.Authenticator {
	return account.Authenticator{
		ID: "authenticator", Kind: account.PasskeyAuthenticator, Name: "Laptop", CreatedAt: noon,
		Passkey: account.Passkey{
			CredentialID: "key", PublicKey: []byte{1, 0, 255}, SignCount: 1 << 31, BackupEligible: true, Transports: []string{"usb", "nfc"},
		},
	}
}

// useChallenge stores a used challenge.
func useChallenge(t *testing.T, s storage.Store, userID, hash string, expiresAt time.Time) error {
	t.Helper()
	_, err := s.UpdateCredentials(t.Context(), userID, noon, func(*account.Credentials) (storage.CredentialsEffects, error) {
		return storage.CredentialsEffects{Challenge: &account.UsedChallenge{Hash: hash, ExpiresAt: expiresAt}}, nil
	})
	return err
}

func testUsedChallenges(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	other := storeSignUp(t, s, "other").User
	addPasskey := changeCredentials(func(c *account.Credentials) { c.Authenticators = []account.Authenticator{newPasskey()} })
	requireNoZeroFields(t, newPasskey().Passkey)
	_, err := s.UpdateCredentials(t.Context(), userID, noon, addPasskey)
	require.NoError(t, err)
	credentials, err := s.Credentials(t.Context(), userID)
	require.NoError(t, err)
	require.Equal(t, []account.Authenticator{newPasskey()}, credentials.Authenticators)

	_, err = s.UpdateCredentials(t.Context(), other.ID, noon, changeCredentials(func(c *account.Credentials) {
		c.Authenticators = []account.Authenticator{newPasskey()}
		c.Authenticators[0].ID = "another"
	}))
	requireFault(t, fault.Conflict, err)
	require.NoError(t, useChallenge(t, s, userID, "challenge", noon))
	requireFault(t, fault.Conflict, useChallenge(t, s, userID, "challenge", noon))
	requireFault(t, fault.Conflict, useChallenge(t, s, other.ID, "challenge", noon))
	require.NoError(t, useChallenge(t, s, other.ID, "another", noon))
	requireCredentials(t, s, account.Credentials{User: other})
}

func testSweepChallenges(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	require.NoError(t, useChallenge(t, s, userID, "old", noon.Add(-time.Microsecond)))
	require.NoError(t, useChallenge(t, s, userID, "new", noon))
	require.NoError(t, s.SweepChallenges(t.Context(), noon))
	require.NoError(t, useChallenge(t, s, userID, "old", noon))
	requireFault(t, fault.Conflict, useChallenge(t, s, userID, "new", noon))
}

func testConcurrentChallenges(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	other := storeSignUp(t, s, "other").User
	errs := make([]error, workers)
	h.runConcurrently(t, s, func(worker int, store storage.Store) {
		errs[worker] = useChallenge(t, store, []string{userID, other.ID}[worker/2%2], "challenge", noon)
	})
	successes := 0
	for _, err := range errs {
		if err == nil {
			successes++
			continue
		}
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
	}
	require.Equal(t, 1, successes)
}

func testConcurrentRecoveryCodes(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	_, err := s.UpdateCredentials(t.Context(), userID, noon, changeCredentials(func(c *account.Credentials) {
		c.RecoveryCodes = []string{"code"}
	}))
	require.NoError(t, err)

	h.raceCredentials(t, s, userID, func(_ int, c *account.Credentials) error {
		if len(c.RecoveryCodes) == 0 {
			return fault.New(fault.NotFound, "used")
		}
		c.RecoveryCodes = nil
		return nil
	})
}

// testConcurrentPasswordResets uses two tokens of the same user.
func testConcurrentPasswordResets(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one", "other")

	winner := h.raceCredentials(t, s, user.ID, func(worker int, c *account.Credentials) error {
		if len(c.PasswordResets) < 2 {
			return fault.New(fault.NotFound, "used")
		}
		c.User.PasswordHash = strconv.Itoa(worker)
		c.User.SecurityRevision++
		return nil
	})

	user.PasswordHash = strconv.Itoa(winner)
	user.SecurityRevision++
	requireUser(t, s, user)
}
