package sqlstorage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestErrorsBecomeFaults(t *testing.T) {
	odd := errors.New("something odd")
	kinds := map[error]failure{}
	s := &Store{dialect: &dialect{classify: func(err error) failure { return kinds[err] }}}
	unique, foreign, busy := errors.New("unique"), errors.New("foreign"), errors.New("busy")
	kinds[unique], kinds[foreign], kinds[busy] = failureUnique, failureForeignKey, failureTransient

	for _, c := range []struct {
		err  error
		want fault.Code
	}{
		{nil, ""},
		{odd, fault.Internal},
		{unique, fault.Conflict},
		{foreign, fault.NotFound},
		{busy, fault.Unavailable},
		{context.Canceled, fault.Unavailable},
		{fmt.Errorf("reading: %w", context.DeadlineExceeded), fault.Unavailable},
		{sql.ErrTxDone, fault.Unavailable},
		{sql.ErrConnDone, fault.Unavailable},
		{driver.ErrBadConn, fault.Unavailable},
		{fault.New(fault.NotFound, "There is no such user"), fault.NotFound},
	} {
		t.Run(fmt.Sprint(c.err), func(t *testing.T) {
			err := s.fault(c.err)
			require.Equal(t, c.want, fault.CodeOf(err))
			require.ErrorIs(t, err, c.err, "the cause is kept for the logs")
		})
	}
}

func TestACallersErrorComesBackAsItIs(t *testing.T) {
	s := &Store{dialect: sqliteDialect}
	for _, err := range []error{context.Canceled, sql.ErrNoRows, errors.New("no")} {
		require.Same(t, err, s.fault(callersError{err}), "even when it looks like one of the database's")
	}
}
