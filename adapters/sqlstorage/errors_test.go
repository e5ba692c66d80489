package sqlstorage_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// The message may reach a person, the cause goes to the logs.
func TestOurOwnDefectsStayOutOfTheMessage(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		_, err := s.DB().ExecContext(t.Context(), "DROP TABLE events")
		require.NoError(t, err)
		_, err = s.EventHandled(t.Context(), "event")

		var known *fault.Error
		require.ErrorAs(t, err, &known)
		require.Equal(t, fault.Internal, known.Code)
		for _, word := range []string{"events", "table", "relation", "SQL", "SELECT"} {
			assert.NotContains(t, strings.ToLower(known.Message), strings.ToLower(word))
		}
		assert.ErrorContains(t, err, "events")
	})
}

// It takes as long as the busy timeout: a writer in another process may be slow.
func TestAWriterThatIsKeptWaitingIsUnavailable(t *testing.T) {
	url := newFile(t)
	s := migrated(t, url)
	other, err := sql.Open("sqlite", "file:"+path(url)+"?_txlock=immediate")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	tx, err := other.BeginTx(t.Context(), nil)
	require.NoError(t, err)

	err = s.RecordEvent(t.Context(), "event", "customer", noon)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "SQLITE_BUSY")

	require.NoError(t, tx.Rollback())
	require.NoError(t, s.RecordEvent(t.Context(), "event", "customer", noon), "and afterwards it goes on")
}

// Who waits for another writer of the same server waits no longer than there is time.
func TestADeadlineInTheQueueIsUnavailable(t *testing.T) {
	s := migrated(t, newFile(t))
	holdWriteLock(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := s.RecordEvent(ctx, "event", "customer", noon)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	handled, err := s.EventHandled(t.Context(), "event")
	require.NoError(t, err)
	require.False(t, handled)
}

// Nothing that is stored has such a text, whatever a database thinks of it.
func TestATextThatCannotBeStoredIsNotFound(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := migrated(t, k.ready(t))
		for _, email := range []string{"ada\x00@example.test", "\x00"} {
			_, err := s.UserByEmail(t.Context(), email)
			require.Equal(t, fault.NotFound, fault.CodeOf(err))
		}
	})
}
