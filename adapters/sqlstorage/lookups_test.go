package sqlstorage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// A table is never read through, and rows are never sorted: the index has them in order.
func TestEveryLookupHasItsIndex(t *testing.T) {
	s := migrated(t, newURL(t))
	for name, query := range sqlstorage.Lookups {
		t.Run(name, func(t *testing.T) {
			for _, step := range planOf(t, s, query) {
				assert.NotContains(t, step, "TEMP B-TREE")
				if strings.HasPrefix(step, "SCAN") && !strings.HasSuffix(step, "CONSTANT ROW") {
					assert.Contains(t, step, "USING INDEX letters_in_order", "only the queue is walked, from its oldest end")
				}
			}
		})
	}
}

func planOf(t *testing.T, s *sqlstorage.Store, query string) []string {
	t.Helper()
	args := make([]any, strings.Count(query, "?"))
	rows, err := s.Reads().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		steps = append(steps, detail)
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, steps)
	return steps
}
