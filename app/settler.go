package app

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// settler ends operations that nobody is busy with any more, by asking the provider what there is.
type settler struct {
	store storage.Operations
	sync  *syncBilling
}

// do brings our copy up to date and settles the operation with the subscription that came of it.
// A card needs no asking: the provider lists the cards whenever somebody looks.
func (s settler) do(ctx context.Context, op billing.Operation, at time.Time) error {
	result := ""
	if op.Lane == billing.SubscriptionLane {
		org, err := s.sync.do(ctx, op.OrganisationID)
		if err != nil {
			return err
		}
		if live := org.Billing.Live(); live != nil {
			result = live.ID
		}
	}
	return s.store.SettleOperation(ctx, op.Key, result, at)
}
