package sqlstorage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestToFault_ConvertsEachFailureToItsCode(t *testing.T) {
	errUnique, errForeignKey, errText := errors.New("unique"), errors.New("foreign key"), errors.New("text")
	errBusy, errRolledBack, errLost := errors.New("busy"), errors.New("rolled back"), errors.New("lost")
	s := &Store{dialect: fakeDialect(map[error]failure{
		errUnique: failureUnique, errForeignKey: failureForeignKey, errText: failureInvalidText, errBusy: failureTransient,
		errRolledBack: failureRolledBack, errLost: failureConnectionLost,
	})}
	for _, tt := range []struct {
		err  error
		want fault.Code
	}{
		{nil, ""},
		{errors.New("unexpected"), fault.Internal},
		{errUnique, fault.Conflict},
		{errForeignKey, fault.NotFound},
		{errText, fault.Invalid},
		{errBusy, fault.Unavailable},
		{errRolledBack, fault.Unavailable},
		{errLost, fault.Unavailable},
		{commitError{context.Canceled}, fault.Unavailable},
		{context.Canceled, fault.Unavailable},
		{fmt.Errorf("reading: %w", context.DeadlineExceeded), fault.Unavailable},
		{sql.ErrTxDone, fault.Unavailable},
		{sql.ErrConnDone, fault.Unavailable},
		{driver.ErrBadConn, fault.Unavailable},
		{fault.New(fault.NotFound, "There is no such user"), fault.NotFound},
	} {
		t.Run(fmt.Sprint(tt.err), func(t *testing.T) {
			err := s.toFault(tt.err)
			require.Equal(t, tt.want, fault.CodeOf(err))
			require.ErrorIs(t, err, tt.err, "the fault wraps the cause")
		})
	}
}

func TestToFault_ReturnsErrorsOfTheCallerUnchanged(t *testing.T) {
	s := &Store{dialect: sqliteDialect}
	for _, err := range []error{context.Canceled, sql.ErrNoRows, errors.New("no")} {
		require.Same(t, err, s.toFault(callerError{err}))
	}
}

func TestToFault_MessageDoesNotDescribeTheDatabase(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		exec(t, s, "DROP TABLE events")
		_, err := s.EventHandled(t.Context(), "event")

		var faultErr *fault.Error
		require.ErrorAs(t, err, &faultErr)
		require.Equal(t, fault.Internal, faultErr.Code)
		for _, word := range []string{"events", "table", "relation", "sql", "select"} {
			assert.NotContains(t, strings.ToLower(faultErr.Message), word)
		}
		assert.ErrorContains(t, err, "events")
	})
}

func TestGet_TextThatCannotBeStoredIsNotFound(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openAndMigrate(t, db.newMigratedURL(t))
		for _, email := range []string{"ada\x00@example.test", "\x00"} {
			_, err := s.UserByEmail(t.Context(), email)
			require.Equal(t, fault.NotFound, fault.CodeOf(err))
		}
	})
}

func TestClassifyPostgres_FollowsTheSQLState(t *testing.T) {
	for want, states := range map[failure][]string{
		failureUnique:         {"23505"},
		failureForeignKey:     {"23503"},
		failureInvalidText:    {"22021"},
		failureRolledBack:     {"40001", "40P01"},
		failureTransient:      {"53300", "53100", "53200", "55P03", "57014", "58030", "25006"},
		failureConnectionLost: {"57P01", "57P02", "57P03", "08006", "08003", "25P03"},
		failureOther:          {"42P01", "42601", "23502", "XX000", "22001", ""},
	} {
		for _, state := range states {
			assert.Equal(t, want, classifyPostgres(fmt.Errorf("query: %w", &pgconn.PgError{Code: state})), state)
		}
	}
	for _, err := range []error{
		io.EOF, io.ErrUnexpectedEOF, driver.ErrBadConn, net.ErrClosed, pgconn.ErrConnClosed,
		&net.OpError{Op: "read", Err: errors.New("connection reset by peer")},
	} {
		assert.Equal(t, failureConnectionLost, classifyPostgres(fmt.Errorf("query: %w", err)), "%v", err)
	}
	_, err := pgconn.Connect(t.Context(), "postgres://ada@127.0.0.1:1/diy")
	assert.Equal(t, failureTransient, classifyPostgres(err), "a connection that could not be opened is not lost")
	assert.Equal(t, failureOther, classifyPostgres(errors.New("unexpected")))
}
