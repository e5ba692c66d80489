package sqlstorage_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

// resettable is a store with two users, one of whom has a password reset with the token "token".
func resettable(t *testing.T, k kind) (s *sqlstorage.Store, ada, bob account.User) {
	t.Helper()
	s = migrated(t, k.ready(t))
	users := make([]account.User, 2)
	for i, name := range []string{"ada", "bob"} {
		in := signupAt(name, noon)
		in.User.PasswordHash = "old"
		require.NoError(t, s.CreateSignup(t.Context(), in))
		users[i] = in.User
	}
	reset := account.PasswordReset{TokenHash: "token", UserID: users[0].ID, ExpiresAt: noon.Add(time.Hour)}
	require.NoError(t, s.AddPasswordReset(t.Context(), reset, notice, noon))
	return s, users[0], users[1]
}

var notice = mail.Message{To: "ada@example.test", Subject: "Notice", Text: "Notice", HTML: "<p>Notice</p>"}

// resetPassword uses the token.
func resetPassword(ctx context.Context, s *sqlstorage.Store) error {
	_, err := s.UsePasswordReset(ctx, "token", notice, noon, func(u *account.User) error {
		u.PasswordHash = "new"
		return nil
	})
	return err
}

func TestUsePasswordReset_EndsEverySessionOfTheUser(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s, ada, bob := resettable(t, k)
		sessions, later := s.Sessions(), time.Now().Add(time.Hour)
		for token, user := range map[string]string{"one": ada.ID, "two": ada.ID, "bobs": bob.ID} {
			require.NoError(t, sessions.CommitUserCtx(t.Context(), user, token, []byte(token), later))
		}
		_, err := s.DB().ExecContext(t.Context(), "INSERT INTO sessions (token, data, expiry) SELECT 'from an older server', data, expiry FROM sessions WHERE token = 'one'")
		require.NoError(t, err)

		require.NoError(t, resetPassword(t.Context(), s))

		for _, token := range []string{"one", "two", "from an older server"} {
			requireRecord(t, sessions, token, nil)
		}
		requireRecord(t, sessions, "bobs", []byte("bobs"))
		require.Equal(t, fault.NotFound, fault.CodeOf(resetPassword(t.Context(), s)))
	})
}

// A sign-in stores its session and then finds the password changed, or the reset finds the session.
func TestUsePasswordReset_LeavesNoSessionOfASignInAtTheSameTime(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s, ada, _ := resettable(t, k)
		sessions, later := s.Sessions(), time.Now().Add(time.Hour)
		var all sync.WaitGroup
		start, signedIn := make(chan struct{}), make([]bool, 16)
		for i := range signedIn {
			all.Go(func() {
				<-start
				assert.NoError(t, sessions.CommitUserCtx(t.Context(), ada.ID, strconv.Itoa(i), []byte("old"), later))
				_, err := s.UpdateUser(t.Context(), ada.ID, func(u *account.User) error {
					signedIn[i] = u.PasswordHash == "old"
					return nil
				})
				assert.NoError(t, err)
			})
		}
		all.Go(func() {
			<-start
			assert.NoError(t, resetPassword(t.Context(), s))
		})
		close(start)
		all.Wait()

		for i, in := range signedIn {
			if in {
				requireRecord(t, sessions, strconv.Itoa(i), nil)
			}
		}
	})
}
