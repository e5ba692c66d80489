package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ListSubscriptions lists what the organisation has bought so far.
type ListSubscriptions struct {
	store    storage.Organisations
	provider payment.Subscriptions
}

// Do returns the subscriptions in the status, or all of them for "", newest first. An organisation
// without a customer has none.
func (u *ListSubscriptions) Do(ctx context.Context, who identity.Identity, status billing.Status) ([]billing.Subscription, error) {
	customerID, err := customerOf(ctx, u.store, who)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if status == "" {
		return u.provider.ListSubscriptions(ctx, customerID)
	}
	return u.provider.ListSubscriptions(ctx, customerID, status)
}
