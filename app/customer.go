package app

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// storeCustomer stores the organisation's customer, unless it has one: a delayed request must not replace
// the customer that is in use.
func storeCustomer(
	ctx context.Context, store storage.Organisations, organisationID string, customer billing.Customer, at time.Time,
) error {
	_, err := store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == "" {
			o.Billing.SetCustomer(customer.ID, at)
		}
		return nil
	})
	return err
}

// removeCustomer removes a customer that was deleted at the provider, together with its subscriptions.
func removeCustomer(ctx context.Context, store storage.Organisations, org account.Organisation) error {
	deleted := org.Billing.CustomerID
	_, err := store.UpdateOrganisation(ctx, org.ID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == deleted {
			o.Billing.RemoveCustomer()
		}
		return nil
	})
	return err
}

// removeIfDeleted handles the error of reading the organisation from the provider. It removes the customer and returns
// nil if the provider reports that the customer was deleted, and the error otherwise.
func removeIfDeleted(
	ctx context.Context, store storage.Organisations, provider customerReader, org account.Organisation, err error,
) error {
	if !fault.Is(err, fault.NotFound) || org.Billing.CustomerID == "" {
		return err
	}
	if _, unknown := provider.Customer(ctx, org.Billing.CustomerID); errors.Is(unknown, payment.ErrCustomerDeleted) {
		return removeCustomer(ctx, store, org)
	}
	return err
}

// organisationWithCustomer returns the caller's organisation; NotFound when it has no customer.
func organisationWithCustomer(ctx context.Context, store storage.Organisations, caller identity.Identity) (account.Organisation, error) {
	org, err := store.Organisation(ctx, caller.OrganisationID)
	if err == nil && org.Billing.CustomerID == "" {
		err = fault.New(fault.NotFound, "Your organisation is not set up for payments yet.")
	}
	return org, err
}
