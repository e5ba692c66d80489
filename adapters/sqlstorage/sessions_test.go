package sqlstorage_test

import (
	"testing"
	"time"

	"github.com/alexedwards/scs/sqlite3store"
	"github.com/stretchr/testify/require"
)

// The session store's own queries run on the table that the migrations make.
func TestSessionsHaveTheirTable(t *testing.T) {
	s := migrated(t, newURL(t))
	sessions := sqlite3store.NewWithCleanupInterval(s.DB(), 0)
	require.NoError(t, sessions.Commit("token", []byte("data"), time.Now().Add(time.Hour)))
	data, found, err := sessions.Find("token")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, []byte("data"), data)

	require.NoError(t, sessions.Delete("token"))
	_, found, err = sessions.Find("token")
	require.NoError(t, err)
	require.False(t, found)
}
