package sqlstorage

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/vc-admin/diy/domain/fault"
)

//go:embed migrations
var migrations embed.FS

// Migrate brings the tables up to date. If several servers call it at the same time, they migrate one after the other.
// It refuses a database with other tables, such as those that versions before 1.0.0 created.
func (s *Store) Migrate(ctx context.Context) error {
	provider, err := newStoreMigrationProvider(s.writePool.DB, s.dialect)
	if err != nil {
		return err
	}
	if err := s.migrate(ctx, provider); err != nil {
		return err
	}
	var tableCount int
	if err := s.reader().get(ctx, "schema", &tableCount, selectSchemaSQL); err != nil {
		return fault.Wrap(err, fault.Unavailable, unknownTablesMessage)
	}
	return nil
}

const unknownTablesMessage = "The tables are not those of this version: a database of a version before 1.0.0 can't be migrated, " +
	"so delete it or use another one"

func (s *Store) migrate(ctx context.Context, provider *goose.Provider) error {
	if s.dialect.migrationLock == nil {
		lock, err := s.lockSQLiteMigrations(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = lock.Close() }()
	}
	_, err := provider.Up(ctx)
	return s.toFault(err)
}

// newStoreMigrationProvider returns the migrations of this package.
func newStoreMigrationProvider(db *sql.DB, d *dialect) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations/"+d.migrations)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations are missing")
	}
	return newMigrationProvider(db, d, folder, goose.DefaultTablename)
}

// newMigrationProvider returns the migrations in the folder. goose stores the applied versions in the table.
func newMigrationProvider(db *sql.DB, d *dialect, folder fs.FS, tableName string) (*goose.Provider, error) {
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithTableName(tableName)}
	if d.migrationLock != nil {
		options = append(options, goose.WithSessionLocker(d.migrationLock))
	}
	provider, err := goose.NewProvider(d.goose, db, folder, options...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations can't be read")
	}
	return provider, nil
}

// The key of the advisory lock is "diymigra" in ASCII.
const (
	acquireAdvisoryLockSQL = "SET statement_timeout = 0; SET lock_timeout = 0; " +
		"SELECT pg_advisory_lock(x'6469796d69677261'::bigint); RESET lock_timeout"
	resetStatementTimeoutSQL = "RESET statement_timeout"
	releaseAdvisoryLockSQL   = "SELECT pg_advisory_unlock(x'6469796d69677261'::bigint)"
	migrationLockLostMessage = "Another server may have migrated at the same time, and later migrations may wait indefinitely: " +
		"migrate with PostgreSQL's own address, not through a pooler in transaction mode"
)

// advisoryLock implements lock.SessionLocker for PostgreSQL. Other servers wait for the lock until their context ends.
// While a session holds the lock, its statements have no timeout except the lock timeout.
type advisoryLock struct{}

// SessionLock implements lock.SessionLocker.
func (advisoryLock) SessionLock(ctx context.Context, sqlConn *sql.Conn) error {
	_, err := sqlConn.ExecContext(ctx, acquireAdvisoryLockSQL)
	return err
}

// SessionUnlock implements lock.SessionLocker. It fails if the session does not hold the lock. Behind a pooler in
// transaction mode, another session may have taken the lock and still hold it.
func (advisoryLock) SessionUnlock(ctx context.Context, sqlConn *sql.Conn) error {
	if _, err := sqlConn.ExecContext(ctx, resetStatementTimeoutSQL); err != nil {
		return err
	}
	var wasHeld bool
	if err := sqlConn.QueryRowContext(ctx, releaseAdvisoryLockSQL).Scan(&wasHeld); err != nil {
		return err
	}
	if !wasHeld {
		return fault.New(fault.Unavailable, migrationLockLostMessage)
	}
	return nil
}
