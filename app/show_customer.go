package app

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowCustomer shows the organisation as the payment provider knows it.
type ShowCustomer struct {
	store    storage.Organisations
	customer *NewCustomer
	cards    savedCards
}

// Do returns the customer with its default card, or a new one when it was deleted at the provider;
// NotFound when there is no customer yet.
func (u *ShowCustomer) Do(ctx context.Context, who identity.Identity) (billing.Customer, error) {
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err == nil {
		err = checkCustomer(org)
	}
	if err != nil {
		return billing.Customer{}, err
	}
	u.cards.tidyBefore(ctx, org)
	return u.customer.current(ctx, org)
}

// customerOf is the id of the organisation's customer, NotFound when there is none.
func customerOf(ctx context.Context, store storage.Organisations, who identity.Identity) (string, error) {
	org, err := store.Organisation(ctx, who.OrganisationID)
	if err == nil {
		err = checkCustomer(org)
	}
	return org.Billing.CustomerID, err
}

func checkCustomer(org account.Organisation) error {
	if org.Billing.CustomerID == "" {
		return fault.New(fault.NotFound, "Your organisation is not set up for payments yet.")
	}
	return nil
}
