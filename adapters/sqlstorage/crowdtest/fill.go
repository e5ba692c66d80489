package crowdtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	return errors.Join(fill(ctx, store.Pools()["writes"], organisations, now), tidy(ctx, store, url), store.Close())
}

func fill(ctx context.Context, db *sql.DB, organisations int, now time.Time) error {
	for first := 1; first <= organisations; first += portion {
		last := min(first+portion-1, organisations)
		for _, rows := range tables {
			if _, err := db.ExecContext(ctx, rows.insert(first, last, now)); err != nil {
				return fmt.Errorf("%s: %w", rows.table, err)
			}
		}
	}
	return nil
}

// tidy does what PostgreSQL does by itself sooner or later, and what throwaway servers leave out.
func tidy(ctx context.Context, store *sqlstorage.Store, url string) error {
	if !strings.HasPrefix(url, "postgres") {
		return nil
	}
	_, err := store.Pools()["writes"].ExecContext(ctx, "VACUUM ANALYSE")
	return err
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
