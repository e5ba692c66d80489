package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

var (
	passwordResets      = tableOf[passwordResetRow]("password_resets")
	insertPasswordReset = passwordResets.inserts()
	selectPasswordReset = passwordResets.selects("WHERE token_hash = ?")
	dropPasswordResets  = "DELETE FROM password_resets WHERE user_id = ?"
	sweepPasswordResets = "DELETE FROM password_resets WHERE expires_at < ?"
	// endSessions also ends the sessions whose user is not known, which an older server stored.
	endSessions = "DELETE FROM sessions WHERE user_id = ? OR user_id IS NULL"
)

// passwordResetRow is a token's hash.
type passwordResetRow struct {
	TokenHash string  `db:"token_hash"`
	UserID    string  `db:"user_id"`
	ExpiresAt instant `db:"expires_at"`
}

// PasswordReset implements storage.PasswordResets.
func (s *Store) PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error) {
	var row passwordResetRow
	if err := s.reader().get(ctx, "password reset", &row, selectPasswordReset, tokenHash); err != nil {
		return account.PasswordReset{}, s.fault(err)
	}
	return account.PasswordReset{TokenHash: row.TokenHash, UserID: row.UserID, ExpiresAt: row.ExpiresAt.t}, nil
}

// AddPasswordReset implements storage.PasswordResets.
func (s *Store) AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, now time.Time) error {
	row := passwordResetRow{TokenHash: r.TokenHash, UserID: r.UserID, ExpiresAt: at(r.ExpiresAt)}
	return s.write(ctx, func(c conn) error {
		if err := c.put(ctx, insertPasswordReset, row); err != nil {
			return err
		}
		return c.addEmail(ctx, email, r.UserID, now)
	})
}

// UsePasswordReset implements storage.PasswordResets. The token is locked, so that it is used once. Changing
// the user locks the user before the sessions are deleted: a sign-in that stores a session and then locks the
// user finds either its session deleted or the user changed.
func (s *Store) UsePasswordReset(
	ctx context.Context, tokenHash string, email mail.Message, now time.Time, fn func(*account.User) error,
) (account.User, error) {
	var changed userRow
	err := s.write(ctx, func(c conn) error {
		var token passwordResetRow
		if err := c.get(ctx, "password reset", &token, selectPasswordReset+c.lock, tokenHash); err != nil {
			return err
		}
		var err error
		if changed, err = c.changeUser(ctx, token.UserID, fn); err != nil {
			return err
		}
		for _, statement := range []string{dropPasswordResets, endSessions} {
			if _, err := c.exec(ctx, statement, token.UserID); err != nil {
				return err
			}
		}
		return c.addEmail(ctx, email, token.UserID, now)
	})
	if err != nil {
		return account.User{}, err
	}
	return changed.user(), nil
}

// SweepPasswordResets implements storage.PasswordResets.
func (s *Store) SweepPasswordResets(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, sweepPasswordResets, at(before))
		return err
	})
}
