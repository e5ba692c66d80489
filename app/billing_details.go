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

// ShowBillingDetails returns the addressee of the organisation's invoices.
type ShowBillingDetails struct{ store storage.Organisations }

// Do returns the edited details, or those of the registration.
func (u *ShowBillingDetails) Do(ctx context.Context, caller identity.Identity) (account.BillingDetails, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	return org.BillingDetails(), err
}

// EditBillingDetails changes the addressee of the next invoices.
type EditBillingDetails struct {
	store         storage.Organisations
	customer      *NewCustomer
	details       billingDetails
	confirmations emailConfirmations
}

// Do calls edit to change the current details, and stores them when the payment provider has accepted
// them. edit may be called again. The error of invalid details has a message for each field; if the provider refuses
// the tax id, the message is in the field "taxId". Without a customer the details are only stored, and sent when the
// customer is created. A new billing email stays unconfirmed; isEmailSent reports whether an email with the link
// that confirms it was sent.
func (u *EditBillingDetails) Do(
	ctx context.Context, caller identity.Identity, edit func(*account.BillingDetails),
) (details account.BillingDetails, isEmailSent bool, err error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return details, false, err
	}
	details, err = u.details.edit(ctx, org.ID, edit)
	if fault.Is(err, fault.NotFound) { // if the customer was deleted at the provider, NewCustomer replaces it
		if _, err = u.customer.Do(ctx, caller); err == nil {
			details, err = u.details.edit(ctx, org.ID, edit)
		}
	}
	if err != nil || details.UnconfirmedEmail == "" || details.UnconfirmedEmail == org.BillingDetails().UnconfirmedEmail {
		return details, false, err
	}
	err = u.confirmations.send(ctx, org.ID, details.UnconfirmedEmail)
	return details, err == nil, err
}

// billingDetails sends the billing details to the payment provider, in operations that Reconcile completes after a crash
// or a timeout.
type billingDetails struct {
	store storage.Organisations
	ops   operations
	log   *slog.Logger
}

// edit changes the details in an operation.
func (b billingDetails) edit(
	ctx context.Context, organisationID string, edit func(*account.BillingDetails),
) (account.BillingDetails, error) {
	org, err := b.store.Organisation(ctx, organisationID)
	if err != nil {
		return account.BillingDetails{}, err
	}
	details, err := org.EditDetails(edit)
	if err != nil {
		return account.BillingDetails{}, err
	}
	return b.runOperation(ctx, org.ID, fingerprint("details", details.Encode()), func(ctx context.Context) (detailsDecision, error) {
		return b.decideEdit(ctx, organisationID, edit)
	})
}

// decideEdit returns the decision to send the edited details. Without a customer it stores them.
func (b billingDetails) decideEdit(
	ctx context.Context, organisationID string, edit func(*account.BillingDetails),
) (detailsDecision, error) {
	org, err := b.store.Organisation(ctx, organisationID)
	if err != nil {
		return detailsDecision{}, err
	}
	if org.Billing.CustomerID == "" {
		return b.storeEdit(ctx, organisationID, edit)
	}
	details, err := org.EditDetails(edit)
	return newDetailsDecision(org, details), err
}

// storeEdit stores the details of an organisation without a customer, and returns a decision without actions. If the
// customer was created in the meantime, it returns ErrRevisionChanged.
func (b billingDetails) storeEdit(
	ctx context.Context, organisationID string, edit func(*account.BillingDetails),
) (detailsDecision, error) {
	org, err := b.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID != "" {
			return storage.ErrRevisionChanged
		}
		details, err := o.EditDetails(edit)
		if err == nil {
			o.SetDetails(details, "")
		}
		return err
	})
	return detailsDecision{result: org.BillingDetails()}, err
}

// sendPending sends details that the customer has not received, see account.Organisation.DetailsUnsent. It only logs
// a failure: Reconcile repeats a request without a response, and RefreshBilling tries again.
func (b billingDetails) sendPending(ctx context.Context, organisationID string) {
	org, err := b.store.Organisation(ctx, organisationID)
	if err == nil && org.DetailsUnsent() {
		_, err = b.runOperation(ctx, organisationID, fingerprint("unsent details", org.Billing.CustomerID),
			func(ctx context.Context) (detailsDecision, error) {
				org, err := b.store.Organisation(ctx, organisationID)
				if err != nil || !org.DetailsUnsent() {
					return detailsDecision{result: org.BillingDetails()}, err
				}
				return newDetailsDecision(org, *org.Details), nil
			})
	}
	if err != nil {
		b.log.WarnContext(ctx, "billing details not sent yet", "org", organisationID, "error", err)
	}
}

// detailsDecision is the decision of a request that sends billing details.
type detailsDecision = decision[account.BillingDetails]

// newDetailsDecision returns the decision to send the details to the organisation's customer.
func newDetailsDecision(org account.Organisation, details account.BillingDetails) detailsDecision {
	return detailsDecision{org: &org, actions: []billing.Action{billing.UpdateCustomer(org.Billing.CustomerID, details.Encode())}}
}

// runOperation runs a request that sends billing details.
func (b billingDetails) runOperation(
	ctx context.Context, organisationID, fingerprint string, decide func(context.Context) (detailsDecision, error),
) (account.BillingDetails, error) {
	return run(ctx, b.ops, request[account.BillingDetails]{
		organisationID: organisationID, kind: billing.DetailsOperation, fingerprint: fingerprint,
		decide: func(ctx context.Context, _ bool) (detailsDecision, error) { return decide(ctx) },
		result: func(_ context.Context, out outcome, err error) (account.BillingDetails, error) {
			return out.details, err
		},
	})
}
