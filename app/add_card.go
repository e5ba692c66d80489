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
	cards    savedCards
}

// AddedCard is a saved card.
type AddedCard struct {
	billing.PaymentMethod
	Payment *BillPayment // what happened to an overdue bill; nil when there was none
}

// Do returns the saved card. Declined, with the provider's words, when the bank refuses it. It
// shares the kind of the subscription, which must not begin, change or be paid meanwhile.
func (u *AddCard) Do(ctx context.Context, who identity.Identity, cardID string) (AddedCard, error) {
	var card AddedCard
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return card, err
	}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("card", cardID),
		plan: func(ctx context.Context) (plan, error) {
			return u.bill.plan(ctx, who.OrganisationID, billing.Step{Kind: billing.SaveCardStep, CardID: cardID})
		},
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			step := at.steps[0]
			isNoted := u.cards.cleanNoted(ctx, at, cardID, false)
			card.PaymentMethod, err = u.provider.AddCard(ctx, payment.NewCard{
				Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID,
			})
			if err != nil {
				return noSubscription, err
			}
			card.Payment = u.bill.pay(ctx, at, card.PaymentMethod)
			if isNoted {
				u.cards.keep(ctx, at.org.ID, cardID)
			}
			u.cards.cleanIdentical(ctx, at)
			return noSubscription, nil
		},
	})
	return card, err
}
