package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// portion is how many organisations one statement writes: enough to be quick, and not so many that
// the journal of the transaction becomes as large as the database.
const portion = 50_000

// Fill adds so many organisations to a migrated database that holds none of them. Each has a user
// whose e-mail is verified and whom no password lets in, an active subscription that is paid for
// another month, what has been done and told about it so far, and a session.
func Fill(ctx context.Context, url string, organisations int, now time.Time) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	kind := kindOf(url)
	return errors.Join(kind.fill(ctx, store.Pools()["writes"], organisations, now), store.Close())
}

// kind is what is done differently in one kind of database.
type kind struct {
	// before leaves out what only costs time here: to look for the row that another one belongs to,
	// which is there. And nothing takes too long.
	before []string
	// after does at once what would be done sooner or later, in the middle of a measurement or not at
	// all.
	after []string
}

func kindOf(url string) kind {
	if strings.HasPrefix(url, "postgres") {
		return kind{
			before: []string{"SET session_replication_role = replica", "SET statement_timeout = 0"},
			after:  []string{"VACUUM ANALYSE", "CHECKPOINT"},
		}
	}
	return kind{before: []string{"PRAGMA foreign_keys = OFF"}}
}

// fill does everything on one connection, whose settings end with the pool.
func (k kind) fill(ctx context.Context, pool *sql.DB, organisations int, now time.Time) error {
	db, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it goes back to the pool, which is about to be closed
	for _, statement := range slices.Concat(k.before, inserts(organisations, now), k.after) {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// inserts are the statements that write so many organisations.
func inserts(organisations int, now time.Time) []string {
	var all []string
	for first := 1; first <= organisations; first += portion {
		for _, rows := range tables {
			all = append(all, rows.insert(first, min(first+portion-1, organisations), now))
		}
	}
	return all
}

// insert is a statement that both databases understand. In the values # is the organisation's
// number, and now, soon and before are times.
func (r rows) insert(first, last int, now time.Time) string {
	values := strings.NewReplacer(
		"#", fmt.Sprintf("(%d + i)", firstNumber),
		"@now", literal(now), "@soon", literal(now.Add(month)), "@before", literal(now.Add(-month)),
	).Replace(r.values)
	return fmt.Sprintf("INSERT INTO %s (%s) WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT %s FROM n",
		r.table, r.columns, first, last, values)
}

const month = 30 * 24 * time.Hour

// literal writes a time as both databases read it.
func literal(t time.Time) string { return t.UTC().Format("'2006-01-02 15:04:05+00:00'") }
