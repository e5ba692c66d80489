package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// ListSubscriptions lists the organisation's subscriptions.
type ListSubscriptions struct {
	store    storage.Organisations
	provider interface {
		ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	}
}

// Do returns the subscriptions with the status, or all of them for "", newest first. An organisation
// without a customer has none.
func (u *ListSubscriptions) Do(ctx context.Context, caller identity.Identity, status billing.Status) ([]billing.Subscription, error) {
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return nil, err
	}
	if status == "" {
		return u.provider.ListSubscriptions(ctx, org.Billing.CustomerID)
	}
	return u.provider.ListSubscriptions(ctx, org.Billing.CustomerID, status)
}
