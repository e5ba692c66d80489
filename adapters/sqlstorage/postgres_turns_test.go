package sqlstorage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// Behind a pooler the session that took the turn need not be the one that is to end it.
func TestPostgresTellsThatATurnWasLost(t *testing.T) {
	s := opened(t, postgresKind.empty(t))
	one, err := s.DB().Conn(t.Context())
	require.NoError(t, err)
	other, err := s.DB().Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, sqlstorage.TakeTurn(t.Context(), one))

	err = sqlstorage.EndTurn(t.Context(), other)

	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "migrate with PostgreSQL's own address")
	require.NoError(t, sqlstorage.EndTurn(t.Context(), one), "whoever took it ends it in peace")
	require.NoError(t, one.Close())
	require.NoError(t, other.Close())
}
