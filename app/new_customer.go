package app

import (
	"context"
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// NewCustomer makes the organisation's customer at the payment provider, once, however often it is
// asked to.
type NewCustomer struct {
	store    storage.Organisations
	provider payment.Customers
	ops      operations
}

// Do returns the organisation's customer and makes it first when there is none.
func (u *NewCustomer) Do(ctx context.Context, who identity.Identity) (billing.Customer, error) {
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err != nil {
		return billing.Customer{}, err
	}
	if org.Billing.CustomerID != "" {
		return u.current(ctx, org)
	}
	return u.create(ctx, org.ID, patience)
}

// current is the organisation's customer, or a new one in the place of one that was deleted at the
// provider without our having been told. One that the provider has never known is let go of by
// nobody: more likely than that it vanished is that the provider was asked in the name of another
// account, where no organisation has its customer.
func (u *NewCustomer) current(ctx context.Context, org account.Organisation) (billing.Customer, error) {
	found, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if !errors.Is(err, payment.ErrCustomerDeleted) {
		return found, err
	}
	if err := loseCustomer(ctx, u.store, org); err != nil {
		return billing.Customer{}, err
	}
	return u.create(ctx, org.ID, patience)
}

// create makes the customer, or goes on making it; it takes no longer than it is given.
func (u *NewCustomer) create(ctx context.Context, organisationID string, within time.Duration) (billing.Customer, error) {
	var customer billing.Customer
	err := u.ops.run(ctx, request{
		organisationID: organisationID, kind: billing.CustomerOperation, fingerprint: fingerprint("customer"), patience: within,
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			customer, err = u.ensure(ctx, at.key, at.org)
			return customer.ID, err
		},
	})
	return customer, err
}

func (u *NewCustomer) ensure(ctx context.Context, key string, org account.Organisation) (billing.Customer, error) {
	if org.Billing.CustomerID != "" {
		return u.provider.Customer(ctx, org.Billing.CustomerID)
	}
	customer, err := u.provider.CreateCustomer(ctx, newCustomerOf(key, org))
	if err != nil {
		return billing.Customer{}, err
	}
	return customer, adopt(ctx, u.store, org.ID, customer, u.ops.clock.Now())
}

// adopt stores the organisation's customer, unless it has one: a request that was delayed must not
// replace the customer that has been used since.
func adopt(ctx context.Context, store storage.Organisations, organisationID string, customer billing.Customer, at time.Time) error {
	_, err := store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == "" {
			o.Billing.SetCustomer(customer.ID, at)
		}
		return nil
	})
	return err
}
