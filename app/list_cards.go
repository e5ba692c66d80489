package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// ListCards lists the organisation's saved cards.
type ListCards struct {
	store    storage.Organisations
	provider payment.Cards
}

// Do returns the cards, newest first; an organisation without a customer has none.
func (u *ListCards) Do(ctx context.Context, who identity.Identity) ([]billing.PaymentMethod, error) {
	id, err := customerOf(ctx, u.store, who)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return u.provider.Cards(ctx, id)
}
