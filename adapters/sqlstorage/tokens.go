package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	verificationTable     = newTable[tokenRow]("verifications")
	insertVerificationSQL = verificationTable.insertSQL()
	selectVerificationSQL = verificationTable.selectSQL("WHERE token_hash = ?")

	passwordResetTable     = newTable[tokenRow]("password_resets")
	insertPasswordResetSQL = passwordResetTable.insertSQL()
	selectPasswordResetSQL = passwordResetTable.selectSQL("WHERE token_hash = ?")
)

const (
	// sweepVerificationsSQL keeps the tokens of emails that were not sent yet.
	sweepVerificationsSQL = `DELETE FROM verifications WHERE expires_at < ?
		AND NOT EXISTS (SELECT 1 FROM emails e WHERE e.user_id = verifications.user_id)`
	limitVerificationsSQL   = "UPDATE verifications SET expires_at = ? WHERE expires_at > ?"
	sweepPasswordResetsSQL  = "DELETE FROM password_resets WHERE expires_at < ?"
	limitPasswordResetsSQL  = "UPDATE password_resets SET expires_at = ? WHERE expires_at > ?"
	deletePasswordResetsSQL = "DELETE FROM password_resets WHERE user_id = ?"
)

// tokenRow is a token for a verification or a password reset.
type tokenRow struct {
	TokenHash string    `db:"token_hash"`
	UserID    string    `db:"user_id"`
	ExpiresAt timestamp `db:"expires_at"`
}

// Verification implements storage.Verifications.
func (s *Store) Verification(ctx context.Context, tokenHash string) (account.Verification, error) {
	var row tokenRow
	if err := s.reader().get(ctx, "verification", &row, selectVerificationSQL, tokenHash); err != nil {
		return account.Verification{}, s.toFault(err)
	}
	return account.Verification{TokenHash: row.TokenHash, UserID: row.UserID, ExpiresAt: row.ExpiresAt.time}, nil
}

// AddVerification implements storage.Verifications.
func (s *Store) AddVerification(ctx context.Context, v account.Verification, email mail.Message, now time.Time) error {
	return s.write(ctx, func(c conn) error { return c.addVerification(ctx, v, email, now, v.ExpiresAt) })
}

// addVerification stores a token, and puts the email with the token into the outbox. The email is not sent after
// emailExpiresAt.
func (c conn) addVerification(
	ctx context.Context, v account.Verification, email mail.Message, now, emailExpiresAt time.Time,
) error {
	row := tokenRow{TokenHash: v.TokenHash, UserID: v.UserID, ExpiresAt: newTimestamp(v.ExpiresAt)}
	if err := c.save(ctx, insertVerificationSQL, row); err != nil {
		return err
	}
	return c.addEmail(ctx, email, v.UserID, now, emailExpiresAt)
}

// sweepTokens deletes tokens that expired before the given time, and makes the others expire at latest at the latest time.
func (s *Store) sweepTokens(ctx context.Context, sweepSQL, limitSQL string, before, latest time.Time) error {
	return s.write(ctx, func(c conn) error {
		if _, err := c.exec(ctx, limitSQL, newTimestamp(latest), newTimestamp(latest)); err != nil {
			return err
		}
		_, err := c.exec(ctx, sweepSQL, newTimestamp(before))
		return err
	})
}

// SweepVerifications implements storage.Verifications.
func (s *Store) SweepVerifications(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepVerificationsSQL, limitVerificationsSQL, before, latest)
}

// PasswordReset implements storage.PasswordResets.
func (s *Store) PasswordReset(ctx context.Context, tokenHash string) (account.PasswordReset, error) {
	var row tokenRow
	if err := s.reader().get(ctx, "password reset", &row, selectPasswordResetSQL, tokenHash); err != nil {
		return account.PasswordReset{}, s.toFault(err)
	}
	return row.passwordReset(), nil
}

func (r tokenRow) passwordReset() account.PasswordReset {
	return account.PasswordReset{TokenHash: r.TokenHash, UserID: r.UserID, ExpiresAt: r.ExpiresAt.time}
}

// AddPasswordReset implements storage.PasswordResets.
func (s *Store) AddPasswordReset(ctx context.Context, r account.PasswordReset, email mail.Message, now time.Time) error {
	reset := storage.NewPasswordReset{PasswordReset: r, Email: email}
	return s.write(ctx, func(c conn) error { return c.addPasswordReset(ctx, reset, now) })
}

func (c conn) addPasswordReset(ctx context.Context, r storage.NewPasswordReset, now time.Time) error {
	row := tokenRow{TokenHash: r.TokenHash, UserID: r.UserID, ExpiresAt: newTimestamp(r.ExpiresAt)}
	if err := c.save(ctx, insertPasswordResetSQL, row); err != nil {
		return err
	}
	link := storage.LinkEmail{Email: r.Email, TokenHash: r.TokenHash, ExpiresAt: r.ExpiresAt, OrganisationID: r.OrganisationID}
	return c.addLinkEmail(ctx, link, r.UserID, now)
}

// SweepPasswordResets implements storage.PasswordResets.
func (s *Store) SweepPasswordResets(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepPasswordResetsSQL, limitPasswordResetsSQL, before, latest)
}

var (
	emailConfirmationTable     = newTable[emailConfirmationRow]("email_confirmations")
	insertEmailConfirmationSQL = emailConfirmationTable.insertSQL()
	selectEmailConfirmationSQL = emailConfirmationTable.selectSQL("WHERE token_hash = ?")
)

const (
	sweepEmailConfirmationsSQL = "DELETE FROM email_confirmations WHERE expires_at < ?"
	limitEmailConfirmationsSQL = "UPDATE email_confirmations SET expires_at = ? WHERE expires_at > ?"
)

type emailConfirmationRow struct {
	TokenHash      string    `db:"token_hash"`
	OrganisationID string    `db:"organisation_id"`
	Email          string    `db:"email"`
	ExpiresAt      timestamp `db:"expires_at"`
}

// EmailConfirmation implements storage.EmailConfirmations.
func (s *Store) EmailConfirmation(ctx context.Context, tokenHash string) (account.EmailConfirmation, error) {
	var row emailConfirmationRow
	if err := s.reader().get(ctx, "email confirmation", &row, selectEmailConfirmationSQL, tokenHash); err != nil {
		return account.EmailConfirmation{}, s.toFault(err)
	}
	return account.EmailConfirmation{
		TokenHash: row.TokenHash, OrganisationID: row.OrganisationID, Email: row.Email, ExpiresAt: row.ExpiresAt.time,
	}, nil
}

// AddEmailConfirmation implements storage.EmailConfirmations.
func (s *Store) AddEmailConfirmation(
	ctx context.Context, confirmation account.EmailConfirmation, email mail.Message, now time.Time,
) error {
	row := emailConfirmationRow{
		confirmation.TokenHash, confirmation.OrganisationID, confirmation.Email, newTimestamp(confirmation.ExpiresAt),
	}
	return s.write(ctx, func(c conn) error {
		if err := c.save(ctx, insertEmailConfirmationSQL, row); err != nil {
			return err
		}
		emailRow := newEmailColumns(email, now)
		emailRow.OrganisationID, emailRow.ExpiresAt = notNull(row.OrganisationID), row.ExpiresAt
		return c.save(ctx, insertEmailSQL, emailRow)
	})
}

// SweepEmailConfirmations implements storage.EmailConfirmations.
func (s *Store) SweepEmailConfirmations(ctx context.Context, before, latest time.Time) error {
	return s.sweepTokens(ctx, sweepEmailConfirmationsSQL, limitEmailConfirmationsSQL, before, latest)
}
