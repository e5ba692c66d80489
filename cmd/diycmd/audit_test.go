package diycmd

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/audit"
)

// newAuditedStore returns the settings of a database with two sealed entries.
func newAuditedStore(t *testing.T) (env map[string]string, store *sqlstorage.Store) {
	t.Helper()
	env = devSettings(t)
	store, err := sqlstorage.Open(t.Context(), env["DIY_DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	require.NoError(t, store.Migrate(t.Context()))
	require.NoError(t, store.AddAuditEntries(t.Context(),
		audit.Entry{OrganisationID: "org_1", Actor: audit.User("usr_1"), Kind: audit.SignIn, Data: audit.Data{"methods": "password"}},
		audit.Entry{OrganisationID: "org_2", Actor: audit.Operator("olga"), Kind: audit.OperatorEndedSessions, Note: "stolen, laptop"},
	))
	now := time.Now()
	for _, at := range []time.Time{now, now.Add(audit.MinSealInterval)} {
		_, err := store.SealAuditLog(t.Context(), at)
		require.NoError(t, err)
	}
	return env, store
}

func TestAudit_VerifyFailsAfterARowWasAltered(t *testing.T) {
	env, store := newAuditedStore(t)
	seals, err := store.AuditSeals(t.Context(), audit.Record, 0, 10)
	require.NoError(t, err)
	assert.Contains(t, runCommand(t, env, 0, "audit", "verify"), seals[len(seals)-1].Hash)

	writes := store.Pools()["writes"]
	for _, statement := range []string{"DROP TRIGGER audit_refuse_update", "UPDATE audit SET actor = 'otto' WHERE actor = 'olga'"} {
		_, err := writes.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}

	assert.Contains(t, runCommand(t, env, 1, "audit", "verify"), "the entries differ from those that were sealed")
}

func TestAudit_ExportPrintsTheMatchingEntriesInEachFormat(t *testing.T) {
	env, _ := newAuditedStore(t)

	rows, err := csv.NewReader(strings.NewReader(runCommand(t, env, 0, "audit", "export", "--org", "org_2", "--by", "ann"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3, "the header, the entry, and the export")
	assert.Equal(t, []string{"organisation", "operator", "olga", "operator.ended_sessions", "stolen, laptop"},
		[]string{rows[0][2], rows[1][3], rows[1][4], rows[1][5], rows[1][11]})
	assert.Equal(t, []string{"ann", "operator.exported_audit_log"}, []string{rows[2][4], rows[2][5]})

	var records []map[string]any
	require.NoError(t, json.Unmarshal([]byte(runCommand(t, env, 0, "audit", "export", "--format", "json", "--actor", "olga")), &records))
	require.Len(t, records, 1)
	assert.Equal(t, "stolen, laptop", records[0]["note"])

	lines := strings.Split(runCommand(t, env, 0, "audit", "export", "--format", "ndjson", "--org", "org_1"), "\n")
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &line))
	assert.Equal(t, []any{"user.sign_in", "success", "usr_1", "org_1"},
		[]any{line["event.action"], line["event.outcome"], line["user.id"], line["organization.id"]})
	assert.NotEmpty(t, line["@timestamp"])
}

func TestAudit_ExportWithoutData(t *testing.T) {
	env, _ := newAuditedStore(t)

	rows, err := csv.NewReader(strings.NewReader(runCommand(t, env, 0, "audit", "export", "--actor", "olga"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, []string{"data", ""}, []string{rows[0][8], rows[1][8]})

	assert.Equal(t, "[]\n", runCommand(t, env, 0, "audit", "export", "--format", "json", "--before", "2000-01-01"))
	assert.Empty(t, runCommand(t, env, 0, "audit", "export", "--format", "ndjson", "--before", "2000-01-01"))
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	assert.Equal(t, "[]\n", runCommand(t, env, 0, "audit", "export", "--format", "json", "--from", tomorrow, "--before", tomorrow),
		"no entry is of a day that ends when it begins")
}

func TestAudit_ExportRefusesInvalidOptions(t *testing.T) {
	env, _ := newAuditedStore(t)
	assert.Contains(t, runCommand(t, env, 0, "audit", "export", "--before", "2000-01-01"), "id,at,")
	assert.Contains(t, runCommand(t, env, 1, "audit", "export", "--from", "today", "--before", "tomorrow"), `"today" is no day`)
	runCommand(t, env, 1, "audit", "export", "--from", "yesterday")
	runCommand(t, env, 2, "audit", "export", "--format", "xml")
	runCommand(t, env, 2, "audit")
}
