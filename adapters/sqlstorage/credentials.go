package sqlstorage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	authenticatorTable       = newTable[authenticatorRow]("authenticators")
	insertAuthenticatorSQL   = authenticatorTable.insertSQL()
	updateAuthenticatorSQL   = authenticatorTable.updateSQL("user_id", "created_at")
	selectAuthenticatorsSQL  = authenticatorTable.selectSQL("WHERE user_id = ? ORDER BY created_at, id")
	selectResetsOfUserSQL    = passwordResetTable.selectSQL("WHERE user_id = ?")
	selectRecoveryCodesSQL   = "SELECT code_hash FROM recovery_codes WHERE user_id = ? ORDER BY code_hash"
	insertRecoveryCodeSQL    = "INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)"
	deleteRecoveryCodeSQL    = "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?"
	deleteAuthenticatorSQL   = "DELETE FROM authenticators WHERE id = ?"
	selectOrganisationIDsSQL = "SELECT organisation_id FROM memberships WHERE user_id = ? ORDER BY organisation_id"
	insertChallengeSQL       = "INSERT INTO used_challenges (hash, expires_at) VALUES (?, ?)"
	sweepChallengesSQL       = "DELETE FROM used_challenges WHERE expires_at < ?"
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

// credentials reads the user and then the credentials. It locks the user's row if lockSuffix is that of the dialect.
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
	return credentials, c.readEmailLinks(ctx, &credentials)
}

// errEmailChanges means that an update of the credentials changes the email address. Such an update must lock the user's
// organisations before the user.
var errEmailChanges = errors.New("the email address changes")

// UpdateCredentials implements storage.Credentials. It locks the user before it reads the credentials and before it deletes
// sessions. A concurrent sign-in stores its session and then locks the user, so it either loses its session or finds the
// user changed. A change of the email address is made in a second attempt, which locks the user's organisations first.
func (s *Store) UpdateCredentials(
	ctx context.Context, userID string, now time.Time,
	change func(*account.Credentials) (storage.CredentialsEffects, error),
) (account.User, error) {
	update := credentialsUpdate{userID: userID, now: now, change: change}
	err := s.write(ctx, func(c conn) error { return update.run(ctx, c) })
	if errors.Is(err, errEmailChanges) {
		update.changesEmail = true
		err = s.write(ctx, func(c conn) error { return update.run(ctx, c) })
	}
	if err != nil {
		return account.User{}, s.verificationToDuplicate(ctx, err, update.row)
	}
	return update.row.user(), nil
}

// credentialsUpdate is a call of UpdateCredentials.
type credentialsUpdate struct {
	userID       string
	now          time.Time
	change       func(*account.Credentials) (storage.CredentialsEffects, error)
	changesEmail bool    // whether run may change the email address
	row          userRow // the result
}

// run updates the credentials in a transaction.
func (u *credentialsUpdate) run(ctx context.Context, c conn) error {
	if u.changesEmail {
		if err := c.lockOrganisations(ctx, u.userID); err != nil {
			return err
		}
	}
	old, err := c.credentials(ctx, u.userID, c.forUpdate)
	if err != nil {
		return err
	}
	changed := old
	changed.Authenticators = slices.Clone(old.Authenticators)
	changed.RecoveryCodes = slices.Clone(old.RecoveryCodes)
	changed.Undos = slices.Clone(old.Undos)
	effects, err := u.change(&changed)
	if err != nil {
		return callerError{err}
	}
	if changed.User.Email != old.User.Email && !u.changesEmail {
		return callerError{errEmailChanges}
	}
	if err := u.save(ctx, c, old, changed, effects.KeepSession); err != nil {
		return err
	}
	entries := slices.Concat(account.FactorEntries(old, changed), effects.Entries)
	if err := c.addAuditEntries(audit.WithDefaultActor(ctx, audit.User(u.userID)), entries...); err != nil {
		return err
	}
	return c.applyEffects(ctx, u.row, effects, u.now)
}

// save stores the differences of the credentials. If the revision was raised, it ends the sessions except one, and voids the
// links, before it stores new links.
func (u *credentialsUpdate) save(ctx context.Context, c conn, old, changed account.Credentials, keepSession string) (err error) {
	if u.row, err = c.saveUser(ctx, old.User, changed.User); err != nil {
		return err
	}
	if u.row.SecurityRevision != old.User.SecurityRevision {
		if err := c.endSessionsAndLinks(ctx, u.userID, keepSession); err != nil {
			return err
		}
	}
	if err := c.saveFactors(ctx, u.userID, old, changed); err != nil {
		return err
	}
	if err := c.saveEmailChange(ctx, u.userID, old.EmailChange, changed.EmailChange); err != nil {
		return err
	}
	if err := c.saveUndos(ctx, old.Undos, changed.Undos); err != nil || u.row.Email == old.User.Email {
		return err
	}
	return c.saveContactEmailsOfUser(ctx, old.User, u.row.Email, u.now)
}

// lockOrganisations locks the organisations of a user.
func (c conn) lockOrganisations(ctx context.Context, userID string) error {
	var ids []string
	if err := c.list(ctx, &ids, selectOrganisationIDsSQL, userID); err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.get(ctx, "organisation", &id, lockOrganisationSQL+c.forUpdate, id); err != nil {
			return err
		}
	}
	return nil
}

// saveContactEmailsOfUser updates the email addresses of the organisations of a user whose address has changed. The user is
// locked, so that a concurrent membership is either visible here, or is stored after this transaction and reads the new
// address.
func (c conn) saveContactEmailsOfUser(ctx context.Context, old account.User, email string, now time.Time) error {
	var ids []string
	if err := c.list(ctx, &ids, selectOrganisationIDsSQL, old.ID); err != nil {
		return err
	}
	for _, id := range ids {
		if err := c.saveContactEmails(ctx, id, now); err != nil {
			return err
		}
		if err := c.moveDeclinedNotices(ctx, id, old.Email, email); err != nil {
			return err
		}
	}
	return nil
}

// endSessionsAndLinks ends the sessions of a user except one, and deletes the links that a raised revision voids.
func (c conn) endSessionsAndLinks(ctx context.Context, userID, keepSession string) error {
	for _, statement := range []string{deletePasswordResetsSQL, deleteEmailChangeSQL} {
		if _, err := c.exec(ctx, statement, userID); err != nil {
			return err
		}
	}
	_, err := c.endSessions(ctx, audit.SessionEnded, deleteOtherSessionsSQL, userID, keepSession)
	return err
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

// applyEffects stores the effects.
func (c conn) applyEffects(ctx context.Context, user userRow, effects storage.CredentialsEffects, now time.Time) error {
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
	if link := effects.LinkEmail; link != nil {
		if err := c.addLinkEmail(ctx, *link, user.ID, now); err != nil {
			return err
		}
	}
	if v := effects.Verification; v != nil {
		if err := c.addVerification(ctx, v.Verification, v.Email, now, v.ExpiresAt); err != nil {
			return err
		}
	}
	if reset := effects.Reset; reset != nil {
		return c.addPasswordReset(ctx, *reset, now)
	}
	return nil
}
