package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// emailConfirmationTimeout limits how long the confirmation of an email address waits for the payment provider.
const emailConfirmationTimeout = 5 * time.Second

// customerReader reads a customer with its default card from the provider.
type customerReader interface {
	Customer(ctx context.Context, id string) (billing.Customer, error)
}

// CreateCustomer creates the organisation's customer at the payment provider, at most once.
type CreateCustomer struct {
	store          storage.Organisations
	provider       customerReader
	ops            *operation.Runner
	detailsUpdater detailsUpdater
	log            *slog.Logger
	// reportedUnknown contains the ids of unknown customers that were logged as errors since the server started.
	reportedUnknown sync.Map
}

// Do returns the organisation's customer. It creates the customer if the organisation has none.
func (u *CreateCustomer) Do(ctx context.Context, caller identity.Identity) (billing.Customer, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Customer{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil {
		return billing.Customer{}, err
	}
	if org.Billing.CustomerID != "" {
		return u.findOrReplace(ctx, org)
	}
	return u.create(ctx, org.ID, timeouts.Request)
}

// findOrReplace returns the organisation's customer. It replaces a customer that was deleted at the provider. It also
// replaces one that the provider doesn't know, unless a subscription or an owed invoice depends on it. In that case the
// server is probably configured for another account at the provider, and an operator has to correct that.
func (u *CreateCustomer) findOrReplace(ctx context.Context, org account.Organisation) (billing.Customer, error) {
	customer, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	switch {
	case !fault.Is(err, fault.NotFound):
		return customer, err
	case errors.Is(err, payment.ErrCustomerDeleted):
	case dependsOnCustomer(&org.Billing):
		level := slog.LevelError
		if _, isReported := u.reportedUnknown.LoadOrStore(org.Billing.CustomerID, true); isReported {
			level = slog.LevelDebug // each request of the organisation gets here
		}
		u.log.Log(ctx, level, "the payment provider does not know the customer of a subscription: check the account and its key",
			"org", org.ID, "customer", org.Billing.CustomerID)
		return billing.Customer{}, fault.Wrap(err, fault.NotFound,
			"Our payment provider does not find your organisation at the moment. Please contact us.")
	default:
		u.log.ErrorContext(ctx, "the payment provider does not know the customer, which is replaced by a new one: check the account and its key",
			"org", org.ID, "customer", org.Billing.CustomerID)
	}
	if err := removeCustomer(ctx, u.store, org); err != nil {
		return billing.Customer{}, err
	}
	return u.create(ctx, org.ID, timeouts.Request)
}

// replaceIfUnknown replaces the customer of the organisation if the provider does not know it. It returns false if the
// provider knows the customer or the organisation has none, and the errors of findOrReplace.
func (u *CreateCustomer) replaceIfUnknown(ctx context.Context, organisationID string) (isReplaced bool, err error) {
	org, err := u.store.Organisation(ctx, organisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return false, err
	}
	customer, err := u.findOrReplace(ctx, org)
	return err == nil && customer.ID != org.Billing.CustomerID, err
}

// dependsOnCustomer reports whether the account has a subscription that has not ended, an order or an owed invoice.
func dependsOnCustomer(a *billing.Account) bool {
	return a.LiveSubscription() != nil || a.OpenSubscription() != nil || a.PendingOrder() != nil || a.OwingSubscription() != nil
}

// create creates the customer, or completes a pending creation, and then sends billing details and a contact email that the
// customer does not have yet.
func (u *CreateCustomer) create(
	ctx context.Context, organisationID string, timeout time.Duration,
) (billing.Customer, error) {
	customer, err := u.createOnce(ctx, organisationID, timeout)
	if err == nil {
		u.detailsUpdater.sendUnsentDetails(ctx, organisationID)
	}
	return customer, err
}

// createOnce creates the customer in an operation.
func (u *CreateCustomer) createOnce(
	ctx context.Context, organisationID string, timeout time.Duration,
) (billing.Customer, error) {
	ctx, cancel := operation.Detach(ctx, timeout)
	defer cancel()
	outcome, err := u.ops.Run(ctx, operation.Request{
		OrganisationID: organisationID, Kind: billing.CustomerOperation, Parameters: []string{"customer"},
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			org, err := u.store.Organisation(ctx, organisationID)
			return org, []billing.Action{billing.CreateCustomer(org.ContactEmail)}, err
		},
	})
	if err != nil {
		return billing.Customer{}, err
	}
	return outcome.Customer, nil
}

// ShowCustomer returns the organisation's customer at the payment provider.
type ShowCustomer struct {
	store          storage.Organisations
	createCustomer *CreateCustomer
}

// Do returns the customer with its default card. It replaces a customer that was deleted at the provider. It returns
// NotFound when the organisation has no customer yet.
func (u *ShowCustomer) Do(ctx context.Context, caller identity.Identity) (billing.Customer, error) {
	if err := caller.Require(account.Read); err != nil {
		return billing.Customer{}, err
	}
	org, err := organisationWithCustomer(ctx, u.store, caller)
	if err != nil {
		return billing.Customer{}, err
	}
	return u.createCustomer.findOrReplace(ctx, org)
}

// removeCustomer removes a customer that was deleted at the provider, together with its subscriptions, from our copy.
func removeCustomer(ctx context.Context, store storage.Organisations, org account.Organisation) error {
	deletedID := org.Billing.CustomerID
	_, err := store.UpdateOrganisation(ctx, org.ID, func(o *account.Organisation) error {
		if o.Billing.CustomerID == deletedID {
			o.Billing.RemoveCustomer()
		}
		return nil
	})
	return err
}

// removeCustomerIfDeleted accepts the error of refreshing the organisation, or nil. If the error means that the customer
// was deleted at the provider, it removes the customer and returns nil. Otherwise it returns the error.
func removeCustomerIfDeleted(
	ctx context.Context, store storage.Organisations, provider customerReader, org account.Organisation, err error,
) error {
	if !fault.Is(err, fault.NotFound) || org.Billing.CustomerID == "" {
		return err
	}
	if _, customerErr := provider.Customer(ctx, org.Billing.CustomerID); errors.Is(customerErr, payment.ErrCustomerDeleted) {
		return removeCustomer(ctx, store, org)
	}
	return err
}

// organisationWithCustomer returns the caller's organisation. It returns NotFound when the organisation has no customer.
func organisationWithCustomer(
	ctx context.Context, store storage.Organisations, caller identity.Identity,
) (account.Organisation, error) {
	org, err := store.Organisation(ctx, caller.OrganisationID)
	if err == nil && org.Billing.CustomerID == "" {
		err = fault.New(fault.NotFound, "Your organisation is not set up for payments yet.")
	}
	return org, err
}
