package operators

import (
	"cmp"
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
)

// ReadAgain reads an organisation from the payment provider, for example after an event was lost.
type ReadAgain struct{ runner actionRunner }

// Preview returns the effect.
func (u *ReadAgain) Preview(ctx context.Context, organisationID string) (effect Effect, err error) {
	if err := Require(ctx, MayReadAgain); err != nil {
		return Effect{}, err
	}
	org, err := u.runner.store.Organisation(ctx, organisationID)
	if err != nil {
		return Effect{}, err
	}
	return readAgainEffect(org), nil
}

func readAgainEffect(org account.Organisation) (effect Effect) {
	effect.add("Customer at the payment provider", cmp.Or(org.Billing.CustomerID, "none yet"))
	return effect
}

// Do reads the organisation and stores what has changed, with the entries of the changes. A repeat with the same key reads
// nothing. Do returns the provider's error, without an entry of the action.
func (u *ReadAgain) Do(ctx context.Context, req ActionRequest) error {
	if err := Require(ctx, MayReadAgain); err != nil {
		return err
	}
	return actOnce(ctx, u.runner.store, req, func(req ActionRequest) error {
		org, err := u.runner.store.Organisation(ctx, req.OrganisationID)
		if err != nil {
			return err
		}
		if err := req.checkFigures(readAgainEffect(org)); err != nil {
			return err
		}
		if org, err = u.runner.refresh(ctx, req.OrganisationID); err != nil {
			return err
		}
		entry := req.entry(ctx, audit.OperatorReadAgain)
		entry.Subject = audit.Code(org.Billing.CustomerID)
		return u.runner.store.AddAuditEntries(ctx, *entry)
	})
}
