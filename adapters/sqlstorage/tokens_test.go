package sqlstorage

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

// addPasswordReset stores a password reset of the user with the token "token".
func addPasswordReset(t *testing.T, s *Store, user account.User) {
	t.Helper()
	reset := account.PasswordReset{TokenHash: "token", UserID: user.ID, ExpiresAt: noon.Add(time.Hour)}
	require.NoError(t, s.AddPasswordReset(t.Context(), reset, mail.Message{To: user.Email}, noon))
}

func usePasswordReset(ctx context.Context, s *Store) error {
	_, err := s.UsePasswordReset(ctx, "token", mail.Message{To: "ada@example.test"}, noon, func(u *account.User) error {
		u.PasswordHash = "new"
		return nil
	})
	return err
}

func TestUsePasswordReset_DeletesAllSessionsOfTheUser(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada, bob := signUp(t, s, "ada", noon), signUp(t, s, "bob", noon)
		addPasswordReset(t, s, ada)
		for id, user := range map[string]account.User{"one": ada, "two": ada, "bob's": bob} {
			require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(user, id)))
		}

		require.NoError(t, usePasswordReset(t.Context(), s))

		for _, id := range []string{"one", "two"} {
			requireSession(t, s, id, false)
		}
		requireSession(t, s, "bob's", true)
	})
}

// TestUsePasswordReset_DeletesSessionsOfConcurrentSignIns signs in as the application does. It stores the session and
// then checks the password. A sign-in that finds the old password must have lost its session.
func TestUsePasswordReset_DeletesSessionsOfConcurrentSignIns(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada := signUp(t, s, "ada", noon)
		addPasswordReset(t, s, ada)
		var wg sync.WaitGroup
		start, foundOldPassword := make(chan struct{}), make([]bool, 16)
		for i := range foundOldPassword {
			wg.Go(func() {
				<-start
				assert.NoError(t, s.Sessions().AddSession(t.Context(), newSession(ada, strconv.Itoa(i))))
				_, err := s.UpdateUser(t.Context(), ada.ID, func(u *account.User) error {
					foundOldPassword[i] = u.PasswordHash == "old"
					return nil
				})
				assert.NoError(t, err)
			})
		}
		wg.Go(func() {
			<-start
			assert.NoError(t, usePasswordReset(t.Context(), s))
		})
		close(start)
		wg.Wait()

		for i, found := range foundOldPassword {
			if found {
				requireSession(t, s, strconv.Itoa(i), false)
			}
		}
	})
}
