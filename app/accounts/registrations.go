package accounts

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// VerifyEmail verifies an email address when the link in the verification email is opened. The link
// proves access to the mailbox only. Another person may have registered the address and chosen the password,
// so the link verifies the address only in the browser that registered.
type VerifyEmail struct{ registrations registrations }

// Do verifies the token's user if isRegisteringBrowser reports that the user was registered in this browser.
// It returns the email address if this call has verified it, and whether the user is verified now. An unverified
// user can confirm the registration with its password, or reject it. NotFound when the token is unknown or too old.
func (u *VerifyEmail) Do(ctx context.Context, token string, isRegisteringBrowser func(userID string) bool) (
	email string, isVerified bool, err error,
) {
	user, err := u.registrations.find(ctx, token)
	switch {
	case err != nil:
		return "", false, err
	case user.Verified():
		return "", true, nil
	case !isRegisteringBrowser(user.ID):
		return "", false, nil
	}
	if err := u.registrations.verify(ctx, user); err != nil {
		return "", false, err
	}
	return user.Email, true, nil
}

// ShowRegistration shows the registration of a verification link.
type ShowRegistration struct {
	registrations registrations
	store         storage.Organisations
}

// Do returns the user and the organisation. NotFound when the token is unknown or too old.
func (u *ShowRegistration) Do(ctx context.Context, token string) (account.User, account.Organisation, error) {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return account.User{}, account.Organisation{}, err
	}
	org, err := u.store.Organisation(ctx, user.OrganisationID)
	return user, org, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// ConfirmRegistration verifies a registration with its password, in another browser than the one that
// registered.
type ConfirmRegistration struct {
	registrations registrations
	passwords     identity.Passwords
	sessions      sessionStarter
}

// Do verifies the token's user and signs in; see SignIn for isKnownBrowser. NotFound when the token is unknown or
// too old, Credentials for a wrong password.
func (u *ConfirmRegistration) Do(ctx context.Context, token, password string, isKnownBrowser func(account.User) bool) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	matches, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	if !matches {
		return fault.New(fault.Credentials, "This is not the password chosen at registration.")
	}
	if err := u.registrations.verify(ctx, user); err != nil {
		return err
	}
	return u.sessions.start(ctx, user, isKnownBrowser(user))
}

// RejectRegistration deletes a registration that the owner of its email address did not make.
type RejectRegistration struct {
	registrations registrations
	store         storage.Signups
	log           *slog.Logger
}

// Do deletes the organisation, the user, the user's tokens and the emails in the outbox. NotFound when
// the token is unknown or too old, Conflict when the registration is verified.
func (u *RejectRegistration) Do(ctx context.Context, token string) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	org, err := u.store.DeleteRegistration(ctx, user.ID)
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	u.log.InfoContext(ctx, "registration rejected", "org", org.ID, "customer", org.Billing.CustomerID)
	return nil
}

// registrations finds registrations by the token of their verification email, and verifies them.
type registrations struct {
	store interface {
		storage.Verifications
		storage.Users
	}
	clock          clock.Clock
	createCustomer func(ctx context.Context, organisationID string) error
	markReachable  func(ctx context.Context, email string)
	log            *slog.Logger
}

// find returns the user of the token. NotFound when the token is unknown or too old, or the registration
// has expired or was deleted.
func (r registrations) find(ctx context.Context, token string) (account.User, error) {
	if token == "" {
		return account.User{}, account.ErrUnknownLink()
	}
	verification, err := r.store.Verification(ctx, ids.Hash(token))
	now := r.clock.Now()
	if err == nil && verification.Expired(now) {
		return account.User{}, account.ErrUnknownLink()
	}
	if err != nil {
		return account.User{}, fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	user, err := r.store.User(ctx, verification.UserID)
	if err == nil && user.RegistrationExpired(now) {
		return account.User{}, account.ErrUnknownLink()
	}
	return user, fault.ReplaceNotFound(err, account.ErrUnknownLink())
}

// verify marks the user as verified and creates the customer at the payment provider. NotFound when the
// registration was deleted or its password was changed after the user was read.
func (r registrations) verify(ctx context.Context, user account.User) error {
	now, isNew := r.clock.Now(), false
	_, err := r.store.UpdateUser(ctx, user.ID, func(stored *account.User) error {
		if stored.RegistrationExpired(now) || stored.PasswordHash != user.PasswordHash {
			return account.ErrUnknownLink()
		}
		isNew = !stored.Verified()
		stored.Verify(now)
		return nil
	})
	if err != nil {
		return fault.ReplaceNotFound(err, account.ErrUnknownLink())
	}
	r.completeVerification(ctx, user, isNew)
	return nil
}

// completeVerification marks the user's address as reachable, because a link that was sent to it was opened. If the user
// is newly verified, it creates the customer. It only logs a failure, because the plans page requests the customer again.
func (r registrations) completeVerification(ctx context.Context, user account.User, isNew bool) {
	r.markReachable(ctx, user.Email)
	if !isNew {
		return
	}
	if err := r.createCustomer(ctx, user.OrganisationID); err != nil {
		r.log.WarnContext(ctx, "customer not created yet", "org", user.OrganisationID, "error", err)
	}
}
