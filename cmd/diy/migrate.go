package main

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// migrate brings the database up to date; doing it again changes nothing.
func migrate(ctx context.Context, io stdio, args []string) error {
	if err := parse(flags(io, "migrate", "Brings the database of DIY_DATABASE_URL up to date."), args); err != nil {
		return err
	}
	return withStore(ctx, io, func(config, *sqlstorage.Store) error {
		_, err := fmt.Fprintln(io.stdout, "the database is up to date")
		return err
	})
}

// withStore opens and migrates the configured database for a short command.
func withStore(ctx context.Context, io stdio, do func(config, *sqlstorage.Store) error) (err error) {
	c, err := loadConfig(io.env)
	if err != nil {
		return err
	}
	store, err := sqlstorage.Open(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer func() {
		if closed := store.Close(); err == nil {
			err = closed
		}
	}()
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return do(c, store)
}
