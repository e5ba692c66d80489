package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowCustomer shows the organisation as the payment provider knows it.
type ShowCustomer struct {
	store    storage.Organisations
	provider payment.Customers
}

// Do returns the customer with its default card; NotFound when there is no customer yet.
func (u *ShowCustomer) Do(ctx context.Context, who identity.Identity) (billing.Customer, error) {
	id, err := customerOf(ctx, u.store, who)
	if err != nil {
		return billing.Customer{}, err
	}
	return u.provider.Customer(ctx, id)
}

// customerOf is the id of the organisation's customer, NotFound when there is none.
func customerOf(ctx context.Context, store storage.Organisations, who identity.Identity) (string, error) {
	org, err := store.Organisation(ctx, who.OrganisationID)
	if err == nil && org.Billing.CustomerID == "" {
		err = fault.New(fault.NotFound, "Your organisation is not set up for payments yet.")
	}
	return org.Billing.CustomerID, err
}
