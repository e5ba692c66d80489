package sqlitetest

import (
	"context"
	"database/sql"
	"errors"

	_ "modernc.org/sqlite" // the driver
)

// Restore creates a database at the path and runs the statements of a dump on it.
func Restore(ctx context.Context, path, dump string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, dump)
	return errors.Join(err, db.Close())
}
