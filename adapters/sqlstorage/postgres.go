package sqlstorage

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
)

const postgresDriver = "pgx" // what sqlx knows it as

const (
	// postgresConnections are held by each of a server's two pools. A transaction takes a few
	// milliseconds, so that eight of them do far more than the hashing of passwords lets in; and
	// six servers fit into the hundred connections that PostgreSQL grants unless told otherwise.
	postgresConnections = 8
	// connectionLife lets connections find their way to a database that moved.
	connectionLife = 30 * time.Minute
	// connectionRest is how long a connection that nobody needs is kept.
	connectionRest = 5 * time.Minute
	// connectPatience is how long a connection may take to come about, unless the URL says.
	connectPatience = 5 * time.Second
)

// postgresSettings hold for every connection, unless the URL says otherwise. Locks are waited for
// as long as on SQLite. A transaction that a server left lying about, because it hangs or was cut
// off, is undone: its locks keep others waiting.
var postgresSettings = map[string]string{
	"application_name":                    "diy",
	"timezone":                            "UTC",
	"default_transaction_isolation":       "read committed",
	"statement_timeout":                   "15s",
	"lock_timeout":                        "5s",
	"idle_in_transaction_session_timeout": "30s",
}

// postgresDialect locks the rows that a change is about to write; everything else goes on.
var postgresDialect = &dialect{
	goose:      goose.DialectPostgres,
	migrations: "migrations/postgres",
	now:        "SELECT clock_timestamp()",
	lock:       " FOR UPDATE",
	lockFree:   " FOR UPDATE SKIP LOCKED",
	classify:   classifyPostgres,
	turns:      advisoryLock{},
	writable:   serverWritable,
}

// openPostgres opens a pool that writes and one that can only read: whoever reads never stands
// behind those who wait for a lock.
func openPostgres(ctx context.Context, url string) (*Store, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, err
	}
	writes, err := openPostgresPool(ctx, config)
	if err != nil {
		return nil, err
	}
	config = config.Copy()
	config.RuntimeParams["default_transaction_read_only"] = "on"
	reads, err := openPostgresPool(ctx, config)
	if err != nil {
		return nil, errors.Join(err, writes.Close())
	}
	return newStore(writes, reads, postgresDialect)
}

func postgresConfig(url string) (*pgx.ConnConfig, error) {
	config, err := parsePostgres(url)
	if err != nil {
		return nil, err
	}
	for name, value := range postgresSettings {
		if _, said := config.RuntimeParams[name]; !said {
			config.RuntimeParams[name] = value
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectPatience
	}
	return config, nil
}

func openPostgresPool(ctx context.Context, config *pgx.ConnConfig) (*sqlx.DB, error) {
	db := stdlib.OpenDB(*config)
	db.SetConnMaxLifetime(connectionLife)
	db.SetConnMaxIdleTime(connectionRest)
	return openPool(ctx, sqlx.NewDb(db, postgresDriver), postgresConnections)
}
