package sqlstorage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	authenticatorTable      = newTable[authenticatorRow]("authenticators")
	insertAuthenticatorSQL  = authenticatorTable.insertSQL()
	updateAuthenticatorSQL  = authenticatorTable.updateSQL("user_id", "created_at")
	selectAuthenticatorsSQL = authenticatorTable.selectSQL("WHERE user_id = ? ORDER BY created_at, id")
	selectResetsOfUserSQL   = passwordResetTable.selectSQL("WHERE user_id = ?")
	selectRecoveryCodesSQL  = "SELECT code_hash FROM recovery_codes WHERE user_id = ? ORDER BY code_hash"
	insertRecoveryCodeSQL   = "INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)"
	deleteRecoveryCodeSQL   = "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?"
	deleteAuthenticatorSQL  = "DELETE FROM authenticators WHERE id = ?"
	insertChallengeSQL      = "INSERT INTO used_challenges (hash, expires_at) VALUES (?, ?)"
	sweepChallengesSQL      = "DELETE FROM used_challenges WHERE expires_at < ?"
)

type authenticatorRow struct {
	ID         string    `db:"id"`
	UserID     string    `db:"user_id"`
	Kind       string    `db:"kind"`
	Name       string    `db:"name"`
	CreatedAt  timestamp `db:"created_at"`
	LastUsedAt timestamp `db:"last_used_at"`
	Secret     string    `db:"secret"`
	LastStep   int64     `db:"last_step"`

	CredentialID nullString `db:"credential_id"`
	Passkey      string     `db:"passkey"`
}

func newAuthenticatorRow(userID string, a account.Authenticator) authenticatorRow {
	return authenticatorRow{
		ID: a.ID, UserID: userID, Kind: string(a.Kind), Name: a.Name,
		CreatedAt: newTimestamp(a.CreatedAt), LastUsedAt: newTimestamp(a.LastUsedAt), Secret: a.Secret, LastStep: a.LastStep,
		CredentialID: nullIfEmpty(a.Passkey.CredentialID), Passkey: marshalDocument(a.Passkey),
	}
}

func (r authenticatorRow) authenticator() (account.Authenticator, error) {
	passkey, err := unmarshalDocument[account.Passkey](r.Passkey)
	return account.Authenticator{
		ID: r.ID, Kind: account.AuthenticatorKind(r.Kind), Name: r.Name,
		CreatedAt: r.CreatedAt.time, LastUsedAt: r.LastUsedAt.time, Secret: r.Secret, LastStep: r.LastStep, Passkey: passkey,
	}, err
}

// Credentials implements storage.Credentials.
func (s *Store) Credentials(ctx context.Context, userID string) (account.Credentials, error) {
	var credentials account.Credentials
	err := s.read(ctx, func(c conn) (err error) {
		credentials, err = c.credentials(ctx, userID, "")
		return err
	})
	return credentials, err
}

// credentials reads the user first, and locks the row if the suffix is that of the dialect.
func (c conn) credentials(ctx context.Context, userID, lockSuffix string) (account.Credentials, error) {
	var user userRow
	if err := c.get(ctx, "user", &user, selectUserSQL+lockSuffix, userID); err != nil {
		return account.Credentials{}, err
	}
	credentials := account.Credentials{User: user.user()}
	var authenticators []authenticatorRow
	if err := c.list(ctx, &authenticators, selectAuthenticatorsSQL, userID); err != nil {
		return account.Credentials{}, err
	}
	for _, row := range authenticators {
		authenticator, err := row.authenticator()
		if err != nil {
			return account.Credentials{}, err
		}
		credentials.Authenticators = append(credentials.Authenticators, authenticator)
	}
	if err := c.list(ctx, &credentials.RecoveryCodes, selectRecoveryCodesSQL, userID); err != nil {
		return account.Credentials{}, err
	}
	var resets []tokenRow
	if err := c.list(ctx, &resets, selectResetsOfUserSQL, userID); err != nil {
		return account.Credentials{}, err
	}
	slices.SortFunc(resets, func(x, y tokenRow) int { return cmp.Compare(x.TokenHash, y.TokenHash) })
	for _, row := range resets {
		credentials.PasswordResets = append(credentials.PasswordResets, row.passwordReset())
	}
	return credentials, nil
}

// UpdateCredentials implements storage.Credentials. It locks the user before it reads the credentials and before it deletes
// sessions. A concurrent sign-in stores its session and then locks the user, so it either loses its session or finds the
// user changed.
func (s *Store) UpdateCredentials(
	ctx context.Context, userID string, now time.Time,
	change func(*account.Credentials) (storage.CredentialsEffects, error),
) (account.User, error) {
	var row userRow
	err := s.write(ctx, func(c conn) error {
		old, err := c.credentials(ctx, userID, c.forUpdate)
		if err != nil {
			return err
		}
		changed := old
		changed.Authenticators = slices.Clone(old.Authenticators)
		changed.RecoveryCodes = slices.Clone(old.RecoveryCodes)
		effects, err := change(&changed)
		if err != nil {
			return callerError{err}
		}
		if row, err = c.saveUser(ctx, old.User, changed.User); err != nil {
			return err
		}
		if err := c.saveFactors(ctx, userID, old, changed); err != nil {
			return err
		}
		return c.applyEffects(ctx, row, row.SecurityRevision != old.User.SecurityRevision, effects, now)
	})
	if err != nil {
		return account.User{}, s.verificationToDuplicate(ctx, err, row)
	}
	return row.user(), nil
}

// SweepChallenges implements storage.Credentials.
func (s *Store) SweepChallenges(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepChallengesSQL, newTimestamp(before))
}

// saveFactors stores the differences of the authenticators and of the recovery codes.
func (c conn) saveFactors(ctx context.Context, userID string, old, changed account.Credentials) error {
	if err := c.saveAuthenticators(ctx, userID, old.Authenticators, changed.Authenticators); err != nil {
		return err
	}
	for _, hash := range old.RecoveryCodes {
		if !slices.Contains(changed.RecoveryCodes, hash) {
			if _, err := c.exec(ctx, deleteRecoveryCodeSQL, userID, hash); err != nil {
				return err
			}
		}
	}
	for _, hash := range changed.RecoveryCodes {
		if !slices.Contains(old.RecoveryCodes, hash) {
			if _, err := c.exec(ctx, insertRecoveryCodeSQL, userID, hash); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c conn) saveAuthenticators(ctx context.Context, userID string, old, changed []account.Authenticator) error {
	oldRows := map[string]authenticatorRow{}
	for _, a := range old {
		oldRows[a.ID] = newAuthenticatorRow(userID, a)
	}
	for _, a := range changed {
		row := newAuthenticatorRow(userID, a)
		oldRow, isStored := oldRows[a.ID]
		delete(oldRows, a.ID)
		switch {
		case !isStored:
			if err := c.save(ctx, insertAuthenticatorSQL, row); err != nil {
				return err
			}
		case row != oldRow:
			if err := c.save(ctx, updateAuthenticatorSQL, row); err != nil {
				return err
			}
		}
	}
	for id := range oldRows {
		if _, err := c.exec(ctx, deleteAuthenticatorSQL, id); err != nil {
			return err
		}
	}
	return nil
}

// applyEffects stores the effects. If the revision was raised, it first ends the other sessions and deletes the links.
func (c conn) applyEffects(
	ctx context.Context, user userRow, isRaised bool, effects storage.CredentialsEffects, now time.Time,
) error {
	if isRaised {
		if _, err := c.exec(ctx, deletePasswordResetsSQL, user.ID); err != nil {
			return err
		}
		if _, err := c.exec(ctx, deleteOtherSessionsSQL, user.ID, effects.KeepSession); err != nil {
			return err
		}
	}
	if challenge := effects.Challenge; challenge != nil {
		if _, err := c.exec(ctx, insertChallengeSQL, challenge.Hash, newTimestamp(challenge.ExpiresAt)); err != nil {
			return err
		}
	}
	for _, email := range effects.Emails {
		if err := c.addEmail(ctx, email, user.ID, now, time.Time{}); err != nil {
			return err
		}
	}
	if reset := effects.Reset; reset != nil {
		return c.addPasswordReset(ctx, reset.PasswordReset, reset.Email, now)
	}
	return nil
}
