package diycmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// startTimeout limits opening the database, checking its tables and starting the application. Migrations have no
// time limit.
const startTimeout = time.Minute

// openServerStore opens the configured database for a server. SQLite allows one server per file. A
// second one fails before it migrates anything.
func openServerStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPreparedStore(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error {
		if err := store.AcquireServerLock(ctx); err != nil {
			return err
		}
		return ensureTables(ctx, store, c)
	})
}

// openStore opens the configured database for a command, which may run beside servers.
func openStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPreparedStore(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error {
		return ensureTables(ctx, store, c)
	})
}

// openMigratedStore opens the configured database and applies the pending migrations.
func openMigratedStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPreparedStore(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error {
		return migrateAll(ctx, store, c)
	})
}

// migrateAll applies the pending migrations, those of the payment provider included.
func migrateAll(ctx context.Context, store *sqlstorage.Store, c config) error {
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	if tables := c.integration().tables(); tables != nil {
		return store.MigratePlugin(ctx, c.Payments, tables)
	}
	return nil
}

// checkTables returns an error unless all migrations are applied.
func checkTables(ctx context.Context, store *sqlstorage.Store, c config) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := store.Ready(ctx); err != nil {
		return err
	}
	if tables := c.integration().tables(); tables != nil {
		return store.PluginReady(ctx, c.Payments, tables)
	}
	return nil
}

// openPreparedStore opens the configured database and closes it again if prepare fails.
func openPreparedStore(
	ctx context.Context, c config, prepare func(context.Context, *sqlstorage.Store) error,
) (*sqlstorage.Store, error) {
	openCtx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	store, err := sqlstorage.Open(openCtx, c.DatabaseURL)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// ensureTables migrates the database in development. In production, where other servers may be
// running, it only checks that `diy migrate` has been run.
func ensureTables(ctx context.Context, store *sqlstorage.Store, c config) error {
	if !c.isProduction() {
		return migrateAll(ctx, store, c)
	}
	if err := checkTables(ctx, store, c); err != nil {
		return fmt.Errorf("in production the server does not migrate the database; run `diy migrate` first: %w", err)
	}
	return nil
}

// createDevFolder creates the folder of the files that development keeps beside the database.
func (c config) createDevFolder() error {
	if c.isProduction() {
		return nil
	}
	return os.MkdirAll(filepath.Dir(c.devFile("")), 0o700)
}

// devFile returns the path of a file that development keeps beside an SQLite database, or in data/
// with PostgreSQL.
func (c config) devFile(extension string) string {
	path, ok := strings.CutPrefix(c.DatabaseURL, "sqlite:")
	if !ok {
		path = filepath.Join("data", "postgres")
	}
	return path + "." + extension
}
