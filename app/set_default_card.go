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
	cards    savedCards
}

// ChosenCard is the customer with its new default card.
type ChosenCard struct {
	billing.Customer
	Payment *BillPayment // what happened to an overdue bill; nil when there was none
}

// Do returns the customer with its new default card. A card that is not the organisation's own is
// NotFound. As for the kind see AddCard.
func (u *SetDefaultCard) Do(ctx context.Context, who identity.Identity, cardID string) (ChosenCard, error) {
	var customer ChosenCard
	if _, err := customerOf(ctx, u.store, who); err != nil {
		return customer, err
	}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("default card", cardID),
		plan: func(ctx context.Context) (plan, error) {
			return u.bill.plan(ctx, who.OrganisationID, billing.Step{Kind: billing.SetDefaultCardStep, CardID: cardID})
		},
		do: func(ctx context.Context, at attempt) (_ string, err error) {
			step := at.steps[0]
			isNoted := u.cards.cleanNoted(ctx, at, cardID, false)
			customer.Customer, err = u.provider.SetDefaultCard(ctx, payment.SavedCard{
				Key: step.Key, CustomerID: step.CustomerID, CardID: step.CardID,
			})
			if err == nil && customer.Default != nil {
				customer.Payment = u.bill.pay(ctx, at, *customer.Default)
			}
			if err == nil && isNoted {
				u.cards.keep(ctx, at.org.ID, cardID)
			}
			return noSubscription, err
		},
	})
	return customer, err
}
