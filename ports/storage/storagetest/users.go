package storagetest

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var userScenarios = []scenario{
	{"unknown user is NotFound", testUnknownUser},
	{"UserByEmail ignores case and spaces", testUserByEmail},
	{"UserWithOrganisation returns the user and the organisation with all subscriptions", testUserWithOrganisation},
	{"UpdateUser stores the mutable fields", testUpdateUser},
	{"UpdateUser changes nothing when change fails or panics", testUpdateUserRollsBack},
	{"concurrent user updates are all stored", testConcurrentUserUpdates},
	{"RecordSignIn stores the user with the email", testRecordSignIn},
	{"RecordSignIn stores nothing when change fails", testRecordSignInRollsBack},
	{"AddVerification stores token and email", testAddVerification},
	{"AddVerification stores nothing when it fails", testAddVerificationFails},
	{"SweepVerifications deletes expired tokens", testSweepVerifications},
	{"AddPasswordReset stores token and email", testAddPasswordReset},
	{"UsePasswordReset changes the user and deletes all tokens", testUsePasswordReset},
	{"UsePasswordReset changes nothing when change fails", testUsePasswordResetRollsBack},
	{"one of concurrent UsePasswordReset calls succeeds", testConcurrentPasswordResets},
	{"SweepPasswordResets deletes expired tokens", testSweepPasswordResets},
}

func testUnknownUser(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp(t, s, "ada")
	_, err := s.User(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
	_, err = s.UserByEmail(t.Context(), "unknown@example.test")
	requireFault(t, fault.NotFound, err)
	_, _, err = s.UserWithOrganisation(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
	_, err = s.UpdateUser(t.Context(), "unknown", func(*account.User) error {
		t.Error("change was called")
		return nil
	})
	requireFault(t, fault.NotFound, err)
}

func testUserByEmail(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp(t, s, "other")
	want := signUp(t, s, "ada").User
	for _, email := range []string{"ada@example.test", "ADA@Example.Test", " \tada@example.test\n"} {
		got, err := s.UserByEmail(t.Context(), email)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func testUserWithOrganisation(t *testing.T, h Harness) {
	s := h.Open(t)
	signUp(t, s, "other")
	signup := signUp(t, s, "ada")
	org := fullOrganisation(signup.Organisation)
	for _, subscriptions := range [][]billing.Subscription{
		nil,
		{subscription("only", billing.Active, noon)},
		{subscription("new", billing.Active, noon.Add(time.Hour)), subscription("a", billing.Canceled, noon),
			subscription("z", billing.Canceled, noon)},
	} {
		org.Billing.Subscriptions = subscriptions
		updateOrganisation(t, s, org.ID, func(o *account.Organisation) { *o = org })

		gotUser, gotOrg, err := s.UserWithOrganisation(t.Context(), signup.User.ID)

		require.NoError(t, err)
		require.Equal(t, signup.User, gotUser)
		require.Equal(t, org, gotOrg)
	}

	require.NoError(t, s.MarkUnreachable(t.Context(), "other@example.test", noon))
	requireEmailUnreachable(t, s, signup.User.ID, false)
	require.NoError(t, s.MarkUnreachable(t.Context(), account.EmailKey(signup.User.Email), noon))
	requireEmailUnreachable(t, s, signup.User.ID, true)
}

func requireEmailUnreachable(t *testing.T, s storage.Store, userID string, want bool) {
	t.Helper()
	got, _, err := s.UserWithOrganisation(t.Context(), userID)
	require.NoError(t, err)
	require.Equal(t, want, got.EmailUnreachable)
}

func testUpdateUser(t *testing.T, h Harness) {
	s := h.Open(t)
	other, want := signUp(t, s, "other").User, signUp(t, s, "ada").User
	want.FirstName, want.LastName, want.PasswordHash, want.VerifiedAt = "Zoë", "Łuk", "hash", time.Time{}
	got, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		*u = want
		u.ID, u.OrganisationID, u.Email, u.CreatedAt = "x", other.OrganisationID, "x@example.test", noon.Add(time.Hour)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
	requireUser(t, s, want)
	requireUser(t, s, other)
}

func testUpdateUserRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	want := signUp(t, s, "ada").User
	errRefused := errors.New("no")
	_, err := s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
		u.FirstName = "changed"
		return errRefused
	})
	require.Same(t, errRefused, err)
	require.Panics(t, func() {
		_, _ = s.UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.FirstName = "changed"
			panic("panic in change")
		})
	})
	requireUser(t, s, want)
}

func testConcurrentUserUpdates(t *testing.T, h Harness) {
	s := h.Open(t)
	servers := h.servers(t, s)
	want := signUp(t, s, "ada").User
	start := want.VerifiedAt
	runConcurrently(func(worker int) {
		_, err := servers[worker%len(servers)].UpdateUser(t.Context(), want.ID, func(u *account.User) error {
			u.VerifiedAt = u.VerifiedAt.Add(time.Microsecond)
			return nil
		})
		assert.NoError(t, err)
	})
	want.VerifiedAt = start.Add(workers * time.Microsecond)
	requireUser(t, s, want)
}

// testAddVerification also checks that the token of the sign-up stays valid.
func testAddVerification(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := signUp(t, s, "ada")
	second := account.Verification{TokenHash: "second", UserID: signup.User.ID, ExpiresAt: noon.Add(50 * time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), second, message("again@example.test"), noon.Add(time.Hour)))

	for _, want := range []account.Verification{signup.Verification, second} {
		got, err := s.Verification(t.Context(), want.TokenHash)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, []string{signup.User.Email}, recipients(claimEmails(t, s, noon.Add(59*time.Minute), 10)))
	emails := claimEmails(t, s, noon.Add(time.Hour), 10)
	require.Equal(t, []string{"again@example.test"}, recipients(emails))
	require.Equal(t, message("again@example.test"), emails[0].Message)
	_, err := s.Verification(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func testAddVerificationFails(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := signUp(t, s, "ada")
	orphan := account.Verification{TokenHash: "more", UserID: "unknown", ExpiresAt: noon}
	requireFault(t, fault.NotFound, s.AddVerification(t.Context(), orphan, message("x@example.test"), noon))
	requireFault(t, fault.Conflict, s.AddVerification(t.Context(), signup.Verification, message("x@example.test"), noon))
	require.Equal(t, []string{signup.User.Email}, recipients(claimEmails(t, s, noon, 10)))
}

// testSweepVerifications also checks that a token that expires exactly at the given time is kept.
func testSweepVerifications(t *testing.T, h Harness) {
	s := h.Open(t)
	signup := signUp(t, s, "ada")
	end := signup.Verification.ExpiresAt
	older := account.Verification{TokenHash: "older", UserID: signup.User.ID, ExpiresAt: end.Add(-time.Microsecond)}
	require.NoError(t, s.AddVerification(t.Context(), older, signup.Email, noon))

	require.NoError(t, s.SweepVerifications(t.Context(), end))
	_, err := s.Verification(t.Context(), older.TokenHash)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), signup.Verification.TokenHash)
	require.NoError(t, err)

	require.NoError(t, s.SweepVerifications(t.Context(), end.Add(time.Microsecond)))
	_, err = s.Verification(t.Context(), signup.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireUser(t, s, signup.User)
}

func passwordReset(token, userID string) account.PasswordReset {
	return account.PasswordReset{TokenHash: token, UserID: userID, ExpiresAt: noon.Add(time.Hour)}
}

// newStoreWithResets returns a store with password resets of a user, and the user.
func newStoreWithResets(t *testing.T, h Harness, tokens ...string) (storage.Store, account.User) {
	t.Helper()
	s, userID := newStoreWithUser(t, h)
	for _, token := range tokens {
		require.NoError(t, s.AddPasswordReset(t.Context(), passwordReset(token, userID), message("reset@example.test"), noon))
	}
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	return s, user
}

func testRecordSignIn(t *testing.T, h Harness) {
	s := h.Open(t)
	want := signUp(t, s, "ada").User
	claimEmails(t, s, noon, 10)
	firstSignInAt := noon.Add(2 * time.Hour)
	for _, email := range []*mail.Message{nil, new(message("notice@example.test"))} {
		require.NoError(t, s.RecordSignIn(t.Context(), want.ID, noon, func(u *account.User) (*mail.Message, error) {
			u.FirstSignInAt = firstSignInAt
			return email, nil
		}))
	}
	want.FirstSignInAt = firstSignInAt
	requireUser(t, s, want)
	require.Equal(t, []string{"notice@example.test"}, recipients(claimEmails(t, s, noon, 10)))
	err := s.RecordSignIn(t.Context(), "unknown", noon, func(*account.User) (*mail.Message, error) {
		t.Error("change was called")
		return nil, nil //nolint:nilnil // not reached
	})
	requireFault(t, fault.NotFound, err)
}

func testRecordSignInRollsBack(t *testing.T, h Harness) {
	s := h.Open(t)
	want := signUp(t, s, "ada").User
	claimEmails(t, s, noon, 10)
	errRefused := errors.New("refused")
	err := s.RecordSignIn(t.Context(), want.ID, noon, func(u *account.User) (*mail.Message, error) {
		u.FirstSignInAt = time.Time{}
		return new(message("notice@example.test")), errRefused
	})
	require.ErrorIs(t, err, errRefused)
	requireUser(t, s, want)
	require.Empty(t, claimEmails(t, s, noon, 10))
}

func setPassword(hash string) func(*account.User) error {
	return func(u *account.User) error {
		u.PasswordHash = hash
		return nil
	}
}

func testAddPasswordReset(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "token")

	got, err := s.PasswordReset(t.Context(), "token")

	require.NoError(t, err)
	require.Equal(t, passwordReset("token", user.ID), got)
	require.Equal(t, []string{"reset@example.test"}, recipients(claimEmails(t, s, noon, 10)))
	requireFault(t, fault.Conflict,
		s.AddPasswordReset(t.Context(), passwordReset("token", user.ID), message("x@example.test"), noon))
	requireFault(t, fault.NotFound,
		s.AddPasswordReset(t.Context(), passwordReset("more", "unknown"), message("x@example.test"), noon))
	require.Empty(t, claimEmails(t, s, noon, 10))
	_, err = s.PasswordReset(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func testUsePasswordReset(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one", "other")
	claimEmails(t, s, noon, 10)

	got, err := s.UsePasswordReset(t.Context(), "one", message("notice@example.test"), noon, setPassword("new"))

	require.NoError(t, err)
	user.PasswordHash = "new"
	require.Equal(t, user, got)
	requireUser(t, s, user)
	require.Equal(t, []string{"notice@example.test"}, recipients(claimEmails(t, s, noon, 10)))
	for _, token := range []string{"one", "other", "unknown"} {
		_, err := s.UsePasswordReset(t.Context(), token, message("x@example.test"), noon, setPassword("newer"))
		requireFault(t, fault.NotFound, err)
		_, err = s.PasswordReset(t.Context(), token)
		requireFault(t, fault.NotFound, err)
	}
	requireUser(t, s, user)
	require.Empty(t, claimEmails(t, s, noon, 10))
}

func testUsePasswordResetRollsBack(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "token")
	claimEmails(t, s, noon, 10)
	errRefused := errors.New("refused")

	_, err := s.UsePasswordReset(t.Context(), "token", message("x@example.test"), noon, func(u *account.User) error {
		u.PasswordHash = "new"
		return errRefused
	})

	require.ErrorIs(t, err, errRefused)
	requireUser(t, s, user)
	require.Empty(t, claimEmails(t, s, noon, 10))
	_, err = s.PasswordReset(t.Context(), "token")
	require.NoError(t, err)
}

// testConcurrentPasswordResets uses two tokens of the same user.
func testConcurrentPasswordResets(t *testing.T, h Harness) {
	s, user := newStoreWithResets(t, h, "one", "other")
	servers := h.servers(t, s)
	errs := make([]error, workers)
	runConcurrently(func(worker int) {
		token := []string{"one", "other"}[worker/2%2]
		_, errs[worker] = servers[worker%len(servers)].UsePasswordReset(
			t.Context(), token, message("notice@example.test"), noon, setPassword(strconv.Itoa(worker)))
	})

	winner := -1
	for worker, err := range errs {
		if err == nil {
			assert.Equal(t, -1, winner, "a second call succeeded")
			winner = worker
			continue
		}
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
	}
	user.PasswordHash = strconv.Itoa(winner)
	requireUser(t, s, user)
}

func testSweepPasswordResets(t *testing.T, h Harness) {
	s, _ := newStoreWithResets(t, h, "token")
	end := noon.Add(time.Hour)

	require.NoError(t, s.SweepPasswordResets(t.Context(), end))
	_, err := s.PasswordReset(t.Context(), "token")
	require.NoError(t, err)

	require.NoError(t, s.SweepPasswordResets(t.Context(), end.Add(time.Microsecond)))
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
}
