package sqlstorage

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
)

const (
	postgresDriver = "pgx" // from this name sqlx infers the syntax of placeholders

	// The sizes of a server's two pools. The read pool is larger, because almost every request only reads, and waiting for
	// a connection would take longer than the query. A write transaction takes a few milliseconds. PostgreSQL's default of
	// 100 connections is enough for four servers.
	postgresReadConnections  = 16
	postgresWriteConnections = 8
	// connMaxLifetime limits how long connections to a former database server are used after a failover.
	connMaxLifetime = 30 * time.Minute
	connMaxIdleTime = 5 * time.Minute
	// defaultConnectTimeout applies unless the URL sets connect_timeout.
	defaultConnectTimeout = 5 * time.Second
)

// postgresSettings apply to every connection, unless the URL sets them. The lock timeout equals SQLite's
// busy timeout. The idle timeout rolls back the transactions of a server that hangs or lost its network, because their
// locks would block other servers.
var postgresSettings = map[string]string{
	"application_name":                    "diy",
	"timezone":                            "UTC",
	"default_transaction_isolation":       "read committed",
	"statement_timeout":                   "15s",
	"lock_timeout":                        "5s",
	"idle_in_transaction_session_timeout": "30s",
}

// postgresDialect locks the rows that a transaction is about to change.
var postgresDialect = &dialect{
	goose:               goose.DialectPostgres,
	migrations:          "postgres",
	rebind:              rebindPostgres,
	selectNow:           "SELECT clock_timestamp()",
	forUpdate:           " FOR UPDATE",
	forUpdateSkipLocked: " FOR UPDATE SKIP LOCKED",
	classify:            classifyPostgres,
	migrationLock:       advisoryLock{},
	checkWritable:       checkPostgresWritable,
}

// reboundStatements contains the results of rebindPostgres by statement. Their number is bounded by the number of
// statements in the code.
var reboundStatements sync.Map

// rebindPostgres replaces the placeholders ? by $1, $2 and so on. It caches the result: each replacement in a long SELECT
// would allocate twice its size.
func rebindPostgres(statement string) string {
	value, _ := reboundStatements.Load(statement)
	if rebound, ok := value.(string); ok {
		return rebound
	}
	rebound := sqlx.Rebind(sqlx.DOLLAR, statement)
	reboundStatements.Store(statement, rebound)
	return rebound
}

// openPostgres opens a pool for writes and a read-only pool, so that reads never wait for a connection
// behind writers that wait for a lock.
func openPostgres(ctx context.Context, url string) (*Store, error) {
	config, err := postgresConfig(url)
	if err != nil {
		return nil, err
	}
	writePool, err := openPostgresPool(ctx, config, postgresWriteConnections)
	if err != nil {
		return nil, err
	}
	config = config.Copy()
	config.RuntimeParams["default_transaction_read_only"] = "on"
	readPool, err := openPostgresPool(ctx, config, postgresReadConnections)
	if err != nil {
		return nil, errors.Join(err, writePool.Close())
	}
	return newStore(writePool, readPool, postgresDialect)
}

func postgresConfig(url string) (*pgx.ConnConfig, error) {
	config, err := parsePostgresURL(url)
	if err != nil {
		return nil, err
	}
	for name, value := range postgresSettings {
		if _, ok := config.RuntimeParams[name]; !ok {
			config.RuntimeParams[name] = value
		}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = defaultConnectTimeout
	}
	return config, nil
}

func openPostgresPool(ctx context.Context, config *pgx.ConnConfig, connections int) (*sqlx.DB, error) {
	db := stdlib.OpenDB(*config)
	db.SetConnMaxLifetime(connMaxLifetime)
	db.SetConnMaxIdleTime(connMaxIdleTime)
	return initPool(ctx, sqlx.NewDb(db, postgresDriver), connections)
}

// parsePostgresURL parses a URL, which must name a host and a database. libpq's environment variables and files may
// supply the rest, such as the password. It also rejects a URL whose password has an unescaped character, if a part of
// the password would be parsed as the host or the database. Errors quote both.
func parsePostgresURL(url string) (*pgx.ConnConfig, error) {
	base, options, _ := strings.Cut(url, "?")
	_, rest, _ := strings.Cut(base, "://")
	authority, databaseName, _ := strings.Cut(rest, "/")
	_, host, hasUser := strings.Cut(authority, "@")
	if !hasUser {
		host = authority
	}
	switch _, err := pgx.ParseConfig(base); {
	case err != nil, strings.ContainsAny(host+databaseName, "@/#"):
		return nil, invalidURL("The database's URL must read postgres://USER:PASSWORD@HOST/NAME, " +
			"with %2F for / in the password, %40 for @, %3F for ? and %23 for #")
	case databaseName == "":
		return nil, invalidURL("The database's URL names no database: write postgres://USER:PASSWORD@HOST/NAME")
	case host == "" && !strings.Contains("&"+options, "&host="):
		return nil, invalidURL("The database's URL names no host: write postgres://USER:PASSWORD@HOST/NAME")
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, invalidURL("The database's URL has an option that can't be used" + describeOptionProblem(err, options))
	}
	return config, nil
}

// describeOptionProblem returns a text such as ": no such file", which follows a message about the options. It returns ""
// if the options may contain a password.
func describeOptionProblem(err error, options string) string {
	mayContainPassword := strings.Contains(options, "password") || strings.ContainsAny(options, ":@")
	if cause := errors.Unwrap(err); cause != nil && !mayContainPassword {
		return ": " + cause.Error()
	}
	return ""
}

func classifyPostgres(err error) failure {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return failureTransient
	}
	if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
		return classifySQLState(pgErr.Code)
	}
	if isConnectionLost(err) {
		return failureConnectionLost
	}
	return failureOther
}

// classifySQLState follows https://www.postgresql.org/docs/current/errcodes-appendix.html. The first two
// characters of a code are its class.
func classifySQLState(code string) failure {
	switch code {
	case "23505": // unique_violation
		return failureUnique
	case "23503": // foreign_key_violation
		return failureForeignKey
	case "22021": // character_not_in_repertoire, such as a zero byte
		return failureInvalidText
	case "40001", "40P01": // conflict of serializable transactions, deadlock
		return failureRolledBack
	case "55P03", "57014", "25006": // lock_not_available, query_canceled, read_only_sql_transaction
		return failureTransient
	case "57P01", "57P02", "57P03", "57P05", "25P03": // the server shuts down, or ends an idle session
		return failureConnectionLost
	}
	switch code[:min(len(code), 2)] {
	case "08": // connection exception
		return failureConnectionLost
	case "53", "58": // insufficient resources, system error
		return failureTransient
	}
	return failureOther
}

func isConnectionLost(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	for _, target := range []error{driver.ErrBadConn, pgconn.ErrConnClosed, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
