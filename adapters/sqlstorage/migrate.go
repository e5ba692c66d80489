package sqlstorage

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/vc-admin/diy/domain/fault"
)

const selectVersion = "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied"

//go:embed migrations
var migrations embed.FS

// Migrate brings the tables up to date. It changes nothing when they are, and servers may call
// it at the same time. Where they don't take turns, one that fails because of another may try
// again: that one got a migration done, so trying more often than there are migrations ends well,
// unless something is really wrong.
func (s *Store) Migrate(ctx context.Context) error {
	err := s.migrateOnce(ctx)
	for more := s.newest + 1; more > 0 && err != nil && ctx.Err() == nil && s.dialect.turns == nil; more-- {
		err = s.migrateOnce(ctx)
	}
	return s.fault(err)
}

// migrateOnce has a migrator of its own: one whose first attempt failed is of no use any more.
func (s *Store) migrateOnce(ctx context.Context) error {
	provider, err := migrator(s.writes.DB, s.dialect)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// Ready returns nil when the database can be reached, is migrated, and has every table and column
// that this version uses. A database that a newer version has migrated is accepted: during an
// update both versions run.
func (s *Store) Ready(ctx context.Context) error {
	var done int64
	if err := s.reader().get(ctx, "version", &done, selectVersion); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The database can't be reached or was never migrated")
	}
	if done < s.newest {
		return fault.Newf(fault.Unavailable, "The database is at version %d and must be migrated to %d", done, s.newest)
	}
	return s.checkSchema(ctx)
}

func migrator(db *sql.DB, d *dialect) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, d.migrations)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations are missing")
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if d.turns != nil {
		options = append(options, goose.WithSessionLocker(d.turns))
	}
	provider, err := goose.NewProvider(d.goose, db, folder, options...)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations can't be read")
	}
	return provider, nil
}

// newestVersion is that of the last migration.
func newestVersion(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}
