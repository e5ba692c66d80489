package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowBillingDetails returns the organisation's billing details.
type ShowBillingDetails struct {
	store    storage.Organisations
	importer detailsImporter
}

// Do returns the details as they were last edited, here or at the provider. If none were edited, it returns those of the
// registration.
func (u *ShowBillingDetails) Do(ctx context.Context, caller identity.Identity) (account.BillingDetails, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.BillingDetails{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err == nil {
		org = u.importer.importDetails(ctx, org)
	}
	return org.BillingDetails(), err
}

// EditBillingDetails changes the billing details for future invoices.
type EditBillingDetails struct {
	store          storage.Organisations
	createCustomer *CreateCustomer
	detailsUpdater detailsUpdater
	emailConfirmer emailConfirmer
}

// Do first imports corrections that were made at the provider. It applies change to the current details, stores the
// result when the payment provider has accepted it, and returns it. Do may call change more than once. For invalid
// details it returns an error with a message for each field. If the provider refuses the tax id, the message is in the
// field "taxId". If the organisation has no customer, Do only stores the details, and CreateCustomer sends them. A new
// billing email stays unconfirmed; isEmailSent reports whether Do sent an email with the link that confirms it.
func (u *EditBillingDetails) Do(
	ctx context.Context, caller identity.Identity, change func(*account.BillingDetails),
) (details account.BillingDetails, isEmailSent bool, err error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return account.BillingDetails{}, false, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return details, false, err
	}
	org = u.detailsUpdater.importer.importDetails(ctx, org)
	details, err = u.detailsUpdater.edit(ctx, org.ID, change)
	if fault.Is(err, fault.NotFound) { // if the customer was deleted at the provider, CreateCustomer replaces it
		if _, err = u.createCustomer.Do(ctx, caller); err == nil {
			details, err = u.detailsUpdater.edit(ctx, org.ID, change)
		}
	}
	if err != nil || details.UnconfirmedEmail == "" || details.UnconfirmedEmail == org.BillingDetails().UnconfirmedEmail {
		return details, false, err
	}
	err = u.emailConfirmer.send(ctx, org.ID, details.UnconfirmedEmail)
	return details, err == nil, err
}

// detailsUpdater stores billing details and sends them to the payment provider, in operations that Reconcile completes
// after a crash or a timeout.
type detailsUpdater struct {
	store    storage.Organisations
	ops      *operation.Runner
	importer detailsImporter
	log      *slog.Logger
}

// edit applies change to the details in an operation, and returns the new details.
func (u detailsUpdater) edit(
	ctx context.Context, organisationID string, change func(*account.BillingDetails),
) (account.BillingDetails, error) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return account.BillingDetails{}, err
	}
	details, err := org.EditDetails(change)
	if err != nil {
		return account.BillingDetails{}, err
	}
	return u.update(ctx, org.ID, []string{"details", details.Encode()},
		func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			return u.decideEdit(ctx, organisationID, change)
		})
}

// decideEdit returns the action that sends the edited details. If the organisation has no customer, it stores them
// instead.
func (u detailsUpdater) decideEdit(
	ctx context.Context, organisationID string, change func(*account.BillingDetails),
) (account.Organisation, []billing.Action, error) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return org, nil, err
	}
	if org.Billing.CustomerID == "" {
		org, err := u.storeEdit(ctx, organisationID, change)
		return org, nil, err
	}
	details, err := org.EditDetails(change)
	return org, []billing.Action{billing.UpdateCustomer(org.Billing.CustomerID, details.Encode(), "")}, err
}

// storeEdit stores the details of an organisation without a customer. If the organisation now has a customer, it returns
// ErrRevisionChanged.
func (u detailsUpdater) storeEdit(
	ctx context.Context, organisationID string, change func(*account.BillingDetails),
) (account.Organisation, error) {
	return u.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID != "" {
			return storage.ErrRevisionChanged
		}
		details, err := o.EditDetails(change)
		if err == nil {
			o.SetDetails(details, "")
		}
		return err
	})
}

// sendUnsentDetails sends details and a contact email that the payment provider does not have yet, see
// account.Organisation.NeedsCustomerUpdate. It first imports corrections that were made at the provider, unless edited
// details have to be sent. It only logs a failure. Reconcile repeats a request that got no response, and RefreshBilling
// sends the details again.
func (u detailsUpdater) sendUnsentDetails(ctx context.Context, organisationID string) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err == nil && org.NeedsCustomerUpdate() {
		u.importer.importDetails(ctx, org)
		_, err = u.update(ctx, organisationID, []string{"unsent details", org.Billing.CustomerID, org.UnsentContactEmail()},
			func(ctx context.Context) (account.Organisation, []billing.Action, error) {
				org, err := u.store.Organisation(ctx, organisationID)
				if err != nil || !org.NeedsCustomerUpdate() {
					return org, nil, err
				}
				details := org.BillingDetails()
				return org, []billing.Action{
					billing.UpdateCustomer(org.Billing.CustomerID, details.Encode(), org.UnsentContactEmail()),
				}, nil
			})
	}
	if err != nil {
		u.log.WarnContext(ctx, "billing details not sent yet", "org", organisationID, "error", err)
	}
}

// update sends the details in the actions that decide returns, and returns those that the provider has accepted. If there
// are no actions, it returns the organisation's details. Requests with the same parameters are repeats of each other.
func (u detailsUpdater) update(
	ctx context.Context, organisationID string, parameters []string, decide operation.DecideFunc,
) (account.BillingDetails, error) {
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := u.ops.Run(ctx, operation.Request{
		OrganisationID: organisationID, Kind: billing.DetailsOperation, Parameters: parameters, Decide: decide,
	})
	if err == nil && len(outcome.Actions) == 0 {
		return outcome.Organisation.BillingDetails(), nil
	}
	return outcome.Details, err
}
