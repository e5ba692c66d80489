package sqlstorage

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// testTables contains the migrations of a payment adapter by file name.
type testTables map[string]string

func (tables testTables) Migrations() fs.FS {
	folders := fstest.MapFS{}
	for name, statement := range tables {
		for _, folder := range []string{"sqlite", "postgres"} {
			folders[folder+"/"+name] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement + ";\n")}
		}
	}
	return folders
}

func newNotesTable() testTables {
	return testTables{"00001_notes.sql": "CREATE TABLE acme_notes (id BIGINT NOT NULL PRIMARY KEY)"}
}

func TestPluginReady_IsUnavailableUntilAllMigrationsAreApplied(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s, tables := openAndMigrate(t, db.newMigratedURL(t)), newNotesTable()
		assert.Equal(t, fault.Unavailable, fault.CodeOf(s.PluginReady(t.Context(), "acme", tables)))
		require.NoError(t, s.MigratePlugin(t.Context(), "acme", tables))
		require.NoError(t, s.MigratePlugin(t.Context(), "acme", tables), "a repeated migration has no effect")
		require.NoError(t, s.PluginReady(t.Context(), "acme", tables))
		require.NoError(t, s.Migrate(t.Context()), "the store has its own versions")

		tables["00002_text.sql"] = "ALTER TABLE acme_notes ADD COLUMN note TEXT"
		assert.ErrorContains(t, s.PluginReady(t.Context(), "acme", tables), "at version 1 and must be migrated to 2")
	})
}

func TestMigratePlugin_RefusesTablesOfAnUnreleasedVersion(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		exec(t, s, "CREATE TABLE acme_notes (id BIGINT NOT NULL PRIMARY KEY)")

		err := s.MigratePlugin(t.Context(), "acme", newNotesTable())

		require.ErrorContains(t, err, "if a version before 1.0.0 has created them, delete the database or use another one")
	})
}

func TestDatabase_ReadsRowsThatItWrote(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		require.NoError(t, s.MigratePlugin(t.Context(), "acme", newNotesTable()))
		pluginDB := s.Database()
		require.NoError(t, pluginDB.Write(t.Context(), func(tx plugin.Tx) error {
			insertedRows, err := tx.Exec(t.Context(), "INSERT INTO acme_notes (id) VALUES (?)", 7)
			assert.EqualValues(t, 1, insertedRows)
			return err
		}))
		require.NoError(t, pluginDB.Read(t.Context(), func(tx plugin.Tx) error {
			var id int64
			require.NoError(t, tx.Get(t.Context(), &id, "SELECT id FROM acme_notes WHERE id = ?", 7))
			var ids []int64
			require.NoError(t, tx.List(t.Context(), &ids, "SELECT id FROM acme_notes"))
			assert.Equal(t, []int64{id}, ids)
			assert.Equal(t, fault.NotFound, fault.CodeOf(tx.Get(t.Context(), &id, "SELECT id FROM acme_notes WHERE id = ?", 8)))
			return nil
		}))
	})
}
