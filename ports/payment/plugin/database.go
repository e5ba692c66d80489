package plugin

import (
	"context"
	"io/fs"
	"time"

	"github.com/vc-admin/diy/domain/audit"
)

// Tables is implemented by adapters that keep their records in the application's database. The server
// applies their migrations together with its own.
type Tables interface {
	// Migrations returns files in the format of github.com/pressly/goose in the folders sqlite and postgres. The names
	// of tables begin with the adapter's name.
	Migrations() fs.FS
}

// TablesUser is implemented by providers that keep their records in tables. The server refuses to start with such a provider
// if its adapter does not implement [Tables], because the tables would not exist.
type TablesUser interface {
	// UsesTables does nothing.
	UsesTables()
}

// Database is the application's SQL database, SQLite or PostgreSQL. Statements have ? as placeholder
// and must run on both.
type Database interface {
	// Write runs fn in a transaction and commits it unless fn returns an error. fn may run several times.
	// On SQLite the transaction locks the whole database; on PostgreSQL the isolation level is read
	// committed, so fn must lock the rows that it reads and changes, see Tx.Lock. During Worker.Tick, Write fails with
	// Conflict when another server has taken over the work.
	Write(ctx context.Context, fn func(Tx) error) error
	// Read runs fn on a snapshot of the database.
	Read(ctx context.Context, fn func(Tx) error) error
}

// Tx is a transaction. A row is a pointer to a struct with db tags, or to a single value.
type Tx interface {
	// Get reads the only row of a query, or returns NotFound.
	Get(ctx context.Context, row any, query string, args ...any) error
	// Lock reads a row as Get does, and locks it until the transaction ends.
	Lock(ctx context.Context, row any, query string, args ...any) error
	// List reads all rows of a query into the slice that rows points to.
	List(ctx context.Context, rows any, query string, args ...any) error
	// Now returns the time of the database's clock, which all servers share. It does not follow the
	// development clock.
	Now(ctx context.Context) (time.Time, error)
	// Exec runs a statement and returns the number of affected rows.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// AddAuditEntries adds entries to the audit log of the application, as storage.AuditLog does, in this transaction.
	AddAuditEntries(ctx context.Context, entries ...audit.Entry) error
}
