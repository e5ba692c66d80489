package sqlstorage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/vc-admin/diy/domain/fault"
)

// callersError carries the error of a caller's own function out of a transaction untouched,
// whatever it looks like.
type callersError struct{ error }

// clash marks the cause of a Conflict that comes from a value which may be there only once.
type clash struct{ error }

func (c clash) Unwrap() error { return c.error }

// fault turns whatever came out of the database into a fault. The driver's words stay in the
// cause: they tell of tables and values, and belong in the logs.
func (s *Store) fault(err error) error {
	if err == nil {
		return nil
	}
	if own, ok := errors.AsType[callersError](err); ok {
		return own.error
	}
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return known
	}
	if s.closed.Load() || unreachable(err) {
		return fault.Wrap(err, fault.Unavailable, "The database can't be reached")
	}
	return classified(err, s.dialect.classify(err))
}

// unreachable reports errors that are no database's own: the time was up, or the connection is
// gone. A transaction whose time is up reports itself as done.
func unreachable(err error) bool {
	for _, known := range []error{
		context.Canceled, context.DeadlineExceeded, sql.ErrConnDone, sql.ErrTxDone, driver.ErrBadConn,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

func classified(err error, kind failure) error {
	switch kind {
	case failureUnique:
		return fault.Wrap(clash{err}, fault.Conflict, "This exists already")
	case failureForeignKey:
		return fault.Wrap(err, fault.NotFound, "What this belongs to does not exist")
	case failureText:
		return fault.Wrap(err, fault.Invalid, "A text holds a character that can't be kept")
	case failureTransient, failureUndone, failureLost:
		return fault.Wrap(err, fault.Unavailable, "The database is busy or can't be reached")
	default:
		return fault.Wrap(err, fault.Internal, "The database refused the request")
	}
}

// refused gives the Conflict of a value that may be there only once its own sentence.
func (c conn) refused(err error, sentence string) error {
	if c.classify(err) == failureUnique {
		return fault.Wrap(clash{err}, fault.Conflict, sentence)
	}
	return err
}
