package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// AddCard saves a card made in the browser and makes it the one that gets charged, for an overdue
// bill at once.
type AddCard struct {
	store    storage.Organisations
	provider payment.Cards
	ops      operations
	bill     overdueBill
}

// Do returns the saved card. Declined, with the provider's words, when the bank refuses it. It
// shares the lane of the subscription, which must not begin, change or be paid meanwhile.
func (u *AddCard) Do(ctx context.Context, who identity.Identity, cardID string) (billing.PaymentMethod, error) {
	var card billing.PaymentMethod
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return card, err
	}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, lane: billing.SubscriptionLane, fingerprint: fingerprint("card", cardID),
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			card, err = u.provider.AddCard(ctx, payment.NewCard{
				Key: at.key + "-card", CustomerID: at.org.Billing.CustomerID, CardID: cardID,
			})
			if err == nil {
				u.bill.pay(ctx, at)
			}
			return noSubscription, err
		},
	})
	return card, err
}
