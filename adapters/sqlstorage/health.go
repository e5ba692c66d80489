package sqlstorage

import (
	"context"
	"fmt"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const selectVersionSQL = "SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied"

// schema lists all tables and columns that this package uses.
var schema = []table{
	organisationTable, userTable, verificationTable, passwordResetTable, emailConfirmationTable,
	emailRequestTable, subscriptionTable, operationTable, paymentAttemptTable, emailTable, finishedEmailTable, callerCheckTable,
	endFeedbackTable, trialCardTable, auditTable, auditNoteTable, auditSealTable, invoiceTable, noticeTable, declinedNoticeTable, unreachableEmailTable,
	eventTable, erasureTable, keptInvoiceTable, searchTermTable, sessionTable, membershipTable, invitationTable, authenticatorTable, emailChangeTable, undoTable,
	{name: "recovery_codes", columns: []string{"user_id", "code_hash"}},
	{name: "used_challenges", columns: []string{"hash", "expires_at"}},
	{name: "secrets", columns: []string{"name", "value"}},
	{name: "rate_limits", columns: []string{"key", "used_until"}},
	{name: "leases", columns: []string{"name", "token", "expires_at"}},
}

var selectSchemaSQL = schemaSQL(schema)

// schemaSQL returns a query that fails unless all tables and columns exist. It reads at most one row
// of each table.
func schemaSQL(tables []table) string {
	var parts []string
	for _, t := range tables {
		parts = append(parts, fmt.Sprintf("SELECT COUNT(*) AS present FROM (%s) AS one_of_%s", t.selectSQL("LIMIT 1"), t.name))
	}
	return "SELECT COUNT(*) FROM (" + strings.Join(parts, " UNION ALL ") + ") AS tables_present"
}

// Ready returns nil if the database can be reached, is migrated, and has every table and column that this version uses.
// It accepts a database that a newer version has migrated, because both versions run during a rolling update.
func (s *Store) Ready(ctx context.Context) error {
	var version int64
	if err := s.reader().get(ctx, "version", &version, selectVersionSQL); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The database can't be reached or was never migrated")
	}
	if version < s.latestVersion {
		return fault.Newf(fault.Unavailable, "The database is at version %d and must be migrated to %d", version, s.latestVersion)
	}
	var tableCount int
	if err := s.reader().get(ctx, "schema", &tableCount, selectSchemaSQL); err != nil {
		return fault.Wrap(err, fault.Unavailable, "A table of the database is missing or damaged")
	}
	return nil
}

const (
	selectFilePathSQL = "SELECT file FROM pragma_database_list WHERE name = 'main'"
	selectReadOnlySQL = "SELECT current_setting('transaction_read_only') = 'on'"

	// minFreeSpace is the free disk space below which an SQLite database is not writable.
	minFreeSpace = 16 << 20
)

// CheckWritable returns Unavailable if writes would fail. On SQLite this means that the file is gone, write-protected or
// on a full disk. On PostgreSQL it means that the server is a standby or read-only. Managed servers become read-only when
// their disk is full.
func (s *Store) CheckWritable(ctx context.Context) error {
	return s.toFault(s.dialect.checkWritable(ctx, s))
}

func checkSQLiteWritable(ctx context.Context, s *Store) error {
	path, err := s.filePath(ctx)
	if err != nil {
		return err
	}
	return checkDisk(path, minFreeSpace)
}

// checkPostgresWritable uses the write pool, because connections of the read pool are always read-only.
func checkPostgresWritable(ctx context.Context, s *Store) error {
	var readOnly bool
	c := conn{db: s.writePool, dialect: s.dialect, retryReads: true}
	if err := c.get(ctx, "setting", &readOnly, selectReadOnlySQL); err != nil {
		return err
	}
	if readOnly {
		return fault.New(fault.Unavailable, "The database is read-only")
	}
	return nil
}

// The LIMIT bounds the cost for long queues.
const (
	selectEmailCreationTimesSQL     = "SELECT created_at FROM emails ORDER BY created_at, id LIMIT ?"
	selectOperationCreationTimesSQL = `SELECT created_at FROM operations WHERE settled_at IS NULL
		ORDER BY created_at, key LIMIT ?`
)

// Backlog returns the lengths of the queues. It counts at most storage.BacklogLimit rows of each.
func (s *Store) Backlog(ctx context.Context) (storage.Backlog, error) {
	emails, err := s.readQueue(ctx, selectEmailCreationTimesSQL)
	if err != nil {
		return storage.Backlog{}, err
	}
	operations, err := s.readQueue(ctx, selectOperationCreationTimesSQL)
	return storage.Backlog{Emails: emails, Operations: operations}, err
}

func (s *Store) readQueue(ctx context.Context, query string) (storage.QueueStats, error) {
	var creationTimes []timestamp
	if err := s.reader().list(ctx, &creationTimes, query, storage.BacklogLimit); err != nil || len(creationTimes) == 0 {
		return storage.QueueStats{}, s.toFault(err)
	}
	return storage.QueueStats{Count: len(creationTimes), Oldest: creationTimes[0].time}, nil
}
