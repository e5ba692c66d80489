package sqlstorage_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// A table is never read through, and rows are never sorted: the index has them in order.
func TestEveryLookupHasItsIndex(t *testing.T) {
	s := migrated(t, newFile(t))
	for name, query := range sqlstorage.Lookups {
		t.Run(name, func(t *testing.T) {
			args := make([]any, strings.Count(query, "?"))
			for _, step := range planOf(t, s.Reads(), 3, "EXPLAIN QUERY PLAN "+query, args...) {
				assert.NotContains(t, step, "TEMP B-TREE")
				if strings.HasPrefix(step, "SCAN") && !strings.HasSuffix(step, "CONSTANT ROW") {
					assert.Regexp(t, "INDEX (letters_in_order|operations_pending|email_requests_in_order)$", step, "only a queue is walked, from its oldest end")
				}
			}
		})
	}
}

// The tables are empty, so the planner is told to avoid what it would otherwise rightly choose:
// what it does all the same, it has no index for.
func TestPostgresHasAnIndexForEveryLookup(t *testing.T) {
	s := migrated(t, postgresKind.ready(t))
	s.DB().SetMaxOpenConns(1)
	for _, setting := range []string{"enable_seqscan = off", "enable_sort = off", "plan_cache_mode = force_generic_plan"} {
		exec(t, s, "SET "+setting)
	}
	for name, query := range sqlstorage.Lookups {
		t.Run(name, func(t *testing.T) {
			exec(t, s, "PREPARE lookup AS "+sqlx.Rebind(sqlx.DOLLAR, query))
			defer exec(t, s, "DEALLOCATE lookup")
			execute := "EXPLAIN EXECUTE lookup"
			if args := strings.Count(query, "?"); args > 0 {
				execute += "(NULL" + strings.Repeat(", NULL", args-1) + ")"
			}
			for _, step := range planOf(t, s.DB(), 0, execute) {
				assert.NotContains(t, step, "Seq Scan")
				assert.NotContains(t, step, "Sort")
			}
		})
	}
}

func exec(t *testing.T, s *sqlstorage.Store, statement string) {
	t.Helper()
	_, err := s.DB().ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// planOf returns the steps of a query, which stand in a column of what explains it.
func planOf(t *testing.T, db *sql.DB, column int, explain string, args ...any) []string {
	t.Helper()
	rows, err := sqlx.NewDb(db, "").QueryxContext(t.Context(), explain, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var steps []string
	for rows.Next() {
		row, err := rows.SliceScan()
		require.NoError(t, err)
		steps = append(steps, row[column].(string))
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, steps)
	return steps
}
