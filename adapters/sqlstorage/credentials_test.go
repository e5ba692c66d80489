package sqlstorage

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

// changePassword raises the security revision of the user.
func changePassword(ctx context.Context, s *Store, userID, keepSession string) error {
	_, err := s.UpdateCredentials(ctx, userID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
		c.User.PasswordHash = "new"
		c.User.SecurityRevision++
		return storage.CredentialsEffects{KeepSession: keepSession}, nil
	})
	return err
}

func TestUpdateCredentials_EndsTheOtherSessionsOfTheUser(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada, bob := signUp(t, s, "ada", noon), signUp(t, s, "bob", noon)
		for id, user := range map[string]account.User{"one": ada, "two": ada, "kept": ada, "bob's": bob} {
			require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(user, id)))
		}

		require.NoError(t, changePassword(t.Context(), s, ada.ID, "kept"))

		for _, id := range []string{"one", "two"} {
			requireSession(t, s, id, false)
		}
		requireSession(t, s, "kept", true)
		requireSession(t, s, "bob's", true)
		require.NoError(t, changePassword(t.Context(), s, ada.ID, ""))
		requireSession(t, s, "kept", false)
	})
}

func TestUpdateCredentials_KeepsSessionsIfTheRevisionStays(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada := signUp(t, s, "ada", noon)
		require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(ada, "one")))
		_, err := s.UpdateCredentials(t.Context(), ada.ID, noon, func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.User.WrongCodes++
			return storage.CredentialsEffects{}, nil
		})
		require.NoError(t, err)
		requireSession(t, s, "one", true)
	})
}

// TestUpdateCredentials_EndsSessionsOfConcurrentSignIns signs in as the application does. It stores the session and
// then checks the password. A sign-in that finds the old password must have lost its session.
func TestUpdateCredentials_EndsSessionsOfConcurrentSignIns(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada := signUp(t, s, "ada", noon)
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
			assert.NoError(t, changePassword(t.Context(), s, ada.ID, ""))
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
