package sqlstorage

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// selectColumnsSQL returns the columns of the baseline in each database, without the table of the migrations.
var selectColumnsSQL = map[string]string{
	"SQLite": `SELECT m.name || '.' || p.name FROM sqlite_schema m JOIN pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'goose_db_version'`,
	"PostgreSQL": `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name <> 'goose_db_version'`,
}

func TestDataMap_ListsEveryColumnOnce(t *testing.T) {
	var mapped []string
	for _, table := range dataMap {
		for _, c := range table.columns {
			assert.Equal(t, c.handling == exportedAndErased, c.reason == "", "%s %s: a reason is missing, or not needed", table.name, c.names)
			for name := range strings.FieldsSeq(c.names) {
				mapped = append(mapped, table.name+"."+name)
			}
		}
	}
	slices.Sort(mapped)
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		columns := selectStrings(t, s, selectColumnsSQL[db.name])
		slices.Sort(columns)
		assert.Equal(t, columns, mapped, "the columns of the baseline and those of data_map.go differ")
	})
}

func TestDataMap_NoExportContainsACredential(t *testing.T) {
	for _, table := range dataMap {
		for _, column := range table.exportedColumns() {
			for _, word := range []string{"hash", "token", "secret", "passkey", "credential", "html", "text"} {
				assert.NotContains(t, column, word, table.name)
			}
		}
	}
}

// TestDataMap_StatementsAreValid runs them on both databases, because most tables are empty in other tests.
func TestDataMap_StatementsAreValid(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		for _, table := range dataMap {
			for _, statement := range []string{table.exportSQL(), table.eraseSQL()} {
				if statement != "" {
					exec(t, s, strings.ReplaceAll(statement, "?", "'org'"))
				}
			}
		}
	})
}

func TestDataMap_DocumentContainsItsTable(t *testing.T) {
	document, err := os.ReadFile("../../docs/privacy.md")
	require.NoError(t, err)
	if !strings.Contains(string(document), dataMapTable()) {
		t.Errorf("docs/privacy.md must contain this table:\n%s", dataMapTable())
	}
}

// dataMapTable returns the map as a table in Markdown.
func dataMapTable() string {
	var b strings.Builder
	b.WriteString("| table | columns | export and erasure | reason |\n|---|---|---|---|\n")
	tables := slices.Clone(dataMap)
	slices.SortFunc(tables, func(a, b mappedTable) int { return strings.Compare(a.name, b.name) })
	for _, t := range tables {
		for _, c := range t.columns {
			columns := "`" + strings.Join(strings.Fields(c.names), "`, `") + "`"
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", t.name, columns, c.handling, c.reason)
		}
	}
	return b.String()
}
