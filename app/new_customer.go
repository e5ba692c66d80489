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

// customerTimeout limits how long the confirmation of an email address waits for the payment provider.
const customerTimeout = 5 * time.Second

// NewCustomer creates the organisation's customer at the payment provider, at most once.
type NewCustomer struct {
	store    storage.Organisations
	provider customerReader
	ops      operations
	details  billingDetails
}

// Do returns the organisation's customer. It creates the customer when there is none.
func (u *NewCustomer) Do(ctx context.Context, caller identity.Identity) (billing.Customer, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return billing.Customer{}, err
	}
	if org.Billing.CustomerID != "" {
		return u.current(ctx, org)
	}
	return u.create(ctx, org.ID, requestTimeout)
}

// current returns the organisation's customer. It replaces one that was deleted at the provider. It
// does not replace one that the provider doesn't know: the server is probably configured for another
// account of the provider, which contains none of the customers.
func (u *NewCustomer) current(ctx context.Context, org account.Organisation) (billing.Customer, error) {
	found, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if !errors.Is(err, payment.ErrCustomerDeleted) {
		return found, err
	}
	if err := removeCustomer(ctx, u.store, org); err != nil {
		return billing.Customer{}, err
	}
	return u.create(ctx, org.ID, requestTimeout)
}

// create creates the customer, or completes a pending creation.
func (u *NewCustomer) create(ctx context.Context, organisationID string, timeout time.Duration) (billing.Customer, error) {
	created, err := run(ctx, u.ops, request[billing.Customer]{
		organisationID: organisationID, kind: billing.CustomerOperation, fingerprint: fingerprint("customer"), timeout: timeout,
		decide: func(context.Context, bool) (decision[billing.Customer], error) {
			return decision[billing.Customer]{actions: []billing.Action{billing.CreateCustomer()}}, nil
		},
		result:   func(_ context.Context, done outcome, err error) (billing.Customer, error) { return done.customer, err },
		resultID: func(c billing.Customer) string { return c.ID },
	})
	if err == nil {
		u.details.sendUnsent(ctx, organisationID)
	}
	return created, err
}
