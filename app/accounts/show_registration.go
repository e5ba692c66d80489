package accounts

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowRegistration returns the registration of a verification link.
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
