package sqlstorage

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

func newAuditEntry(at time.Time, subject string) audit.Entry {
	return audit.Entry{At: at, OrganisationID: "org", Actor: audit.System, Kind: audit.SignedOut, Subject: subject, Note: "note"}
}

func TestAuditLog_DatabaseRefusesChangesAndEarlyDeletions(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newMigratedURL(t))
		for _, at := range []time.Time{noon, noon.Add(time.Hour), noon.Add(audit.Retention)} {
			require.NoError(t, s.AddAuditEntries(t.Context(), newAuditEntry(at, "s")))
		}
		_, err := s.SealAuditLog(t.Context(), noon)
		require.NoError(t, err)
		statements := []string{
			"UPDATE audit SET subject = 'other' WHERE id = 1",
			"UPDATE audit SET at = at",
			"DELETE FROM audit WHERE id = 2",
			"DELETE FROM audit",
			"UPDATE audit_seals SET hash = ''",
			"DELETE FROM audit_seals",
		}
		if db.name == postgresDatabase.name {
			statements = append(statements, "TRUNCATE audit CASCADE", "TRUNCATE audit_seals")
		}
		for _, statement := range statements {
			_, err := s.writePool.ExecContext(t.Context(), statement)
			assert.Error(t, err, statement)
		}
		exec(t, s, "DELETE FROM audit WHERE id = 1") // as old as the retention
		exec(t, s, "DELETE FROM audit_notes WHERE entry_id = 2")
		entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{Limit: 10})
		require.NoError(t, err)
		require.Len(t, entries, 2)
		assert.Equal(t, []string{"", "note"}, []string{entries[0].Note, entries[1].Note})
	})
}

// A transaction that began before a seal and ends after it has a lower id than entries that the seal saw.
func TestPostgres_SealsContainEntriesThatWereCommittedLate(t *testing.T) {
	s := openStore(t, postgresDatabase.newMigratedURL(t))
	late, err := s.writePool.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	lateConn := conn{db: late, dialect: s.dialect, now: s.auditNow}
	require.NoError(t, lateConn.addAuditEntries(t.Context(), newAuditEntry(noon, "late")))
	require.NoError(t, s.AddAuditEntries(t.Context(), newAuditEntry(noon, "early")))
	_, err = s.SealAuditLog(t.Context(), noon)
	require.NoError(t, err)
	immediate, err := s.SealAuditLog(t.Context(), noon.Add(time.Second)) // as another server does
	require.NoError(t, err)
	assert.Empty(t, immediate)
	require.NoError(t, late.Commit())

	_, err = s.SealAuditLog(t.Context(), noon.Add(audit.MinSealInterval))

	require.NoError(t, err)
	seals, err := s.AuditSeals(t.Context(), audit.Access, 0, 10)
	require.NoError(t, err)
	require.Len(t, seals, 2)
	assert.EqualValues(t, 2, seals[1].Count)
	entries, err := s.AuditEntries(t.Context(), storage.AuditQuery{UntilID: seals[1].LastID, Limit: 10})
	require.NoError(t, err)
	require.Len(t, entries, 2)
	assert.Equal(t, "late", entries[0].Subject)
	assert.NoError(t, seals[1].Verify(seals[0], entries, false))
}
