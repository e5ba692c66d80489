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
// them. edit may be called again. Invalid details have a message for each field, in the field "taxId" also
// when the provider refuses the number. Without a customer the details are only stored, and sent when the
// customer is created. A new billing email stays unconfirmed; confirmation reports whether an email with the link
// that confirms it was sent.
func (u *EditBillingDetails) Do(
	ctx context.Context, caller identity.Identity, edit func(*account.BillingDetails),
) (edited account.BillingDetails, confirmation bool, err error) {
	before, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return edited, false, err
	}
	edited, err = u.edit(ctx, caller, edit)
	if err != nil || edited.UnconfirmedEmail == "" || edited.UnconfirmedEmail == before.BillingDetails().UnconfirmedEmail {
		return edited, false, err
	}
	err = u.confirmations.send(ctx, caller.OrganisationID, edited.UnconfirmedEmail)
	return edited, err == nil, err
}

func (u *EditBillingDetails) edit(
	ctx context.Context, caller identity.Identity, edit func(*account.BillingDetails),
) (account.BillingDetails, error) {
	edited, err := u.details.edit(ctx, caller.OrganisationID, edit)
	if !fault.Is(err, fault.NotFound) {
		return edited, err
	}
	// The customer may have been deleted at the provider. If so, another one is created.
	if _, err := u.customer.Do(ctx, caller); err != nil {
		return account.BillingDetails{}, err
	}
	return u.details.edit(ctx, caller.OrganisationID, edit)
}

// billingDetails sends the billing details to the payment provider. That is an operation whose actions
// can't charge, so that Reconcile completes it after a crash or a timeout.
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
	return b.run(ctx, org.ID, fingerprint("details", details.Encode()), func(ctx context.Context) (detailsDecision, error) {
		return b.decideEdit(ctx, organisationID, edit)
	})
}

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
		_, err = b.run(ctx, organisationID, fingerprint("unsent details", org.Billing.CustomerID),
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

type detailsDecision = decision[account.BillingDetails]

// newDetailsDecision returns the decision to send the details to the organisation's customer.
func newDetailsDecision(org account.Organisation, details account.BillingDetails) detailsDecision {
	return detailsDecision{org: &org, actions: []billing.Action{billing.UpdateCustomer(org.Billing.CustomerID, details.Encode())}}
}

func (b billingDetails) run(
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
