package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// ViewOrganisation returns what an operator sees of an organisation.
type ViewOrganisation struct {
	store interface {
		storage.Organisations
		storage.Teams
		storage.AuditLog
	}
}

// OrganisationView is what an operator sees of an organisation.
type OrganisationView struct {
	Organisation account.Organisation
	Team         account.Team
}

// Do returns the organisation, after it has stored that the operator views it.
func (u *ViewOrganisation) Do(ctx context.Context, organisationID string) (OrganisationView, error) {
	if err := Require(ctx, MayViewOrganisation); err != nil {
		return OrganisationView{}, err
	}
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return OrganisationView{}, err
	}
	if err := u.store.AddAuditEntries(ctx, audit.Entry{OrganisationID: org.ID, Kind: audit.OperatorViewed}); err != nil {
		return OrganisationView{}, err
	}
	team, err := u.store.Team(ctx, org.ID)
	return OrganisationView{Organisation: org, Team: team}, err
}
