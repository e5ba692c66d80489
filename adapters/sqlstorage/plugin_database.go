package sqlstorage

import (
	"context"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// pluginDatabase implements plugin.Database.
type pluginDatabase struct{ store *Store }

// Database returns this database as the plugin.Database of a payment adapter with its own tables.
func (s *Store) Database() plugin.Database { return pluginDatabase{s} }

// Write implements plugin.Database.
func (d pluginDatabase) Write(ctx context.Context, fn func(plugin.Tx) error) error {
	return d.store.write(ctx, func(c conn) error {
		if err := c.checkLease(ctx); err != nil {
			return err
		}
		return fn(pluginTx{d.store, c})
	})
}

// Read implements plugin.Database.
func (d pluginDatabase) Read(ctx context.Context, fn func(plugin.Tx) error) error {
	return d.store.read(ctx, func(c conn) error { return fn(pluginTx{d.store, c}) })
}

// pluginTx implements plugin.Tx.
type pluginTx struct {
	store *Store
	conn  conn
}

// Get implements plugin.Tx.
func (t pluginTx) Get(ctx context.Context, row any, query string, args ...any) error {
	return t.conn.get(ctx, "record", row, query, args...)
}

// Lock implements plugin.Tx.
func (t pluginTx) Lock(ctx context.Context, row any, query string, args ...any) error {
	return t.conn.get(ctx, "record", row, query+t.conn.forUpdate, args...)
}

// List implements plugin.Tx.
func (t pluginTx) List(ctx context.Context, rows any, query string, args ...any) error {
	return t.conn.list(ctx, rows, query, args...)
}

// Now implements plugin.Tx.
func (t pluginTx) Now(ctx context.Context) (time.Time, error) {
	return t.store.databaseTime(ctx, t.conn)
}

// Exec implements plugin.Tx.
func (t pluginTx) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	return t.conn.exec(ctx, statement, args...)
}

// AddAuditEntries implements plugin.Tx.
func (t pluginTx) AddAuditEntries(ctx context.Context, entries ...audit.Entry) error {
	return t.conn.addAuditEntries(ctx, entries...)
}

// MigratePlugin applies the migrations of the named payment adapter and records their versions in <name>_migrations. If the
// first migration fails, the error says that the tables of the adapter may be older than version 1.0.0.
func (s *Store) MigratePlugin(ctx context.Context, name string, tables plugin.Tables) error {
	provider, err := s.newPluginMigrationProvider(name, tables)
	if err != nil {
		return err
	}
	migrateErr := s.migrate(ctx, provider)
	if migrateErr == nil {
		return nil
	}
	if version, err := provider.GetDBVersion(ctx); err == nil && version == 0 {
		return fault.Wrap(migrateErr, fault.CodeOf(migrateErr), unknownPluginTablesMessage)
	}
	return migrateErr
}

const unknownPluginTablesMessage = "The tables of the payment provider can't be created: if a version before 1.0.0 has created them, " +
	"delete the database or use another one"

// PluginReady returns nil if all migrations of the payment adapter are applied.
func (s *Store) PluginReady(ctx context.Context, name string, tables plugin.Tables) error {
	provider, err := s.newPluginMigrationProvider(name, tables)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	latestVersion := sources[len(sources)-1].Version
	var version int64
	err = s.reader().get(ctx, "version", &version, "SELECT COALESCE(MAX(version_id), 0) FROM "+versionTableName(name)+" WHERE is_applied")
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "The tables of the payment provider were never created")
	}
	if version < latestVersion {
		return fault.Newf(fault.Unavailable, "The tables of the payment provider are at version %d and must be migrated to %d",
			version, latestVersion)
	}
	return nil
}

func versionTableName(name string) string { return name + "_migrations" }

func (s *Store) newPluginMigrationProvider(name string, tables plugin.Tables) (*goose.Provider, error) {
	folder, err := fs.Sub(tables.Migrations(), s.dialect.migrations)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "The migrations can't be read")
	}
	return newMigrationProvider(s.writePool.DB, s.dialect, folder, versionTableName(name))
}
