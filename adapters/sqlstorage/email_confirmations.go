package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
)

var (
	emailConfirmations      = newTable[emailConfirmationRow]("email_confirmations")
	insertEmailConfirmation = emailConfirmations.insertSQL()
	selectEmailConfirmation = emailConfirmations.selectSQL("WHERE token_hash = ?")
)

const sweepEmailConfirmations = "DELETE FROM email_confirmations WHERE expires_at < ?"

type emailConfirmationRow struct {
	TokenHash      string    `db:"token_hash"`
	OrganisationID string    `db:"organisation_id"`
	Email          string    `db:"email"`
	ExpiresAt      timestamp `db:"expires_at"`
}

// EmailConfirmation implements storage.EmailConfirmations.
func (s *Store) EmailConfirmation(ctx context.Context, tokenHash string) (account.EmailConfirmation, error) {
	var row emailConfirmationRow
	if err := s.reader().get(ctx, "email confirmation", &row, selectEmailConfirmation, tokenHash); err != nil {
		return account.EmailConfirmation{}, s.fault(err)
	}
	return account.EmailConfirmation{
		TokenHash: row.TokenHash, OrganisationID: row.OrganisationID, Email: row.Email, ExpiresAt: row.ExpiresAt.time,
	}, nil
}

// AddEmailConfirmation implements storage.EmailConfirmations.
func (s *Store) AddEmailConfirmation(ctx context.Context, confirmation account.EmailConfirmation, email mail.Message, now time.Time) error {
	row := emailConfirmationRow{confirmation.TokenHash, confirmation.OrganisationID, confirmation.Email, newTimestamp(confirmation.ExpiresAt)}
	return s.write(ctx, func(c conn) error {
		if err := c.save(ctx, insertEmailConfirmation, row); err != nil {
			return err
		}
		return c.addEmail(ctx, email, "", now)
	})
}

// SweepEmailConfirmations implements storage.EmailConfirmations.
func (s *Store) SweepEmailConfirmations(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepEmailConfirmations, newTimestamp(before))
}
