package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// detailsImporter stores billing details that an operator has corrected at the payment provider.
type detailsImporter struct {
	store interface {
		storage.Organisations
		storage.Operations
	}
	provider customerReader
	log      *slog.Logger
}

// importDetails returns the organisation with the details that the provider has, and stores them if they differ. It only logs
// a failure, and then returns the organisation unchanged. Details that the provider does not have yet are kept, and so
// are all details while an edit is pending or if the account changes meanwhile.
func (i detailsImporter) importDetails(ctx context.Context, org account.Organisation) account.Organisation {
	ctx, cancel := context.WithTimeout(ctx, timeouts.Display)
	defer cancel()
	updatedOrg, err := i.readAndStore(ctx, org)
	if err != nil {
		i.log.WarnContext(ctx, "billing details not read from the provider", "org", org.ID, "error", err)
		return org
	}
	return updatedOrg
}

func (i detailsImporter) readAndStore(ctx context.Context, org account.Organisation) (account.Organisation, error) {
	if org.Billing.CustomerID == "" || org.HasUnsentDetails() {
		return org, nil
	}
	_, err := i.store.PendingOperation(ctx, org.ID, billing.DetailsOperation)
	if !fault.Is(err, fault.NotFound) {
		return org, err
	}
	customer, err := i.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil || customer.Buyer == nil {
		return org, fault.ReplaceNotFound(err, nil)
	}
	details, hasChanged := org.BillingDetails().Correct(*customer.Buyer, customer.Phone)
	if !hasChanged {
		return org, nil
	}
	updatedOrg, err := i.store.UpdateOrganisation(audit.WithActor(ctx, audit.Provider), org.ID, func(o *account.Organisation) error {
		if o.Billing.Revision != org.Billing.Revision || o.HasUnsentDetails() {
			return storage.ErrRevisionChanged
		}
		o.ImportDetails(details)
		return nil
	})
	if err == nil {
		i.log.InfoContext(ctx, "billing details imported from the provider", "org", org.ID)
	}
	return updatedOrg, err
}
