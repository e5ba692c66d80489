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
	return withStore(ctx, io, migrateStore, func(config, *sqlstorage.Store) error {
		_, err := fmt.Fprintln(io.stdout, "the database is up to date")
		return err
	})
}
