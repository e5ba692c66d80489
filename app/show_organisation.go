package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowOrganisation shows people their own organisation.
type ShowOrganisation struct{ store storage.Organisations }

// Do returns the organisation. One that is somebody else's is NotFound, as an unknown one is.
func (u *ShowOrganisation) Do(ctx context.Context, who identity.Identity, id string) (account.Organisation, error) {
	if id != who.OrganisationID {
		return account.Organisation{}, fault.New(fault.NotFound, "There is no such organisation.")
	}
	return u.store.Organisation(ctx, id)
}
