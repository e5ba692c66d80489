package sqlstorage

import (
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var _ scs.CtxStore = (*Sessions)(nil)

// requireSession requires a session to have the data; nil means that there is no session.
func requireSession(t *testing.T, sessions *Sessions, token string, want []byte) {
	t.Helper()
	data, found, err := sessions.Find(token)
	require.NoError(t, err)
	require.Equal(t, want != nil, found)
	require.Equal(t, want, data)
}

func TestSessions_AreSharedByServers(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		url := db.newMigratedURL(t)
		first, second := openAndMigrate(t, url).Sessions(), openAndMigrate(t, url).Sessions()
		expiry := time.Now().Add(time.Hour)
		requireSession(t, first, "token", nil)

		require.NoError(t, first.Commit("token", []byte{0, 1, 0xff}, expiry))
		requireSession(t, second, "token", []byte{0, 1, 0xff})
		require.NoError(t, second.Commit("token", []byte("changed"), expiry))
		requireSession(t, first, "token", []byte("changed"))

		require.NoError(t, first.Delete("token"))
		require.NoError(t, first.Delete("token"), "a second deletion has no effect")
		requireSession(t, second, "token", nil)
	})
}

func TestSessions_ExpiredSessionsAreNotFound(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		sessions := s.Sessions()
		lifetimes := map[string]time.Duration{"expired": -time.Second, "long expired": -48 * time.Hour, "valid": time.Minute}
		for token, lifetime := range lifetimes {
			expiry := time.Now().Add(lifetime).In(time.FixedZone("east", 10*60*60)) // the zone must not matter
			require.NoError(t, sessions.Commit(token, []byte(token), expiry))
		}
		requireSession(t, sessions, "expired", nil)
		requireSession(t, sessions, "valid", []byte("valid"))

		require.NoError(t, sessions.Sweep(t.Context()))
		require.Equal(t, []string{"valid"}, selectStrings(t, s, "SELECT token FROM sessions"))
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
