package sqlstorage_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

func TestBacklogTellsWhatWaitsAndSinceWhen(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		require.Equal(t, storage.Backlog{}, backlogOf(t, s))

		for i, name := range []string{"one", "two"} {
			at := noon.Add(time.Duration(i) * time.Hour)
			require.NoError(t, s.CreateSignup(t.Context(), signupAt(name, at)))
			_, err := s.BeginOperation(t.Context(), billing.Operation{
				Key: "op_" + name, OrganisationID: "org_" + name, Kind: billing.CustomerOperation, CreatedAt: at.Add(time.Minute),
			})
			require.NoError(t, err)
		}
		require.Equal(t, storage.Backlog{
			Emails: storage.Queue{Count: 2, Oldest: noon}, Operations: storage.Queue{Count: 2, Oldest: noon.Add(time.Minute)},
		}, backlogOf(t, s))

		first, err := s.ClaimEmails(t.Context(), noon.Add(time.Hour), noon.Add(2*time.Hour), 1)
		require.NoError(t, err)
		require.NoError(t, s.FinishEmail(t.Context(), first[0].ID))
		_, err = s.SettleOperation(t.Context(), "op_one", "", noon.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, storage.Backlog{
			Emails: storage.Queue{Count: 1, Oldest: noon.Add(time.Hour)}, Operations: storage.Queue{Count: 1, Oldest: noon.Add(61 * time.Minute)},
		}, backlogOf(t, s))
	})
}

func TestBacklogFailsWithTheDatabase(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		ended, end := context.WithCancel(t.Context())
		end()
		_, err := s.Backlog(ended)
		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	})
}

func signupAt(name string, at time.Time) storage.Signup {
	return storage.Signup{
		Organisation: account.Organisation{ID: "org_" + name, Name: name, CreatedAt: at},
		User:         account.User{ID: "user_" + name, OrganisationID: "org_" + name, Email: name + "@example.com", CreatedAt: at},
		Verification: account.Verification{TokenHash: "hash_" + name, UserID: "user_" + name, ExpiresAt: at.Add(time.Hour)},
		Email:        mail.Message{To: name + "@example.com", Subject: "Welcome", Text: "Hello", HTML: "<p>Hello</p>"},
	}
}

func backlogOf(t *testing.T, s interface {
	Backlog(context.Context) (storage.Backlog, error)
}) storage.Backlog {
	t.Helper()
	b, err := s.Backlog(t.Context())
	require.NoError(t, err)
	return b
}
