package app

import (
	"context"

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
	sync *syncBilling
}

// Do deletes the card. A card that is not the organisation's own is NotFound; the default card is
// Conflict while a subscription lives on it.
func (u *DeleteCard) Do(ctx context.Context, who identity.Identity, cardID string) error {
	customerID, err := customerOf(ctx, u.store, who)
	if err != nil {
		return err
	}
	customer, err := u.provider.Customer(ctx, customerID)
	if err != nil {
		return err
	}
	if customer.Default != nil && customer.Default.ID == cardID {
		if err := u.checkSpare(ctx, who.OrganisationID); err != nil {
			return err
		}
	}
	return u.provider.DeleteCard(ctx, payment.SavedCard{Key: newID("op"), CustomerID: customerID, CardID: cardID})
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
