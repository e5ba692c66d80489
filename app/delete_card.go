package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// DeleteCard takes a saved card away.
type DeleteCard struct {
	store    storage.Organisations
	provider interface {
		payment.Customers
		payment.Cards
	}
	ops  operations
	sync *syncBilling
}

// Do deletes the card. A card that is not the organisation's own is NotFound; the default card is
// Conflict while a subscription lives on it. In the lane of the
// subscription none can begin on the card, and no other card be made the default one, meanwhile.
func (u *DeleteCard) Do(ctx context.Context, who identity.Identity, cardID string) error {
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return err
	}
	return u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane, fingerprint: fingerprint("delete card", cardID),
		do: func(ctx context.Context, at attempt) (string, error) {
			return noSubscription, u.delete(ctx, at, cardID)
		},
	})
}

func (u *DeleteCard) delete(ctx context.Context, at attempt, cardID string) error {
	customer, err := u.provider.Customer(ctx, at.org.Billing.CustomerID)
	if err == nil && customer.Default != nil && customer.Default.ID == cardID {
		err = u.checkSpare(ctx, at.org.ID)
	}
	if err != nil {
		return err
	}
	return u.provider.DeleteCard(ctx, payment.SavedCard{Key: at.key, CustomerID: customer.ID, CardID: cardID})
}

// checkSpare asks whether anything is paid with the default card: a subscription that our copy has
// not heard of yet must not lose its card either.
func (u *DeleteCard) checkSpare(ctx context.Context, organisationID string) error {
	org, err := u.sync.do(ctx, organisationID)
	if err == nil && org.Billing.Live() != nil {
		err = fault.New(fault.Conflict, "Your subscription is paid with this card. Make another card the default first.")
	}
	return err
}
