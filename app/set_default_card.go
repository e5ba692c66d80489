package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// SetDefaultCard makes a saved card the one that gets charged, for an overdue bill at once.
type SetDefaultCard struct {
	store    storage.Organisations
	provider payment.Cards
	ops      operations
	bill     overdueBill
}

// Do returns the customer with its new default card. A card that is not the organisation's own is
// NotFound. As for the lane see AddCard.
func (u *SetDefaultCard) Do(ctx context.Context, who identity.Identity, cardID string) (billing.Customer, error) {
	var customer billing.Customer
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return customer, err
	}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane, fingerprint: fingerprint("default card", cardID),
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			customer, err = u.provider.SetDefaultCard(ctx, payment.SavedCard{
				Key: at.key + "-card", CustomerID: at.org.Billing.CustomerID, CardID: cardID,
			})
			if err == nil {
				u.bill.pay(ctx, at)
			}
			return noSubscription, err
		},
	})
	return customer, err
}
