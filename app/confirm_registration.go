package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowRegistration describes the registration that a verification link belongs to.
type ShowRegistration struct {
	registrations registrations
	store         storage.Organisations
}

// Do returns the user and the organisation. A token that is unknown or too old is NotFound.
func (u *ShowRegistration) Do(ctx context.Context, token string) (account.User, account.Organisation, error) {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return account.User{}, account.Organisation{}, err
	}
	org, err := u.store.Organisation(ctx, user.OrganisationID)
	return user, org, orUnknownToken(err)
}

// ConfirmRegistration verifies a registration in a browser that did not register, for a person who
// knows its password.
type ConfirmRegistration struct {
	registrations registrations
	passwords     identity.Passwords
	sessions      identity.Sessions
}

// Do verifies the token's user and signs in. A token that is unknown or too old is NotFound, a wrong
// password Credentials.
func (u *ConfirmRegistration) Do(ctx context.Context, token, password string) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	right, err := u.passwords.Verify(ctx, password, user.PasswordHash)
	if err != nil {
		return err
	}
	if !right {
		return fault.New(fault.Credentials, "This is not the password chosen at registration.")
	}
	if err := u.registrations.verify(ctx, user); err != nil {
		return err
	}
	return startSession(ctx, u.registrations.store, u.sessions, user)
}

// RejectRegistration deletes a registration that the owner of its e-mail address did not make.
type RejectRegistration struct {
	registrations registrations
	store         storage.Signups
}

// Do deletes the organisation, the user, the user's tokens and the emails that wait. A token that is
// unknown or too old is NotFound; a registration that is verified already is Conflict.
func (u *RejectRegistration) Do(ctx context.Context, token string) error {
	user, err := u.registrations.find(ctx, token)
	if err != nil {
		return err
	}
	org, err := u.store.DeleteRegistration(ctx, user.ID)
	if err != nil {
		return orUnknownToken(err)
	}
	u.registrations.log.InfoContext(ctx, "registration rejected", "org", org.ID, "customer", org.Billing.CustomerID)
	return nil
}
