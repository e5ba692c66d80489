package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
)

var (
	emailChangeTable           = newTable[emailChangeRow]("email_changes")
	insertEmailChangeSQL       = emailChangeTable.insertSQL()
	selectEmailChangeSQL       = emailChangeTable.selectSQL("WHERE token_hash = ?")
	selectEmailChangeOfUserSQL = emailChangeTable.selectSQL("WHERE user_id = ?")

	undoTable            = newTable[undoRow]("undos")
	insertUndoSQL        = undoTable.insertSQL()
	selectUndoSQL        = undoTable.selectSQL("WHERE token_hash = ?")
	selectUndosOfUserSQL = undoTable.selectSQL("WHERE user_id = ?")
)

const (
	deleteEmailChangeSQL = "DELETE FROM email_changes WHERE user_id = ?"
	sweepEmailChangesSQL = "DELETE FROM email_changes WHERE expires_at < ?"
	limitEmailChangesSQL = "UPDATE email_changes SET expires_at = ? WHERE expires_at > ?"
	deleteUndoSQL        = "DELETE FROM undos WHERE token_hash = ?"
	sweepUndosSQL        = "DELETE FROM undos WHERE expires_at < ?"
	limitUndosSQL        = "UPDATE undos SET expires_at = ? WHERE expires_at > ?"
)

type emailChangeRow struct {
	UserID    string    `db:"user_id"`
	TokenHash string    `db:"token_hash"`
	Email     string    `db:"email"`
	ExpiresAt timestamp `db:"expires_at"`
}

func newEmailChangeRow(e account.EmailChange) emailChangeRow {
	return emailChangeRow{UserID: e.UserID, TokenHash: e.TokenHash, Email: e.Email, ExpiresAt: newTimestamp(e.ExpiresAt)}
}

func (r emailChangeRow) emailChange() account.EmailChange {
	return account.EmailChange{UserID: r.UserID, TokenHash: r.TokenHash, Email: r.Email, ExpiresAt: r.ExpiresAt.time}
}

type undoRow struct {
	TokenHash string    `db:"token_hash"`
	UserID    string    `db:"user_id"`
	Email     string    `db:"email"`
	Revision  int64     `db:"revision"`
	CreatedAt timestamp `db:"created_at"`
	ExpiresAt timestamp `db:"expires_at"`
}

func newUndoRow(u account.Undo) undoRow {
	return undoRow{
		TokenHash: u.TokenHash, UserID: u.UserID, Email: u.Email, Revision: u.Revision,
		CreatedAt: newTimestamp(u.CreatedAt), ExpiresAt: newTimestamp(u.ExpiresAt),
	}
}

func (r undoRow) undo() account.Undo {
	return account.Undo{
		TokenHash: r.TokenHash, UserID: r.UserID, Email: r.Email, Revision: r.Revision,
		CreatedAt: r.CreatedAt.time, ExpiresAt: r.ExpiresAt.time,
	}
}

// EmailChange implements storage.Credentials.
func (s *Store) EmailChange(ctx context.Context, tokenHash string) (account.EmailChange, error) {
	var row emailChangeRow
	if err := s.reader().get(ctx, "email change", &row, selectEmailChangeSQL, tokenHash); err != nil {
		return account.EmailChange{}, s.toFault(err)
	}
	return row.emailChange(), nil
}

// Undo implements storage.Credentials.
func (s *Store) Undo(ctx context.Context, tokenHash string) (account.Undo, error) {
	var row undoRow
	if err := s.reader().get(ctx, "undo", &row, selectUndoSQL, tokenHash); err != nil {
		return account.Undo{}, s.toFault(err)
	}
	return row.undo(), nil
}

// readEmailLinks reads the pending change of the email address and the undo links of the user.
func (c conn) readEmailLinks(ctx context.Context, credentials *account.Credentials) error {
	var changes []emailChangeRow
	if err := c.list(ctx, &changes, selectEmailChangeOfUserSQL, credentials.User.ID); err != nil {
		return err
	}
	for _, row := range changes {
		credentials.EmailChange = new(row.emailChange())
	}
	var undos []undoRow
	if err := c.list(ctx, &undos, selectUndosOfUserSQL, credentials.User.ID); err != nil {
		return err
	}
	slices.SortFunc(undos, func(x, y undoRow) int { return cmp.Compare(x.TokenHash, y.TokenHash) })
	for _, row := range undos {
		credentials.Undos = append(credentials.Undos, row.undo())
	}
	return nil
}

// saveEmailChange stores the pending change of the email address if it differs.
func (c conn) saveEmailChange(ctx context.Context, userID string, old, changed *account.EmailChange) error {
	if changed == old {
		return nil
	}
	if _, err := c.exec(ctx, deleteEmailChangeSQL, userID); err != nil || changed == nil {
		return err
	}
	return c.save(ctx, insertEmailChangeSQL, newEmailChangeRow(*changed))
}

// saveUndos stores the differences of the undo links.
func (c conn) saveUndos(ctx context.Context, old, changed []account.Undo) error {
	for _, undo := range old {
		if !slices.Contains(changed, undo) {
			if _, err := c.exec(ctx, deleteUndoSQL, undo.TokenHash); err != nil {
				return err
			}
		}
	}
	for _, undo := range changed {
		if !slices.Contains(old, undo) {
			if err := c.save(ctx, insertUndoSQL, newUndoRow(undo)); err != nil {
				return err
			}
		}
	}
	return nil
}

// SweepEmailChanges implements storage.Credentials.
func (s *Store) SweepEmailChanges(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepEmailChangesSQL, limitEmailChangesSQL, before, latest)
}

// SweepUndos implements storage.Credentials.
func (s *Store) SweepUndos(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepUndosSQL, limitUndosSQL, before, latest)
}
