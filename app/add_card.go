package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// AddCard saves a card made in the browser and makes it the one that gets charged.
type AddCard struct {
	store    storage.Organisations
	provider payment.Cards
	ops      operations
}

// Do returns the saved card. Declined, with the provider's words, when the bank refuses it.
func (u *AddCard) Do(ctx context.Context, who identity.Identity, cardID string) (billing.PaymentMethod, error) {
	var card billing.PaymentMethod
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return card, err
	}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.CardLane, fingerprint: fingerprint("card", cardID),
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			card, err = u.provider.AddCard(ctx, payment.NewCard{
				Key: at.key, CustomerID: at.org.Billing.CustomerID, CardID: cardID,
			})
			return card.ID, err
		},
	})
	return card, err
}
