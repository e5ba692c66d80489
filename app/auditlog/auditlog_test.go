package auditlog_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// alteredStore returns entries as if a person had altered the table.
type alteredStore struct {
	storage.Store
	alter func(*audit.Entry)
}

func (s alteredStore) AuditEntries(ctx context.Context, q storage.AuditQuery) ([]audit.Entry, error) {
	entries, err := s.Store.AuditEntries(ctx, q)
	for i := range entries {
		s.alter(&entries[i])
	}
	return entries, err
}

// seal seals the entries that exist. A seal covers what was seen at the previous one.
func seal(t *testing.T, env *apptest.Env) {
	t.Helper()
	for range 2 {
		env.Advance(audit.MinSealInterval)
		_, err := env.App.SealAuditLog.Do(t.Context())
		require.NoError(t, err)
	}
}

// addEntries adds an entry of each class.
func addEntries(t *testing.T, env *apptest.Env) {
	t.Helper()
	ctx := audit.WithActor(t.Context(), audit.User("ann"))
	require.NoError(t, env.Store.AddAuditEntries(ctx, audit.Entry{Kind: audit.SignedOut}, audit.Entry{Kind: audit.PasswordChanged}))
}

func TestVerifyAuditLog_ReportsAnAlteredEntry(t *testing.T) {
	env := apptest.New(t)
	addEntries(t, env)
	seal(t, env)

	result, err := env.App.VerifyAuditLog.Do(t.Context(), audit.Record)
	require.NoError(t, err)
	assert.Empty(t, result.Problems)
	assert.EqualValues(t, 1, result.Entries)

	altered := auditlog.New(alteredStore{env.Store, func(e *audit.Entry) { e.Actor = audit.User("ben") }}, env.Clock, slog.New(slog.DiscardHandler))
	result, err = altered.VerifyAuditLog.Do(t.Context(), audit.Record)
	require.NoError(t, err)
	require.Len(t, result.Problems, 1)
	require.ErrorIs(t, result.Problems[0], audit.ErrAltered)
}

func TestSealAuditLog_LogsTheHashOfEachSeal(t *testing.T) {
	env := apptest.New(t)
	addEntries(t, env)
	var log strings.Builder
	useCases := auditlog.New(env.Store, env.Clock, slog.New(slog.NewTextHandler(&log, nil)))
	count, err := useCases.SealAuditLog.Do(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(audit.Classes()), count)
	seals, err := env.Store.AuditSeals(t.Context(), audit.Record, 0, 10)
	require.NoError(t, err)
	assert.Contains(t, log.String(), "hash="+seals[0].Hash)
	count, err = useCases.SealAuditLog.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, count, "the interval has not passed")
}

func TestSealAuditLog_DeletesAccessEntriesAfterTheRetention(t *testing.T) {
	env := apptest.New(t)
	addEntries(t, env)
	seal(t, env)
	env.Advance(audit.Retention + time.Hour)
	addEntries(t, env)
	seal(t, env)

	for class, wantDeleted := range map[audit.Class]int64{audit.Access: 1, audit.Record: 0} {
		result, err := env.App.VerifyAuditLog.Do(t.Context(), class)
		require.NoError(t, err)
		assert.Empty(t, result.Problems)
		assert.Equal(t, wantDeleted, result.Deleted, class)
		assert.Equal(t, 2-wantDeleted, result.Entries, class)
	}
}

func TestExportAuditLog_ContainsItself(t *testing.T) {
	env := apptest.New(t)
	addEntries(t, env)
	var kinds []audit.Kind
	err := env.App.ExportAuditLog.Do(audit.WithActor(t.Context(), audit.Operator("olga")), storage.AuditQuery{}, "csv",
		func(e audit.Entry) error {
			kinds = append(kinds, e.Kind)
			return nil
		})
	require.NoError(t, err)
	assert.Equal(t, []audit.Kind{audit.SignedOut, audit.PasswordChanged, audit.OperatorExported}, kinds)
}
