package app

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// DeleteCard takes a saved card away.
type DeleteCard struct {
	store storage.Organisations
	ops   operations
	steps steps
}

// Do deletes the card. A card that is not the organisation's own is NotFound; the default card is
// Conflict while a subscription is live or waits for its first payment. In the kind of the
// subscription none can begin on the card, and no other card be made the default one, meanwhile.
func (u *DeleteCard) Do(ctx context.Context, who identity.Identity, cardID string) error {
	customerID, err := customerOf(ctx, u.store, who)
	if err != nil {
		return err
	}
	return u.ops.run(ctx, request{
		organisationID: who.OrganisationID, kind: billing.SubscriptionOperation, fingerprint: fingerprint("delete card", cardID),
		steps: []billing.Step{{Kind: billing.DeleteCardStep, CustomerID: customerID, CardID: cardID}},
		do: func(ctx context.Context, at attempt) (string, error) {
			_, err := u.steps.send(ctx, at.org.ID, at.steps)
			return noSubscription, err
		},
	})
}
