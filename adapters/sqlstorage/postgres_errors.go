package sqlstorage

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

func classifyPostgres(err error) failure {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return failureTransient
	}
	if known, ok := errors.AsType[*pgconn.PgError](err); ok {
		return classifySQLState(known.Code)
	}
	if broken(err) {
		return failureLost
	}
	return failureOther
}

// classifySQLState follows appendix A of PostgreSQL's manual.
func classifySQLState(code string) failure {
	switch code {
	case "23505": // unique_violation
		return failureUnique
	case "23503": // foreign_key_violation
		return failureForeignKey
	case "22021": // character_not_in_repertoire: a text with a zero in it
		return failureText
	case "40001", "40P01": // it can't be serialised, or there was a deadlock
		return failureUndone
	case "55P03", "57014", "25006": // lock_not_available, query_canceled, read_only_sql_transaction
		return failureTransient
	case "57P01", "57P02", "57P03", "57P05", "25P03": // the server goes down, or ends an idle session
		return failureLost
	}
	return classifySQLStateClass(code)
}

// classifySQLStateClass goes by the first two characters, which group the codes.
func classifySQLStateClass(code string) failure {
	switch code[:min(len(code), 2)] {
	case "08": // the connection
		return failureLost
	case "53", "58": // memory, disk, connections; the machine
		return failureTransient
	}
	return failureOther
}

// broken reports that the connection is gone.
func broken(err error) bool {
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	for _, known := range []error{driver.ErrBadConn, pgconn.ErrConnClosed, net.ErrClosed, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
