package sqlstorage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// failure classifies the errors of the database drivers.
type failure int

const (
	failureOther          failure = iota
	failureUnique                 // a unique value exists already
	failureForeignKey             // the referenced row doesn't exist
	failureInvalidText            // the database can't store a character of a text
	failureTransient              // the database is unreachable, busy, or timed out
	failureRolledBack             // the database rolled the transaction back because of a conflict
	failureConnectionLost         // the connection broke; nothing was changed unless it broke during a commit
)

// callerError wraps an error of the caller's function in a transaction. Store.toFault returns that error unchanged.
type callerError struct{ error }

// uniqueViolationError marks a Conflict as a unique violation.
type uniqueViolationError struct{ error }

func (e uniqueViolationError) Unwrap() error { return e.error }

// toFault converts errors of the database to faults. The driver's message, which may contain names of
// tables and values, remains in the cause.
func (s *Store) toFault(err error) error {
	if err == nil {
		return nil
	}
	if caller, ok := errors.AsType[callerError](err); ok {
		return caller.error
	}
	if faultErr, ok := errors.AsType[*fault.Error](err); ok {
		return faultErr
	}
	if s.isClosed.Load() || isUnreachable(err) {
		return fault.Wrap(err, fault.Unavailable, "The database can't be reached")
	}
	switch s.dialect.classify(err) {
	case failureUnique:
		return fault.Wrap(uniqueViolationError{err}, fault.Conflict, "This exists already")
	case failureForeignKey:
		return fault.Wrap(err, fault.NotFound, "The record that this one refers to does not exist")
	case failureInvalidText:
		return fault.Wrap(err, fault.Invalid, "A text contains a character that can't be stored")
	case failureTransient, failureRolledBack, failureConnectionLost:
		return fault.Wrap(err, fault.Unavailable, "The database is busy or can't be reached")
	default:
		return fault.Wrap(err, fault.Internal, "The database refused the request")
	}
}

// isUnreachable reports whether database/sql could not use a connection, because the context has ended or the connection
// is gone. A transaction whose context has ended returns sql.ErrTxDone.
func isUnreachable(err error) bool {
	for _, target := range []error{
		context.Canceled, context.DeadlineExceeded, sql.ErrConnDone, sql.ErrTxDone, driver.ErrBadConn,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// uniqueViolationToConflict converts a unique violation to a Conflict with the message.
func (c conn) uniqueViolationToConflict(err error, message string) error {
	if c.classify(err) == failureUnique {
		return fault.Wrap(uniqueViolationError{err}, fault.Conflict, message)
	}
	return err
}

const selectTakenFieldsSQL = `SELECT
	EXISTS (SELECT 1 FROM organisations WHERE name_key = ? AND id <> ? AND verified_at IS NOT NULL) AS org,
	EXISTS (SELECT 1 FROM users WHERE email_key = ? AND id <> ? AND verified_at IS NOT NULL) AS email`

// uniqueViolationToDuplicate converts a unique violation to a Duplicate if the organisation's name or the user's
// email is taken. It queries both, because the database reports one violation only.
func (s *Store) uniqueViolationToDuplicate(ctx context.Context, err error, o organisationRow, u userRow) error {
	if _, ok := errors.AsType[uniqueViolationError](err); !ok { // also for nil
		return err
	}
	duplicate, readErr := s.reader().findDuplicate(ctx, o, u)
	if readErr != nil {
		return s.toFault(readErr)
	}
	if duplicate == nil {
		return err
	}
	return duplicate
}

// findDuplicate returns a Duplicate if another verified registration has the organisation's name or the user's email
// address, otherwise nil.
func (c conn) findDuplicate(ctx context.Context, o organisationRow, u userRow) (*fault.Error, error) {
	var isTaken struct {
		Org   bool `db:"org"`
		Email bool `db:"email"`
	}
	if err := c.get(ctx, "name", &isTaken, selectTakenFieldsSQL, o.NameKey, o.ID, u.EmailKey, u.ID); err != nil {
		return nil, err
	}
	var fields fault.Fields
	fields.Check(!isTaken.Org, "org", "An organisation with this name is already registered")
	fields.Check(!isTaken.Email, "email", "This email address is already registered")
	takenFields := fault.FieldsOf(fields.Err())
	if len(takenFields) == 0 {
		return nil, nil //nolint:nilnil // no duplicate
	}
	messages := make([]string, len(takenFields))
	for i, field := range takenFields {
		messages[i] = field.Message
	}
	duplicate := fault.New(fault.Duplicate, strings.Join(messages, ". "))
	duplicate.Fields = takenFields
	return duplicate, nil
}
