package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

var (
	verifications      = tableOf[verificationRow]("verifications")
	insertVerification = verifications.inserts()
	selectVerification = verifications.selects("WHERE token_hash = ?")
	sweepVerifications = "DELETE FROM verifications WHERE expires_at < ?"
)

// verificationRow is a token's hash.
type verificationRow struct {
	TokenHash string  `db:"token_hash"`
	UserID    string  `db:"user_id"`
	ExpiresAt instant `db:"expires_at"`
}

// Verification implements storage.Verifications.
func (s *Store) Verification(ctx context.Context, tokenHash string) (account.Verification, error) {
	var row verificationRow
	if err := s.reader().get(ctx, "verification", &row, selectVerification, tokenHash); err != nil {
		return account.Verification{}, s.fault(err)
	}
	return account.Verification{TokenHash: row.TokenHash, UserID: row.UserID, ExpiresAt: row.ExpiresAt.t}, nil
}

// AddVerification implements storage.Verifications.
func (s *Store) AddVerification(ctx context.Context, v account.Verification, email mail.Message, now time.Time) error {
	return s.write(ctx, func(c conn) error { return c.addVerification(ctx, v, email, now) })
}

func (c conn) addVerification(ctx context.Context, v account.Verification, email mail.Message, now time.Time) error {
	row := verificationRow{TokenHash: v.TokenHash, UserID: v.UserID, ExpiresAt: at(v.ExpiresAt)}
	if err := c.put(ctx, insertVerification, row); err != nil {
		return err
	}
	return c.addEmail(ctx, email, v.UserID, now)
}

// SweepVerifications implements storage.Verifications.
func (s *Store) SweepVerifications(ctx context.Context, before time.Time) error {
	return s.write(ctx, func(c conn) error {
		_, err := c.exec(ctx, sweepVerifications, at(before))
		return err
	})
}
