package sqlstorage

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatTheDatabaseUndidIsDoneAgain(t *testing.T) {
	undone, lost, busy := errors.New("undone"), errors.New("lost"), errors.New("busy")
	kinds := map[error]failure{undone: failureUndone, lost: failureLost, busy: failureTransient}
	d := &dialect{classify: func(err error) failure {
		for known, kind := range kinds {
			if errors.Is(err, known) {
				return kind
			}
		}
		return failureOther
	}}
	for _, c := range []struct {
		name string
		errs []error // of one try after the other; the last one is of all that follow
		runs int
	}{
		{"goes well", []error{nil}, 1},
		{"was undone", []error{undone, lost, undone, nil}, 4},
		{"was undone at the commit", []error{unsettled{undone}, nil}, 2},
		{"was lost at the commit, so nobody knows", []error{unsettled{lost}}, 1},
		{"is refused", []error{errors.New("no")}, 1},
		{"found the database busy", []error{busy}, 1},
		{"is the caller's own refusal", []error{callersError{undone}}, 1},
		{"is undone every time", []error{undone}, tries},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := 0
			err := d.again(t.Context(), func() error {
				runs++
				return c.errs[min(runs, len(c.errs))-1]
			})
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.errs[len(c.errs)-1], err)
		})
	}
}

func TestNothingIsDoneAgainWithoutTime(t *testing.T) {
	d := &dialect{classify: func(error) failure { return failureUndone }}
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	err := d.again(ctx, func() error {
		runs++
		cancel()
		return errors.New("undone")
	})
	require.Error(t, err)
	require.Equal(t, 1, runs)
}
