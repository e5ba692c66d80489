package sqlstorage

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var _ storage.Store = (*Store)(nil)

// Store implements storage.Store in an SQL database.
type Store struct {
	writePool     *sqlx.DB
	readPool      *sqlx.DB
	dialect       *dialect
	latestVersion int64 // of the migrations
	isClosed      atomic.Bool
	serverLock    *os.File // of AcquireServerLock; nil without a lock

	beginTimeout time.Duration
	now          func() time.Time // replaces the database's clock, see UseClock
	auditNow     func() time.Time // see UseAuditClock
}

// Open connects to the database at the URL, which is "sqlite:PATH" or "postgres://USER:PASSWORD@HOST/NAME?OPTIONS" with
// the options of libpq. It creates the folder and the file of PATH if they don't exist. For a malformed URL it returns
// Invalid with the field "url". Call Migrate before using the store. Errors never contain the URL's password.
func Open(ctx context.Context, url string) (*Store, error) {
	if isPostgres(url) {
		return openPostgres(ctx, url)
	}
	path, err := parseSQLiteURL(url)
	if err != nil {
		return nil, err
	}
	return openSQLite(ctx, path)
}

// CheckURL returns the error that Open returns for a malformed URL, without opening anything.
func CheckURL(url string) error {
	if isPostgres(url) {
		_, err := parsePostgresURL(url)
		return err
	}
	_, err := parseSQLiteURL(url)
	return err
}

func isPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// invalidURL returns the fault for a malformed URL. The problem must not quote the URL, which may contain
// a password.
func invalidURL(problem string) error {
	var fields fault.Fields
	fields.Add("url", problem)
	return fields.Err()
}

// initPool limits the number of connections. It connects once, so that an unreachable database is reported at startup.
func initPool(ctx context.Context, pool *sqlx.DB, connections int) (*sqlx.DB, error) {
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Unavailable, "The database can't be opened"), pool.Close())
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

func newStore(writePool, readPool *sqlx.DB, d *dialect) (*Store, error) {
	s := &Store{
		writePool: writePool, readPool: readPool, dialect: d, beginTimeout: defaultBeginTimeout,
		auditNow: time.Now, //nolint:forbidigo // until UseAuditClock is called
	}
	provider, err := newStoreMigrationProvider(writePool.DB, d)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	sources := provider.ListSources()
	s.latestVersion = sources[len(sources)-1].Version
	return s, nil
}

// UseClock makes the store measure claims, leases and the ages of operations with the given clock instead of the
// database's. It is for tests.
func (s *Store) UseClock(now func() time.Time) { s.now = now }

// UseAuditClock makes the store set the times of entries of the audit log with the given clock instead of the system's. Call
// it before the first change.
func (s *Store) UseAuditClock(now func() time.Time) { s.auditNow = now }

// Pools returns the connection pools by name, for metrics.
func (s *Store) Pools() map[string]*sql.DB {
	return map[string]*sql.DB{"reads": s.readPool.DB, "writes": s.writePool.DB}
}

// Close closes all connections and releases the lock of AcquireServerLock. All other methods then return Unavailable.
func (s *Store) Close() error {
	s.isClosed.Store(true)
	return errors.Join(s.closePool(s.readPool), s.closePool(s.writePool), s.releaseServerLock())
}

// closePool closes the pool. It ignores the errors of TLS connections that are already broken.
func (s *Store) closePool(pool *sqlx.DB) error {
	if err := pool.Close(); s.dialect.classify(err) != failureConnectionLost {
		return err
	}
	return nil
}
