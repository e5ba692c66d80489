package sqlstorage

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/identity/identitytest"
	"github.com/vc-admin/diy/ports/storage"
)

func TestSessions_Conformance(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		identitytest.RunSessionStore(t, func(t *testing.T) identitytest.SessionStore {
			s := openAndMigrate(t, db.newMigratedURL(t))
			return identitytest.SessionStore{
				SessionStore: s.Sessions(),
				Owner: func(t *testing.T, name string) identity.Identity {
					user := signUp(t, s, name, noon)
					return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}
				},
				Join: func(t *testing.T, user, owner identity.Identity) { addMember(t, s, user, owner) },
			}
		})
	})
}

// addMember makes the user a billing member of the owner's organisation.
func addMember(t *testing.T, s *Store, user, owner identity.Identity) {
	t.Helper()
	joining, err := s.User(t.Context(), user.UserID)
	require.NoError(t, err)
	_, err = s.UpdateTeam(t.Context(), owner.OrganisationID, noon, func(team *account.Team) (storage.TeamEffects, error) {
		invitation := account.Invitation{ID: "invitation", Email: joining.Email, Role: account.BillingMember, TokenHash: "token"}
		if err := team.Invite(owner.UserID, invitation, noon); err != nil {
			return storage.TeamEffects{}, err
		}
		return storage.TeamEffects{}, team.Accept("token", joining, noon)
	})
	require.NoError(t, err)
}

// newSession returns a session of the user that is valid for an hour. The id is also the hash of its token.
func newSession(user account.User, id string) identity.SessionRecord {
	now := time.Now()
	return identity.SessionRecord{
		TokenHash: id, Identity: identity.Identity{
			UserID: user.ID, OrganisationID: user.OrganisationID, SessionID: id, AuthenticatedAt: now,
		},
		CreatedAt: now, LastUsedAt: now, ExpiresAt: now.Add(time.Hour),
	}
}

// requireSession requires that a session exists, or that it does not.
func requireSession(t *testing.T, s *Store, id string, want bool) {
	t.Helper()
	_, err := s.Sessions().Session(t.Context(), id)
	if want {
		require.NoError(t, err)
		return
	}
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}

func TestSessions_AreSharedByServers(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		url := db.newMigratedURL(t)
		first, second := openAndMigrate(t, url), openAndMigrate(t, url)
		ada := signUp(t, first, "ada", noon)
		require.NoError(t, first.Sessions().AddSession(t.Context(), newSession(ada, "laptop")))
		requireSession(t, second, "laptop", true)
		require.NoError(t, second.Sessions().DeleteSession(t.Context(), "laptop"))
		requireSession(t, first, "laptop", false)
	})
}

func TestSessions_UnknownUserIsNotFound(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		err := s.Sessions().AddSession(t.Context(), newSession(account.User{ID: "unknown"}, "laptop"))
		require.True(t, fault.Is(err, fault.NotFound), "%v", err)
	})
}

func TestSessions_SweepDeletesExpiredSessions(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		ada := signUp(t, s, "ada", noon)
		for id, lifetime := range map[string]time.Duration{"expired": -2 * time.Second, "long expired": -48 * time.Hour, "valid": time.Minute} {
			session := newSession(ada, id)
			session.ExpiresAt = time.Now().Add(lifetime)
			require.NoError(t, s.Sessions().AddSession(t.Context(), session))
		}
		require.NoError(t, s.Sessions().Sweep(t.Context()))
		require.Equal(t, []string{"valid"}, selectStrings(t, s, "SELECT id FROM sessions"))
	})
}

func TestSecret_IsSharedByServers(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		url := db.newMigratedURL(t)
		secrets := make([][]byte, 4)
		var wg sync.WaitGroup
		for i := range secrets {
			store := openAndMigrate(t, url)
			wg.Go(func() {
				secret, err := store.Secret(t.Context(), "xsrf")
				assert.NoError(t, err)
				secrets[i] = secret
			})
		}
		wg.Wait()

		assert.Len(t, secrets[0], 32)
		for _, secret := range secrets {
			assert.Equal(t, secrets[0], secret)
		}
		otherSecret, err := openAndMigrate(t, url).Secret(t.Context(), "other")
		require.NoError(t, err)
		assert.NotEqual(t, secrets[0], otherSecret)
	})
}

func TestSessions_EntryAboutAnEndedSessionNamesWhoEndedIt(t *testing.T) {
	s := openAndMigrate(t, sqliteTemplate.URL(t))
	user := signUp(t, s, "ann", noon)
	for id, ctx := range map[string]context.Context{
		"by-operator": audit.WithActor(t.Context(), audit.Operator("olga")), "by-user": t.Context(),
	} {
		require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(user, id)))
		require.NoError(t, s.Sessions().DeleteSessionOfUser(ctx, user.ID, id))
	}
	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{Class: audit.Access, Limit: 10})
	require.NoError(t, err)
	actors := map[string]audit.Actor{}
	for _, e := range entries {
		if e.Kind == audit.SessionEnded {
			actors[e.Subject] = e.Actor
		}
	}
	assert.Equal(t, map[string]audit.Actor{"by-operator": audit.Operator("olga"), "by-user": audit.User(user.ID)}, actors)
}
