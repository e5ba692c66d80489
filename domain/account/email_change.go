package account

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// EmailChangeLifetime is the time for which the link that confirms a new email address of a user is valid.
	EmailChangeLifetime = 48 * time.Hour
	// UndoLifetime is the time for which an Undo is valid. An Undo also deletes the factors that are not older.
	UndoLifetime = 7 * 24 * time.Hour
)

// EmailChange is a link that changes the email address of a user. A user has at most one. Only the hash of its token is
// stored. Every change of the user's credentials voids it.
type EmailChange struct {
	TokenHash string
	UserID    string
	Email     string // the new address, in the form of EmailKey
	ExpiresAt time.Time
}

// IsExpired reports whether the link has expired.
func (e EmailChange) IsExpired(now time.Time) bool { return !now.Before(e.ExpiresAt) }

// Undo is a link with which the owner of a mailbox takes the account back. It is in the email about a change that the owner
// may not have made. Only the hash of its token is stored. A change of the password or of the factors does not void it.
type Undo struct {
	TokenHash string
	UserID    string
	Email     string // to which the link was sent, and which it restores
	Revision  int64  // the SecurityRevision at which the link was made
	CreatedAt time.Time
	ExpiresAt time.Time
}

// IsExpired reports whether the link has expired.
func (u Undo) IsExpired(now time.Time) bool { return !now.Before(u.ExpiresAt) }

// isBefore reports whether the link was made before the other one. The revision decides first, because it always
// increases; a clock can be set back.
func (u Undo) isBefore(other Undo) bool {
	return u.Revision < other.Revision || u.Revision == other.Revision && u.CreatedAt.Before(other.CreatedAt)
}

// RequestEmail replaces the pending change of the email address. change needs the hash and the address only. It returns
// Invalid with the field "email" for an address that is invalid, or is the user's already.
func (c *Credentials) RequestEmail(change EmailChange, now time.Time) error {
	change.UserID, change.Email, change.ExpiresAt = c.User.ID, EmailKey(change.Email), now.Add(EmailChangeLifetime)
	var fields fault.Fields
	fields.Check(ValidEmail(change.Email), "email", "Invalid email address!")
	fields.Check(change.Email != EmailKey(c.User.Email), "email", "This is your email already")
	if err := fields.Err(); err != nil {
		return err
	}
	c.EmailChange = &change
	return nil
}

// CancelEmail voids the pending change of the email address, if there is one.
func (c *Credentials) CancelEmail() { c.EmailChange = nil }

// ConfirmEmail makes the address of the pending change the user's. It returns ErrUnknownLink unless the link has the hash
// and can still be used.
func (c *Credentials) ConfirmEmail(tokenHash string, now time.Time) error {
	if c.EmailChange == nil || c.EmailChange.TokenHash != tokenHash || c.EmailChange.IsExpired(now) {
		return ErrUnknownLink()
	}
	c.User.Email, c.EmailChange = c.EmailChange.Email, nil
	c.User.SecurityRevision++
	return nil
}

// AddUndo adds a link that restores the address. It is called after the change that the link undoes.
func (c *Credentials) AddUndo(tokenHash, email string, now time.Time) {
	c.Undos = append(slices.Clone(c.Undos), Undo{
		TokenHash: tokenHash, UserID: c.User.ID, Email: email, Revision: c.User.SecurityRevision,
		CreatedAt: now, ExpiresAt: now.Add(UndoLifetime),
	})
}

// Undo uses the link with the hash of its token: it restores the email address, replaces the password, and deletes the
// factors that are not older than UndoLifetime. Older factors stay required. Recovery codes stay with an older factor, even
// if they were renewed later: without them, a user who has lost the phone could not sign in any more. Another person who
// renewed them does not know the new password, and the email about the undo asks the user to renew them. Undo voids the
// pending change of the email address, and the links that were made later: they may have been sent to another mailbox.
// Links that were made earlier stay valid. It returns ErrUnknownLink for a link that can't be used any more.
func (c *Credentials) Undo(tokenHash, passwordHash string, now time.Time) error {
	i := slices.IndexFunc(c.Undos, func(u Undo) bool { return u.TokenHash == tokenHash && !u.IsExpired(now) })
	if i < 0 {
		return ErrUnknownLink()
	}
	used := c.Undos[i]
	c.Undos = slices.DeleteFunc(slices.Clone(c.Undos), func(u Undo) bool { return !u.isBefore(used) })
	c.EmailChange = nil
	c.deleteFactorsSince(now.Add(-UndoLifetime))
	c.User.Email = used.Email
	c.User.ResetPassword(passwordHash, now)
	return nil
}

// deleteFactorsSince deletes the factors that were added after the time. It turns two-step verification off, with the
// recovery codes, if it was turned on after the time or no app and no passkey is left.
func (c *Credentials) deleteFactorsSince(since time.Time) {
	c.Authenticators = slices.DeleteFunc(slices.Clone(c.Authenticators), func(a Authenticator) bool { return a.CreatedAt.After(since) })
	if c.User.TwoStepSince.After(since) || c.AuthenticatorApp() == nil && len(c.Passkeys()) == 0 {
		c.RecoveryCodes = nil
		c.User.TwoStepSince = time.Time{}
	}
}

// MaskEmail returns an address without most of the part before the @, such as "a…@example.com". A reader who knows the
// address recognises it.
func MaskEmail(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at <= 0 {
		return "…"
	}
	_, size := utf8.DecodeRuneInString(email)
	return email[:size] + "…" + email[at:]
}
