package security

import (
	"context"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/storage"
)

// RequestEmailChange sends a link to a new address of the signed-in user.
type RequestEmailChange struct {
	updater credentialsUpdater
	users   storage.Users
}

// Do stores the change, which replaces an earlier one, notifies the current address, and sends the link to the new one. The
// notice has a link that undoes the change. If a verified user has the new address, Do does the same, but sends a notice
// instead of the link, so that neither the result nor its duration reveals the user. It returns Invalid with the field
// "email" for an address that is invalid, or is the caller's already.
func (u *RequestEmailChange) Do(ctx context.Context, caller identity.Identity, address string) error {
	now := u.updater.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return err
	}
	org, err := u.updater.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	isInUse, err := hasVerifiedUser(ctx, u.users, address)
	if err != nil {
		return err
	}
	change, linkEmail := u.updater.writer.NewEmailChange(address, isInUse)
	undoHash, newNotice := u.updater.writer.NewUndo(func(n emails.SecurityNotice) mail.Message {
		return emails.EmailChangeRequested(n, account.EmailKey(address))
	})
	_, err = u.updater.store.UpdateCredentials(ctx, caller.UserID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			if err := c.RequestEmail(change, now); err != nil {
				return storage.CredentialsEffects{}, err
			}
			c.AddUndo(undoHash, c.User.Email, now)
			return storage.CredentialsEffects{
				Emails:    []mail.Message{u.updater.writer.SecurityEmail(newNotice, c.User, now, org.TimeZone())},
				LinkEmail: &storage.LinkEmail{Email: linkEmail, TokenHash: change.TokenHash, ExpiresAt: c.EmailChange.ExpiresAt},
			}, nil
		})
	return fault.ReplaceNotFound(err, identity.ErrSignedOut())
}

// hasVerifiedUser reports whether a verified user has the address.
func hasVerifiedUser(ctx context.Context, users storage.Users, address string) (bool, error) {
	user, err := users.UserByEmail(ctx, address)
	return err == nil && user.IsVerified(), fault.ReplaceNotFound(err, nil)
}

// CancelEmailChange voids the pending change of the signed-in user's address.
type CancelEmailChange struct{ updater credentialsUpdater }

// Do voids the change. Without one it does nothing.
func (u *CancelEmailChange) Do(ctx context.Context, caller identity.Identity) error {
	now := u.updater.clock.Now()
	if err := caller.RequireFresh(now); err != nil {
		return err
	}
	_, err := u.updater.store.UpdateCredentials(ctx, caller.UserID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			c.CancelEmail()
			return storage.CredentialsEffects{}, nil
		})
	return fault.ReplaceNotFound(err, identity.ErrSignedOut())
}

// EmailChangeSummary contains what the link to a new address shows before it is confirmed.
type EmailChangeSummary struct {
	NewEmail    string
	MaskedEmail string // the current address of the user; see account.MaskEmail
	IsOfCaller  bool   // whether the session is that of the user
}

// ShowEmailChange returns the change of a link.
type ShowEmailChange struct {
	store interface {
		storage.Credentials
		storage.Users
	}
	sessions identity.Sessions
	updater  credentialsUpdater
}

// Do returns the change. It changes nothing, and works without a session. It masks the current address, because the new one
// may belong to another person. It returns NotFound for a token that is unknown, too old or void.
func (u *ShowEmailChange) Do(ctx context.Context, token string) (EmailChangeSummary, error) {
	change, err := u.store.EmailChange(ctx, ids.Hash(token))
	if err == nil && change.IsExpired(u.updater.clock.Now()) {
		err = account.ErrUnknownLink()
	}
	if err != nil {
		return EmailChangeSummary{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user, err := u.store.User(ctx, change.UserID)
	if err != nil {
		return EmailChangeSummary{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	caller, isSignedIn := u.sessions.Current(ctx)
	return EmailChangeSummary{
		NewEmail: change.Email, MaskedEmail: account.MaskEmail(user.Email), IsOfCaller: isSignedIn && caller.UserID == user.ID,
	}, nil
}

// ConfirmEmailChange sets the address of the signed-in user to that of a link.
type ConfirmEmailChange struct{ updater credentialsUpdater }

// Do changes the address, ends the user's other sessions, and notifies the previous address with a link that undoes the
// change. It returns the changed user. It returns the same NotFound for a token that is unknown, too old or void, for that of
// another user, and if another user has the address by now.
func (u *ConfirmEmailChange) Do(ctx context.Context, caller identity.Identity, token string) (account.User, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.User{}, err
	}
	org, err := u.updater.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, identity.ErrSignedOut())
	}
	now := u.updater.clock.Now()
	user, err := u.updater.store.UpdateCredentials(ctx, caller.UserID, now,
		func(c *account.Credentials) (storage.CredentialsEffects, error) {
			previous := c.User
			if err := c.ConfirmEmail(ids.Hash(token), now); err != nil {
				return storage.CredentialsEffects{}, err
			}
			undoHash, newNotice := u.updater.writer.NewUndo(func(n emails.SecurityNotice) mail.Message {
				return emails.EmailChanged(n, c.User.Email)
			})
			c.AddUndo(undoHash, previous.Email, now)
			notice := u.updater.writer.SecurityEmail(newNotice, previous, now, org.TimeZone())
			return storage.CredentialsEffects{Emails: []mail.Message{notice}, KeepSession: caller.SessionID}, nil
		})
	if fault.Is(err, fault.Duplicate) {
		err = account.ErrUnknownLink()
	}
	return user, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}
