package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ShowCustomer returns the organisation's customer at the payment provider.
type ShowCustomer struct {
	store    storage.Organisations
	customer *NewCustomer
	cards    savedCards
}

// Do returns the customer with its default card. It replaces a customer that was deleted at the
// provider. NotFound when the organisation has none yet.
func (u *ShowCustomer) Do(ctx context.Context, caller identity.Identity) (billing.Customer, error) {
	org, err := organisationWithCustomer(ctx, u.store, caller)
	if err != nil {
		return billing.Customer{}, err
	}
	u.cards.cleanUpIfRecorded(ctx, org)
	return u.customer.current(ctx, org)
}
