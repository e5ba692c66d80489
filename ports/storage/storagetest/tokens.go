package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var verificationScenarios = []scenario{
	{"AddVerification stores token and email", testAddVerification},
	{"AddVerification stores nothing when it fails", testAddVerificationFails},
	{"SweepVerifications deletes expired tokens", testSweepVerifications},
}

// testAddVerification also checks that the token of the sign-up stays valid.
func testAddVerification(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	secondToken := account.Verification{TokenHash: "second", UserID: signUp.User.ID, ExpiresAt: noon.Add(50 * time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), secondToken, newMessage("again@example.test"), noon.Add(time.Hour)))

	for _, want := range []account.Verification{signUp.Verification, secondToken} {
		token, err := s.Verification(t.Context(), want.TokenHash)
		require.NoError(t, err)
		require.Equal(t, want, token)
	}
	require.Equal(t, []string{signUp.User.Email}, recipients(claimEmails(t, s, noon.Add(59*time.Minute), 10)))
	emails := claimEmails(t, s, noon.Add(time.Hour), 10)
	require.Equal(t, []string{"again@example.test"}, recipients(emails))
	want := newMessage("again@example.test")
	want.ID = emails[0].ID
	require.Equal(t, want, emails[0].Message)
	_, err := s.Verification(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func testAddVerificationFails(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	orphanToken := account.Verification{TokenHash: "more", UserID: "unknown", ExpiresAt: noon}
	requireFault(t, fault.NotFound, s.AddVerification(t.Context(), orphanToken, newMessage("x@example.test"), noon))
	requireFault(t, fault.Conflict, s.AddVerification(t.Context(), signUp.Verification, newMessage("x@example.test"), noon))
	require.Equal(t, []string{signUp.User.Email}, recipients(claimEmails(t, s, noon, 10)))
}

// testSweepVerifications also checks that a token that expires exactly at the given time is kept.
func testSweepVerifications(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp := storeSignUp(t, s, "ada")
	expiresAt := signUp.Verification.ExpiresAt
	olderToken := account.Verification{TokenHash: "older", UserID: signUp.User.ID, ExpiresAt: expiresAt.Add(-time.Microsecond)}
	require.NoError(t, s.AddVerification(t.Context(), olderToken, signUp.Email, noon))
	deleteEmails(t, s)

	require.NoError(t, s.SweepVerifications(t.Context(), expiresAt, noon.AddDate(2, 0, 0)))
	_, err := s.Verification(t.Context(), olderToken.TokenHash)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), signUp.Verification.TokenHash)
	require.NoError(t, err)

	require.NoError(t, s.SweepVerifications(t.Context(), expiresAt.Add(time.Microsecond), noon.AddDate(2, 0, 0)))
	_, err = s.Verification(t.Context(), signUp.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireUser(t, s, signUp.User)
}

var passwordResetScenarios = []scenario{
	{"AddPasswordReset stores token and email", testAddPasswordReset},
	{"SweepPasswordResets deletes expired tokens", testSweepPasswordResets},
}

func newPasswordReset(token, userID string) account.PasswordReset {
	return account.PasswordReset{TokenHash: token, UserID: userID, ExpiresAt: noon.Add(time.Hour)}
}

// newStoreWithResets returns a store that contains a user with password resets, and the user.
func newStoreWithResets(t *testing.T, h Harness, tokens ...string) (storage.Store, account.User) {
	t.Helper()
	s, userID := newStoreWithUser(t, h)
	for _, token := range tokens {
		reset := newPasswordReset(token, userID)
		require.NoError(t, s.AddPasswordReset(t.Context(), reset, newMessage("reset@example.test"), noon))
	}
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	return s, user
}

func testAddPasswordReset(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "token")

	reset, err := s.PasswordReset(t.Context(), "token")

	require.NoError(t, err)
	require.Equal(t, newPasswordReset("token", user.ID), reset)
	require.Equal(t, []string{"reset@example.test"}, recipients(claimEmails(t, s, noon, 10)))
	requireFault(t, fault.Conflict,
		s.AddPasswordReset(t.Context(), newPasswordReset("token", user.ID), newMessage("x@example.test"), noon))
	requireFault(t, fault.NotFound,
		s.AddPasswordReset(t.Context(), newPasswordReset("more", "unknown"), newMessage("x@example.test"), noon))
	require.Empty(t, claimEmails(t, s, noon, 10))
	_, err = s.PasswordReset(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func testSweepPasswordResets(t *testing.T, h Harness) {
	s, _ := newStoreWithResets(t, h, "token")
	expiresAt := noon.Add(time.Hour)

	require.NoError(t, s.SweepPasswordResets(t.Context(), expiresAt, noon.AddDate(2, 0, 0)))
	_, err := s.PasswordReset(t.Context(), "token")
	require.NoError(t, err)

	require.NoError(t, s.SweepPasswordResets(t.Context(), expiresAt.Add(time.Microsecond), noon.AddDate(2, 0, 0)))
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
}

var emailConfirmationScenarios = []scenario{
	{"AddEmailConfirmation stores token and email", testAddEmailConfirmation},
	{"AddEmailConfirmation stores nothing when it fails", testAddEmailConfirmationFails},
	{"SweepEmailConfirmations deletes expired tokens", testSweepEmailConfirmations},
	{"sweeps shorten tokens of a wrong clock", testSweepsShortenTokens},
}

func newEmailConfirmation(token string, expires time.Time) account.EmailConfirmation {
	return account.EmailConfirmation{
		TokenHash: token, OrganisationID: "organisation-ada", Email: "accounts@example.test", ExpiresAt: expires,
	}
}

func testAddEmailConfirmation(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	want := newEmailConfirmation("token", noon.Add(time.Hour))
	requireNoZeroFields(t, want)
	require.NoError(t, s.AddEmailConfirmation(t.Context(), want, newMessage("accounts@example.test"), noon.Add(time.Minute)))

	confirmation, err := s.EmailConfirmation(t.Context(), "token")
	require.NoError(t, err)
	require.Equal(t, want, confirmation)
	_, err = s.EmailConfirmation(t.Context(), "another")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, claimEmails(t, s, noon.Add(59*time.Second), 10))
	require.Equal(t, []string{"accounts@example.test"}, recipients(claimEmails(t, s, noon.Add(time.Minute), 10)))
}

func testAddEmailConfirmationFails(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	confirmation := newEmailConfirmation("token", noon.Add(time.Hour))
	orphanConfirmation := newEmailConfirmation("orphan", noon.Add(time.Hour))
	orphanConfirmation.OrganisationID = "unknown"
	require.NoError(t, s.AddEmailConfirmation(t.Context(), confirmation, newMessage("first"), noon))

	requireFault(t, fault.NotFound, s.AddEmailConfirmation(t.Context(), orphanConfirmation, newMessage("second"), noon))
	requireFault(t, fault.Conflict, s.AddEmailConfirmation(t.Context(), confirmation, newMessage("third"), noon))
	require.Equal(t, []string{"first"}, recipients(claimEmails(t, s, noon, 10)))
}

// testSweepEmailConfirmations also checks that a token that expires exactly at the given time is kept.
func testSweepEmailConfirmations(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	expiresAt := noon.Add(time.Hour)
	olderConfirmation := newEmailConfirmation("older", expiresAt.Add(-time.Microsecond))
	require.NoError(t, s.AddEmailConfirmation(t.Context(), olderConfirmation, newMessage("a"), noon))
	require.NoError(t, s.AddEmailConfirmation(t.Context(), newEmailConfirmation("newer", expiresAt), newMessage("b"), noon))

	require.NoError(t, s.SweepEmailConfirmations(t.Context(), expiresAt, noon.AddDate(2, 0, 0)))
	_, err := s.EmailConfirmation(t.Context(), "older")
	requireFault(t, fault.NotFound, err)
	_, err = s.EmailConfirmation(t.Context(), "newer")
	require.NoError(t, err)
	require.NoError(t, s.SweepEmailConfirmations(t.Context(), expiresAt.Add(time.Microsecond), noon.AddDate(2, 0, 0)))
	_, err = s.EmailConfirmation(t.Context(), "newer")
	requireFault(t, fault.NotFound, err)
}

func testSweepsShortenTokens(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "token")
	require.NoError(t, s.AddVerification(t.Context(), account.Verification{
		TokenHash: "verification", UserID: user.ID, ExpiresAt: noon.Add(time.Hour),
	}, newMessage("a"), noon))
	require.NoError(t, s.AddEmailConfirmation(t.Context(), newEmailConfirmation("token", noon.Add(time.Hour)), newMessage("b"), noon))

	for _, latest := range []time.Time{noon.Add(time.Hour), noon.Add(time.Minute)} {
		require.NoError(t, s.SweepVerifications(t.Context(), noon, latest))
		require.NoError(t, s.SweepPasswordResets(t.Context(), noon, latest))
		require.NoError(t, s.SweepEmailConfirmations(t.Context(), noon, latest))

		verification, err := s.Verification(t.Context(), "verification")
		require.NoError(t, err)
		require.Equal(t, latest, verification.ExpiresAt)
		reset, err := s.PasswordReset(t.Context(), "token")
		require.NoError(t, err)
		require.Equal(t, latest, reset.ExpiresAt)
		confirmation, err := s.EmailConfirmation(t.Context(), "token")
		require.NoError(t, err)
		require.Equal(t, latest, confirmation.ExpiresAt)
	}
}
