package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	auditSealTable      = newTable[auditSealRow]("audit_seals")
	insertAuditSealSQL  = auditSealTable.insertSQL()
	selectAuditSealsSQL = auditSealTable.selectSQL("WHERE class = ? AND number > ? ORDER BY number LIMIT ?")
	selectLastSealSQL   = auditSealTable.selectSQL("WHERE class = ? ORDER BY number DESC LIMIT 1")
)

const (
	selectNewestEntrySQL = "SELECT id, at FROM audit WHERE id = (SELECT MAX(id) FROM audit)"
	// selectFirstKeptSealSQL selects the first seal with an entry that must be kept.
	selectFirstKeptSealSQL = "SELECT COALESCE(MIN(number), 0) FROM audit_seals WHERE class = ? AND newest_at >= ?"
	selectSealedIDSQL      = "SELECT COALESCE(MAX(last_id), 0) FROM audit_seals WHERE class = ? AND number < ?"
	deleteAuditEntriesSQL  = "DELETE FROM audit WHERE class = ? AND id <= ?"
)

type auditSealRow struct {
	Class    string    `db:"class"`
	Number   int64     `db:"number"`
	LastID   int64     `db:"last_id"`
	SeenID   int64     `db:"seen_id"`
	Count    int64     `db:"entries"`
	NewestAt timestamp `db:"newest_at"`
	SealedAt timestamp `db:"sealed_at"`
	Hash     string    `db:"hash"`
}

func newAuditSealRow(s audit.Seal) auditSealRow {
	return auditSealRow{
		Class: string(s.Class), Number: s.Number, LastID: s.LastID, SeenID: s.SeenID, Count: s.Count,
		NewestAt: newTimestamp(s.NewestAt), SealedAt: newTimestamp(s.SealedAt), Hash: s.Hash,
	}
}

func (r auditSealRow) seal() audit.Seal {
	return audit.Seal{
		Class: audit.Class(r.Class), Number: r.Number, LastID: r.LastID, SeenID: r.SeenID, Count: r.Count,
		NewestAt: r.NewestAt.time, SealedAt: r.SealedAt.time, Hash: r.Hash,
	}
}

// AuditSeals implements storage.AuditLog.
func (s *Store) AuditSeals(ctx context.Context, class audit.Class, after int64, limit int) ([]audit.Seal, error) {
	var rows []auditSealRow
	if err := s.reader().list(ctx, &rows, selectAuditSealsSQL, string(class), after, limit); err != nil {
		return nil, s.toFault(err)
	}
	var seals []audit.Seal
	for _, row := range rows {
		seals = append(seals, row.seal())
	}
	return seals, nil
}

// newestEntry identifies the newest entry of the audit log.
type newestEntry struct {
	ID int64     `db:"id"`
	At timestamp `db:"at"`
}

// newestAuditEntry returns the zero value for an empty log.
func (c conn) newestAuditEntry(ctx context.Context) (newest newestEntry, err error) {
	err = c.get(ctx, "entry", &newest, selectNewestEntrySQL)
	return newest, fault.ReplaceNotFound(err, nil)
}

// SealAuditLog implements storage.AuditLog.
func (s *Store) SealAuditLog(ctx context.Context, now time.Time) (seals []audit.Seal, err error) {
	err = s.write(ctx, func(c conn) error {
		seals = nil
		newest, err := c.newestAuditEntry(ctx)
		if err != nil {
			return err
		}
		for _, class := range audit.Classes() {
			seal, err := c.addAuditSeal(ctx, class, newest.ID, now)
			if err != nil {
				return err
			}
			if seal.Number > 0 {
				seals = append(seals, seal)
			}
		}
		return nil
	})
	return seals, err
}

// addAuditSeal adds and returns the next seal of the class. It returns the zero Seal if none is due.
func (c conn) addAuditSeal(ctx context.Context, class audit.Class, seenID int64, now time.Time) (audit.Seal, error) {
	var row auditSealRow
	err := c.get(ctx, "seal", &row, selectLastSealSQL, string(class))
	if err = fault.ReplaceNotFound(err, nil); err != nil {
		return audit.Seal{}, err
	}
	last := row.seal()
	if !last.IsDue(seenID, now) {
		return audit.Seal{}, nil
	}
	var entries []audit.Entry
	if last.SeenID > last.LastID {
		query, args := auditQuerySQL(storage.AuditQuery{Class: class, AfterID: last.LastID, UntilID: last.SeenID, Limit: maxRowID})
		if entries, err = c.listAuditEntries(ctx, query, args...); err != nil {
			return audit.Seal{}, err
		}
	}
	seal, err := last.Next(class, entries, max(seenID, last.SeenID), newTimestamp(now).time)
	if err != nil {
		return audit.Seal{}, err
	}
	err = c.save(ctx, insertAuditSealSQL, newAuditSealRow(seal))
	return seal, c.uniqueViolationToConflict(err, "Another server has sealed the audit log")
}

// SweepAuditLog implements storage.AuditLog.
func (s *Store) SweepAuditLog(ctx context.Context) (count int, err error) {
	err = s.write(ctx, func(c conn) error {
		newest, err := c.newestAuditEntry(ctx)
		if err != nil || newest.ID == 0 {
			return err
		}
		var firstKept, lastID int64
		cutoff := newTimestamp(newest.At.time.Add(-audit.Retention))
		if err := c.get(ctx, "seal", &firstKept, selectFirstKeptSealSQL, string(audit.Access), cutoff); err != nil {
			return err
		}
		if firstKept == 0 {
			firstKept = maxRowID
		}
		if err := c.get(ctx, "seal", &lastID, selectSealedIDSQL, string(audit.Access), firstKept); err != nil {
			return err
		}
		deletedRows, err := c.exec(ctx, deleteAuditEntriesSQL, string(audit.Access), lastID)
		count = int(deletedRows)
		return err
	})
	return count, err
}
