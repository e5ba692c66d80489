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
	"github.com/vc-admin/diy/ports/storage"
)

func passwordReset(token, userID string) account.PasswordReset {
	return account.PasswordReset{TokenHash: token, UserID: userID, ExpiresAt: noon.Add(time.Hour)}
}

// withResets is a store with a user, so many tokens of the user and nothing in the outbox.
func withResets(t *testing.T, h Harness, tokens ...string) (storage.Store, account.User) {
	t.Helper()
	s, userID := emptied(t, h)
	for _, token := range tokens {
		require.NoError(t, s.AddPasswordReset(t.Context(), passwordReset(token, userID), message("reset@example.test"), noon))
	}
	user, err := s.User(t.Context(), userID)
	require.NoError(t, err)
	return s, user
}

func setPassword(hash string) func(*account.User) error {
	return func(u *account.User) error {
		u.PasswordHash = hash
		return nil
	}
}

func passwordResetAdded(t *testing.T, h Harness) {
	s, user := withResets(t, h, "token")

	got, err := s.PasswordReset(t.Context(), "token")

	require.NoError(t, err)
	require.Equal(t, passwordReset("token", user.ID), got)
	require.Equal(t, []string{"reset@example.test"}, recipients(claim(t, s, noon, 10)))
	requireFault(t, fault.Conflict, s.AddPasswordReset(t.Context(), passwordReset("token", user.ID), message("x@example.test"), noon))
	requireFault(t, fault.NotFound, s.AddPasswordReset(t.Context(), passwordReset("more", "nobody"), message("x@example.test"), noon))
	require.Empty(t, claim(t, s, noon, 10))
	_, err = s.PasswordReset(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

func passwordResetUsed(t *testing.T, h Harness) {
	s, user := withResets(t, h, "one", "other")
	claim(t, s, noon, 10)

	changed, err := s.UsePasswordReset(t.Context(), "one", message("notice@example.test"), noon, setPassword("new"))

	require.NoError(t, err)
	user.PasswordHash = "new"
	require.Equal(t, user, changed)
	requireUser(t, s, user)
	require.Equal(t, []string{"notice@example.test"}, recipients(claim(t, s, noon, 10)))
	for _, token := range []string{"one", "other", "unknown"} {
		_, err := s.UsePasswordReset(t.Context(), token, message("x@example.test"), noon, setPassword("newer"))
		requireFault(t, fault.NotFound, err)
		_, err = s.PasswordReset(t.Context(), token)
		requireFault(t, fault.NotFound, err)
	}
	requireUser(t, s, user)
	require.Empty(t, claim(t, s, noon, 10))
}

func passwordResetRefused(t *testing.T, h Harness) {
	s, user := withResets(t, h, "token")
	claim(t, s, noon, 10)
	refused := errors.New("refused")

	_, err := s.UsePasswordReset(t.Context(), "token", message("x@example.test"), noon, func(u *account.User) error {
		u.PasswordHash = "new"
		return refused
	})

	require.ErrorIs(t, err, refused)
	requireUser(t, s, user)
	require.Empty(t, claim(t, s, noon, 10))
	_, err = s.PasswordReset(t.Context(), "token")
	require.NoError(t, err)
}

// passwordResetRace has everybody use one token, or another token of the same user.
func passwordResetRace(t *testing.T, h Harness) {
	s, user := withResets(t, h, "one", "other")
	doors := h.doors(t, s)
	errs := make([]error, workers)
	race(func(worker int) {
		token := []string{"one", "other"}[worker/2%2]
		_, errs[worker] = doors[worker%len(doors)].UsePasswordReset(
			t.Context(), token, message("notice@example.test"), noon, setPassword(strconv.Itoa(worker)))
	})

	won := -1
	for worker, err := range errs {
		if err == nil {
			assert.Equal(t, -1, won, "only one")
			won = worker
			continue
		}
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
	}
	user.PasswordHash = strconv.Itoa(won)
	requireUser(t, s, user)
}

func passwordResetsSwept(t *testing.T, h Harness) {
	s, _ := withResets(t, h, "token")
	end := noon.Add(time.Hour)

	require.NoError(t, s.SweepPasswordResets(t.Context(), end))
	_, err := s.PasswordReset(t.Context(), "token")
	require.NoError(t, err)

	require.NoError(t, s.SweepPasswordResets(t.Context(), end.Add(time.Microsecond)))
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
}

// deletedWithResets wants the tokens and emails of a password reset to go with the registration.
func deletedWithResets(t *testing.T, h Harness) {
	s := h.Open(t)
	in := registered(t, s, unverified("ada"))
	require.NoError(t, s.AddPasswordReset(t.Context(), passwordReset("token", in.User.ID), message("reset@example.test"), noon))

	_, err := s.DeleteRegistration(t.Context(), in.User.ID)

	require.NoError(t, err)
	_, err = s.PasswordReset(t.Context(), "token")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, claim(t, s, noon, 10))
}
