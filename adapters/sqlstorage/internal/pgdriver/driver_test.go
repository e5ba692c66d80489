package pgdriver_test

import (
	"context"
	"database/sql"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/internal/pgdriver"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

// opened is a pool of one connection, so that what becomes of the connection shows.
func opened(t *testing.T, url string) *sql.DB {
	t.Helper()
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	db := pgdriver.Open(config)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// processOf tells connections apart.
func processOf(t *testing.T, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
},
) (pid int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&pid))
	return pid
}

func TestPostgresKeepsBasicTypes(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	var (
		small, large int64
		truth        bool
		word         string
		bytes        []byte
		instant      time.Time
		nothing      sql.Null[string]
		noon         = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)
	)
	row := db.QueryRowContext(t.Context(), "SELECT $1::integer, $2::bigint, $3::boolean, $4::text, $5::bytea, $6::timestamptz, $7::text",
		7, int64(1)<<40, true, "žluťoučký", []byte{0, 0xff}, noon, nil)
	require.NoError(t, row.Scan(&small, &large, &truth, &word, &bytes, &instant, &nothing))
	assert.Equal(t, []any{int64(7), int64(1) << 40, true, "žluťoučký", []byte{0, 0xff}, noon, false},
		[]any{small, large, truth, word, bytes, instant.UTC(), nothing.Valid})
}

func TestPostgresReturnsEveryRowInItsOrder(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	for _, count := range []int{0, 1, 2, 500} {
		t.Run(strconv.Itoa(count), func(t *testing.T) {
			rows, err := db.QueryContext(t.Context(), "SELECT n AS number FROM generate_series(1, $1::integer) AS n", count)
			require.NoError(t, err)
			defer func() { require.NoError(t, rows.Close()) }()
			columns, err := rows.Columns()
			require.NoError(t, err)
			require.Equal(t, []string{"number"}, columns)
			var got int
			for want := 1; rows.Next(); want++ {
				require.NoError(t, rows.Scan(&got))
				require.Equal(t, want, got)
			}
			require.NoError(t, rows.Err())
			require.Equal(t, count, got)
		})
	}
}

func TestPostgresCountsChangedRows(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	_, err := db.ExecContext(t.Context(), "CREATE TABLE numbers (n integer); INSERT INTO numbers SELECT generate_series(1, 5)")
	require.NoError(t, err, "several statements go together when nothing is filled in")
	result, err := db.ExecContext(t.Context(), "DELETE FROM numbers WHERE n > $1", 2)
	require.NoError(t, err)
	touched, err := result.RowsAffected()
	require.NoError(t, err)
	require.Equal(t, int64(3), touched)
}

func TestPostgresErrorsShowWhereTheyWereAsked(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	_, err := db.ExecContext(t.Context(), "SELECT nonsense")
	require.ErrorContains(t, err, "42703")
	_, err = db.QueryContext(t.Context(), "SELECT 1 / $1::integer", 0) //nolint:sqlclosecheck,rowserrcheck // there are no rows
	require.ErrorContains(t, err, "22012")
	rows, err := db.QueryContext(t.Context(), "SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n")
	require.NoError(t, err)
	defer func() { _ = rows.Close() }() // its error has closed it
	read := 0
	for rows.Next() {
		read++
	}
	require.ErrorContains(t, rows.Err(), "22012")
	require.Less(t, read, 3)
}

func TestPostgresTransactionIsKeptOrUndone(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	_, err := db.ExecContext(t.Context(), "CREATE TABLE numbers (n integer)")
	require.NoError(t, err)
	for _, keep := range []bool{true, false} {
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = tx.ExecContext(t.Context(), "INSERT INTO numbers VALUES (1)")
		require.NoError(t, err)
		if keep {
			require.NoError(t, tx.Commit())
		} else {
			require.NoError(t, tx.Rollback())
		}
	}
	var count int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM numbers").Scan(&count))
	require.Equal(t, 1, count)
}

func TestPostgresTransactionsAreWhatWasAskedFor(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	require.NoError(t, err)
	var isolation, readOnly string
	require.NoError(t, tx.QueryRowContext(t.Context(),
		"SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')").Scan(&isolation, &readOnly))
	require.Equal(t, "repeatable read, on", isolation+", "+readOnly)
	require.NoError(t, tx.Rollback())

	_, err = db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelLinearizable})
	require.ErrorContains(t, err, "Linearizable")
}

// A caller that goes away between two statements costs nobody a connection.
func TestPostgresConnectionSurvivesItsCaller(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	before := processOf(t, db)
	ctx, leave := context.WithCancel(t.Context())
	tx, err := db.BeginTx(ctx, nil)
	require.NoError(t, err)
	leave()
	require.Error(t, tx.Commit())
	require.Equal(t, before, processOf(t, db))
}

func TestPostgresStatementEndsWithItsContext(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err := db.ExecContext(ctx, "SELECT pg_sleep(60)")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, db.PingContext(t.Context()))
}

// Nothing was done in a transaction that could not begin: another connection may take it.
func TestPostgresBrokenConnectionIsReplaced(t *testing.T) {
	url := postgrestest.URL(t)
	db, killer := opened(t, url), opened(t, url)
	before := processOf(t, db)
	_, err := killer.ExecContext(t.Context(), "SELECT pg_terminate_backend($1, 5000)", before)
	require.NoError(t, err)
	tx, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NotEqual(t, before, processOf(t, tx))
	require.NoError(t, tx.Rollback())
}

// Whether a statement was lost with its connection or found another one: the next has a good one.
func TestPostgresBrokenConnectionIsNotUsedAgain(t *testing.T) {
	url := postgrestest.URL(t)
	db, killer := opened(t, url), opened(t, url)
	before := processOf(t, db)
	_, err := killer.ExecContext(t.Context(), "SELECT pg_terminate_backend($1, 5000)", before)
	require.NoError(t, err)
	_, _ = db.ExecContext(t.Context(), "SELECT 1")
	require.NotEqual(t, before, processOf(t, db))
}

// What was left open by mistake is nobody else's.
func TestPostgresConnectionInATransactionIsNotUsedAgain(t *testing.T) {
	db := opened(t, postgrestest.URL(t))
	before := processOf(t, db)
	_, err := db.ExecContext(t.Context(), "BEGIN")
	require.NoError(t, err)
	require.NotEqual(t, before, processOf(t, db))
}
