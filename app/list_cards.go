package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ListCards lists the organisation's saved cards.
type ListCards struct {
	store    storage.Organisations
	provider payment.Cards
	cards    savedCards
}

// Do returns the cards, newest first; an organisation without a customer has none. Cards that nobody
// asked to keep are cleaned up first.
func (u *ListCards) Do(ctx context.Context, who identity.Identity) ([]billing.PaymentMethod, error) {
	org, err := u.store.Organisation(ctx, who.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return nil, err
	}
	u.cards.tidyBefore(ctx, org)
	cards, err := u.provider.Cards(ctx, org.Billing.CustomerID)
	if err != nil || org.Billing.PaymentInProgress() || !billing.HasDuplicates(cards) {
		return cards, err
	}
	u.cards.tidy(ctx, org.ID)
	return u.provider.Cards(ctx, org.Billing.CustomerID)
}
