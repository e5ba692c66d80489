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
}

// Do deletes the card. A card that is not the organisation's own is NotFound; the default card is
// Conflict while a subscription lives on it.
func (u *DeleteCard) Do(ctx context.Context, who identity.Identity, cardID string) error {
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err != nil {
		return err
	}
	customerID, err := customerOf(ctx, u.store, who)
	if err != nil {
		return err
	}
	if org.Billing.Live() != nil {
		if err := u.checkSpare(ctx, customerID, cardID); err != nil {
			return err
		}
	}
	return u.provider.DeleteCard(ctx, customerID, cardID)
}

func (u *DeleteCard) checkSpare(ctx context.Context, customerID, cardID string) error {
	customer, err := u.provider.Customer(ctx, customerID)
	if err != nil {
		return err
	}
	if customer.Default != nil && customer.Default.ID == cardID {
		return fault.New(fault.Conflict, "Your subscription is paid with this card. Make another card the default first.")
	}
	return nil
}
