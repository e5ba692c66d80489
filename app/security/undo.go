package security

import (
	"context"
	"errors"
	"log/slog"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/internal/newpassword"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// undoFinder finds the links that undo changes.
type undoFinder struct {
	store interface {
		storage.Credentials
		storage.Users
		storage.Organisations
		storage.Memberships
		storage.Teams
	}
	updater credentialsUpdater
}

// find returns the link with its user. It returns NotFound for a token that is unknown, too old or void, and if another
// verified user has the address by now.
func (f undoFinder) find(ctx context.Context, token string) (account.Undo, account.User, error) {
	undo, err := f.store.Undo(ctx, ids.Hash(token))
	if err == nil && undo.IsExpired(f.updater.clock.Now()) {
		err = account.ErrUnknownLink()
	}
	if err != nil {
		return account.Undo{}, account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user, err := f.store.User(ctx, undo.UserID)
	if err != nil {
		return account.Undo{}, account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	owner, err := f.store.UserByEmail(ctx, undo.Email)
	if err == nil && owner.IsVerified() && owner.ID != user.ID {
		return account.Undo{}, account.User{}, account.ErrUnknownLink()
	}
	return undo, user, fault.ReplaceNotFound(err, nil)
}

// ShowUndo returns the address that a link restores.
type ShowUndo struct{ finder undoFinder }

// Do returns the address. It changes nothing. It returns NotFound for a token that can't be used.
func (u *ShowUndo) Do(ctx context.Context, token string) (email string, err error) {
	undo, _, err := u.finder.find(ctx, token)
	return undo.Email, err
}

// UndoChange restores an account with the link of an email about a change.
type UndoChange struct {
	finder    undoFinder
	passwords identity.Passwords
	rules     newpassword.Rules
	sessions  identity.Sessions
	log       *slog.Logger
}

// Do restores the address of the link, replaces the password, deletes the factors of the last seven days, and ends all
// sessions; see account.Credentials.Undo. It also deletes the invitations that were sent in the user's name, with which the
// other person could come back as an owner. It sends a notice to the restored address and returns the changed user. It
// does not sign in. It returns Invalid with a message for each field for a password that breaks the rules, and the same
// NotFound for all tokens that can't be used.
func (u *UndoChange) Do(ctx context.Context, token, password, repeatedPassword string) (account.User, error) {
	undo, user, err := u.finder.find(ctx, token)
	if err != nil {
		return account.User{}, err
	}
	org, err := u.finder.store.Organisation(ctx, user.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user.Email = undo.Email
	if err := u.rules.CheckRepeated(password, repeatedPassword, newpassword.ContextOf(user, org.Name)); err != nil {
		return account.User{}, err
	}
	passwordHash, err := u.passwords.Hash(ctx, password)
	if err != nil {
		return account.User{}, err
	}
	user, err = u.store(ctx, undo, user, passwordHash, org.TimeZone())
	if err != nil {
		return account.User{}, err
	}
	// The link can't be used again, so the deletion must continue even if the browser disconnects.
	if err := u.deleteInvitations(context.WithoutCancel(ctx), user.ID); err != nil {
		u.log.ErrorContext(ctx, "invitations not deleted after an undo", "user", user.ID, "error", err)
	}
	if session, ok := u.sessions.Current(ctx); ok && session.UserID == user.ID {
		// The session is deleted already; this deletes the browser's cookie.
		if err := u.sessions.End(ctx); err != nil {
			u.log.WarnContext(ctx, "session cookie not deleted", "error", err)
		}
	}
	return user, nil
}

// deleteInvitations deletes the invitations that the user sent. It is called after all sessions have ended, so that no others
// can follow.
func (u *UndoChange) deleteInvitations(ctx context.Context, userID string) error {
	memberships, err := u.finder.store.Memberships(ctx, userID)
	if err != nil {
		return err
	}
	var errs []error
	for _, m := range memberships {
		_, err := u.finder.store.UpdateTeam(ctx, m.OrganisationID, u.finder.updater.clock.Now(),
			func(team *account.Team) (storage.TeamEffects, error) {
				team.DeleteInvitationsBy(userID)
				return storage.TeamEffects{}, nil
			})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// store undoes the changes and makes the token unusable, in one transaction. It returns the changed user.
func (u *UndoChange) store(
	ctx context.Context, undo account.Undo, user account.User, passwordHash string, zone timezone.Zone,
) (account.User, error) {
	now, writer := u.finder.updater.clock.Now(), u.finder.updater.writer
	user, err := u.finder.store.UpdateCredentials(ctx, user.ID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			if err := c.Undo(undo.TokenHash, passwordHash, now); err != nil {
				return storage.CredentialsEffects{}, err
			}
			newEmail := func(n emails.SecurityNotice) mail.Message { return emails.ChangeUndone(n, c.User.HasTwoStep()) }
			email := writer.SecurityEmail(newEmail, c.User, now, zone)
			return storage.CredentialsEffects{Emails: []mail.Message{email}}, nil
		})
	if fault.Is(err, fault.Duplicate) {
		err = account.ErrUnknownLink()
	}
	return user, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}
