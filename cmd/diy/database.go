package main

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

// startPatience is how long opening and migrating the database may take.
const startPatience = time.Minute

// serverStore opens the configured database for a server, which must be the only one on an SQLite
// file. A second one is refused before it migrates anything.
func serverStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPrepared(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error {
		if err := store.ClaimServer(ctx); err != nil {
			return err
		}
		return ensureTables(ctx, store, c)
	})
}

// openStore opens the configured database for a command, beside servers or without one.
func openStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPrepared(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error {
		return ensureTables(ctx, store, c)
	})
}

// migrateStore opens the configured database and makes the tables it lacks.
func migrateStore(ctx context.Context, c config) (*sqlstorage.Store, error) {
	return openPrepared(ctx, c, func(ctx context.Context, store *sqlstorage.Store) error { return store.Migrate(ctx) })
}

func openPrepared(
	ctx context.Context, c config, prepare func(context.Context, *sqlstorage.Store) error,
) (*sqlstorage.Store, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	store, err := sqlstorage.Open(ctx, c.DatabaseURL)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// ensureTables makes the tables in development. In production, where other servers are running,
// that is for an operator to do: a database that lacks some is refused.
func ensureTables(ctx context.Context, store *sqlstorage.Store, c config) error {
	if !c.production() {
		return store.Migrate(ctx)
	}
	if err := store.Ready(ctx); err != nil {
		return fmt.Errorf("in production the database is not migrated unasked; run `diy migrate` first: %w", err)
	}
	return nil
}

// withStore opens the configured database for a short command.
func withStore(
	ctx context.Context, io stdio, open func(context.Context, config) (*sqlstorage.Store, error),
	do func(config, *sqlstorage.Store) error,
) (err error) {
	c, err := loadConfig(io.env)
	if err != nil {
		return err
	}
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(c, store)
}

// makeFolder makes the folder of what development keeps beside the database.
func (c config) makeFolder() error {
	if c.production() {
		return nil
	}
	return os.MkdirAll(filepath.Dir(c.beside("")), 0o700)
}

// beside is where development keeps what is not in the database: in a file next to it, or in
// data/ when it is not a file.
func (c config) beside(what string) string {
	path, ok := strings.CutPrefix(c.DatabaseURL, "sqlite:")
	if !ok {
		path = filepath.Join("data", "postgres")
	}
	return path + "." + what
}
