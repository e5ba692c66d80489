package sqlstorage_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

func TestWritableAsksWhateverDatabaseThereIs(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		require.NoError(t, s.Writable(t.Context()))

		ended, end := context.WithCancel(t.Context())
		end()
		require.Equal(t, fault.Unavailable, fault.CodeOf(s.Writable(ended)))
	})
}

func TestAFileThatIsGoneIsNotWritable(t *testing.T) {
	url := newFile(t)
	s := migrated(t, url)
	require.NoError(t, os.Remove(path(url)))

	require.Equal(t, fault.Unavailable, fault.CodeOf(s.Writable(t.Context())))
}

func TestAPostgresThatWasSetToReadOnlyIsNotWritable(t *testing.T) {
	s := opened(t, postgresKind.ready(t)+"&default_transaction_read_only=on")

	err := s.Writable(t.Context())

	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "read-only")
}
