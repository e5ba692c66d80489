package sqlstorage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/fault"
)

func TestStatesOfPostgresErrors(t *testing.T) {
	for want, states := range map[failure][]string{
		failureUnique:     {"23505"},
		failureForeignKey: {"23503"},
		failureText:       {"22021"},
		failureUndone:     {"40001", "40P01"},
		failureTransient:  {"53300", "53100", "53200", "55P03", "57014", "58030", "25006"},
		failureLost:       {"57P01", "57P02", "57P03", "08006", "08003", "25P03"},
		failureOther:      {"42P01", "42601", "23502", "XX000", "22001", ""},
	} {
		for _, state := range states {
			err := fmt.Errorf("asking: %w", &pgconn.PgError{Code: state})
			assert.Equal(t, want, classifyPostgres(err), state)
		}
	}
}

func TestErrorsOfThePostgresConnection(t *testing.T) {
	for _, err := range []error{
		io.EOF, io.ErrUnexpectedEOF, driver.ErrBadConn, net.ErrClosed, pgconn.ErrConnClosed,
		&net.OpError{Op: "read", Err: errors.New("connection reset by peer")},
	} {
		assert.Equal(t, failureLost, classifyPostgres(fmt.Errorf("asking: %w", err)), "%v", err)
	}
	assert.Equal(t, failureOther, classifyPostgres(errors.New("odd")))

	_, err := pgconn.Connect(t.Context(), "postgres://ada@127.0.0.1:1/diy")
	assert.Equal(t, failureTransient, classifyPostgres(err), "a server that is not there is not asked again and again")
}

func TestErrorsOfPostgresBecomeFaults(t *testing.T) {
	s := &Store{dialect: postgresDialect}
	for state, want := range map[string]fault.Code{
		"23505": fault.Conflict, "23503": fault.NotFound, "40001": fault.Unavailable, "40P01": fault.Unavailable,
		"57P01": fault.Unavailable, "08006": fault.Unavailable, "53300": fault.Unavailable, "55P03": fault.Unavailable,
		"57014": fault.Unavailable, "22021": fault.Invalid, "42P01": fault.Internal,
	} {
		assert.Equal(t, want, fault.CodeOf(s.fault(&pgconn.PgError{Code: state})), state)
	}
	assert.Equal(t, fault.Unavailable, fault.CodeOf(s.fault(unsettled{context.Canceled})))
}
