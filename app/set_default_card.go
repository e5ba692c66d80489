package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// SetDefaultCard makes a saved card the one that gets charged.
type SetDefaultCard struct {
	store    storage.Organisations
	provider payment.Cards
}

// Do returns the customer with its new default card. A card that is not the organisation's own is
// NotFound.
func (u *SetDefaultCard) Do(ctx context.Context, who identity.Identity, cardID string) (billing.Customer, error) {
	customerID, err := customerOf(ctx, u.store, who)
	if err != nil {
		return billing.Customer{}, err
	}
	return u.provider.SetDefaultCard(ctx, payment.SavedCard{Key: newID("op"), CustomerID: customerID, CardID: cardID})
}
