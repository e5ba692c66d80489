package apptest

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
)

// Migrate creates the tables of an empty database.
func Migrate(ctx context.Context, url string) error {
	store, err := sqlstorage.Open(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(store.Migrate(ctx), store.Close())
}

// sqliteTemplate copies a migrated, empty SQLite database for each test.
var sqliteTemplate = sqlitetest.NewTemplate(Migrate)
