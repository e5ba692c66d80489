package security

import (
	"context"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/accountemails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// credentialsUpdater changes the credentials of the signed-in user and reports the change by email.
type credentialsUpdater struct {
	store interface {
		storage.Credentials
		storage.Organisations
	}
	clock  clock.Clock
	writer accountemails.Writer
}

// update calls change and stores the result with the email that newEmail returns. It keeps the caller's session and ends
// the user's others. It returns the changed user, and Reauthenticate if the caller has not authenticated recently.
func (u credentialsUpdater) update(
	ctx context.Context, caller identity.Identity, newEmail func(emails.SecurityNotice) mail.Message,
	change func(*account.Credentials) error,
) (account.User, error) {
	now := u.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return account.User{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	return u.store.UpdateCredentials(ctx, caller.UserID, now,
		func(credentials *account.Credentials) (storage.CredentialsEffects, error) {
			if err := change(credentials); err != nil {
				return storage.CredentialsEffects{}, err
			}
			email := u.writer.SecurityEmail(newEmail, credentials.User, now, org.TimeZone())
			return storage.CredentialsEffects{Emails: []mail.Message{email}, KeepSession: caller.SessionID}, nil
		})
}

// updateUndoable is like update. The link of the email undoes the change.
func (u credentialsUpdater) updateUndoable(
	ctx context.Context, caller identity.Identity, newEmail func(emails.SecurityNotice) mail.Message,
	change func(*account.Credentials) error,
) (account.User, error) {
	tokenHash, newUndoEmail := u.writer.NewUndo(newEmail)
	return u.update(ctx, caller, newUndoEmail, func(credentials *account.Credentials) error {
		err := change(credentials)
		if err == nil {
			credentials.AddUndo(tokenHash, credentials.User.Email, u.clock.Now())
		}
		return err
	})
}
