package privacy

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Export is the data of an organisation. Its JSON is what owners download.
type Export struct {
	OrganisationID string         `json:"organisation"`
	At             time.Time      `json:"exportedAt"`
	Tables         storage.Export `json:"tables"`
	Methods        []string       `json:"paymentMethods,omitempty"` // the names of the methods that are saved at the provider
}

// ExportData exports the data of an organisation.
type ExportData struct{ ports Ports }

// Do exports the data of the caller's organisation. It first stores that the caller has exported it, so that the export
// contains this entry. Only owners who have authenticated recently can export.
func (u *ExportData) Do(ctx context.Context, caller identity.Identity) (Export, error) {
	if err := caller.Require(account.ManageMembers); err != nil {
		return Export{}, err
	}
	if err := caller.RequireFresh(u.ports.Clock.Now()); err != nil {
		return Export{}, err
	}
	return u.ForOrganisation(audit.WithDefaultActor(ctx, caller.Actor()), caller.OrganisationID)
}

// ForOrganisation exports the data for an operator.
func (u *ExportData) ForOrganisation(ctx context.Context, organisationID string) (Export, error) {
	state, err := u.ports.Store.ErasureState(ctx, organisationID)
	if err != nil {
		return Export{}, err
	}
	if err := u.ports.Store.AddAuditEntries(ctx, audit.Entry{OrganisationID: organisationID, Kind: audit.OrganisationExported}); err != nil {
		return Export{}, err
	}
	export := Export{OrganisationID: organisationID, At: u.ports.Clock.Now()}
	if export.Tables, err = u.ports.Store.ExportOrganisation(ctx, organisationID); err != nil {
		return Export{}, err
	}
	err = u.addMethods(ctx, &export, state.Organisation.Billing.CustomerID)
	return export, err
}

// addMethods adds the saved payment methods. It adds none if the customer was deleted at the provider.
func (u *ExportData) addMethods(ctx context.Context, export *Export, customerID string) error {
	if customerID == "" || !u.ports.Provider.Capabilities().Has(payment.SavedMethods) {
		return nil
	}
	methods, err := u.ports.Provider.Cards(ctx, customerID)
	for _, method := range methods {
		export.Methods = append(export.Methods, method.DisplayName())
	}
	return fault.ReplaceNotFound(err, nil)
}
