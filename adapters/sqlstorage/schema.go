package sqlstorage

import (
	"context"
	"fmt"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// schema lists every table that the statements of this package use, with the columns they name.
var schema = []table{
	organisations, users, verifications, passwordResets, emailRequests, subscriptions, operations,
	paymentAttempts, newCards,
	tableOf[emailRow]("letters"),
	{name: "events", columns: []string{"id", "kind", "handled_at"}},
	{name: "sessions", columns: []string{"token", "data", "expiry", "user_id"}},
	{name: "secrets", columns: []string{"name", "value"}},
	{name: "rate_limits", columns: []string{"key", "used_until"}},
}

var selectSchema = probe(schema)

// probe returns one query that the database can only answer when every table is there with all of
// its columns. It reads at most one row of each table.
func probe(tables []table) string {
	var parts []string
	for _, t := range tables {
		parts = append(parts, fmt.Sprintf("SELECT COUNT(*) AS present FROM (%s) AS one_of_%s", t.selects("LIMIT 1"), t.name))
	}
	return "SELECT COUNT(*) FROM (" + strings.Join(parts, " UNION ALL ") + ") AS tables_present"
}

// checkSchema reports as Unavailable that a table or a column is missing or can't be read.
func (s *Store) checkSchema(ctx context.Context) error {
	var tables int
	if err := s.reader().get(ctx, "schema", &tables, selectSchema); err != nil {
		return fault.Wrap(err, fault.Unavailable, "A table of the database is missing or damaged")
	}
	return nil
}
