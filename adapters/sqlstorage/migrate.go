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

// Migrate brings the tables up to date. It changes nothing when they are, and servers may call
// it at the same time: when one fails because of another, that one got a migration done, so
// trying more often than there are migrations ends well, unless something is really wrong.
func (s *Store) Migrate(ctx context.Context) error {
	var err error
	for range len(s.goose.ListSources()) + 2 {
		if _, err = s.goose.Up(ctx); err == nil || ctx.Err() != nil {
			break
		}
	}
	return s.fault(err)
}

// Ready reports whether the database can be reached and has all of its tables. Tables of a newer
// version of ours are fine: that server is about to take over.
func (s *Store) Ready(ctx context.Context) error {
	var done int64
	err := s.reads.GetContext(ctx, &done,
		"SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied")
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The database can't be reached or was never migrated")
	}
	sources := s.goose.ListSources()
	if newest := sources[len(sources)-1].Version; done < newest {
		return fault.Newf(fault.Unavailable, "The database is at version %d and must be migrated to %d", done, newest)
	}
	return nil
}

func migrator(db *sql.DB, d *dialect) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, d.migrations)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations are missing")
	}
	provider, err := goose.NewProvider(d.goose, db, folder, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations can't be read")
	}
	return provider, nil
}
