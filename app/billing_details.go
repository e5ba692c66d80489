package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowBillingDetails returns the organisation's billing details.
type ShowBillingDetails struct {
	store    storage.Organisations
	takeover detailsTakeover
}

// Do returns the details that were last edited, here or at the provider, where they are read. If none were edited, it
// returns those of the registration.
func (u *ShowBillingDetails) Do(ctx context.Context, caller identity.Identity) (account.BillingDetails, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err == nil {
		org = u.takeover.takeOver(ctx, org)
	}
	return org.BillingDetails(), err
}

// EditBillingDetails changes the billing details for future invoices.
type EditBillingDetails struct {
	store          storage.Organisations
	createCustomer *CreateCustomer
	detailsUpdater detailsUpdater
	emailConfirmer emailConfirmer
	takeover       detailsTakeover
}

// Do takes over corrections that were made at the provider, so that only the change is new there. It applies change to
// the current details, stores them when the payment provider has accepted them, and returns them. It may call change
// again. For invalid details it returns an error with a message for each field. If the provider refuses the tax id, the
// message is in the field "taxId". If the organisation has no customer, Do only stores the details, and CreateCustomer
// sends them. A new billing email stays unconfirmed; isEmailSent reports whether Do sent an email with the link that
// confirms it.
func (u *EditBillingDetails) Do(
	ctx context.Context, caller identity.Identity, change func(*account.BillingDetails),
) (details account.BillingDetails, isEmailSent bool, err error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return details, false, err
	}
	org = u.takeover.takeOver(ctx, org)
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
	store storage.Organisations
	ops   operations
	log   *slog.Logger
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
	return u.runOperation(ctx, org.ID, newFingerprint("details", details.Encode()),
		func(ctx context.Context) (detailsDecision, error) { return u.decideEdit(ctx, organisationID, change) })
}

// decideEdit returns the decision to send the edited details. If the organisation has no customer, it stores them
// instead.
func (u detailsUpdater) decideEdit(
	ctx context.Context, organisationID string, change func(*account.BillingDetails),
) (detailsDecision, error) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil {
		return detailsDecision{}, err
	}
	if org.Billing.CustomerID == "" {
		return u.storeEdit(ctx, organisationID, change)
	}
	details, err := org.EditDetails(change)
	return newDetailsDecision(org, details), err
}

// storeEdit stores the details of an organisation without a customer, and returns a decision without actions. If the
// organisation now has a customer, it returns ErrRevisionChanged.
func (u detailsUpdater) storeEdit(
	ctx context.Context, organisationID string, change func(*account.BillingDetails),
) (detailsDecision, error) {
	org, err := u.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID != "" {
			return storage.ErrRevisionChanged
		}
		details, err := o.EditDetails(change)
		if err == nil {
			o.SetDetails(details, "")
		}
		return err
	})
	return detailsDecision{result: org.BillingDetails()}, err
}

// sendUnsentDetails sends details that the payment provider does not have yet, see account.Organisation.HasUnsentDetails. It
// only logs a failure. Reconcile repeats a request that got no response, and RefreshBilling sends the details again.
func (u detailsUpdater) sendUnsentDetails(ctx context.Context, organisationID string) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err == nil && org.HasUnsentDetails() {
		_, err = u.runOperation(ctx, organisationID, newFingerprint("unsent details", org.Billing.CustomerID),
			func(ctx context.Context) (detailsDecision, error) {
				org, err := u.store.Organisation(ctx, organisationID)
				if err != nil || !org.HasUnsentDetails() {
					return detailsDecision{result: org.BillingDetails()}, err
				}
				return newDetailsDecision(org, *org.Details), nil
			})
	}
	if err != nil {
		u.log.WarnContext(ctx, "billing details not sent yet", "org", organisationID, "error", err)
	}
}

// detailsDecision contains the actions of a request that changes billing details, or its result if there are none.
type detailsDecision = decision[account.BillingDetails]

// newDetailsDecision returns the decision to send the details to the organisation's customer.
func newDetailsDecision(org account.Organisation, details account.BillingDetails) detailsDecision {
	return detailsDecision{org: &org, actions: []billing.Action{billing.UpdateCustomer(org.Billing.CustomerID, details.Encode())}}
}

// runOperation runs the actions that decide returns as a billing.DetailsOperation, and returns the details that the
// provider has accepted.
func (u detailsUpdater) runOperation(
	ctx context.Context, organisationID, fingerprint string, decide func(context.Context) (detailsDecision, error),
) (account.BillingDetails, error) {
	return run(ctx, u.ops, request[account.BillingDetails]{
		organisationID: organisationID, kind: billing.DetailsOperation, fingerprint: fingerprint,
		decide: func(ctx context.Context, _ bool) (detailsDecision, error) { return decide(ctx) },
		result: func(_ context.Context, out outcome, err error) (account.BillingDetails, error) {
			return out.details, err
		},
	})
}
