package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// ViewOrganisation returns the data that an operator sees of an organisation.
type ViewOrganisation struct {
	store interface {
		storage.Organisations
		storage.Teams
		storage.AuditLog
		storage.TrialCards
	}
}

// OrganisationView contains the data that an operator sees of an organisation.
type OrganisationView struct {
	Organisation account.Organisation
	Team         account.Team
	// SharedTrialCards are trials that other organisations had with a card of this organisation's trial, oldest first.
	SharedTrialCards []storage.TrialCard
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
	view := OrganisationView{Organisation: org}
	if view.Team, err = u.store.Team(ctx, org.ID); err != nil {
		return OrganisationView{}, err
	}
	view.SharedTrialCards, err = u.store.SharedTrialCards(ctx, org.ID)
	return view, err
}
